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
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ceiba import __version__, _core
from ceiba.data.dataset import Dataset
from ceiba.data.frames import make_frame
from ceiba.data.missing_values import Reading
from ceiba.data.schema import Schema
from ceiba.errors import (
    InvalidInputError,
    InvalidParameterError,
    LoadError,
    ModelFileError,
)
from ceiba.messages import listed
from ceiba.model.file import ModelParts, decode, encode, read_file, write_file
from ceiba.model.file_objects import read_model, write_model
from ceiba.model.inspection import Inspection
from ceiba.model.nodes import digest, node_columns
from ceiba.model.output import LastIteration, asked_for
from ceiba.model.predict import (
    count_threads,
    find_leaves,
    iteration_bounds,
    raw_scores,
    staged_raw_scores,
)
from ceiba.model.stored_parameters import check_stored
from ceiba.objectives import Objective, objective_from_state
from ceiba.parameters.constraints import Integer, check_value

__all__ = ["Model", "load_checkpoint", "load_model", "save_checkpoint"]

if TYPE_CHECKING:
    from typing import Unpack

    from ceiba.parameters.typed import PredictKeywords

Floats = NDArray[np.float64]
History = Mapping[str, Mapping[str, Sequence[float]]]

_FLOAT32, _FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
_FEW_ROWS = 64  # too few to look for more than one core
_LARGEST_START = 1e300


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Model(Inspection):
    """A trained model: immutable, and all that prediction needs.

    Attributes
    ----------
    schema : Schema
        Names and kinds of the columns it was trained on.
    objective : Objective
        The loss, which also turns raw scores into predictions.
    parameters : mapping
        What it was trained with.
    start_scores : array of shape (n_outputs,)
        The raw score of every row before the first tree.
    forest : Forest
        The trees.
    best_iteration : int
        The last iteration that was kept, counted from 0.
    history : mapping
        Metrics of the eval sets: ``history[set][metric][iteration]``.
    classes : array or None
        Labels of a classifier.

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
    n_features: int = field(init=False)
    n_outputs: int = field(init=False)
    n_iterations: int = field(init=False)

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
            "n_features": self.forest.n_features,
            "n_outputs": self.forest.n_outputs,
            "n_iterations": self.forest.n_iterations,
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)
        if start.shape != (self.n_outputs,) or len(self.schema.names) != self.n_features:
            raise InvalidInputError(
                "A model needs one start score for each output and one name for each feature of "
                f"its forest ({self.n_outputs} and {self.n_features}). Got {start.size} and "
                f"{len(self.schema.names)}."
            )
        if self.classes is not None:
            _check_classes(self.classes, self.objective, max(2, self.n_outputs))

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
            by name, in any order.
        iteration_range : (begin, end), optional
            Use the trees of these iterations only. The default is all.
        n_jobs : int, optional
            Threads. The default is every core that this process may use.
        **other_names
            Arguments of other libraries, such as raw_score, output_margin, pred_leaf,
            num_iteration or prediction_type.

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
        objective = self.objective
        if iteration_range is not None:
            objective = objective.after(iteration_bounds(iteration_range, self.n_iterations)[1])
        return objective.predict(self._raw(X, iteration_range, n_jobs))

    def predict_raw(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
    ) -> Floats:
        """Return raw scores: [n] of one output, else [n, n_outputs]."""
        return self._shaped(self._raw(X, iteration_range, n_jobs))

    def staged_predict(self, X: Any, *, n_jobs: int | None = None) -> Iterator[Floats]:
        """Yield the predictions after each iteration."""
        for iteration, raw in enumerate(self._staged(X, n_jobs)):
            yield self.objective.after(iteration + 1).predict(raw)

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
        return find_leaves(self.forest, self.schema, X, bounds, count_threads(n_jobs), self.reading)

    @property
    def reading(self) -> Reading:
        """What means missing in a table that is predicted for, besides NaN."""
        return Reading.of(self.parameters)

    def _raw(self, X: Any, iteration_range: Any, n_jobs: int | None) -> Floats:
        X = X.whole_table() if isinstance(X, Dataset) else X
        # The short way for plain arrays: what a call costs matters most for a single row.
        if (
            type(X) is np.ndarray
            and X.ndim == 2
            and (X.dtype is _FLOAT64 or X.dtype is _FLOAT32)
            and X.shape[1] == self.n_features
            and X.shape[0] > 0
            and iteration_range is None
            and self.parameters.get("missing") is None
        ):
            scores = np.empty((X.shape[0], self.n_outputs))
            scores[:] = self.start_scores
            one = n_jobs is None and X.shape[0] < _FEW_ROWS
            n_threads = 1 if one else count_threads(n_jobs)
            self.forest.add_matrix(X, scores, 0, self.n_iterations, n_threads)
            return scores
        bounds = iteration_bounds(iteration_range, self.n_iterations)
        n_threads = count_threads(n_jobs)
        return raw_scores(
            self.forest, self.schema, self.start_scores, X, bounds, n_threads, self.reading
        )

    def _staged(self, X: Any, n_jobs: int | None) -> Iterator[Floats]:
        return staged_raw_scores(
            self.forest,
            self.schema,
            self.start_scores,
            X,
            (0, self.n_iterations),
            count_threads(n_jobs),
            self.reading,
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
        forest, objective = self.forest.slice(0, end), self.objective.after(end)
        return self.with_forest(forest, objective=objective, history=cut)

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

    def trees_to_frame(self) -> Any:
        """Return one row for each node of each tree.

        A DataFrame of pandas, or of polars where there is no pandas, or a dictionary of arrays.
        Leaves have no feature, threshold or children. Where several quantiles share their trees,
        a node has ``value_0``, ``value_1``, … for them in the place of ``output`` and ``value``.
        """
        return make_frame(node_columns(self.forest, self.schema.names))

    def fingerprint(self) -> str:
        """Return the SHA-256 of what the model computes.

        It covers the trees, the start scores, the objective, the names and kinds of the columns,
        and what means missing in a table besides NaN; not the number of threads, the type of the
        input, the history or the version.
        """
        return digest(self.forest, self.start_scores, self.objective, self.schema, self.reading)

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
        write_model(path, self._to_bytes())

    save_model = save

    def _to_bytes(self, training: Mapping[str, Any] | None = None) -> bytes:
        return encode(
            ModelParts(
                arrays=self.forest.arrays(),
                start_scores=self.start_scores,
                objective=self.objective.state(),
                schema=self.schema.to_dict(),
                parameters=self.parameters,
                best_iteration=self.best_iteration,
                history=self.history,
                classes=self.classes,
                version=__version__,
                training=training,
            )
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_bytes, (self._to_bytes(),)

    def __copy__(self) -> Model:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self


def load_model(path: str | os.PathLike[str] | BinaryIO) -> Model:
    """Load a model that :meth:`Model.save` wrote, from a path or a file that is open for bytes.

    Raises
    ------
    LoadError
        If the file cannot be read.
    ModelFileError
        If the file is damaged or is not a model file. A damaged file never loads.

    Examples
    --------
    >>> import io
    >>> from ceiba import Dataset, load_model, train
    >>> model = train({"n_estimators": 2}, Dataset([[1.0], [2.0]], [1.0, 2.0]))
    >>> file = io.BytesIO()
    >>> model.save(file)
    >>> load_model(io.BytesIO(file.getvalue())).fingerprint() == model.fingerprint()
    True
    """
    return _from_bytes(read_model(path))


def save_checkpoint(
    path: str | os.PathLike[str], model: Model, training: Mapping[str, Any]
) -> None:
    """Write a model file that also holds the state of a training, as JSON values."""
    write_file(path, model._to_bytes(training))


def load_checkpoint(path: str | os.PathLike[str]) -> tuple[Model, Mapping[str, Any]]:
    """Return the model of a checkpoint and the state of the training that wrote it."""
    parts = decode(read_file(path))
    if parts.training is None:
        raise LoadError(
            f"{os.fspath(path)!r} is a model and no checkpoint. Give it as init_model to train "
            "further rounds, or give a file that ceiba.Checkpoint wrote."
        )
    return _from_parts(parts), parts.training


def _from_bytes(data: bytes) -> Model:
    return _from_parts(decode(data))


def _from_parts(parts: ModelParts) -> Model:
    schema = Schema.from_dict(parts.schema)
    check_stored(parts.parameters)
    start = parts.start_scores
    forest = _core.Forest(len(schema.names), len(start), dict(parts.arrays))
    try:
        model = Model(
            schema=schema,
            objective=objective_from_state(parts.objective),
            parameters=parts.parameters,
            start_scores=start,
            forest=forest,
            best_iteration=parts.best_iteration,
            history=parts.history,
            classes=parts.classes,
        )
        sound = (
            bool((np.abs(start) <= _LARGEST_START).all())
            and -1 <= model.best_iteration < max(1, model.n_iterations)
            and bool(np.isfinite(model.objective.predict(start[None, :].copy())).all())
        )
    except ModelFileError:
        raise
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise ModelFileError(f"The model file is damaged: {error}") from error
    if not sound:
        raise ModelFileError(
            "The model file is damaged: its start scores, objective and trees do not fit each "
            "other. Load another copy of the model, or train it again."
        )
    return model


def _check_classes(classes: NDArray[Any], objective: Objective, n_classes: int) -> None:
    labels = classes.tolist() if classes.ndim == 1 else []
    is_classifier = objective.task in ("binary", "multiclass", "custom")
    known = [label for label in labels if label == label]
    if not is_classifier or not len(set(known)) == len(labels) == n_classes:
        expected = f"{n_classes} different labels" if is_classifier else "no labels"
        raise InvalidInputError(
            f"A model of objective {objective.name} with these trees has {expected}. "
            f"Got {classes!r}."
        )


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
