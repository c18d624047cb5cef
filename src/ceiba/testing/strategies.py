"""Hypothesis strategies: tables, weights, plans, and trainings of a tree.

Hypothesis draws shapes, kinds and a seed; numpy fills the arrays. Cases are fast to generate and
shrink to few rows, few columns and simple kinds. Needs hypothesis, which ceiba does not depend on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import MissingDependencyError
from ceiba.testing import reference
from ceiba.testing.reference import Plan

try:
    from hypothesis import strategies as st
except ImportError as error:  # pragma: no cover
    raise MissingDependencyError(
        "ceiba.testing.strategies needs hypothesis. Install it with: pip install hypothesis"
    ) from error

__all__ = ["Case", "cases", "gradient_columns", "plans", "tables", "targets", "weight_columns"]

Reals = NDArray[np.float64]

#: Kinds of columns.
COLUMN_KINDS = ("few", "normal", "constant", "integers", "rounded", "infinite", "huge", "binary")
#: Kinds of gradients; the last two have heavy tails.
GRADIENT_KINDS = ("normal", "few", "integers", "zero", "tiny", "large", "lognormal", "cauchy")
WEIGHT_KINDS = ("none", "whole", "large whole", "real")
POLICIES = ("leafwise", "depthwise", "symmetric", "depthfirst")


def _column(random: np.random.Generator, kind: str, n_rows: int) -> Reals:
    normal = random.normal(size=n_rows)
    match kind:
        case "few":
            return random.choice([-1.5, 0.0, 0.25, 3.0], size=n_rows)
        case "constant":
            return np.full(n_rows, 7.0)
        case "integers":
            return random.integers(-50, 50, size=n_rows).astype(np.float64)
        case "rounded":
            return np.round(normal, 1)
        case "infinite":
            normal[random.random(n_rows) < 0.1] = np.inf
            normal[random.random(n_rows) < 0.1] = -np.inf
            return normal
        case "huge":
            return np.exp(40 * normal)
        case "binary":
            return (normal > 0).astype(np.float64)
        case _:
            return normal


def make_table(seed: int, n_rows: int, kinds: tuple[str, ...], missing: tuple[float, ...]) -> Reals:
    """Return a table with a column of each kind and a fraction of missing values in each."""
    random = np.random.default_rng(seed)
    X = np.empty((n_rows, len(kinds)))
    for j, kind in enumerate(kinds):
        X[:, j] = _column(random, kind, n_rows)
        X[random.random(n_rows) < missing[j], j] = np.nan
    return X


@st.composite
def tables(
    draw: st.DrawFn,
    *,
    min_rows: int = 1,
    max_rows: int = 120,
    max_features: int = 6,
    missing: bool = True,
) -> Reals:
    """Tables of numbers, with ties, constants, infinities and missing values."""
    n_rows = draw(st.integers(min_rows, max_rows), label="n_rows")
    n_features = draw(st.integers(1, max_features), label="n_features")
    kinds = tuple(draw(st.sampled_from(COLUMN_KINDS)) for _ in range(n_features))
    shares = st.sampled_from((0.0, 0.0, 0.1, 0.5, 1.0)) if missing else st.just(0.0)
    some = tuple(draw(shares) for _ in range(n_features))
    return make_table(draw(st.integers(0, 2**32 - 1), label="seed"), n_rows, kinds, some)


def make_weights(seed: int, n_rows: int, kind: str) -> Reals | None:
    """Return weights above 0 of one kind, or None."""
    random = np.random.default_rng(seed)
    match kind:
        case "whole":
            return random.integers(1, 5, size=n_rows).astype(np.float64)
        case "large whole":
            return random.integers(1, 60, size=n_rows).astype(np.float64)
        case "real":
            return np.exp(random.normal(size=n_rows))
        case _:
            return None


@st.composite
def weight_columns(
    draw: st.DrawFn, n_rows: int, *, kinds: tuple[str, ...] = WEIGHT_KINDS
) -> Reals | None:
    """Row weights, whole numbers or not, or None."""
    return make_weights(draw(st.integers(0, 2**32 - 1)), n_rows, draw(st.sampled_from(kinds)))


def make_gradients(seed: int, shape: tuple[int, ...], kind: str) -> Reals:
    """Return gradients of one kind."""
    random = np.random.default_rng(seed)
    normal = random.normal(size=shape)
    match kind:
        case "few":  # many equal gains
            return random.choice([-1.0, 0.0, 1.0], size=shape)
        case "integers":
            return random.integers(-9, 10, size=shape).astype(np.float64)
        case "zero":
            return np.zeros(shape)
        case "tiny":
            return normal * 1e-90
        case "large":
            return normal * 1e90
        case "lognormal":
            return np.sign(normal) * np.exp(6 * random.normal(size=shape))
        case "cauchy":
            return random.standard_cauchy(size=shape)
        case _:
            return normal


@st.composite
def gradient_columns(
    draw: st.DrawFn, shape: tuple[int, ...], *, kinds: tuple[str, ...] = GRADIENT_KINDS
) -> Reals:
    """Gradients of any size, with ties and heavy tails."""
    return make_gradients(draw(st.integers(0, 2**32 - 1)), shape, draw(st.sampled_from(kinds)))


@st.composite
def targets(draw: st.DrawFn, n_rows: int, *, n_classes: int = 0) -> Reals:
    """Targets: numbers, or class indices. All classes occur if there are enough rows."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if n_classes == 0:
        return random.normal(size=n_rows)
    return random.permutation(np.arange(n_rows) % n_classes).astype(np.float64)


