"""Train with recipe auto: the steps of ``__init__.py``, with callbacks and eval sets.

:func:`begin_fit` is what ``ceiba.train`` and the estimators call for every recipe. It returns a
:class:`ceiba.boosting.fit.Fit` unless candidates race.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.continuation.continued import Earlier
from ceiba.boosting.eval_sets import EvalSet, find_metrics
from ceiba.boosting.fit import Fit, check_dataset, own_callbacks, training_sets
from ceiba.boosting.start import bind_objective, checked_target, create_objective
from ceiba.callbacks import CallbackList, Round, translated
from ceiba.callbacks.history import add_to_history
from ceiba.errors import InvalidParameterError, TrainingInterrupted
from ceiba.model.decisions import Decision, Decisions
from ceiba.policy.decisions import HeldOut, decisions_of
from ceiba.policy.exceptions import Request, why_single
from ceiba.policy.finish import mean_of, on_all_rows, trained_again
from ceiba.policy.folds import FoldNumbers, deal_every_row, fold_numbers
from ceiba.policy.plan import Candidate, Facts, Plan, make_plan
from ceiba.policy.race import HELD_OUT, Contestant, Fold, race, winners_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.model.model import Model
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

__all__ = ["PolicyFit", "begin_fit"]

Weigh = Callable[["Dataset"], "Dataset"]


def begin_fit(
    parameters: Parameters,
    dataset: Dataset,
    *,
    callbacks: Iterable[Any] | None = None,
    folds: Any = None,
    groups: Any = None,
    has_eval_sets: bool,
    refusal: str | None = None,
    classes: NDArray[Any] | None = None,
    earlier: Earlier = Earlier(),  # noqa: B008 (it is immutable)
    weigh: Weigh = lambda rows: rows,
) -> Fit | PolicyFit:
    """Return the fit of any recipe.

    ``callbacks``, ``folds`` and ``groups`` are those of the user. The other arguments are those of
    ``Fit.begin``.
    """
    if classes is None and earlier.model is not None:
        classes = earlier.model.classes
    begin = partial(
        Fit.begin, has_eval_sets=has_eval_sets, refusal=refusal, classes=classes, earlier=earlier
    )
    if parameters.recipe != "auto":
        _refuse_folds(folds, groups, f"recipe {parameters.recipe!r} does not race")
        return begin(parameters, dataset, weigh=weigh)
    check_dataset(dataset)
    objective, found = create_objective(parameters), translated(callbacks)
    has_rates = found.rates is not None
    asked = Request(parameters, dataset, objective, earlier, found.callbacks, has_rates)
    reason = why_single(asked)
    if reason is not None:
        _refuse_folds(folds, groups, reason)
        fit = begin(_single(parameters, objective), dataset, weigh=weigh)
        return replace(fit, decisions=Decisions([Decision("Trainings", "one", "", reason)]))
    watches_eval_set = has_eval_sets and parameters.is_given("early_stopping_rounds")
    if watches_eval_set:
        _refuse_folds(folds, groups, "early_stopping_rounds is given, so the eval set decides")
    plain = begin(parameters.replace(early_stopping_rounds=0), dataset)
    return PolicyFit(
        parameters,
        plain.objective,
        plain.dataset,
        weigh(plain.dataset),
        classes,
        watches_eval_set,
        folds,
        groups,
    )


def _refuse_folds(folds: Any, groups: Any, reason: str) -> None:
    """Raise an error if the user describes held-out rows that nothing uses."""
    named = " and ".join(
        n for n, value in (("folds", folds), ("groups", groups)) if value is not None
    )
    if named:
        raise InvalidParameterError(
            f"{named} chooses the rows that recipe 'auto' holds out to compare candidates. This "
            f"fit holds none out: {reason}. Leave {named} out, or let the recipe decide."
        )


def _single(parameters: Parameters, objective: Objective) -> Parameters:
    """Return the parameters of one training.

    Relevance is noisy and queries are few: in cross-validation, symmetric trees of depth 6 ranked
    better than leafwise ones.
    """
    shape_is_given = parameters.is_given("grow_policy") or parameters.is_given("max_leaves")
    if objective.task != "ranking" or shape_is_given:
        return parameters
    return parameters.choosing(grow_policy="symmetric")


@dataclass(frozen=True, slots=True)
class PolicyFit:
    """A race of candidates, from checked arguments; it has the interface of ``Fit``."""

    parameters: Parameters
    objective: Objective
    #: All rows, with the weights of the user.
    dataset: Dataset
    #: The same rows with class weights, to train on.
    weighed: Dataset
    classes: NDArray[Any] | None
    #: Whether the last eval set of the user decides, and no rows are held out.
    watches_eval_set: bool
    #: How the user wants rows to be held out, as in ``ceiba.cv``.
    given_folds: Any = None
    groups: Any = None

    def run(self, eval_sets: Mapping[str, Dataset], callbacks: Iterable[Any] | None) -> Model:
        """Run the race, and return the mean of the winners on all rows."""
        evals = dict(eval_sets)
        found = translated(callbacks, training_sets(self.dataset, evals))
        target = checked_target(self.dataset)
        bound = bind_objective(self.objective, self.parameters, target)
        n_outputs = bound.n_outputs(target)
        checked = [
            EvalSet.make(name, rows, self.dataset, bound, np.zeros(n_outputs))
            for name, rows in evals.items()
        ]
        plan = make_plan(self.parameters, Facts(self.dataset.n_rows, n_outputs), bound)
        follows = bool(found.callbacks) or bool(self.parameters.verbose)
        numbers = self._fold_numbers(plan, bound)
        folds = self._folds(numbers, evals, follows=follows)
        contestants = heats = self._contestants(plan.heats, folds, plan)
        quiet = self.parameters.replace(early_stopping_rounds=0)
        watching = CallbackList([*own_callbacks(quiet, evals), *found.callbacks])
        try:
            watching.before_training(plan.n_rounds)
            if plan.heat_share < 1.0 and self.dataset.queries is None:
                heats = self._sampled_heats(folds, plan)
                chosen = [(winner.candidate,) for winner in winners_of(heats)]
                contestants = self._contestants(chosen, folds, plan)
            for number in race(contestants, plan.heat_rounds):
                if watching.after_round(self._round(number, contestants, plan)):
                    break
            winners = winners_of(contestants)
            models = self._models(winners, numbers)
        except KeyboardInterrupt:
            if not all(contestant.history for contestant in contestants):
                raise
            model = self._interim(contestants)
            raise TrainingInterrupted(
                "Training was interrupted. The model is the mean of the best candidates so far, "
                f"after {model.n_iterations} rounds, and has not seen the held-out rows."
                if not self.watches_eval_set
                else f"Training was interrupted after {model.n_iterations} rounds.",
                model,
            ) from None
        finally:
            watching.after_training()
        held = HeldOut(
            self.dataset.n_rows,
            folds[0].watched if self.watches_eval_set else None,
            self.given_folds is not None,
            self.groups is not None,
            self._ending(numbers, winners),
        )
        model = replace(
            mean_of(models, self.parameters),
            recorded_decisions=decisions_of(contestants, heats, winners, plan, held),
        )
        return replace(model, history=self._history(model, checked)) if checked else model

    def _fold_numbers(self, plan: Plan, bound: Objective) -> list[FoldNumbers]:
        """Return the rows to train on and to score of each fold; none if an eval set decides."""
        if self.watches_eval_set:
            return []
        seed = self.parameters.random_state
        return fold_numbers(self.dataset, bound, plan, seed, self.given_folds, self.groups)

    def _folds(
        self, numbers: Sequence[FoldNumbers], evals: Mapping[str, Dataset], *, follows: bool
    ) -> list[Fold]:
        """Return the rows to train on and the eval sets of each fold."""
        if not numbers:
            return [Fold(self.weighed, evals)]
        scored = dict(evals) if follows else {}
        return [
            Fold(
                self._taken(self.weighed, learned),
                {**scored, HELD_OUT: self._taken(self.dataset, held)},
            )
            for learned, held in numbers
        ]

    def _contestants(
        self, heats: Sequence[Sequence[Candidate]], folds: Sequence[Fold], plan: Plan
    ) -> list[Contestant]:
        """Return the candidates of all heats, ready to train."""
        return [
            Contestant.start(candidate, heat, folds, plan, self.objective, self.classes)
            for heat, candidates in enumerate(heats)
            for candidate in candidates
        ]

    def _sampled_heats(self, folds: Sequence[Fold], plan: Plan) -> list[Contestant]:
        """Return all candidates after the heats, trained on a sample of the rows."""
        seed = self.parameters.random_state
        sampled = [fold.sampled(plan.heat_share, seed) for fold in folds]
        contestants = self._contestants(plan.heats, sampled, plan)
        for number in race(contestants, plan.heat_rounds):
            if number + 1 == plan.heat_rounds:
                break
        for contestant in contestants:
            contestant.forget_rows()
        return contestants

    def _taken(self, rows: Dataset, numbers: NDArray[np.int64]) -> Dataset:
        """Return some of the rows, with the bins and levels of all rows."""
        if rows.n_given != self.dataset.n_given:  # rows of weight 0 are left out
            known = self.dataset.row_numbers
            numbers = np.flatnonzero(np.isin(known, numbers))
        return rows.take(numbers, share_bins=True, keep_levels=True)

    def _round(self, number: int, contestants: Sequence[Contestant], plan: Plan) -> Round:
        """Return the state of the race for callbacks: the metrics of the leading candidate."""
        running = [c for c in contestants if len(c.history) > number]
        leader = min(running, key=lambda contestant: contestant.best_loss)
        make = partial(self._interim, contestants)
        return Round(number, plan.n_rounds, leader.history[number], leader.higher_is_better, make)

    def _interim(self, contestants: Sequence[Contestant], iteration: int | None = None) -> Model:
        """Return the mean of the best candidates so far, without a fit to all rows."""
        models = [m for winner in winners_of(contestants) for m in winner.models()]
        model = mean_of(models, self.parameters)
        return model if iteration is None else model.truncate(iteration + 1)

    def _models(self, winners: Sequence[Contestant], numbers: Sequence[FoldNumbers]) -> list[Model]:
        """Return the models to average."""
        ending = self._ending(numbers, winners)
        if ending == "bag":
            return [model for winner in winners for model in winner.models()]
        rest = self.weighed, self.objective, self.classes
        share = len(numbers[0][1]) / self.dataset.n_rows if len(numbers) == 1 else 0.0
        if ending == "again":
            return [trained_again(winner, *rest, share) for winner in winners]
        return [on_all_rows(winner, *rest, share) for winner in winners]

    def _ending(self, numbers: Sequence[FoldNumbers], winners: Sequence[Contestant]) -> str:
        """Return how all rows are used in the end; see ``HeldOut``.

        Leaves are not fitted again to target statistics: those of a row would contain its target.
        """
        if not numbers or deal_every_row(numbers, self.dataset.n_rows):
            return "bag"
        has_statistics = winners[0].models()[0].schema.statistics is not None
        return "again" if len(numbers) > 1 or has_statistics else "refit"

    def _history(self, model: Model, evals: Sequence[EvalSet]) -> dict[str, dict[str, list[float]]]:
        """Return the metrics of the user's eval sets after each round of the model."""
        history: dict[str, dict[str, list[float]]] = {entry.name: {} for entry in evals}
        metrics = find_metrics(self.parameters, evals[0].objective, evals, self.classes)
        for entry in evals:
            offset = entry.scores  # initial scores of the rows, or 0
            for raw in model.staged_predict_raw(entry.rows.table):
                entry.scores = raw.reshape(offset.shape[::-1]).T + offset
                add_to_history(history, {entry.name: entry.evaluate(metrics)})
        return history
