"""Make a ``Model`` of what an importer has read.

An importer fills a :class:`ForeignModel`. :meth:`ForeignModel.to_model` makes a model of it, writes
the model to bytes and loads them with all checks of ceiba's own model files (``model/parts.py``).
So an imported model satisfies whatever a loaded model satisfies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.boosting.prepare import settle_parameters
from ceiba.data.levels import sorted_levels
from ceiba.data.missing_values import Reading
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError
from ceiba.imports.raw_trees import damaged
from ceiba.model.file import decode
from ceiba.model.model import Model, model_of
from ceiba.model.tree_weights import TreeWeights
from ceiba.model.trees import Trees
from ceiba.objectives import Objective
from ceiba.parameters import BY_NAME
from ceiba.parameters.constraints import passes
from ceiba.parameters.resolving import resolve

__all__ = ["Columns", "ForeignModel"]

#: Columns without names that a file may claim to have. Named columns are limited by the file size.
_MOST_UNNAMED = 2**20
#: CatBoost's learning rate for 1000 rounds, if a file does not have it.
_USUAL_RATE = 0.03


@dataclass(eq=False)
class Columns:
    """Columns that a model reads.

    Attributes
    ----------
    n_columns : int
    names : sequence of str or None
        None if the table had no names.
    levels : dict
        Categories of each categorical column, by position. The position of a category in the list
        is its code in the other library.
    missing : float or None
        A value that means missing besides NaN.
    unseen : {"missing", "error"}
        Treatment of categories that are not in ``levels``.
    """

    n_columns: int
    names: Sequence[str] | None = None
    levels: dict[int, Sequence[Any]] = field(default_factory=dict)
    missing: float | None = None
    unseen: Literal["missing", "error"] = "missing"

    def __post_init__(self) -> None:
        if self.names is None and not 0 < self.n_columns <= _MOST_UNNAMED:
            raise damaged(f"it claims to have {self.n_columns} columns")
        if self.names is not None and len(self.names) != self.n_columns:
            raise damaged(f"it has {len(self.names)} names for {self.n_columns} columns")

    def level_numbers(self, column: int) -> NDArray[np.int64]:
        """Return the number of the level that each category code of the other library has."""
        own = list(self.levels[column])
        numbers = {level: number for number, level in enumerate(sorted_levels(own))}
        if len(numbers) != len(own):
            raise damaged(f"column {column} has a category twice")
        return np.array([numbers[level] for level in own], dtype=np.int64)

    def schema(self) -> dict[str, Any]:
        """Return the schema as a model file stores it."""
        names = [f"f{j}" for j in range(self.n_columns)] if self.names is None else self.names
        kinds = ["category" if j in self.levels else "numeric" for j in range(self.n_columns)]
        schema: dict[str, Any] = {
            "names": list(names),
            "named": self.names is not None,
            "kinds": kinds,
        }
        if self.levels:
            schema["levels"] = {
                names[j]: list(sorted_levels(own)) for j, own in sorted(self.levels.items())
            }
        return schema


@dataclass(eq=False, kw_only=True)
class ForeignModel:
    """A model of another library in the terms of ceiba.

    Attributes
    ----------
    recipe : str
        The recipe that stands for the library: its defaults complete ``parameters``.
    parameters : mapping
        Parameters of the training that are known, by ceiba's names. Values that ceiba does not
        allow are left out.
    averages : bool
        Whether the model is the mean of its trees, not their sum.
    n_rounds : int or None
        Rounds to keep; None for all.
    """

    recipe: str
    columns: Columns
    trees: Trees
    objective: Objective
    start_scores: NDArray[np.float64]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    classes: NDArray[Any] | None = None
    averages: bool = False
    n_rounds: int | None = None

    def to_model(self) -> Model:
        """Return the model; raise ModelFileError if its parts do not fit each other."""
        schema = Schema.from_dict(
            self.columns.schema(), Reading(self.columns.missing), self.columns.unseen
        )
        forest = self.trees.to_forest(self.columns.n_columns)
        try:
            made = Model(
                schema=schema,
                objective=self.objective,
                parameters=self._parameters(schema, forest.n_iterations),
                start_scores=self.start_scores,
                forest=forest,
                best_iteration=forest.n_iterations - 1,
                classes=self.classes,
                tree_weights=TreeWeights(mean=self.averages),
            )
        except InvalidInputError as error:
            raise damaged(str(error).rstrip(".")) from error
        model = model_of(decode(made.to_bytes()))
        return model if self.n_rounds is None else model.truncate(self.n_rounds)

    def _parameters(self, schema: Schema, n_rounds: int) -> dict[str, Any]:
        """Return complete parameters, as a training with the recipe would record them.

        They are those of the recipe where the file has none. Early stopping and samples of rows are
        off: the file does not say whether they were used.
        """
        known = {
            name: value
            for name, value in self.parameters.items()
            if passes(BY_NAME[name].constraint, value)
        }
        options = {name: value for name, value in self.objective.state().items() if name in BY_NAME}
        own = {
            **options,
            "objective": self.objective.label,
            "n_estimators": max(1, n_rounds),
            "num_parallel_tree": self.trees.n_parallel,
            "boosting": "forest" if self.averages else "plain",
            "missing": self.columns.missing,
            "unseen_category": self.columns.unseen,
            "early_stopping_rounds": 0,
            "sampling": "none",
        }
        parameters = resolve({"recipe": self.recipe}).replace(**known, **own)
        if parameters.learning_rate == "auto":
            parameters = parameters.replace(learning_rate=_USUAL_RATE)
        n_outputs = self.trees.n_outputs
        return settle_parameters(parameters, schema, self.objective, (), n_outputs).for_model()