@st.composite
def plans(
    draw: st.DrawFn,
    *,
    policies: tuple[str, ...] = POLICIES,
    max_leaves: int = 16,
    n_features: int = 0,
) -> Plan:
    """Growth plans with every policy, limit, penalty and column fraction.

    If the number of columns is given, also constraints of columns, and pruning after growth.
    """

    def some(*values: Any) -> Any:
        return draw(st.sampled_from(values))

    policy = some(*policies)
    depth = some(0, 1, 2, 3, 5)
    unlimited = policy == "depthfirst" and draw(st.booleans(), label="unlimited")
    ruled: dict[str, Any] = {}
    if n_features:
        each = range(n_features)
        if draw(st.booleans(), label="monotone"):
            ruled["monotone"] = tuple(some(-1, 0, 1, 1) for _ in each)
        if draw(st.booleans(), label="interactions"):
            members = st.lists(st.sampled_from(each), min_size=1, max_size=3, unique=True)
            ruled["interactions"] = tuple(
                tuple(columns) for columns in draw(st.lists(members, min_size=1, max_size=3))
            )
            ruled["listed_only"] = draw(st.booleans(), label="listed_only")
        if draw(st.booleans(), label="weights"):
            ruled["weights"] = tuple(some(0.0, 1.0, 0.3, 5.0) for _ in each)
        ruled["columns_bynode"] = some(0, 0, 1, 2)
        ruled["columns_bypath"] = some(0, 0, 1, 2)
        ruled["prune_after"] = draw(st.booleans(), label="prune_after")
        ruled["min_samples_split"] = some(2, 2, 10)
        ruled["min_impurity_decrease"] = some(0.0, 0.0, 0.01)
        ruled["min_weight_fraction_leaf"] = some(0.0, 0.0, 0.1)
        ruled["ccp_alpha"] = some(0.0, 0.0, 0.01, 0.1)
        ruled["penalize_bounded"] = some(True, True, False)
        ruled["drop_hopeless_columns"] = draw(st.booleans(), label="drop_hopeless_columns")
        ruled["unit_hessians"] = draw(st.booleans(), label="unit_hessians")
        ruled["draw_until_split"] = draw(st.booleans(), label="draw_until_split")
    return Plan(
        grow_policy=policy,
        max_depth=depth if policy != "symmetric" else max(1, depth),
        max_leaves=0 if unlimited else draw(st.integers(2, max_leaves)),
        min_samples_leaf=some(0, 1, 2, 5, 20),
        min_child_weight=some(0.0, 0.0, 1e-3, 1.0),
        reg_lambda=some(0.0, 1.0, 0.3),
        reg_alpha=some(0.0, 0.0, 0.5),
        min_split_gain=some(0.0, 0.0, 0.1),
        max_delta_step=some(0.0, 0.0, 0.3),
        colsample_bytree=some(1.0, 1.0, 0.6),
        colsample_bylevel=some(1.0, 1.0, 0.5),
        colsample_bynode=some(1.0, 1.0, 0.5),
        seed=draw(st.integers(0, 2**32 - 1)),
        weighted_counts=draw(st.booleans()),
        **ruled,
    )


