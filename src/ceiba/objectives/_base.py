"""What an objective is.

The life of an objective:

1. ``find_objective("logistic")`` makes one. It is a frozen value: its fields are the options of the
   loss, such as the factor of softmax's curvature. What rows tell (Huber's delta, the level that a
   tree is grown for) is in the changed copies that a round works with, and in no model.
2. ``check_target`` looks at the target of the training rows and then, with ``n_outputs``, at the
   target of every eval set; a target that has no meaning under this loss is an error.
   ``for_target`` then returns the objective as the model keeps it.
3. ``n_outputs`` says how many scores a row has: the K trees of one round.
   A loss of whole queries declares ``needs_queries``; ``for_queries`` then returns the objective
   bound to the queries of the rows whose gradients or losses are wanted.
   Where ``shares_trees`` is declared they are one tree with K values in each leaf.
4. ``start_scores`` gives the K scores that every row starts from: the best constant. A user's
   ``base_score``, which is in the units of predictions, replaces them by way of ``to_raw``.
5. Once a round, ``in_turn`` and ``for_round`` return the objective of that round (a loss that
   re-chooses an option by the number of the round, or from the current residuals, returns a
   changed copy; others return themselves) and ``gradients``
   fills the first and second derivatives of the loss of every row at the current scores. Both are
   of the unweighted loss: the grower multiplies by the weights.
6. The leaves are fitted as ``leaf`` declares: by Newton steps, or by the statistic of residuals
   that ``residual_leaves`` names.
7. ``predict`` turns raw scores into what a user reads. ``state`` goes into the model file, and
   ``objective_from_state`` brings the objective back when the file is loaded.

Declarations are promises that ``tests/unit/objectives`` checks for everything in ``_list.py``.
Scores have shape [K, n] and are contiguous while training; raw scores for ``predict`` have [n, K].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ceiba.data.queries import Queries
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.messages import listed
from ceiba.objectives.link import IDENTITY, Link
from ceiba.reductions import count_rows, exact_sum, values_in_order, weighted_quantile

Floats = NDArray[np.float64]

Task = Literal["regression", "binary", "multiclass", "multilabel", "ranking", "custom"]
#: The targets that a loss has a meaning for; ``ceiba.testing.targets`` has an example of each.
Domain = Literal[
    "real", "above_minus_one", "non_negative", "positive", "shares", "binary", "classes"
]
Curvature = Literal["exact", "surrogate"]
Leaf = Literal["newton", "exact", "friedman"]
Start = Literal["optimal", "surrogate"]
Rates = tuple[tuple[float, float, float], tuple[float, float, float]] | None
Slope = Literal["exact", "surrogate"]
#: How a user wishes leaves to be fitted that are no Newton steps: parameter ``leaf_rule``.
LeafChoice = Literal["exact", "friedman"]
#: How a user wishes curvature to be taken where there is a choice: parameter ``curvature_rule``.
CurvatureChoice = Literal["safe", "plain"]
ResidualKind = Literal["quantile", "huber", "huber_friedman"]


@dataclass(frozen=True, slots=True)
class ResidualLeaves:
    """Leaves that are a statistic of the residuals, target - score, of their rows.

    ``options`` holds one number for each output: the level of ``quantile``, the delta of the two
    kinds of ``huber``. What they are is written in ``cpp/leaf/residual.hpp``.
    """

    kind: ResidualKind
    options: tuple[float, ...]
    scores: Floats  # [K, n]
    target: Floats


@dataclass(frozen=True)
class Objective(ABC):
    """Base class of objectives: a loss, its derivatives and the link to predictions.

    >>> from ceiba.objectives import OBJECTIVES, Objective
    >>> all(issubclass(kind, Objective) for kind in OBJECTIVES)
    True
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    task: ClassVar[Task]
    domain: ClassVar[Domain] = "real"
    #: Name of the metric that eval sets are scored by when the user names none.
    default_metric: ClassVar[str]
    #: ``exact``: the gradients are the slope of ``losses``. Otherwise forces that stand in for it.
    slope: ClassVar[Slope] = "exact"
    #: ``exact``: the hessians are the second derivatives of the loss. Otherwise a stand-in.
    curvature: ClassVar[Curvature] = "exact"
    #: ``newton``: a leaf is the Newton step of its sums. ``exact``: the minimiser of its loss.
    leaf: ClassVar[Leaf] = "newton"
    #: ``optimal``: the start scores minimise the weighted loss over all constants.
    start: ClassVar[Start] = "optimal"
    #: The hessian where it is the same for all rows; then ``gradients`` fills no hessians.
    constant_hessian: ClassVar[float | None] = None
    #: Whether the loss is one of queries and not of single rows; see ``_ranking.py``.
    needs_queries: ClassVar[bool] = False
    #: What ``max_delta_step="objective"`` means; 0 for no limit.
    own_max_delta_step: ClassVar[float] = 0.0
    #: Newton steps of a leaf of a symmetric tree under ``leaf_iterations="auto"``.
    symmetric_steps: ClassVar[int] = 1
    #: The same under ``leaf_iterations="catboost"``, whatever the growth, from 200 rounds on.
    catboost_steps: ClassVar[int] = 1
    #: A, B and C of CatBoost's rule for learning rates (``boosting/schedule.py``), with eval sets
    #: and without; None: it has none for this loss.
    catboost_rates: ClassVar[Rates] = None
    #: Whether CatBoost starts from the best constant, and not from a score of 0.
    catboost_starts_from_average: ClassVar[bool] = False
    #: Whether metrics of classes can read the scores; see ``log_odds``.
    has_log_odds: ClassVar[bool] = False
    #: How raw scores become predictions.
    link: ClassVar[Link] = IDENTITY
    #: The score at which two classes are as probable as each other, where there is one score.
    even_score: ClassVar[float] = 0.0
    #: Whether the K trees of a round are one, grown on gradients [1, n], with K values a leaf.
    shares_trees: ClassVar[bool] = False
    #: Whether a step v of a score changes the curvature by at most a factor of exp(|v|). Under
    #: ``leaf_guard`` the leaves of such a loss do not go past their minimum.
    has_class_link: ClassVar[bool] = False
    #: Whether scores are quantiles of the target, of the ``levels`` that the objective has.
    has_levels: ClassVar[bool] = False

    @property
    def label(self) -> str:
        """What a model's parameters record as its objective."""
        return self.name

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:  # noqa: B027
        """Raise InvalidInputError for a target this loss has no meaning for.

        ``n_outputs`` is given for an eval set, which need not hold every class. That a target is
        finite is checked before.
        """

    def for_target(self, target: Floats) -> Objective:
        """The objective of a training on this target, which is checked."""
        return self

    def n_outputs(self, target: Floats) -> int:
        """Scores of a row, from the checked target of the training rows."""
        return 1

    @abstractmethod
    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        """The raw scores [K] all rows start from, independent of the order of the rows."""

    def in_turn(self, iteration: int) -> Objective:
        """The objective of the round of this number, where the number matters."""
        return self

    def for_queries(self, queries: Queries | None) -> Objective:
        """The objective for rows of these queries; called once for a set of rows."""
        return self

    def for_round(self, scores: Floats, target: Floats, weights: Floats | None) -> Objective:
        """The objective of the round that starts at these scores."""
        return self

    @abstractmethod
    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        """Fill [K, n] gradients, and hessians unless ``constant_hessian`` is declared.

        [1, n] where ``shares_trees`` is declared.
        """

    def residual_leaves(self, scores: Floats, target: Floats) -> ResidualLeaves | None:
        """What the leaves of a round's trees are, or None for Newton steps."""
        return None

    @property
    def levels(self) -> tuple[float, ...]:
        """The share of rows that should lie below each score; none where it is no quantile."""
        return ()

    @abstractmethod
    def losses(self, scores: Floats, target: Floats) -> Floats:
        """The unweighted loss of every row at scores [K, n]."""

    def predict(self, raw: Floats) -> Floats:
        """Return predictions of raw scores [n, K]: [n] if K is 1, else [n, K]."""
        return self.link.predict(raw)

    def to_raw(self, base_score: ArrayLike, n_outputs: int) -> Floats:
        """Raw start scores [K] from a ``base_score`` in the units of predictions."""
        return read_base_score(base_score, n_outputs)

    def log_odds(self, raw: Floats) -> Floats:
        """Raw scores [n, K] on the scale that metrics of classes read.

        That is log-odds of class 1 where K is 1, logarithms of probabilities (but for a constant of
        the row) where it is more. Only a loss whose scores have another scale changes anything.
        """
        return raw

    @property
    def score_scale(self) -> str:
        """What raw scores are, where an option decides it: trees of one scale fit no other."""
        return ""

    @property
    def log_link_power(self) -> float | None:
        """Power of the mean that the variance is proportional to, of a loss with a log link.

        Under ``leaf_guard`` the leaves of such a loss do not go past the minimum of their loss.
        """
        return None

    def friedman_factor(self, n_outputs: int) -> float:
        """Factor of the Newton step of a leaf under ``leaf_rule="friedman"``."""
        return 1.0

    def state(self) -> dict[str, Any]:
        """Name and options, ready for the model file."""
        return {"name": self.name, **asdict(self)}


