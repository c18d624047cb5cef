"""Columns of a LightGBM file: their names, and the categories of each.

LightGBM stores categories as integer codes. ``pandas_categorical`` lists the categories of each
categorical column of the pandas table, in the order of the columns, but does not name the columns.
:func:`read_columns` finds them; it raises if more than one assignment fits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.levels import plain_level
from ceiba.errors import LoadError
from ceiba.imports.foreign_model import Columns
from ceiba.imports.raw_trees import damaged

if TYPE_CHECKING:
    from ceiba.imports.lightgbm_file import LightgbmText

__all__ = ["MOST_CODES", "read_columns", "sets_of_thresholds"]

Integers = NDArray[np.int64]

#: Category codes in all sets together. Real models have a thousandth of it.
MOST_CODES = 2**24

_UNNAMED = re.compile(r"Column_\d+")


def read_columns(source: LightgbmText, codes_in_sets: Mapping[int, Integers]) -> Columns:
    """Return the columns.

    ``codes_in_sets`` has the category codes in the sets of each column that trees split by sets.
    """
    names = source.header["feature_names"].split()
    infos = source.header["feature_infos"].split(" ")
    n_columns = int(source.header["max_feature_idx"]) + 1
    if not len(names) == len(infos) == n_columns:
        raise damaged(f"it has {len(names)} column names and {len(infos)} ranges of values")
    if any(not 0 <= j < n_columns for j in codes_in_sets):
        raise damaged("a split reads a column that it does not have")
    named = any(_UNNAMED.fullmatch(name) is None for name in names)
    declared = _declared(source, n_columns)
    categories = sorted({*codes_in_sets, *declared, *_listed(infos)})
    found = json.loads(source.pandas_categorical)
    levels: dict[int, Sequence[Any]] = {}
    if found:
        candidates = categories if len(categories) >= len(found) else list(range(n_columns))
        lengths = [len(own) for own in found]
        places = _assigned([_largest_code(infos[j]) for j in candidates], lengths)
        levels = {
            candidates[k]: [_level(v) for v in own] for k, own in zip(places, found, strict=True)
        }
    for j in categories:
        if j not in levels:
            known = codes_in_sets.get(j, np.zeros(0, dtype=np.int64))
            levels[j] = _Codes(np.union1d(known, _codes(infos[j])).astype(np.int64).tolist())
    return Columns(n_columns, names if named else None, levels)


def _declared(source: LightgbmText, n_columns: int) -> list[int]:
    """Return the columns of the parameter ``categorical_feature``, if it has positions."""
    text = source.parameters.get("categorical_feature", "")
    parts = [part for part in text.split(",") if part.strip().isdigit()]
    return [int(part) for part in parts if len(part) < 10 and int(part) < n_columns]


def _listed(infos: Sequence[str]) -> list[int]:
    """Return the columns whose info is a list of category codes."""
    return [j for j, info in enumerate(infos) if not info.startswith("[") and info != "none"]


def _codes(info: str) -> list[int]:
    """Return the category codes in the info of a column; -1 stands for missing values."""
    if info.startswith("[") or info == "none":
        return []
    return sorted({int(code) for code in info.split(":")} - {-1})


def _largest_code(info: str) -> float:
    """Return the largest code of a column; infinity if the column cannot hold codes."""
    if info == "none":
        return -1.0
    if not info.startswith("["):
        return float(max(_codes(info), default=-1))
    low, _, high = info[1:-1].partition(":")
    is_code = float(low) >= 0.0 and float(low).is_integer() and float(high).is_integer()
    return float(high) if is_code else np.inf


def _assigned(largest: Sequence[float], lengths: Sequence[int]) -> list[int]:
    """Return the column of each list of categories, in order, if there is only one way.

    A column fits a list if all its codes are positions in the list.
    """
    if len(largest) == len(lengths):
        return list(range(len(lengths)))
    # From the left and from the right, each list takes the first column that fits.
    sides = []
    for columns, wanted in ((largest, lengths), (largest[::-1], lengths[::-1])):
        taken: list[int] = []
        at = 0
        for length in wanted:
            while at < len(columns) and columns[at] >= length:
                at += 1
            taken.append(at)
            at += 1
        if at > len(columns):
            raise damaged("its pandas categories fit no columns")
        sides.append(taken)
    leftmost, rightmost = sides[0], [len(largest) - 1 - at for at in sides[1]][::-1]
    if leftmost != rightmost:
        raise LoadError(
            "The file does not say which columns its pandas categories belong to: some columns of "
            "integers, or ordered categories, fit as well. Train again with all categories as "
            "unordered pandas categories, or with all of them as integer codes."
        )
    return leftmost


def _level(value: Any) -> Any:
    level = plain_level(value)
    if level is None:
        raise damaged("a pandas category is missing")
    return level


def sets_of_thresholds(
    columns: Columns,
    set_of_node: Integers,
    sets: Sequence[Integers],
    feature: Integers,
    threshold: NDArray[np.float64],
    is_split: NDArray[np.bool_],
) -> tuple[Integers, list[Integers]]:
    """Return sets of level numbers in place of category codes.

    Ordered pandas categories are split by a threshold on their codes; it becomes a set as well.
    """
    set_of_node = set_of_node.copy()
    made: list[Integers] = []
    places = {j: _places(columns, j) for j in columns.levels}
    is_category = np.zeros(columns.n_columns, dtype=bool)
    is_category[list(columns.levels)] = True
    n_numbers = 0
    for node in np.flatnonzero(is_split & is_category[feature]).tolist():
        codes, numbers = places[int(feature[node])]
        if set_of_node[node] >= 0:
            own = sets[set_of_node[node]]
            at = np.searchsorted(codes, own)
            if len(own) and (at[-1] >= len(codes) or (codes[at] != own).any()):
                raise damaged("a category set has a code that its column does not have")
        else:
            at = np.flatnonzero(codes <= threshold[node])
        n_numbers += len(at)
        if n_numbers > MOST_CODES:
            raise damaged("its category sets are too large")
        set_of_node[node] = len(made)
        made.append(np.sort(numbers[at]))
    return set_of_node, made


def _places(columns: Columns, column: int) -> tuple[Integers, Integers]:
    """Return the codes of a column in LightGBM and their level numbers in ceiba."""
    own, numbers = columns.levels[column], columns.level_numbers(column)
    by_code = isinstance(own, _Codes)
    return np.array(own if by_code else range(len(own)), dtype=np.int64), numbers


class _Codes(list[int]):
    """Categories that are the codes themselves: the column held integers."""
