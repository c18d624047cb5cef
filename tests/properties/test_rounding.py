"""What rounding costs: gains of the chosen splits against the best ones, in float64.

Trees are grown from rounded gradients. Here every node of such a tree is searched again with the
float64 gradients themselves, and the gain that its split gives up is bounded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from ceiba import _core
from ceiba.testing import reference
from ceiba.testing.rounding import round_rows
from ceiba.testing.strategies import Case

Reals = NDArray[np.float64]

TAILS = (
    "normal",
    "uniform",
    "lognormal",
    "long lognormal",
    "cauchy",
    "one outlier",
    "few outliers",
)


def make_gradients(tail: str, X: Reals, seed: int) -> Reals:
    """Return gradients that columns 0 and 1 explain in part, with a tail of some kind."""
    random = np.random.default_rng(seed)
    n = len(X)
    signal = np.where(X[:, 0] > 0.3, 1.0, -0.5) + 0.3 * X[:, 1]
    noise = random.normal(size=n)
    match tail:
        case "uniform":
            return signal + random.uniform(-1, 1, size=n)
        case "lognormal":
            return signal * np.exp(2 * noise)
        case "long lognormal":
            return signal * np.exp(5 * noise)
        case "cauchy":
            return signal + random.standard_cauchy(size=n)
        case "one outlier":
            gradients = signal + noise
            gradients[random.integers(n)] = 1e7
            return gradients
        case "few outliers":  # too many for the mean to show how small the others are
            gradients = signal + noise
            gradients[random.random(n) < 0.01] *= 1e5
            return gradients
        case _:
            return signal + noise


@dataclass
class Loss:
    """Float64 gains over all nodes of a tree: of the best splits, and what the chosen ones lack."""

    best: float = 0.0
    lost: float = 0.0
    worst_share: float = 0.0  # of one node's best gain


def gains_of(codes: NDArray[np.int64], n_bins: int, g: Reals, h: Reals) -> Reals:
    """Return the gain of every candidate of a column (lambda 1, two rows in a leaf)."""
    left_g = np.cumsum(np.bincount(codes, g, n_bins))[:-1]
    left_h = np.cumsum(np.bincount(codes, h, n_bins))[:-1]
    all_g, all_h = g.sum(), h.sum()
    counts = np.cumsum(np.bincount(codes, minlength=n_bins))[:-1]
    gain = (
        left_g**2 / (left_h + 1)
        + (all_g - left_g) ** 2 / (all_h - left_h + 1)
        - all_g**2 / (all_h + 1)
    )
    valid = (counts >= 2) & (counts <= len(codes) - 2)
    return np.where(valid, gain, -np.inf)


def measure(case: Case, *, by_reference: bool = False) -> Loss:
    """Search every node of a tree again in float64."""
    mapper = case.bin_mapper()
    arrays = case.grow_reference(mapper) if by_reference else case.grow(mapper).arrays()
    codes = reference.bin_codes(mapper, case.X)
    n_bins = [len(mapper.edges(j)) + 1 for j in range(codes.shape[1])]
    g = case.gradients[0]
    h = np.ones(len(g)) if case.hessians is None else case.hessians[0]
    loss = Loss()
    depths = {0: 0}
    rows_of = {0: np.arange(len(g))}
    for node, rows in ((node, rows_of[node]) for node in range(len(arrays["feature"]))):
        gains = [
            gains_of(codes[rows, j], n_bins[j], g[rows], h[rows]) for j in range(codes.shape[1])
        ]
        best = max(float(gain.max()) for gain in gains)
        feature = int(arrays["feature"][node])
        if feature < 0:
            if depths[node] == case.plan.max_depth or best <= 0:
                continue
            chosen = 0.0  # nothing to gain, says the rounded search
        else:
            last = int(np.searchsorted(mapper.edges(feature), arrays["threshold"][node]))
            chosen = float(gains[feature][last])
            left = codes[rows, feature] <= last
            for child, own in ((arrays["left"], rows[left]), (arrays["right"], rows[~left])):
                rows_of[int(child[node])] = own
                depths[int(child[node])] = depths[node] + 1
        scale = float(g[rows] @ g[rows]) * 1e-12  # what float64 sums themselves get wrong
        loss.best += best
        loss.lost += best - chosen
        if best > scale:
            loss.worst_share = max(loss.worst_share, (best - chosen) / best)
    return loss


def make_case(tail: str, n_rows: int, with_hessians: bool) -> Case:
    """Return a tree of depth 5 on 12 columns, some of which are nearly the same."""
    random = np.random.default_rng(n_rows)
    X = random.normal(size=(n_rows, 12))
    X[:, 6:9] = X[:, :3] + 1e-3 * random.normal(size=(n_rows, 3))
    gradients = make_gradients(tail, X, n_rows + 1)
    hessians = random.uniform(0.01, 0.25, size=(1, n_rows)) if with_hessians else None
    plan = reference.Plan(
        grow_policy="depthwise", max_depth=5, max_leaves=0, min_samples_leaf=2, reg_lambda=1.0
    )
    return Case(X, gradients[None], hessians, 1.0, None, None, plan, 256, 0, 1.0)


@pytest.mark.parametrize("with_hessians", [False, True])
@pytest.mark.parametrize("n_rows", [300, 4000, 30_000])
@pytest.mark.parametrize("tail", TAILS)
def test_little_gain_is_lost(tail: str, n_rows: int, with_hessians: bool) -> None:
    loss = measure(make_case(tail, n_rows, with_hessians))
    assert loss.best > 0
    assert loss.lost <= 1e-5 * loss.best  # of the whole tree
    assert loss.worst_share <= 0.1  # of any node


@pytest.mark.parametrize("tail", ["one outlier", "few outliers"])
def test_the_bound_sees_a_typical_row_that_is_rounded_away(
    tail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = make_case(tail, 5000, with_hessians=True)
    assert measure(case, by_reference=True).worst_share <= 0.1
    monkeypatch.setattr("ceiba.testing.rounding._rounds_away", lambda *given: False)
    assert measure(case, by_reference=True).worst_share > 0.5


@pytest.mark.parametrize("n_rows", [500, 20_000])
@pytest.mark.parametrize("tail", TAILS)
def test_the_typical_row_is_not_rounded_away(tail: str, n_rows: int) -> None:
    X = np.random.default_rng(n_rows).normal(size=(n_rows, 2))
    gradients = make_gradients(tail, X, 5)
    for hessians in (None, np.ones(n_rows)):
        rounded = round_rows(gradients, hessians, 1.0, None, weighted_counts=True, whole=True)
        # The error of a row is small beside the median row.
        error = np.abs(rounded.gradients * rounded.gradient_unit - gradients)
        assert np.median(error) <= 0.3 * np.median(np.abs(gradients))


def test_leaves_do_not_come_from_the_rounded_gradients() -> None:
    random = np.random.default_rng(3)
    n = 20_000
    X = random.normal(size=(n, 3))
    gradients = random.standard_cauchy(size=(1, n))
    hessians = random.uniform(0.01, 0.25, size=(1, n))
    plan = reference.Plan(max_leaves=8, reg_lambda=1.0)
    case = Case(X, gradients, hessians, 1.0, None, None, plan, 256, 0, 1.0)
    grown = case.grow(case.bin_mapper())
    arrays = grown.arrays()
    leaves = _core.Forest.from_grown([grown], 3, 1).apply_matrix(X, 0, 1, 1)[:, 0]
    for leaf in np.unique(leaves):
        own = leaves == leaf
        exact = -gradients[0, own].sum() / (hessians[0, own].sum() + 1.0)
        assert arrays["value"][leaf] == pytest.approx(exact, rel=1e-9)
