"""Route rows by what people read: rules in text and boxes of tree plots."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd


def meets(row: Any, rule: str) -> bool:
    """Whether a row meets a rule such as "a <= 3", "a in {x, y} or a is missing"."""
    *rest, missing = rule.rsplit(" or ", 1) if " is missing" in rule else ("", rule)
    if " or " in rule:
        name = missing.removesuffix(" is missing")
        return bool(pd.isna(row[name])) or meets(row, rest[0])
    name, test, value = re.match(r"(.+?) (<=|>|in|not in|is) (.*)", rule.strip()).groups()
    own = row[name]
    if test == "is":
        return bool(pd.isna(own)) == (value == "missing")
    if pd.isna(own):
        return False
    if test in ("in", "not in"):
        return (str(own) in value.strip("{}").split(", ")) == (test == "in")
    return bool(own <= known(own, value)) == (test == "<=")


def known(like: Any, text: str) -> Any:
    """Return a threshold as a value of a column."""
    text = text.replace("−", "-")
    if isinstance(like, pd.Timestamp):
        return pd.Timestamp(text)
    if isinstance(like, pd.Timedelta):
        days, time = re.fullmatch(r"(?:(-?\d+) days?)? ?([\d:.]*)", text).groups()
        time = (time or "0:0") + ":00" * (2 - (time or "0:0").count(":"))
        return pd.Timedelta(days=int(days or 0)) + pd.Timedelta(time)
    return float(text)


def leaf_of_text(row: Any, text: str, tolerant: bool = False) -> str:
    """Return the leaf line that a row reaches by the lines of ``export_text(show_missing=True)``.

    With ``tolerant``, missing values need not be mentioned.
    """
    depth = 0
    for line in text.splitlines():
        bars, rule = re.fullmatch(r"((?:\|   )*)\|--- (.*)", line).groups()
        if len(bars) // 4 != depth:
            continue
        if rule.startswith(("value:", "class:")):
            return rule
        if meets(row, rule):
            depth += 1
    raise AssertionError(f"no leaf for {dict(row)} in\n{text}")


class DrawnTree:
    """The boxes of a tree plot, and the lines between them."""

    def __init__(self, ax: Any) -> None:
        boxes = [text for text in ax.texts if "\n" in text.get_text()]
        self.boxes = {self._key(t): t.get_text().split("\n") for t in boxes}
        self.yes: dict[Any, Any] = {}
        self.no: dict[Any, Any] = {}
        self.missing: dict[Any, bool] = {}
        marks = [t for t in ax.texts if t.get_text().startswith(("yes", "no"))]
        for mark in marks:
            x, y = mark.get_position()
            child = (round(x), round(y + 0.05, 6))
            own = [
                line
                for line in ax.lines
                if (round(line.get_xdata()[-1]), round(line.get_ydata()[-1], 6)) == child
            ]
            parent = (child[0] - 1, round(own[0].get_ydata()[0], 6))
            side = self.yes if mark.get_text().startswith("yes") else self.no
            side[parent] = child
            if "?" in mark.get_text():
                self.missing[parent] = mark.get_text().startswith("yes")
        self.root = next(key for key in self.boxes if key[0] == 0)

    @staticmethod
    def _key(text: Any) -> tuple[int, float]:
        x, y = text.get_position()
        return int(x), round(y, 6)

    def leaf(self, row: Any) -> list[str]:
        """Return the lines of the box that a row reaches."""
        at = self.root
        while at in self.yes:
            rule = " ".join(self.boxes[at][:-1]).replace("≤", "<=").replace("−", "-")
            rule = re.sub(r" in (.*)", r" in {\1}", rule)
            name = rule.split(" ")[0]
            left = meets(row, rule)
            if pd.isna(row[name]):
                left = self.missing[at]
            at = self.yes[at] if left else self.no[at]
        return self.boxes[at]


def agrees(text: str, value: float) -> bool:
    """Whether a printed number is the value, to the digits that are printed."""
    text = text.replace("−", "-").replace(",", "")
    digits = re.sub(r"e.*", "", text)
    decimals = len(digits.split(".")[1]) if "." in digits else 0
    scale = 10.0 ** int(text.split("e")[1]) if "e" in text else 1.0
    return abs(float(text) - value) <= 0.5001 * 10.0**-decimals * scale + 1e-9 * abs(
        np.float64(value)
    )
