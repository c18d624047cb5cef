"""Constant arrays as C text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

__all__ = ["array", "floats"]

_LINE = 100


def floats(numbers: Iterable[Any]) -> list[str]:
    """Return constants of the type of the numbers, float or double, that C reads exactly."""
    single = isinstance(numbers, np.ndarray) and numbers.dtype == np.float32
    write: Callable[[Any], str] = repr if not single else str
    values = list(numbers) if single else np.asarray(numbers, dtype=np.float64).tolist()
    texts = []
    for value in values:
        text = write(value)
        if "inf" in text:
            text = text.replace("inf", "INFINITY")
        else:
            text = text if "." in text or "e" in text else f"{text}.0"
            text = text + "f" if single else text
        texts.append(text)
    return texts


def array(kind: str, name: str, values: Iterable[str]) -> str:
    """Return a constant array, wrapped to lines."""
    every = list(values)
    lines, line = [], ""
    for text in every:
        if line and len(line) + len(text) > _LINE:
            lines.append(line)
            line = ""
        line += f"{text},"
    body = "\n".join([*lines, line])
    return f"static const {kind} {name}[{len(every)}] = {{\n{body}\n}};\n"
