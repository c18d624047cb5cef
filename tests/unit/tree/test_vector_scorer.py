"""Trees with vector leaves: split by the gradients of all outputs, as the reference does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agreement import check_trees
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.testing import reference
from ceiba.testing.trees import CategoryRule

NAMES = ("feature", "threshold", "left", "right", "missing_left", "gain", "count", "cover")


@st.composite
def trainings(draw: st.DrawFn) -> dict:
    n_rows = draw(st.integers(5, 200))
    n_outputs = draw(st.integers(2, 5))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = random.integers(0, draw(st.integers(2, 30)), size=(n_rows, draw(st.integers(1, 5))))
    X = X.astype(np.float64)
    if draw(st.booleans()):
        X[random.random(X.shape) < 0.2] = np.nan
    spread = 10.0 ** random.integers(-2, 3, size=(n_outputs, 1))
    gradients = random.normal(size=(n_outputs, n_rows)) * spread
    hessians = random.random((n_outputs, n_rows)) if draw(st.booleans()) else None
    weights = draw(st.sampled_from(["none", "whole", "real"]))
    rows = None
    if draw(st.booleans()):
        rows = np.sort(random.choice(n_rows, size=max(2, n_rows // 2), replace=False))
    kinds = [draw(st.sampled_from(["number", "onehot", "subset"])) for _ in range(X.shape[1])]
    if draw(st.booleans()):
        kinds = ["number"] * X.shape[1]
    largest = np.nan_to_num(X, nan=0.0).max(axis=0)
    return {
        "X": X,
        "gradients": gradients,
        "hessians": hessians,
        "weights": {
            "none": None,
            "whole": random.integers(1, 4, size=n_rows).astype(np.float64),
            "real": random.random(n_rows) + 0.1,
        }[weights],
        "rows": None if rows is None else rows.astype(np.int32),
        "n_levels": [
            0 if kind == "number" else int(code) + 1
            for kind, code in zip(kinds, largest, strict=True)
        ],
        "plan": reference.Plan(
            grow_policy=draw(st.sampled_from(["leafwise", "depthwise", "symmetric"])),
            max_depth=draw(st.sampled_from([0, 3])),
            max_leaves=draw(st.integers(2, 12)),
            min_samples_leaf=draw(st.sampled_from([1, 3])),
            min_child_weight=draw(st.sampled_from([0.0, 0.5])),
            reg_lambda=draw(st.sampled_from([0.0, 1.0])),
            reg_alpha=draw(st.sampled_from([0.0, 0.1])),
            max_delta_step=draw(st.sampled_from([0.0, 0.0, 0.5])),
            colsample_bynode=draw(st.sampled_from([1.0, 0.5])),
            vector_leaves=True,
            kinds=tuple(kinds),
            category=CategoryRule(
                smooth=draw(st.sampled_from([0.0, 1.0, 10.0])),
                l2=draw(st.sampled_from([0.0, 10.0])),
                max_levels=draw(st.sampled_from([2, 4, 32])),
                halves=draw(st.booleans()),
                min_group=draw(st.sampled_from([1.0, 5.0])),
                support=draw(st.sampled_from([0.0, 3.0])),
                by_constant=draw(st.booleans()),
                missing=draw(st.sampled_from(["level", "right", "either"])),
            ),
        ),
    }


def grow_both(case: dict, n_threads: int = 1, exact: int = 0) -> tuple[dict, dict]:
    """With ``exact``, so many bins help to find exact splits."""
    X, plan = case["X"], case["plan"]
    columns = [[X[:, j]] for j in range(X.shape[1])]
    n_levels = case.get("n_levels", [0] * X.shape[1])
    mapper = _core.BinMapper.find(columns, None, exact or 255, 1, 1, n_levels)
    binned = _core.BinnedMatrix.build(mapper, columns, 1, lists=False)
    ranked = _core.RankedColumns.build(columns, 1) if exact else None
    grower = _core.Grower(
        _core.GrowerTable(binned, ranked), plan.for_engine(), case["weights"], n_threads
    )
    if exact:
        mapper = _core.BinMapper.find(columns, None, 65535, 1, 1, n_levels)
    values = reference.distinct_values(X) if exact else None
    if values is not None:
        values = [
            np.arange(float(n)) if n else own for n, own in zip(n_levels, values, strict=True)
        ]
    given = case["gradients"], case["hessians"], 1.0
    grown = grower.grow(*given, case["rows"], 3, leaf_width=len(case["gradients"]))
    _core.fit_constant_leaves(grown, *given, 0.3)
    expected = reference.grow(
        mapper,
        reference.bin_codes(mapper, X),
        *given,
        case["weights"],
        case["rows"],
        plan,
        3,
        0.3,
        values,
    )
    return grown.arrays(), expected


@given(trainings())
@settings(max_examples=300)
def test_grown_as_the_reference_does(case: dict) -> None:
    grown, expected = grow_both(case)
    check_trees(grown, expected)


@given(trainings(), st.sampled_from([3, 8, 255]), st.booleans(), st.booleans())
@settings(max_examples=120)
def test_exact_splits_as_the_reference_does(
    case: dict, n_bins: int, spread: bool, avx2: bool
) -> None:
    _core.set_avx2(avx2)
    plan = replace(case["plan"], grow_policy="depthwise")
    case = {**case, "plan": plan, "hessians": None}
    if spread:  # nearly all values distinct
        moved = np.random.default_rng(1).random(case["X"].shape)
        case["X"] = case["X"] + np.where(np.array(case["n_levels"]) > 0, 0.0, moved)
    grown, expected = grow_both(case, exact=n_bins)
    check_trees(grown, expected)


@given(trainings())
@settings(max_examples=60)
def test_drawn_thresholds_as_the_reference_does(case: dict) -> None:
    case = {**case, "plan": replace(case["plan"], extra_trees=True)}
    grown, expected = grow_both(case)
    check_trees(grown, expected)


def test_exact_splits_of_own_hessians_or_whole_levels_are_refused() -> None:
    random = np.random.default_rng(0)
    case = {"X": random.normal(size=(50, 2)), "weights": None, "rows": None}
    case["gradients"], case["hessians"] = random.normal(size=(2, 50)), random.random((2, 50))
    with pytest.raises(InvalidInputError, match="does not support 'own_hessians'"):
        grow_both({**case, "plan": reference.Plan(vector_leaves=True)}, exact=8)
    levels = reference.Plan(vector_leaves=True, grow_policy="symmetric", max_depth=2)
    with pytest.raises(InvalidInputError, match="does not support 'vector_symmetric'"):
        grow_both({**case, "hessians": None, "plan": levels}, exact=8)


@pytest.mark.threads
@given(trainings())
@settings(max_examples=25)
def test_threads_and_shards_change_nothing(case: dict) -> None:
    grown, _ = grow_both(case)
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0, shard_rows=50)
    _core.set_avx2(False)
    again, _ = grow_both(case, n_threads=2)
    check_trees(grown, again)


def test_one_output_is_an_ordinary_tree() -> None:
    random = np.random.default_rng(3)
    X = random.normal(size=(300, 3))
    columns = [[X[:, j]] for j in range(3)]
    mapper = _core.BinMapper.find(columns, None, 255, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, columns, 1)
    gradients = random.normal(size=(1, 300))
    trees = []
    for vector in (False, True):
        plan = reference.Plan(vector_leaves=vector).for_engine()
        grown = _core.Grower(_core.GrowerTable(binned), plan, None, 1).grow(
            gradients, None, 1.0, None, 0
        )
        _core.fit_constant_leaves(grown, gradients, None, 1.0, 0.1)
        trees.append(grown.arrays())
    for name in (*NAMES, "value"):
        np.testing.assert_array_equal(trees[0][name], trees[1][name])


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["leafwise", "symmetric"]),
    st.integers(2, 4),
    st.integers(3, 8),
)
@settings(max_examples=100)
def test_the_best_single_level_of_all_outputs_is_found(
    seed: int, policy: str, n_outputs: int, n_levels: int
) -> None:
    """By trying every level of one column: the first split has the largest sum of gains."""
    random = np.random.default_rng(seed)
    levels = random.integers(0, n_levels, size=80)
    targets = (
        random.normal(size=(n_outputs, 80)) + random.normal(size=(n_outputs, n_levels))[:, levels]
    )
    gradients = targets.mean(axis=1, keepdims=True) - targets

    def gain(inside: np.ndarray) -> float:
        if not inside.any() or inside.all():
            return 0.0
        parts = (gradients[:, inside], gradients[:, ~inside])
        return sum(float((part.sum(axis=1) ** 2).sum()) / part.shape[1] for part in parts)

    plan = reference.Plan(
        grow_policy=policy, max_leaves=2, max_depth=1, vector_leaves=True, kinds=("onehot",)
    )
    case = {
        "X": levels[:, None].astype(np.float64), "n_levels": [n_levels], "gradients": gradients,
        "hessians": None, "weights": None, "rows": None, "plan": plan,
    }  # fmt: skip
    grown, _ = grow_both(case)
    best = max(gain(levels == level) for level in range(n_levels))
    assert grown["gain"][0] == pytest.approx(best, rel=1e-6)
