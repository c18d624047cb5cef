"""Continue training from a model (``init_model``) or a checkpoint (``resume_from``).

The life of an :class:`Earlier`:

1. :func:`find_earlier` reads ``init_model`` (further rounds on any rows with the same columns) or
   ``resume_from`` (the rest of an interrupted training).
2. ``restore`` restores callbacks. ``conform`` gives training rows the columns and levels of the
   model. ``check`` raises for objectives and classes that do not fit.
3. ``replay`` rebuilds scores tree by tree, in the order of training, so that they have the same
   bits. Round numbers continue, and with them samples of rows and columns. So n rounds and then m
   more equal one training of n + m rounds. Resumed trainings compare digests of their rows.
4. ``collect`` and ``forest`` append the new trees to the earlier ones.

A new training has an ``Earlier`` without a model, which does nothing.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from ceiba import _core
from ceiba.boosting.grown_round import members_of
from ceiba.boosting.schedule import join_rates, learning_rates
from ceiba.errors import (
    CeibaError,
    InvalidInputError,
    InvalidParameterError,
    InvalidTypeError,
    ModelFileError,
)
from ceiba.messages import listed, shown
from ceiba.model.file import as_stored
from ceiba.model.idle_trees import with_further_rounds
from ceiba.model.load import load_checkpoint, load_model
from ceiba.model.model import Model
from ceiba.parameters import BEFORE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.callbacks import Callback
    from ceiba.data.dataset import Dataset
    from ceiba.data.schema import Schema
    from ceiba.data.table import Table
    from ceiba.metrics import Metric
    from ceiba.model.tree_weights import TreeWeights
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

__all__ = ["Earlier", "find_earlier"]

#: Parameters that may change when a training is resumed.
_FREE_TO_CHANGE = frozenset({"n_estimators", "learning_rate", "n_jobs", "verbose"})

#: Parameters that older versions recorded as "auto".
_ONCE_RECORDED_OPEN = frozenset({"categorical", "prune", "early_stopping_rounds"})


class Replayed(Protocol):
    """The rows of a training (``training_rows.py``)."""

    def replay(self, model: Model, scored: Table, of_splits: Table) -> None:
        """Update the scores to those after the rounds of a model."""

    def digest(self, *, older: bool = False) -> str:
        """Return a digest of the rows and their scores."""

    def digest_eval_sets(self, *, older: bool = False) -> dict[str, str]:
        """Return the digest of each eval set, by its name."""


@dataclass(frozen=True)
class Earlier:
    """The model that a training continues, if any."""

    model: Model | None = None
    #: State of a resumed training; None for further rounds on a model.
    state: Mapping[str, Any] | None = None
    #: Whether ``n_estimators`` counts these trees too: in a resumption and in a warm start.
    counts_all: bool = False

    @property
    def n_rounds(self) -> int:
        """Return the number of rounds of the earlier model."""
        return 0 if self.model is None else self.model.n_iterations

    def last_round(self, parameters: Parameters) -> int:
        """Return the number of rounds in all, the earlier ones included."""
        if not self.counts_all:
            return self.n_rounds + int(parameters.n_estimators)
        if self.state is not None and self.state["watching"].get("stopped_by") is not None:
            return self.n_rounds  # a callback had ended it
        if parameters.n_estimators < self.n_rounds:
            raise InvalidParameterError(
                f"n_estimators={parameters.n_estimators} must be larger or equal to the "
                f"{self.n_rounds} rounds that training goes on from (warm_start or resume_from)."
            )
        return int(parameters.n_estimators)

    def restore(self, watching: Callback) -> None:
        """Restore the callbacks of a resumed training."""
        if self.state is None:
            return
        try:
            watching.restore(self.state["watching"])
        except CeibaError:
            raise
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ModelFileError(
                f"The checkpoint does not hold the state of these callbacks: {error!r}. Load it "
                "with init_model to train further rounds on its trees."
            ) from error

    def check(
        self,
        dataset: Dataset,
        objective: Objective,
        n_outputs: int,
        classes: NDArray[Any] | None,
    ) -> None:
        """Raise for rows and objectives that do not fit the earlier model."""
        model = self.model
        if model is None:
            return
        model.schema.reading.check_same(dataset.schema.reading)
        if objective.name != model.objective.name:
            raise InvalidInputError(
                f"The earlier model has objective {model.objective.name}. Got objective "
                f"{objective.name}. Go on with the objective that it was trained with."
            )
        if objective.score_scale != model.objective.score_scale:
            raise InvalidInputError(
                f"Scores of the earlier model are {model.objective.score_scale}. Got objective "
                f"{objective.name} with scores that are {objective.score_scale}. Go on with the "
                "curvature_rule (or recipe) that it was trained with."
            )
        if n_outputs != model.n_outputs:
            raise InvalidInputError(
                f"The earlier model has {model.n_outputs} outputs. These rows need {n_outputs}. "
                "Give n_classes (or num_class) where some classes have no rows."
            )
        known = model.classes
        if classes is not None and known is not None and classes.tolist() != known.tolist():
            raise InvalidInputError(
                f"The earlier model has the classes {known.tolist()}. Got {classes.tolist()}."
            )

    def check_kind(self, parameters: Parameters) -> None:
        """Raise if means and sums of trees, or rounds of different sizes, would be joined."""
        if self.model is None:
            return
        mean = self.model.tree_weights.mean
        if mean != (parameters.boosting == "forest") and self.n_rounds:
            raise InvalidInputError(
                f"The earlier model is a {'mean' if mean else 'sum'} of trees. Got boosting="
                f"{parameters.boosting!r}, which makes a {'sum' if mean else 'mean'}. Go on with "
                "the boosting that it was trained with, or give what it predicts as init_score."
            )
        n_parallel, asked = self.model.forest.n_parallel, parameters.num_parallel_tree
        fills_up = asked < n_parallel and parameters.boosting == "plain"
        if n_parallel != asked and self.n_rounds and not fills_up:
            raise InvalidInputError(
                f"A round of the earlier model grows {n_parallel} trees (num_parallel_tree). Got "
                f"num_parallel_tree={asked}. Go on with the number that it was trained with."
            )

    def with_rates(self, parameters: Parameters) -> Parameters:
        """Return the parameters with the learning rates of all rounds, earlier ones included.

        A resumed training must have the parameters that it began with.
        """
        n_rounds = self.last_round(parameters)
        rates = learning_rates(parameters.learning_rate, n_rounds)
        if self.model is not None:
            recorded = self.model.parameters
            before = recorded.get("learning_rate", rates)
            joined = join_rates(before, self.n_rounds, rates, n_rounds)
            if self.state is not None:
                changed = _changed(recorded, parameters)
                if joined != join_rates(rates, self.n_rounds, rates, n_rounds):
                    changed.append("learning_rate")
                if changed:
                    raise InvalidParameterError(
                        f"The training that is resumed had other values of {', '.join(changed)}. "
                        "Resume with the parameters that it began with, or give the file as "
                        "init_model to train further rounds in another way."
                    )
            rates = joined
        return parameters.replace(learning_rate=rates)

    def start(self, fresh: NDArray[np.float64], parameters: Parameters) -> NDArray[np.float64]:
        """Return the start scores: those of the model, or ``fresh`` ones."""
        if self.model is None:
            return fresh
        start = self.model.start_scores
        if parameters.base_score is not None and not np.array_equal(start, fresh):
            raise InvalidParameterError(
                f"base_score={parameters.base_score} is not what the earlier model starts from. "
                "Leave base_score out."
            )
        return start

    def conform(self, dataset: Dataset, unseen: Literal["missing", "error"]) -> Dataset:
        """Return training rows with the columns, levels and names that the model will have.

        Kinds, levels and names of an earlier model stay. ``unseen`` is the rule for levels that
        later tables contain and training rows do not.
        """
        if self.model is not None:
            known = self.model.schema
            _check_schema(known, dataset.schema)
            dataset = dataset.matched_to(known)
            if known.named and not dataset.schema.named:
                dataset = dataset.with_names(known.names)
        return dataset.with_unseen(unseen)

    @property
    def schema(self) -> Schema | None:
        """Return the columns of the earlier model."""
        return None if self.model is None else self.model.schema

    @property
    def tree_weights(self) -> TreeWeights | None:
        """Return the weights of the earlier trees, round by round."""
        return None if self.model is None else self.model.tree_weights

    @property
    def last_trees(self) -> _core.Forest | None:
        """Return the trees of the last member of the last earlier round."""
        if self.model is None or not self.n_rounds:
            return None
        members = members_of(self.model.forest)
        return members.slice(members.n_iterations - 1, members.n_iterations)

    def replay(self, rows: Replayed, scored: Dataset, of_splits: Dataset) -> None:
        """Update the scores of all rows, in place, to those after the earlier rounds.

        ``scored`` holds the training rows in the encoding of leaves, ``of_splits`` in that of
        splits.
        """
        if self.model is None:
            return
        rows.replay(self.model, scored.table, of_splits.table)
        self._check_rows(rows)
        self._check_eval_sets(rows)

    def _check_rows(self, rows: Replayed) -> None:
        """Raise if a training is resumed on other rows."""
        if self.state is None:
            return
        known = self.state["rows"]
        if rows.digest(older=_is_older(known)) != known:
            raise InvalidInputError(
                "The rows are not those of the training that is resumed. Give the same rows, "
                "targets, weights, initial scores and queries in the same order, or give the file "
                "as init_model to train further rounds on other rows."
            )

    def _check_eval_sets(self, rows: Replayed) -> None:
        """Raise if a training is resumed with other eval sets.

        Checkpoints of older versions have no digests of eval sets.
        """
        if self.state is None or "evals" not in self.state:
            return
        known = self.state["evals"]
        older = any(map(_is_older, known.values()))
        for name, digest in rows.digest_eval_sets(older=older).items():
            if known.get(name) != digest:
                raise InvalidInputError(
                    f"The rows of eval set {name!r} are not those of the training that is resumed. "
                    "Give the same rows, targets, weights, initial scores and queries in the same "
                    "order, or give the file as init_model to train further rounds with other eval "
                    "sets."
                )

    def history(
        self, eval_names: Iterable[str], metrics: Sequence[Metric]
    ) -> dict[str, dict[str, list[float]]]:
        """Return the metrics of the earlier rounds; NaN where they are unknown."""
        n_rounds = self.n_rounds
        names = list(eval_names)
        known = {} if self.model is None else self.model.history
        if self.state is not None and list(known) != names and n_rounds:
            raise InvalidInputError(
                f"The training that is resumed had the eval sets {list(known)}. Got {names}."
            )
        if self.state is not None and n_rounds and names:
            had, asked = list(known[names[0]]), [metric.name for metric in metrics]
            if set(asked) - set(had):
                raise InvalidInputError(
                    f"The training that is resumed had the metrics {had}. Got {asked}. Give the "
                    "same eval_metric."
                )
        history: dict[str, dict[str, list[float]]] = {}
        for name in names:
            history[name] = {}
            for metric in metrics:
                values = list(known.get(name, {}).get(metric.name, ()))[:n_rounds]
                missing = n_rounds - len(values)
                history[name][metric.name] = values + [math.nan] * missing
        return history

    def collect(self, n_features: int, n_outputs: int, n_parallel: int) -> _core.CollectedTrees:
        """Return a collection of trees that starts with the earlier ones of as many per round."""
        before = self.model.forest if self.model is not None and self.joins(n_parallel) else None
        return _core.CollectedTrees(n_features, n_outputs, before, n_parallel)

    def joins(self, n_parallel: int) -> bool:
        """Return whether rounds of the earlier model hold as many trees as new ones."""
        return self.model is None or self.model.forest.n_parallel == n_parallel or not self.n_rounds

    def forest(
        self, collected: _core.CollectedTrees, n_rounds: int, n_parallel: int
    ) -> _core.Forest:
        """Return the first ``n_rounds`` rounds of the earlier trees and the new ones."""
        if self.model is not None and n_rounds <= self.n_rounds:
            return self.model.forest.slice(0, n_rounds)
        if self.model is None or self.joins(n_parallel):
            return collected.forest(n_rounds)
        return with_further_rounds(self.model.forest, collected.forest(n_rounds - self.n_rounds))

    def make_model(self, best_iteration: int | None = None) -> Model:
        """Return the model of a training without further rounds."""
        assert self.model is not None
        if best_iteration is None or best_iteration + 1 >= self.n_rounds:
            return self.model
        # Its history goes on to the last round, as that of a training that ends now.
        return replace(self.model.truncate(best_iteration + 1), history=self.model.history)


def find_earlier(init_model: Any = None, resume_from: Any = None) -> Earlier:
    """Return what a training continues.

    ``init_model`` is a model, a fitted estimator or a model file; ``resume_from`` a checkpoint.
    """
    if init_model is not None and resume_from is not None:
        raise InvalidParameterError(
            "init_model puts further rounds on top of a model, resume_from goes on with a training "
            "that was cut off. Give one of them."
        )
    if resume_from is not None:
        model, state = load_checkpoint(resume_from)
        watching = state.get("watching")
        sound = isinstance(watching, dict) and isinstance(state.get("evals", {}), dict)
        if not sound or "rows" not in state:
            raise ModelFileError(
                f"The checkpoint {os.fspath(resume_from)!r} is damaged: the state of its training "
                "is incomplete."
            )
        return Earlier(model, state, counts_all=True)
    if init_model is None:
        return Earlier()
    model = getattr(init_model, "model_", init_model)
    if isinstance(model, str | os.PathLike):
        model = load_model(model)
    if not isinstance(model, Model):
        raise InvalidTypeError(
            "init_model must be a ceiba.Model, a fitted estimator or the path of a model file. "
            f"Got {shown(init_model)}."
        )
    return Earlier(model)


def _is_older(digest: Any) -> bool:
    """Return whether a digest is one of checkpoints of older versions."""
    return ":" not in str(digest)


def _check_schema(earlier: Schema, given: Schema) -> None:
    same_names = earlier.names == given.names or not (earlier.named and given.named)
    if len(earlier.names) != len(given.names) or not same_names:
        raise InvalidInputError(
            f"The earlier model has the {len(earlier.names)} columns {listed(earlier.names)}. "
            f"Got {len(given.names)}: {listed(given.names)}. Give the same columns in the same "
            "order."
        )


def _changed(recorded: Mapping[str, Any], parameters: Parameters) -> list[str]:
    """Return the names of the parameters whose values differ from the recorded ones."""
    before, now = as_stored({**BEFORE, **recorded}), as_stored(parameters.for_model())
    names = (before.keys() & now.keys()) - _FREE_TO_CHANGE
    # Older versions recorded "auto" where newer ones record what it stands for.
    names -= {name for name in _ONCE_RECORDED_OPEN if before.get(name) == "auto"}
    return sorted(name for name in names if before[name] != now[name])
