"""From checked arguments to a model: the one way to train, for ``train`` and for the estimators.

Open this file to change what happens around the boosting rounds: held-out rows, class weights,
callbacks, interrupts. ``prepare.py`` makes the decisions, and ``loop.py`` runs the rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.continuation.continued import Earlier
from ceiba.boosting.loop import boost
from ceiba.boosting.loss_options import check_loss_options
from ceiba.boosting.prepare import settle_early_stopping
from ceiba.boosting.row_splits import hold_out
from ceiba.boosting.start import create_objective
from ceiba.callbacks import (
    Callback,
    CallbackList,
    EarlyStopping,
    LogRounds,
    ProgressBar,
    translated,
)
from ceiba.data.dataset import Dataset
from ceiba.data.identifiers import identifiers
from ceiba.errors import InvalidInputError, InvalidTypeError, TrainingInterrupted
from ceiba.messages import listed, warn
from ceiba.model.decisions import NO_DECISIONS, Decisions
from ceiba.objectives import Objective

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.model.model import Model
    from ceiba.parameters.resolving import Parameters

__all__ = ["Fit", "check_dataset", "own_callbacks", "with_categories"]


@dataclass(frozen=True, slots=True)
class Fit:
    """A training from checked arguments, the same for ``train`` and for the estimators.

    The life of a fit:

    1. :meth:`begin` creates the objective, settles early stopping, holds rows out and gives the
       training rows the columns that the model will have. Eval sets are read like these rows.
    2. :meth:`run` trains. Callbacks see every round, and early stopping cuts the model.
    """

    parameters: Parameters
    objective: Objective
    dataset: Dataset
    #: Rows that early stopping scores where there is no eval set.
    held_out: Dataset | None
    classes: NDArray[Any] | None
    earlier: Earlier
    #: Why recipe auto trains once.
    decisions: Decisions = NO_DECISIONS

    @classmethod
    def begin(
        cls,
        parameters: Parameters,
        dataset: Dataset,
        *,
        has_eval_sets: bool,
        refusal: str | None = None,
        classes: NDArray[Any] | None = None,
        earlier: Earlier = Earlier(),  # noqa: B008 (it is immutable)
        weigh: Callable[[Dataset], Dataset] = lambda rows: rows,
    ) -> Fit:
        """Settle what depends on all rows.

        Early stopping without eval sets holds rows out, or raises an error that ends with
        ``refusal``. ``weigh`` applies class weights; held-out rows keep the weights that the user
        gave them.
        """
        check_dataset(dataset)
        objective = create_objective(parameters)
        check_loss_options(parameters, objective)
        dataset = with_categories(parameters, dataset)
        parameters = settle_early_stopping(parameters, dataset.n_rows)
        patience, held = parameters.early_stopping_rounds, None
        if patience and not has_eval_sets:
            if refusal is not None:
                raise InvalidInputError(
                    f"early_stopping_rounds={patience} needs an eval set. {refusal}"
                )
            n_classes = _count_classes(objective, dataset) if classes is None else len(classes)
            dataset, held = hold_out(
                dataset, parameters.validation_fraction, parameters.random_state, n_classes
            )
        dataset = earlier.conform(weigh(dataset), parameters.unseen_category)
        return cls(parameters, objective, dataset, held, classes, earlier)

    def run(self, eval_sets: Mapping[str, Dataset], callbacks: Iterable[Any] | None) -> Model:
        """Train, and return the model up to its best iteration."""
        evals, earlier = dict(eval_sets), self.earlier
        if self.held_out is not None:
            evals = {"validation": self.held_out, **evals}
        found = translated(callbacks, training_sets(self.dataset, evals))
        parameters = found.with_rates(
            self.parameters, 0 if earlier.counts_all else earlier.n_rounds
        )
        watching = CallbackList([*own_callbacks(parameters, evals), *found.callbacks])
        rounds = boost(
            parameters,
            self.dataset,
            evals,
            watching.state,
            classes=self.classes,
            earlier=earlier,
            objective=self.objective,
        )
        make_model = None if earlier.model is None else earlier.make_model
        try:
            watching.before_training(earlier.last_round(parameters))
            earlier.restore(watching)
            for round in rounds:
                make_model = round.make_model
                if watching.after_round(round):
                    break
        except KeyboardInterrupt:
            if make_model is None:
                raise
            model = make_model(watching.kept_iteration())
            raise TrainingInterrupted(
                f"Training was interrupted. The model has {model.n_iterations} complete rounds.",
                model,
            ) from None
        finally:
            watching.after_training()
        assert make_model is not None
        model = make_model(watching.kept_iteration())
        return replace(model, recorded_decisions=self.decisions) if self.decisions else model


def _count_classes(objective: Objective, dataset: Dataset) -> int:
    """Return the number of classes in the target, 0 if it holds no classes."""
    target = dataset.target
    if target is None or target.ndim > 1 or objective.task not in ("binary", "multiclass"):
        return 0
    objective.check_target(target)
    return 2 if objective.task == "binary" else objective.n_outputs(target)


def check_dataset(dataset: object) -> None:
    """Raise InvalidTypeError for anything but a Dataset."""
    if not isinstance(dataset, Dataset):
        raise InvalidTypeError(
            f"dataset must be a ceiba.Dataset. Got {type(dataset).__name__}. "
            "Make one with ceiba.Dataset(data, target)."
        )


def with_categories(parameters: Parameters, dataset: Dataset) -> Dataset:
    """Return the rows with the categories that a user asks for; warn of identifiers.

    A column with almost as many categories as rows does not generalize to new rows.
    """
    dataset = dataset.with_categories(parameters.categorical_features)
    names = identifiers(dataset.table)
    if names:
        said = "category {} has" if len(names) == 1 else "categories {} have"
        warn(
            f"The {said.format(listed(names))} nearly as many levels as rows, as identifiers and "
            "free text have. Leave such columns out, or make columns of few levels of them."
        )
    return dataset


def training_sets(dataset: Dataset, evals: Mapping[str, Dataset]) -> list[str]:
    """Return the names of eval sets with the training rows, identified by their target."""
    return [
        name
        for name, rows in evals.items()
        if rows.target is not None
        and dataset.target is not None
        and np.array_equal(rows.target, dataset.target)
    ]


def own_callbacks(parameters: Parameters, evals: Mapping[str, Dataset]) -> list[Callback]:
    """Return the callbacks that settled parameters ask for."""
    asked: list[Callback] = []
    if parameters.early_stopping_rounds and evals:
        asked.append(
            EarlyStopping(parameters.early_stopping_rounds, parameters.early_stopping_tolerance)
        )
    if parameters.verbose:
        is_bar = parameters.verbose is True
        asked.append(ProgressBar() if is_bar else LogRounds(parameters.verbose))
    return asked