def read_base_score(base_score: ArrayLike, n_outputs: int, advice: str = "") -> Floats:
    """``base_score`` as one finite number for each output."""
    try:
        values = np.asarray(base_score, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.full(1, np.nan)
    if values.shape not in ((), (1,), (n_outputs,)) or not np.isfinite(values).all():
        each = f" or one for each of the {n_outputs} outputs" if n_outputs > 1 else ""
        raise InvalidParameterError(
            f"base_score must be one finite number{each}. Got {base_score!r}. {advice}".rstrip()
        )
    return np.array(np.broadcast_to(values, (n_outputs,)))


def start_quantile(
    target: Floats, weights: Floats | None, level: float, leaf_rule: LeafChoice
) -> float:
    """Quantile that boosting starts from, in the definition of ``_core.weighted_quantile``.

    Under "friedman" that of rows without weights lies between two of them, as in scikit-learn.
    """
    if leaf_rule == "exact" or weights is not None:
        return weighted_quantile(target, weights, level)
    n_rows = count_rows(target)
    place = level * (n_rows - 1)
    below = int(place)
    above = min(below + 1, n_rows - 1)
    low, high = values_in_order(target, (below, above))
    share = place - below
    return float((1.0 - share) * low + share * high)


def weighted_mean(values: Floats, weights: Floats | None) -> float:
    """Mean that does not depend on the order of the rows."""
    total = float(count_rows(values)) if weights is None else exact_sum(weights)
    if total == 0.0:
        raise InvalidInputError("A mean needs at least one row with a positive weight. Got none.")
    return exact_sum(values, weights) / total


def describe_values(values: NDArray[Any]) -> str:
    """The first few values, for an error message."""
    return listed(values, show="{:g}".format)
