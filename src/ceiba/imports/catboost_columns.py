"""Columns and splits of a CatBoost file.

A file numbers numeric and categorical columns separately and gives the position of each in the
table. It stores categories as 32-bit hashes. ``cat_features_hash`` lists the text of each hash, if
the file was saved with ``pool=``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import LoadError
from ceiba.imports.foreign_model import Columns
from ceiba.imports.raw_trees import damaged

__all__ = ["CatboostColumns", "CatboostSplit"]

#: Columns that a file may have: the positions are numbers that the file names freely.
_MOST_COLUMNS = 2**20
_HASH = 2**32


@dataclass(frozen=True, slots=True)
class CatboostSplit:
    """A split in terms of the table: ``x > border``, or whether the level is in ``levels``."""

    column: int
    missing_left: bool
    border: float = 0.0
    levels: NDArray[np.int64] | None = None


class CatboostColumns:
    """The columns of a file, and what its splits read."""

    def __init__(
        self, info: Mapping[str, Any], splits: Iterable[Sequence[Mapping[str, Any]]]
    ) -> None:
        numeric = {own["feature_index"]: own for own in info.get("float_features") or ()}
        categorical = {own["feature_index"]: own for own in info.get("categorical_features") or ()}
        self._numeric = {j: int(own["flat_feature_index"]) for j, own in numeric.items()}
        self._categorical = {j: int(own["flat_feature_index"]) for j, own in categorical.items()}
        self._nan_goes_right = {
            int(own["flat_feature_index"]): own.get("nan_value_treatment") == "AsTrue"
            for own in numeric.values()
        }
        places = [*self._numeric.values(), *self._categorical.values()]
        n_columns = 1 + max(places, default=-1)
        is_sound = len(set(places)) == len(places) and min(places, default=0) >= 0
        if not is_sound or n_columns > _MOST_COLUMNS:
            raise damaged("two of its columns have the same position, or one has none")
        self.columns = Columns(
            n_columns, _names(n_columns, [*numeric.values(), *categorical.values()])
        )
        texts = {
            int(own["hash"]) % _HASH: str(own["value"])
            for own in info.get("cat_features_hash") or ()
        }
        hashes: dict[int, set[int]] = {}
        for split in (own for tree in splits for own in tree):
            if split.get("split_type") == "OneHotFeature":
                column = self._categorical[split["cat_feature_index"]]
                hashes.setdefault(column, set()).add(int(split["value"]) % _HASH)
        # Trees do not read the others, so their categories do not matter.
        self.columns.levels = {column: [] for column in self._categorical.values()}
        #: Level number of each hash, for each categorical column that is read.
        self._levels: dict[int, dict[int, int]] = {}
        for column, own in hashes.items():
            self._levels[column] = self._read_levels(column, sorted(own), texts)

    def _read_levels(
        self, column: int, hashes: Sequence[int], texts: Mapping[int, str]
    ) -> dict[int, int]:
        if any(code not in texts for code in hashes):
            raise LoadError(
                "CatBoost stores categories as hashes, and the file does not have their text. Save "
                "the model with model.save_model(path, format='json', pool=pool), or use "
                "ceiba.from_model(model, X) with rows that have all categories."
            )
        levels: list[Any] = [texts[code] for code in hashes]
        if all(
            _is_integer(text) for text in levels
        ):  # CatBoost turned a column of integers to text
            levels = [int(text) for text in levels]
        self.columns.levels[column] = levels
        return dict(zip(hashes, self.columns.level_numbers(column).tolist(), strict=True))

    def read(self, split: Mapping[str, Any]) -> CatboostSplit:
        """Return a split of the file; raise LoadError if ceiba cannot express it."""
        kind = split.get("split_type")
        if kind == "FloatFeature":
            column = self._numeric[split["float_feature_index"]]
            return CatboostSplit(
                column, not self._nan_goes_right[column], border=float(split["border"])
            )
        if kind == "OneHotFeature":
            column = self._categorical[split["cat_feature_index"]]
            level = self._levels[column][int(split["value"]) % _HASH]
            return CatboostSplit(column, False, levels=np.array([level], dtype=np.int64))
        raise LoadError(
            f"ceiba imports CatBoost's splits of numbers and one-hot categories. Got a split of "
            f"type {kind!r}. Target statistics (CTRs) need their own tables: train with "
            "one_hot_max_size above the number of categories, or train the model with ceiba "
            "(recipe='catboost')."
        )


def _names(n_columns: int, features: Sequence[Mapping[str, Any]]) -> list[str] | None:
    """Return the names of the columns; None if they have none."""
    names = [f"f{j}" for j in range(n_columns)]
    for own in features:
        name = str(own.get("feature_name") or own.get("feature_id") or "")
        if not name:
            return None
        names[int(own["flat_feature_index"])] = name
    is_counted = names == [str(j) for j in range(n_columns)]
    return None if is_counted else names


def _is_integer(text: str) -> bool:
    return text.lstrip("-").isdigit() and len(text) < 19 and str(int(text)) == text
