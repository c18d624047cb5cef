"""State of a growing reference tree: its plan, its nodes and their rows."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ceiba import _core

if TYPE_CHECKING:
    from ceiba.testing.rounding import Rounded

__all__ = ["Bounds", "CategoryRule", "Node", "Plan", "Reals", "Split", "Sums", "Tree"]

Reals = NDArray[np.float64]
Bounds = tuple[float, float]


@dataclass(frozen=True)
class CategoryRule:
    """Options of categorical splits, with the names and defaults of the C++ core."""

    smooth: float = 10.0
    l2: float = 0.0
    max_levels: int = 32
    halves: bool = True
    parted: bool = False
    min_group: float = 1.0
    support: float = 0.0
    min_levels: int = 1
    by_constant: bool = False
    missing: str = "level"


@dataclass(frozen=True)
class Plan:
    """Growth parameters, with the names and defaults of ``_core.GrowPlan``."""

    grow_policy: str = "leafwise"
    max_depth: int = 0
    max_leaves: int = 31
    min_samples_leaf: int = 1
    min_child_weight: float = 0.0
    reg_lambda: float = 0.0
    reg_alpha: float = 0.0
    min_split_gain: float = 0.0
    max_delta_step: float = 0.0
    colsample_bytree: float = 1.0
    colsample_bylevel: float = 1.0
    colsample_bynode: float = 1.0
    seed: int = 0
    weighted_counts: bool = True
    min_samples_split: int = 2
    columns_bynode: int = 0
    columns_bypath: int = 0
    draw_until_split: bool = False
    prune_after: bool = False
    min_impurity_decrease: float = 0.0
    min_weight_fraction_leaf: float = 0.0
    ccp_alpha: float = 0.0
    penalize_bounded: bool = True
    unit_hessians: bool = False
    drop_hopeless_columns: bool = False
    estimate_rows: bool = False
    extra_trees: bool = False
    leaves_of_all_rows: bool = False
    penalize_steps: bool = False
    backtrack: bool = True
    score: str = "newton"
    own_units: bool = False
    monotone: tuple[int, ...] = ()
    interactions: tuple[tuple[int, ...], ...] = ()
    weights: tuple[float, ...] = ()
    listed_only: bool = False
    sketch_eps: float = 0.0
    approx_scope: str = "tree"
    vector_leaves: bool = False
    kinds: tuple[str, ...] = ()  # number, onehot or subset, per column; empty: all numbers
    category: CategoryRule = CategoryRule()

    def for_engine(self) -> _core.GrowPlan:
        """Return the same plan for the C++ core."""
        values = asdict(self)
        names = ("monotone", "interactions", "weights", "listed_only", "kinds")
        columns = {name: values.pop(name) for name in names}
        category = _core.CategoryRule(**values.pop("category"))
        return _core.GrowPlan(
            **values, columns=_core.ColumnConstraints(**columns), category=category
        )

    def is_category(self, feature: int) -> bool:
        """Whether a column is categorical."""
        return bool(self.kinds) and self.kinds[feature] != "number"

    @property
    def bounded(self) -> bool:
        """Whether leaf values may have bounds."""
        return self.max_delta_step > 0 or bool(self.monotone)

    @property
    def first_bounds(self) -> Bounds:
        """Return the bounds of the root."""
        limit = self.max_delta_step if self.max_delta_step > 0 else math.inf
        return -limit, limit


@dataclass(frozen=True)
class Sums:
    """Sums of rows, in integer units."""

    gradient: int
    hessian: int
    count: int


@dataclass(frozen=True)
class Split:
    """A candidate: codes up to ``bin`` go left; ``missing_left`` is the side of missing values.

    For a category, the codes of ``members`` go left, possibly including that of missing values.
    """

    gain: float
    feature: int
    bin: int
    missing_left: bool
    members: frozenset[int] | None = None


@dataclass
class Node:
    """A node with its rows."""

    rows: NDArray[np.intp]
    depth: int
    parent: int
    sums: Sums
    score: float
    bounds: Bounds
    split: Split | None = None
    children: tuple[int, int] | None = None
    threshold: float = 0.0  # of an exact split
    hopeless: frozenset[int] = frozenset()  # columns to skip in all nodes below
    extra_l2: float = 0.0  # L2 penalty of its value besides reg_lambda
    more_sums: tuple[Sums, ...] = ()  # of all outputs but the first


@dataclass
class Tree:
    """Inputs of the growth of one tree.

    ``codes``, ``rounded`` and ``heaviness`` (see ``weigh_rows``) hold the selected rows only.

    With ``values``, the distinct values of each column, splits are exact: a code is the index of a
    value among them. With ``room``, the maximum number of bins of each column, only the candidates
    proposed by a node are tried.
    """

    codes: NDArray[np.int64]
    n_values: list[int]
    has_missing: list[bool]
    rounded: Rounded
    heaviness: NDArray[np.int64]
    plan: Plan
    key: int
    values: list[Reals] | None = None
    room: list[int] | None = None
    more_rounded: tuple[Rounded, ...] = ()  # of all outputs but the first
    zero_first: tuple[bool, ...] = ()  # of each column: zero is in the first bin
    noise: float = 0.0  # standard deviation of the noise added to ranking scores
    nodes: list[Node] = field(default_factory=list)

    @property
    def ranks(self) -> bool:
        """Whether candidates are ranked by anything but their gain."""
        return self.noise > 0 or self.plan.score == "cosine"

    @property
    def estimates_rows(self) -> bool:
        """Whether row counts are estimated from hessians (``cpp/split/row_counts.hpp``)."""
        plan = self.plan
        return (
            plan.estimate_rows
            and plan.grow_policy in ("leafwise", "depthwise")
            and self.values is None
            and not plan.sketch_eps
            and not plan.extra_trees
            and not self.ranks
            and not self.more_rounded
            and not self.rounded.constant_hessian
        )

    def estimated_rows(self, node: Node, hessians: NDArray[np.int64]) -> Reals:
        """Return the row counts of bins of a node, estimated from their hessians."""
        unit = self.rounded.hessian_unit
        factor = node.sums.count / (node.sums.hessian * unit + 2e-15)
        return np.asarray(np.floor(hessians * unit * factor + 0.5), dtype=np.float64)

    @property
    def hessian(self) -> float:
        """Return the sum over all rows."""
        return int(self.rounded.hessians.sum()) * self.rounded.hessian_unit

    @property
    def leaf_hessian(self) -> float:
        """Return the minimum sum of a leaf."""
        share = self.plan.min_weight_fraction_leaf * self.hessian
        return max(share, self.plan.min_child_weight)
