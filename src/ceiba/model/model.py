"""The trained model.

The life of a model:

1. Training makes a model from the forest that it grew; :func:`load_model` makes one from a file.
2. A model never changes. Any number of threads may use it at the same time.
3. :meth:`Model.save` writes everything to one file; pickle uses the same bytes. A loaded model
   predicts the same bits and has the same :meth:`Model.fingerprint`.

Its methods are in ``prediction.py``, ``evaluation.py``, ``inspection.py`` and ``lazy_imports.py``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ceiba import __version__
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.messages import listed
from ceiba.model.blockwise import Blockwise
from ceiba.model.correction import NO_CORRECTION, Correction, described_objective
from ceiba.model.decisions import NO_DECISIONS, Decisions
from ceiba.model.evaluation import Evaluation
from ceiba.model.file import ModelParts, decode, encode
from ceiba.model.file_objects import write_model
from ceiba.model.inspection import Inspection
from ceiba.model.lazy_imports import LazyMethods
from ceiba.model.nodes import digest
from ceiba.model.output import LastIteration
from ceiba.model.parts import check_classes, damaged, fields_of
from ceiba.model.prediction import Prediction
from ceiba.model.tree_weights import TreeWeights
from ceiba.objectives import Objective
from ceiba.parameters.constraints import Integer, check_value

if TYPE_CHECKING:
    from ceiba import _core

__all__ = ["Model", "model_of"]

Floats = NDArray[np.float64]
History = Mapping[str, Mapping[str, Sequence[float]]]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Model(Prediction, Blockwise, Evaluation, Inspection, LazyMethods):
    """A trained model: immutable, and everything that prediction needs.

    ``train``, the ``model_`` attribute of estimators, and ``load_model`` return one.

    Attributes
    ----------
    schema : Schema
        Names, kinds and levels of the columns, and which values count as missing.
    objective : Objective
        The loss. Its ``link`` turns raw scores into predictions.
    parameters : mapping
        Parameters of the training.
    start_scores : array of shape (n_outputs,)
        Raw score of every row before the first tree.
    forest : Forest
        The trees of the C++ core. Use :meth:`trees` for their arrays.
    best_iteration : int
        Last iteration that was kept, counted from 0.
    history : mapping
        Metrics of the eval sets: ``history[set][metric][iteration]``.
    classes : array or None
        Labels of a classifier.
    tree_weights : TreeWeights
        Weights of the trees after any number of iterations.
    correction : Correction
        Shift that calibration adds to raw scores.
    recorded_decisions : Decisions
        What :meth:`decisions` returns.
    n_features : int
        Number of columns of the table.
    n_outputs : int
        Raw scores per row.
    n_iterations : int
        Number of boosting iterations.

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
    recorded_decisions: Decisions = NO_DECISIONS
    n_features: int = field(init=False)
    n_outputs: int = field(init=False)
    n_iterations: int = field(init=False)
    #: Whether all trees have weight 1, after any number of iterations.
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
                f"The forest has {self.n_outputs} outputs and {self.forest.n_features} features. "
                "A model needs one start score per output and one column per feature. Got "
                f"{start.size} start scores and {n_columns} columns."
            )
        if self.classes is not None:
            check_classes(self.classes, self.objective, max(2, self.n_outputs))

    def __repr__(self) -> str:
        trees = f"{self.n_iterations} iterations"
        if self.forest.trees_per_iteration > 1:
            trees += f" of {self.forest.trees_per_iteration} trees"
        elif self.n_outputs > 1:
            trees += f" of one tree for {self.n_outputs} outputs"
        features = f"{self.n_features} features ({listed(self.schema.names, most=3, show=str)})"
        return f"<ceiba.Model: {self.objective.name}, {trees}, {features}; predict(X), save(path)>"

    # ---- other models ----------------------------------------------------------------------------

    def truncate(self, n_iterations: int) -> Model:
        """Return a model of the first iterations.

        Parameters
        ----------
        n_iterations : int
            Number of iterations to keep.

        Returns
        -------
        Model
            A model with the trees, weights, calibration and history of these iterations.

        Raises
        ------
        InvalidParameterError
            If the model has fewer iterations.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> model.truncate(5).n_iterations, model[:5].n_iterations
        (5, 5)
        """
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
        """Return a model of the first iterations: ``model[:n]`` is ``model.truncate(n)``."""
        if not isinstance(iterations, slice) or not (
            iterations.start in (None, 0)
            and iterations.step in (None, 1)
            and (iterations.stop is None or hasattr(iterations.stop, "__index__"))
        ):
            raise InvalidParameterError(
                "A slice of a model must start at its first iteration, as in model[:n], because "
                f"later trees correct the earlier ones. Got {iterations!r}."
            )
        return self.truncate(iterations.indices(self.n_iterations)[1])

    def with_forest(self, forest: _core.Forest, **changes: Any) -> Model:
        """Return a copy of the model with another forest, and other changed fields."""
        return replace(self, forest=forest, best_iteration=forest.n_iterations - 1, **changes)

    def corrected(self, correction: Correction) -> Model:
        """Return a copy of the model with another calibration."""
        return replace(self, correction=correction)

    # ---- files -----------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write the model to a file.

        Parameters
        ----------
        path : str, path or binary file object
            Where to write. An existing file is replaced in one step: if writing fails, the previous
            file is intact.

        Raises
        ------
        SaveError
            If the file cannot be written, or the class labels cannot be stored.

        Examples
        --------
        >>> import io
        >>> import numpy as np
        >>> from ceiba import Dataset, load_model, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> model = train({"n_estimators": 20}, Dataset(X, X[:, 0]))
        >>> file = io.BytesIO()
        >>> model.save(file)
        >>> load_model(io.BytesIO(file.getvalue())).fingerprint() == model.fingerprint()
        True
        """
        write_model(path, self.to_bytes())

    save_model = save

    def to_bytes(self, training: Mapping[str, Any] | None = None) -> bytes:
        """Return the content of the model file.

        Parameters
        ----------
        training : mapping, default=None
            State of the training, for a checkpoint.

        Returns
        -------
        bytes
            The same model always gives the same bytes.
        """
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
                decisions=self.recorded_decisions,
            )
        )

    def fingerprint(self) -> str:
        """Return the SHA-256 of everything that changes predictions.

        It covers trees, tree weights, start scores, objective, calibration, names, kinds and levels
        of the columns, and which values count as missing. It does not cover the number of
        threads, the type of the training table, the history or the version of ceiba.

        Returns
        -------
        str
            64 hexadecimal digits.

        Examples
        --------
        >>> import numpy as np
        >>> from ceiba import Dataset, train
        >>> X = np.arange(200.0).reshape(100, 2)
        >>> models = [train({"n_jobs": n}, Dataset(X, X[:, 0])) for n in (1, 2)]
        >>> models[0].fingerprint() == models[1].fingerprint()
        True
        """
        described = described_objective(self.objective, self.correction)
        arrays = self._arrays()
        arrays["start_scores"] = self.start_scores
        return digest(arrays, described, self.schema)

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays of the model file except the start scores."""
        arrays = {**self.forest.arrays(), **self.tree_weights.arrays()}
        own = self.schema.statistics
        return arrays if own is None else {**arrays, **own.arrays()}

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_bytes, (self.to_bytes(),)

    def __copy__(self) -> Model:
        return self  # models are immutable

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self


def model_of(parts: ModelParts) -> Model:
    """Return the model of a decoded file; raise ModelFileError if its parts do not fit."""
    fields = fields_of(parts)
    try:
        return Model(**fields)
    except (ValueError, TypeError) as error:
        raise damaged(error) from error


def _from_bytes(data: bytes) -> Model:
    """Return the model of a pickle, which holds the bytes of a model file."""
    return model_of(decode(data))


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
