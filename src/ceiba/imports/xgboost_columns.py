"""Columns of an XGBoost file: their names, and the categories of each.

Since version 3.1 files contain the categories of DataFrames. Older files, and files of models that
were trained on arrays, know codes only: then the codes are the categories. XGBoost sends codes that
it did not see in training left, and does not treat them as missing; so such a column gets many more
codes than the file names, and any other code is an error. A column of codes that no tree reads is
numeric.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.levels import plain_level
from ceiba.errors import LoadError
from ceiba.imports.foreign_model import Columns
from ceiba.imports.raw_trees import damaged

__all__ = ["category_numbers", "read_columns"]

Integers = NDArray[np.int64]

#: Codes of a column whose categories are not in the file: at least and at most so many, besides
#: those in the file.
_FEWEST_CODES, _MOST_CODES = 256, 2**16
_MOST_CODES_IN_ALL = 2**22
#: Files of XGBoost from this version on have the whole text of categories.
_WHOLE_TEXT = (3, 4)
#: XGBoost stores categories as float32, which represent all integers below this one.
_LARGEST_CODE = 2**24


def read_columns(model: Mapping[str, Any], codes_in_sets: Mapping[int, Integers]) -> Columns:
    """Return the columns; ``codes_in_sets`` are the codes that trees split by, for each column."""
    learner = model["learner"]
    version = tuple(int(part) for part in model.get("version", (0,)))[:2]
    n_columns = int(learner["learner_model_param"]["num_feature"])
    names = list(learner.get("feature_names", ())) or None
    columns = Columns(n_columns, names)
    types = list(learner.get("feature_types", ()))
    known = _known_categories(learner, version)
    n_codes = 0
    categories = {j for j, kind in enumerate(types[:n_columns]) if kind == "c"} | set(codes_in_sets)
    for j in sorted(categories):
        if not 0 <= j < n_columns:
            raise damaged("a split reads a column that it does not have")
        if j in known:
            columns.levels[j] = known[j]
        elif j in codes_in_sets:
            columns.levels[j] = _codes(codes_in_sets[j])
            n_codes += len(columns.levels[j])
        if n_codes > _MOST_CODES_IN_ALL:
            raise damaged("it has too many categories")
        columns.unseen = "error" if columns.levels else "missing"
    return columns


def _known_categories(learner: Mapping[str, Any], version: tuple[int, ...]) -> dict[int, list[Any]]:
    """Return the categories of each column that the file lists."""
    booster = learner["gradient_booster"]
    model = booster.get("gbtree", booster)["model"]
    encodings: Sequence[Mapping[str, Any]] = (model.get("cats") or {}).get("enc", ())
    found = {}
    for j, encoding in enumerate(encodings):
        values = np.asarray(encoding.get("values", ()))
        if not values.size:
            continue
        if "offsets" in encoding:
            text = values.astype(np.int64).astype(np.uint8).tobytes()
            if version < _WHOLE_TEXT and not text.isascii():
                raise LoadError(
                    "XGBoost before version 3.4 cuts the text of categories that are not ASCII, so "
                    "the file does not say which categories the model knows. Train with XGBoost "
                    "3.4, or with ASCII categories."
                )
            ends = np.asarray(encoding["offsets"], dtype=np.int64)
            if (np.diff(ends) < 0).any() or ends[0] != 0 or ends[-1] != len(text):
                raise damaged("the categories of a column do not fit their text")
            own = [text[a:b].decode() for a, b in pairwise(ends.tolist())]
        else:
            own = [plain_level(value) for value in values.tolist()]
        found[j] = own
    return found


def _codes(used: Integers) -> list[int]:
    """Return the codes of a column, and more that training may have seen."""
    if len(used) and not 0 <= used.min() <= used.max() < _LARGEST_CODE:
        raise damaged("a category is out of range")
    several = max(_FEWEST_CODES, 2 * int(used.max(initial=0)) + 2)
    codes = np.union1d(np.arange(min(several, _MOST_CODES)), used)
    return codes.astype(np.int64).tolist()  # type: ignore[no-any-return]


def category_numbers(columns: Columns, column: int) -> Callable[[Integers], Integers]:
    """Return a function from codes of XGBoost to sorted level numbers."""
    numbers = columns.level_numbers(column)
    levels = np.asarray(columns.levels[column])
    are_codes = levels.dtype.kind == "i" and bool((numbers == np.arange(len(levels))).all())
    is_own = are_codes and len(levels) >= _FEWEST_CODES

    def numbered(codes: Integers) -> Integers:
        at = np.searchsorted(levels, codes) if is_own else codes
        if ((at < 0) | (at >= len(numbers))).any():
            raise damaged("a category is out of range")
        return np.sort(numbers[at])

    return numbered