@dataclass(frozen=True)
class Case:
    """All inputs of the trees of one round."""

    X: Reals
    gradients: Reals  # [K, n]
    hessians: Reals | None
    constant_hessian: float
    weights: Reals | None
    rows: NDArray[np.int32] | None
    plan: Plan
    max_bins: int
    round: int
    learning_rate: float
    noise: float = 0.0

    def columns(self) -> list[list[Reals]]:
        """Return the table as columns for the C++ core."""
        return [[self.X[:, j]] for j in range(self.X.shape[1])]

    def bin_mapper(self, n_threads: int = 1) -> _core.BinMapper:
        """Return the bin mapper of the table."""
        return _core.BinMapper.find(self.columns(), self.weights, self.max_bins, 1, n_threads)

    def grow(self, mapper: _core.BinMapper, n_threads: int = 1) -> _core.GrownTrees:
        """Grow the trees with the C++ core."""
        binned = _core.BinnedMatrix.build(mapper, self.columns(), n_threads)
        return self.trees_of(
            _core.Grower(_core.GrowerTable(binned), self.plan.for_engine(), self.weights, n_threads)
        )

    def trees_of(self, grower: _core.Grower) -> _core.GrownTrees:
        """Grow the trees with a given C++ grower of the table, plan and weights."""
        grown = grower.grow(
            self.gradients,
            self.hessians,
            self.constant_hessian,
            self.rows,
            self.round,
            noise=[self.noise] * len(self.gradients),
        )
        _core.fit_constant_leaves(
            grown, self.gradients, self.hessians, self.constant_hessian, self.learning_rate
        )
        return grown

    def grow_exact(self, n_threads: int = 1) -> _core.GrownTrees:
        """Grow the trees with the C++ core and every distinct value as a candidate.

        With ``sketch_eps`` in the plan, the candidates are those of split_method="approx".
        """
        mapper = self.bin_mapper(n_threads)
        binned = _core.BinnedMatrix.build(mapper, self.columns(), n_threads, lists=False)
        ranked = _core.RankedColumns.build(self.columns(), n_threads)
        plan = self.plan.for_engine()
        return self.trees_of(
            _core.Grower(_core.GrowerTable(binned, ranked), plan, self.weights, n_threads)
        )

    def grow_exact_reference(self) -> dict[str, NDArray[Any]]:
        """Grow the trees of :meth:`grow_exact` with the reference, including approx."""
        mapper = _core.BinMapper.find(self.columns(), None, 65535, 1, 1)
        return self._reference(mapper, reference.distinct_values(self.X))

    def grow_reference(self, mapper: _core.BinMapper) -> dict[str, NDArray[Any]]:
        """Grow the trees with the reference."""
        return self._reference(mapper, None)

    def _reference(
        self, mapper: _core.BinMapper, values: list[Reals] | None
    ) -> dict[str, NDArray[Any]]:
        return reference.grow(
            mapper,
            reference.bin_codes(mapper, self.X),
            self.gradients,
            self.hessians,
            self.constant_hessian,
            self.weights,
            self.rows,
            self.plan,
            self.round,
            self.learning_rate,
            values,
            self.noise,
        )


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    min_rows: int = 1,
    max_rows: int = 120,
    max_features: int = 6,
    max_trees: int = 2,
    max_leaves: int = 16,
    max_bins: tuple[int, ...] = (2, 5, 16, 255, 256, 257, 1000),
    gradient_kinds: tuple[str, ...] = GRADIENT_KINDS,
    weight_kinds: tuple[str, ...] = WEIGHT_KINDS,
    with_hessians: bool | None = None,
    sampled: bool | None = None,
    ruled: bool = False,
) -> Case:
    """Inputs of the trees of one round. ``ruled``: with constraints of single columns."""
    X = draw(tables(min_rows=min_rows, max_rows=max_rows, max_features=max_features))
    n_rows = len(X)
    shape = draw(st.integers(1, max_trees), label="n_trees"), n_rows
    hessians = None
    has_hessians = draw(st.booleans()) if with_hessians is None else with_hessians
    if has_hessians:
        kind = draw(st.sampled_from(("normal", "few", "integers", "lognormal")))
        hessians = np.abs(make_gradients(draw(st.integers(0, 2**32 - 1)), shape, kind))
    rows = None
    if draw(st.booleans(), label="sampled") if sampled is None else sampled:
        random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        rows = np.flatnonzero(random.random(n_rows) < 0.7).astype(np.int32)
        rows = rows if len(rows) else np.zeros(1, dtype=np.int32)
    return Case(
        X=X,
        gradients=draw(gradient_columns(shape, kinds=gradient_kinds)),
        hessians=hessians,
        constant_hessian=draw(st.sampled_from((1.0, 0.25, 0.3))),
        weights=draw(weight_columns(n_rows, kinds=weight_kinds)),
        rows=rows,
        plan=draw(plans(max_leaves=max_leaves, n_features=X.shape[1] if ruled else 0)),
        max_bins=draw(st.sampled_from(max_bins)),
        round=draw(st.integers(0, 1000)),
        learning_rate=draw(st.sampled_from((1.0, 0.1))),
    )
