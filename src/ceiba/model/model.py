"""The trained model.

The life of a model:

1. Training makes one from the forest it grew; :func:`load_model` makes one from a file.
2. It never changes: predictions, frames and importances are read from it, by as many threads as
   you like at the same time.
3. :meth:`Model.save` writes everything to one file, and pickle uses the same bytes. What was
   loaded predicts the same bits and has the same :meth:`Model.fingerprint`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ceiba import __version__, _core
from ceiba.data.frames import make_frame
from ceiba.data.schema import Schema
from ceiba.errors import (
    InvalidInputError,
    InvalidParameterError,
)
from ceiba.messages import listed
from ceiba.model.correction import (
    NO_CORRECTION,
    Correction,
    described_objective,
)
from ceiba.model.file import ModelParts, decode, encode
from ceiba.model.file_objects import write_model
from ceiba.model.inspection import Inspection
from ceiba.model.lazy_imports import LazyMethods
from ceiba.model.nodes import digest, node_columns
from ceiba.model.output import LastIteration, asked_for
from ceiba.model.parts import check_classes, damaged, fields_of
from ceiba.model.predict import (
    count_threads,
    find_leaves,
    iteration_bounds,
    raw_scores,
    staged_raw_scores,
)
from ceiba.model.tree_weights import TreeWeights
from ceiba.objectives import Objective
from ceiba.parameters.constraints import Integer, check_value

__all__ = ["Model", "model_of"]

if TYPE_CHECKING:
    from typing import Unpack

    from ceiba.parameters.typed import PredictKeywords

Floats = NDArray[np.float64]
History = Mapping[str, Mapping[str, Sequence[float]]]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Model(Inspection, LazyMethods):
    """A trained model: immutable, and all that prediction needs.

    Attributes
    ----------
    schema : Schema
        Names, kinds and levels of the columns it was trained on, and what means missing in them.
    objective : Objective
        The loss, which also turns raw scores into predictions.
    parameters : mapping
        What it was trained with.
    start_scores : array of shape (n_outputs,)
        The raw score of every row before the first tree.
    forest : Forest
        The trees, with the values that they were given.
    best_iteration : int
        The last iteration that was kept, counted from 0.
    history : mapping
        Metrics of the eval sets: ``history[set][metric][iteration]``.
    classes : array or None
        Labels of a classifier.
    tree_weights : TreeWeights
        What each tree counts after any number of iterations, where that changed.
    correction : Correction
        What calibration adds to raw scores before they become predictions.

    Examples
    --------
    >>> import numpy as np
    >>> from ceiba import Dataset, train
    >>> X = np.arange(200.0).reshape(100, 2)
    >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
    >>> model.predict(X[:2]).shape
    (2,)
    >>> model.truncate(5).n_iterations
    5
    """

    schema: Schema
    objective: Objective
    parameters: Mapping[str, Any]
    start_scores: Floats
    forest: _core.Forest
    best_iteration: int
    history: History = field(default_factory=dict)
    classes: NDArray[Any] | None = None
    tree_weights: TreeWeights = field(default_factory=TreeWeights)
    correction: Correction = NO_CORRECTION
    n_features: int = field(init=False)
    n_outputs: int = field(init=False)
    n_iterations: int = field(init=False)
    #: Whether no tree ever counts anything but what it was committed with.
    counts_once: bool = field(init=False)

    def __post_init__(self) -> None:
        start = _read_only(np.array(self.start_scores, dtype=np.float64, ndmin=1))
        history = {
            name: MappingProxyType({metric: tuple(values) for metric, values in metrics.items()})
            for name, metrics in self.history.items()
        }
        made = {
            "start_scores": start,
            "parameters": MappingProxyType(deepcopy(dict(self.parameters))),
            "history": MappingProxyType(history),
            "classes": None if self.classes is None else _read_only(np.array(self.classes)),
            "best_iteration": LastIteration(self.best_iteration),
            "n_features": self.schema.n_features,
            "n_outputs": self.forest.n_outputs,
            "n_iterations": self.forest.n_iterations,
            "counts_once": self.tree_weights.counts_once,
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)
        n_columns = self.schema.engine.n_features
        if start.shape != (self.n_outputs,) or n_columns != self.forest.n_features:
            raise InvalidInputError(
                "A model needs one start score for each output and one name for each feature of "
                f"its forest ({self.n_outputs} and {self.forest.n_features}). Got {start.size} and "
                f"{n_columns}."
            )
        if self.classes is not None:
            check_classes(self.classes, self.objective, max(2, self.n_outputs))

    # ---- prediction ----------------------------------------------------------------------------

    def predict(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
        **other_names: Unpack[PredictKeywords],
    ) -> Floats:
        """Predict rows.

        Parameters
        ----------
        X : table
            Array, DataFrame, sparse matrix, list of rows or Dataset. Columns with names are matched
            by name, in any order. One row may be a dictionary, a list of its values or a Series.
        iteration_range : (begin, end), optional
            Use the trees of these iterations only. The default is all.
        n_jobs : int, optional
            Threads. The default is every core that this process may use.
        **other_names
            Arguments of other libraries, such as raw_score, output_margin, pred_leaf,
            pred_contrib, num_iteration or prediction_type.

        Returns
        -------
        array
            Values of a regression, [n]; the probability of class 1 of two classes, [n]; the
            probabilities of more classes, [n, n_classes]; several quantiles, [n, n_levels], in
            increasing order.
        """
        if other_names:
            asked = asked_for(self.n_iterations, iteration_range, n_jobs, other_names)
            return self.answer(X, asked)
        bounds = (0, self.n_iterations)
        if iteration_range is not None:
            bounds = iteration_bounds(iteration_range, self.n_iterations)
        # Nothing is called that need not be: what a call costs matters most for a single row.
        forest = self.forest if self.counts_once else self._counted_forest(*bounds)
        raw = raw_scores(forest, self.schema, self.start_scores, X, bounds, n_jobs)
        if self.correction.shifts:
            raw = self.correction.after(bounds[1]).applied(raw)
        return self.objective.predict(raw)

    def predict_raw(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
    ) -> Floats:
        """Return raw scores: [n] of one output, else [n, n_outputs]."""
        bounds = iteration_bounds(iteration_range, self.n_iterations)
        forest = self._counted_forest(*bounds)
        return self._shaped(raw_scores(forest, self.schema, self.start_scores, X, bounds, n_jobs))

    def staged_predict(self, X: Any, *, n_jobs: int | None = None) -> Iterator[Floats]:
        """Yield the predictions after each iteration."""
        for iteration, raw in enumerate(self._staged(X, n_jobs)):
            yield self.objective.predict(self.correction.after(iteration + 1).applied(raw))

    def staged_predict_raw(self, X: Any, *, n_jobs: int | None = None) -> Iterator[Floats]:
        """Yield the raw scores after each iteration."""
        for raw in self._staged(X, n_jobs):
            yield self._shaped(raw)

    def apply(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
    ) -> NDArray[np.int32]:
        """Return the leaf of each row in each tree, as the node's number within its tree."""
        bounds = iteration_bounds(iteration_range, self.n_iterations)
        return find_leaves(self._whole, self.schema, X, bounds, count_threads(n_jobs))

    def weighted_forest(self, n_iterations: int | None = None, begin: int = 0) -> _core.Forest:
        """Return the trees with what they count after so many iterations (None: after all).

        With ``begin``, what they count where the iterations from there on are asked for: they are
        as many as a mean is taken over.
        """
        if self.counts_once:
            return self.forest
        end = self.n_iterations if n_iterations is None else n_iterations
        return self.tree_weights.applied(self.forest, end, begin)

    def _counted_forest(self, begin: int, end: int) -> _core.Forest:
        """Return what predicts as they do, and has no second copy of the trees."""
        is_whole = (begin, end) == (0, self.n_iterations)
        return self._whole if is_whole else self.tree_weights.counted(self.forest, end, begin)

    @cached_property
    def _whole(self) -> _core.Forest:
        return self.tree_weights.counted(self.forest, self.n_iterations)

    def _staged(self, X: Any, n_jobs: int | None) -> Iterator[Floats]:
        return staged_raw_scores(
            self.forest,
            self.schema,
            self.start_scores,
            self.tree_weights,
            X,
            (0, self.n_iterations),
            count_threads(n_jobs),
        )

    def _shaped(self, raw: Floats) -> Floats:
        return raw[:, 0] if self.n_outputs == 1 else raw

    # ---- what is inside ------------------------------------------------------------------------

    @property
    def n_trees(self) -> int:
        """Return the number of trees: one for each output and iteration.

        Several quantiles share one tree an iteration, whose leaves add to all of them.
        """
        return self.forest.n_trees

    def truncate(self, n_iterations: int) -> Model:
        """Return a model of the first iterations, with their history."""
        limit = Integer(0, self.n_iterations)
        end = check_value("n_iterations", limit, n_iterations, "The model has no more.")
        cut = {
            name: {metric: values[:end] for metric, values in metrics.items()}
            for name, metrics in self.history.items()
        }
        return self.with_forest(
            self.forest.slice(0, end),
            history=cut,
            tree_weights=self.tree_weights.until(end),
            correction=self.correction.after(end),
        )

    def __getitem__(self, iterations: slice) -> Model:
        """Return the first iterations: ``model[:n]`` is ``model.truncate(n)``."""
        if not isinstance(iterations, slice) or not (
            iterations.start in (None, 0)
            and iterations.step in (None, 1)
            and (iterations.stop is None or hasattr(iterations.stop, "__index__"))
        ):
            raise InvalidParameterError(
                "A model is cut from its first iteration on, as model[:n]: later trees correct "
                f"the earlier ones. Got {iterations!r}."
            )
        return self.truncate(iterations.indices(self.n_iterations)[1])

    def with_forest(self, forest: _core.Forest, **changes: Any) -> Model:
        """Return a model of other trees, which says the same of everything else."""
        return replace(self, forest=forest, best_iteration=forest.n_iterations - 1, **changes)

    def corrected(self, correction: Correction) -> Model:
        """Return a model that adds something else to raw scores before it predicts."""
        return replace(self, correction=correction)

    def trees_to_frame(self) -> Any:
        """Return one row for each node of each tree.

        A DataFrame of pandas, or of polars where there is no pandas, or a dictionary of arrays.
        Leaves have no feature, threshold or children. Where several quantiles share their trees,
        a node has ``value_0``, ``value_1``, … for them in the place of ``output`` and ``value``.
        Where nodes split by sets of levels, ``levels`` holds those that go left.
        """
        return make_frame(node_columns(self.weighted_forest(), self.schema))

    def fingerprint(self) -> str:
        """Return the SHA-256 of what the model computes.

        It covers the trees and what they count, the start scores, the objective and its correction,
        the names, kinds and levels of the columns, and what means missing in a table besides NaN;
        not the number of threads, the type of the input, the history or the version.
        """
        described = described_objective(self.objective, self.correction)
        arrays = self._arrays()
        arrays["start_scores"] = self.start_scores
        return digest(arrays, described, self.schema)

    def __repr__(self) -> str:
        trees = f"{self.n_iterations} iterations"
        if self.forest.trees_per_iteration > 1:
            trees += f" of {self.forest.trees_per_iteration} trees"
        elif self.n_outputs > 1:
            trees += f" of one tree for {self.n_outputs} outputs"
        features = f"{self.n_features} features ({listed(self.schema.names, most=3, show=str)})"
        return f"<ceiba.Model: {self.objective.name}, {trees}, {features}; predict(X), save(path)>"

    # ---- keeping -------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write the model to a file, or into one that is open for bytes.

        The file of a path is replaced in one step: if anything fails (SaveError), what was there
        before is still there, whole.
        """
        write_model(path, self.to_bytes())

    save_model = save

    def to_bytes(self, training: Mapping[str, Any] | None = None) -> bytes:
        """Return the file of the model, and with ``training`` that of a checkpoint."""
        return encode(
            ModelParts(
                arrays=self._arrays(),
                start_scores=self.start_scores,
                objective=described_objective(self.objective, self.correction),
                schema=self.schema.to_dict(),
                parameters={**self.parameters, **self.schema.reading.as_parameters()},
                best_iteration=self.best_iteration,
                history=self.history,
                classes=self.classes,
                version=__version__,
                training=training,
            )
        )

    def _arrays(self) -> dict[str, NDArray[Any]]:
        arrays = {**self.forest.arrays(), **self.tree_weights.arrays()}
        own = self.schema.statistics
        return arrays if own is None else {**arrays, **own.arrays()}

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_bytes, (self.to_bytes(),)

    def __copy__(self) -> Model:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self


def model_of(parts: ModelParts) -> Model:
    """Return the model that a file holds; raise ModelFileError if it is damaged."""
    fields = fields_of(parts)
    try:
        return Model(**fields)
    except (ValueError, TypeError) as error:
        raise damaged(error) from error


def _from_bytes(data: bytes) -> Model:
    """Return the model of a pickle, which has the bytes of a file."""
    return model_of(decode(data))


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
