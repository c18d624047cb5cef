"""Describe the decisions of a race in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ceiba.model.decisions import Decision, Decisions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ceiba.policy.plan import Candidate, Plan
    from ceiba.policy.race import Contestant

__all__ = ["HeldOut", "decisions_of"]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Which rows compared the candidates, and how all rows are used in the end."""

    n_rows: int
    #: The eval set of the user that decided, if one did.
    watched: str | None
    by_user: bool
    in_groups: bool
    #: "bag" (mean over the folds), "refit" (leaf values fitted again) or "again" (trained again).
    ending: str


def decisions_of(
    contestants: Sequence[Contestant],
    heats: Sequence[Contestant],
    winners: Sequence[Contestant],
    plan: Plan,
    held: HeldOut,
) -> Decisions:
    """Return the decisions of a race. ``heats`` holds all candidates of the first rounds."""
    n_folds = len(contestants[0].folds)
    metric = contestants[0].metric
    rows = _of_rows(contestants[0], held)
    found = [rows]
    for winner in winners:
        of_heat = [c for c in heats if c.heat == winner.heat]
        if len(of_heat) > 1:
            is_sampled = heats is not contestants
            found.append(_of_heat(winner.candidate, of_heat, metric, plan, is_sampled))
    for winner in winners:
        n_rounds = len(winner.history)
        found.append(
            Decision(
                f"Rounds of {winner.candidate.name}",
                str(winner.best_round + 1),
                "",
                f"the held-out {metric} "
                + ("was best there" if winner.best_round + 1 < n_rounds else "improved to the end")
                + f" ({winner.best_value:.6g})",
                _cost(n_rounds, n_folds),
            )
        )
    if len(winners) > 1:
        names = _enumerated([winner.candidate.name for winner in winners])
        found.append(
            Decision(
                "Model",
                f"the mean of {names}",
                "one of them",
                "different trees make different errors",
            )
        )
    found.append(_all_rows(n_folds, held))
    return Decisions(found)


def _of_heat(
    chosen: Candidate, heat: Sequence[Contestant], metric: str, plan: Plan, is_sampled: bool
) -> Decision:
    """Return the decision about the leaves of one shape of trees."""
    (own,) = (c for c in heat if c.candidate is chosen)
    others = [c for c in heat if c is not own]
    n_rounds = min(plan.heat_rounds, *(len(other.history) for other in others))
    values = ", ".join(
        f"{_value_at(c, n_rounds):.6g} with {c.candidate.leaves}" for c in (own, *others)
    )
    sample = f" on {100 * plan.heat_share:.0f} % of the rows" if is_sampled else ""
    return Decision(
        f"Leaves of {chosen.shape}",
        chosen.leaves,
        " or ".join(other.candidate.leaves for other in others),
        f"the best held-out {metric} within {n_rounds} rounds{sample} was {values}",
        _cost(sum(len(c.history) for c in (heat if is_sampled else others)), len(own.folds)),
    )


def _value_at(contestant: Contestant, n_rounds: int) -> float:
    """Return the best metric within the first rounds."""
    watched = contestant.folds[0].watched
    rounds = contestant.history[:n_rounds]
    best = min(rounds, key=contestant.loss_of)
    return best[watched][contestant.metric]


def _cost(n_rounds: int, n_folds: int) -> str:
    return f"{n_rounds} rounds" if n_folds == 1 else f"{n_rounds} rounds in each of {n_folds} folds"


def _of_rows(contestant: Contestant, held: HeldOut) -> Decision:
    """Return the decision about the rows that compare candidates."""
    question, n_folds, n_rows = "Rows that decide", len(contestant.folds), held.n_rows
    if held.watched is not None:
        return Decision(
            question, f"eval set {held.watched!r}", "", "early_stopping_rounds is given"
        )
    n_held = sum(fold.evals[fold.watched].n_rows for fold in contestant.folds)
    groups = ", whole groups together" if held.in_groups else ""
    if held.by_user:
        folds = f"{n_folds} folds" if n_folds > 1 else "one fold"
        chosen = f"{n_held} held-out rows in {folds}{groups}"
        return Decision(question, chosen, "", "folds is given")
    if n_folds > 1:
        chosen = f"all {n_rows} rows, each held out once in {n_folds} folds{groups}"
        return Decision(question, chosen, "a fifth of the rows, held out once", "rows are few")
    return Decision(
        question, f"{n_held} of {n_rows} rows, chosen by a hash of their contents{groups}"
    )


def _enumerated(names: Sequence[str]) -> str:
    """Return "a, b and c"."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _all_rows(n_folds: int, held: HeldOut) -> Decision:
    """Return how all rows are used in the end."""
    question = "Rows of the model"
    if held.watched is not None:
        return Decision(question, "all training rows", "", "none was held out")
    if held.ending == "bag":
        chosen = f"all, by the mean of the models of the {n_folds} folds"
        return Decision(question, chosen, "", "each row is in all folds but one")
    if held.ending == "again":
        reason = (
            "the folds do not share all rows"
            if n_folds > 1
            else "target statistics of a row contain its target, so leaves cannot be fitted again"
        )
        return Decision(question, "all: the winners were trained again", "", reason)
    return Decision(
        question,
        "all: leaf values were fitted again, and a quarter more rounds followed",
        "a model without the held-out rows",
        "more rows make better models",
    )
