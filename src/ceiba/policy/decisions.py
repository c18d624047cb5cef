"""Describe the decisions of a race in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba.model.decisions import Decision, Decisions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ceiba.policy.plan import Plan
    from ceiba.policy.race import Contestant

__all__ = ["decisions_of"]


def decisions_of(
    contestants: Sequence[Contestant],
    winners: Sequence[Contestant],
    plan: Plan,
    n_rows: int,
    watched: str | None,
) -> Decisions:
    """Return the decisions of a race; ``watched`` is the eval set of the user that decided."""
    n_folds = len(contestants[0].folds)
    metric = contestants[0].metric
    if watched is not None:
        rows = Decision("Rows that decide", f"eval set {watched!r}", "", "early_stopping_rounds is given")
    elif n_folds > 1:
        chosen = f"all {n_rows} rows, each held out once in {n_folds} folds"
        rows = Decision("Rows that decide", chosen, "one part of the rows", "rows are few")
    else:
        n_held = contestants[0].folds[0].evals[contestants[0].folds[0].watched].n_rows
        rows = Decision("Rows that decide", f"{n_held} of {n_rows} rows, chosen by a hash of their contents")
    found = [rows]
    for winner in winners:
        others = [c for c in contestants if c.heat == winner.heat and c is not winner]
        found.append(_of_heat(winner, others, metric, plan, n_folds))
    for winner in winners:
        n_rounds = len(winner.history)
        found.append(
            Decision(
                f"Rounds of {winner.candidate.name}",
                str(winner.best_round + 1),
                "",
                f"the held-out {metric} was best there ({winner.best_value:.6g})"
                if winner.best_round + 1 < n_rounds
                else f"the held-out {metric} improved until the last round ({winner.best_value:.6g})",
                _cost(n_rounds, n_folds),
            )
        )
    if len(winners) > 1:
        names = " and ".join(winner.candidate.name for winner in winners)
        found.append(
            Decision("Model", f"the mean of {names}", "one of them", "different trees make different errors")
        )
    found.append(_all_rows(winners, n_folds, watched))
    return Decisions(found)


def _of_heat(
    winner: Contestant, others: Sequence[Contestant], metric: str, plan: Plan, n_folds: int
) -> Decision:
    """Return the decision about the leaves of one shape of trees."""
    shape = winner.candidate.shape
    if not others:
        return Decision(shape.capitalize(), winner.candidate.name)
    n_rounds = min(plan.heat_rounds, *(len(other.history) for other in others))
    values = ", ".join(f"{_value_at(c, n_rounds):.6g} with {c.candidate.leaves}" for c in (winner, *others))
    return Decision(
        f"Leaves of {shape}",
        winner.candidate.leaves,
        " or ".join(other.candidate.leaves for other in others),
        f"the best held-out {metric} within {n_rounds} rounds was {values}",
        _cost(sum(len(other.history) for other in others), n_folds),
    )


def _value_at(contestant: Contestant, n_rounds: int) -> float:
    """Return the best metric within the first rounds."""
    watched = contestant.folds[0].watched
    rounds = contestant.history[:n_rounds]
    best = min(rounds, key=contestant.loss_of)
    return best[watched][contestant.metric]


def _cost(n_rounds: int, n_folds: int) -> str:
    return f"{n_rounds} rounds" if n_folds == 1 else f"{n_rounds} rounds in each of {n_folds} folds"


def _all_rows(winners: Sequence[Contestant], n_folds: int, watched: str | None) -> Decision:
    """Return how all rows are used in the end."""
    if watched is not None:
        return Decision("Rows of the model", "all training rows", "", "none was held out")
    if n_folds > 1:
        chosen = f"the mean of the models of the {n_folds} folds"
        return Decision("Rows of the model", f"all, by {chosen}", "", "each row is in all folds but one")
    return Decision(
        "Rows of the model",
        "all: leaf values were fitted again, and a quarter more rounds followed",
        "a model without the held-out rows",
        "more rows make better models",
    )
