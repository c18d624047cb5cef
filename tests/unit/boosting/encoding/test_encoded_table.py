"""Rows whose categories are statistics: no training row is scored by what predict would give it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pandas as pd
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from ceiba import CeibaClassifier, Checkpoint, Dataset, Model, _core, cv, refit, train
from ceiba.boosting.encoding.encoded_table import Encoded, TargetSums, encode
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError
from ceiba.objectives.squared_error import SquaredError
from ceiba.parameters.resolving import resolve
from ceiba.testing.target_statistics import ordered_statistics, row_permutation

RANDOM = np.random.default_rng(2)
N = 800
FRAME = pd.DataFrame(
    {
        "a": RANDOM.integers(0, 70, N).astype(str),
        "x": RANDOM.normal(size=N),
        "b": RANDOM.integers(0, 50, N).astype(str),
    }
)
SCORE = RANDOM.normal(size=70)[FRAME["a"].astype(int)] + FRAME["x"] + RANDOM.normal(size=N)
TARGETS = {
    "logistic": (SCORE > 0).to_numpy(float),
    "softmax": np.digitize(SCORE, [-0.5, 0.5]).astype(float),
    "squared_error": SCORE.to_numpy(),
}
WEIGHTS: dict[str, Any] = {
    "none": None,
    "whole": RANDOM.integers(1, 4, N).astype(float),
    "real": np.exp(RANDOM.normal(size=N)),
}
HOW: dict[str, Any] = {"categorical": "target", "max_leaves": 8, "n_jobs": 1}


def rows(objective: str, weights: str = "none") -> Dataset:
    return Dataset(FRAME, TARGETS[objective], weight=WEIGHTS[weights])


def run(dataset: Dataset, objective: str, n_estimators: int = 6, **more: Any) -> Model:
    params = {**HOW, "objective": objective, "n_estimators": n_estimators}
    return train(params, dataset, **more)


@pytest.mark.parametrize("objective", TARGETS)
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("leaves", ["same", "own"])
def test_rounds_go_on_as_if_they_had_never_stopped(
    objective: str, weights: str, leaves: str
) -> None:
    dataset, params = rows(objective, weights), {**HOW, "target_leaves": leaves}
    params |= {"objective": objective}
    whole = train({**params, "n_estimators": 6}, dataset)
    begun = train({**params, "n_estimators": 2}, dataset)
    on = train({**params, "n_estimators": 4}, dataset, init_model=begun)
    assert on.fingerprint() == whole.fingerprint()


@pytest.mark.parametrize(
    "more",
    [{}, {"boosting": "dart", "skip_drop": 0.0, "drop_rate": 0.5}, {"recipe": "catboost"}],
)
@pytest.mark.parametrize("objective", TARGETS)
def test_a_refit_finds_the_leaves_of_their_own_permutations(
    objective: str, more: dict[str, Any]
) -> None:
    params = {**HOW, "objective": objective, "n_estimators": 6, "target_leaves": "own", **more}
    model = train(params, rows(objective))
    again = refit(model, rows(objective), decay_rate=0.0)
    assert np.array_equal(again.predict_raw(FRAME), model.predict_raw(FRAME))


@pytest.mark.parametrize("more", [{}, {"boosting": "dart", "skip_drop": 0.0, "drop_rate": 0.5}])
@pytest.mark.parametrize("objective", TARGETS)
def test_a_refit_on_the_same_rows_changes_nothing(objective: str, more: dict[str, Any]) -> None:
    model = train({**HOW, "objective": objective, "n_estimators": 6, **more}, rows(objective))
    assert refit(model, rows(objective), decay_rate=0.0).fingerprint() == model.fingerprint()


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"boosting": "dart", "skip_drop": 0.0, "drop_rate": 0.5},
        {"target_leaves": "own"},
        {"recipe": "catboost", "boosting": "ordered", "learning_rate": 0.1},
    ],
)
def test_a_training_that_was_cut_off_goes_on(tmp_path: Path, more: dict[str, Any]) -> None:
    path = tmp_path / "half.ceiba"
    params = {**HOW, "objective": "logistic", **more}
    test = Dataset(FRAME[:100], TARGETS["logistic"][:100])
    evals = {"test": test}
    whole = train({**params, "n_estimators": 6}, rows("logistic"), eval_sets=evals)
    train(
        {**params, "n_estimators": 3},
        rows("logistic"),
        eval_sets=evals,
        callbacks=[Checkpoint(path, every=1)],
    )
    resumed = train(
        {**params, "n_estimators": 6}, rows("logistic"), eval_sets=evals, resume_from=path
    )
    assert resumed.fingerprint() == whole.fingerprint()
    assert resumed.history == whole.history
    other = Dataset(FRAME[::-1], TARGETS["logistic"][::-1])
    with pytest.raises(InvalidInputError, match="rows"):
        train({**params, "n_estimators": 6}, other, eval_sets=evals, resume_from=path)


KILLED = """
import os, sys
sys.path[:0] = {path!r}
import test_encoded_table as t
from ceiba import Checkpoint, train
def stop(round):
    if round.iteration == 3:
        os.kill(os.getpid(), 9)
params = {{**t.HOW, "objective": "logistic", "n_estimators": 6}}
train(params, t.rows("logistic"), callbacks=[Checkpoint({file!r}, every=1), stop])
"""


def test_a_training_that_was_killed_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "killed.ceiba"
    code = KILLED.format(path=[str(Path(__file__).parent), *sys.path], file=str(file))
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == -9, done.stderr
    params = {**HOW, "objective": "logistic", "n_estimators": 6}
    resumed = train(params, rows("logistic"), resume_from=file)
    assert resumed.fingerprint() == run(rows("logistic"), "logistic").fingerprint()


def test_scores_of_the_training_come_from_statistics_without_the_own_target() -> None:
    """One leaf for each range of the statistic: gradients of round 2 show which one was taken."""
    y = TARGETS["logistic"]
    seen: list[np.ndarray] = []

    def loss(target: np.ndarray, raw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        seen.append(raw.copy())
        return raw - target, np.ones_like(raw)

    frame = FRAME[["a"]]
    params = {**HOW, "objective": loss, "n_estimators": 2, "max_leaves": 2, "min_samples_leaf": 1}
    model = train({**params, "base_score": 0.0, "learning_rate": 1.0}, Dataset(frame, y))
    (split,) = model.trees_to_frame().query("tree == 0 and depth == 0").to_dict("records")
    assert split["statistic"] == "mean"
    own = ordered_statistics(
        frame["a"].tolist(), y, None, [row_permutation(0, 0, N), row_permutation(0, 1, N)]
    )
    left = own <= split["threshold"]
    assert len(np.unique(seen[-1][left])) == len(np.unique(seen[-1][~left])) == 1


@pytest.mark.parametrize("given", [{}, {"subsample": 0.5}, {"subsample": 0.5, "leaf_rows": "all"}])
def test_leaves_have_the_rows_of_their_own_permutations(given: dict[str, Any]) -> None:
    """Splits come from one pair of permutations, leaf values and scores from another."""
    y, levels = TARGETS["squared_error"], FRAME["a"].tolist()
    params = {**HOW, "n_estimators": 3, "max_leaves": 4, "learning_rate": 0.5, "reg_lambda": 1.0}
    params |= {"base_score": 0.0, "target_leaves": "own", **given}
    model = train(params, Dataset(FRAME[["a"]], y))
    means = {
        purpose: ordered_statistics(
            levels, y, None, [row_permutation(purpose, number, N) for number in range(2)]
        )
        for purpose in (0, 0x6C6561766573)
    }
    counts = pd.Series(levels).map(pd.Series(levels).value_counts()).to_numpy(float)
    first, own = (np.column_stack([mean, counts]) for mean in means.values())
    scores = np.zeros(N)
    for round in range(3):
        arrays = model.forest.slice(round, round + 1).arrays()
        drawn = np.arange(N)
        if given:
            drawn = np.flatnonzero(_core.hash_uniform(0, round, N) < 0.5)
        grown = leaves_of(arrays, first[drawn])
        assert {leaf: int((grown == leaf).sum()) for leaf in set(grown)} == {
            leaf: int(arrays["count"][leaf]) for leaf in set(grown)
        }
        fitted = np.arange(N) if given.get("leaf_rows") == "all" else drawn
        leaves = leaves_of(arrays, own)
        assert (leaves != leaves_of(arrays, first)).any()
        for leaf in set(grown):
            at = fitted[leaves[fitted] == leaf]
            value = 0.5 * (y - scores)[at].sum() / (len(at) + 1.0)
            assert arrays["value"][leaf] == pytest.approx(value, abs=1e-9)
        scores += arrays["value"][leaves]


def leaves_of(arrays: dict[str, np.ndarray], table: np.ndarray) -> np.ndarray:
    """Return the node of a tree where each row of numbers ends."""
    nodes = np.zeros(len(table), dtype=int)
    while (inner := arrays["feature"][nodes] >= 0).any():
        feature, threshold = arrays["feature"][nodes], arrays["threshold"][nodes]
        left = table[np.arange(len(table)), np.maximum(feature, 0)] <= threshold
        below = np.where(left, arrays["left"][nodes], arrays["right"][nodes])
        nodes = np.where(inner, below, nodes)
    return nodes


@pytest.mark.parametrize("method", ["exact", "approx"])
def test_other_split_methods_have_one_kind_of_permutations(method: str) -> None:
    """Recipe catboost, whose default is target_leaves='own', then has the model of 'same'."""
    params = {**HOW, "n_estimators": 2, "recipe": "catboost", "max_leaves": 0, "max_depth": 3}
    params |= {"split_method": method, "split_score": "newton", "random_strength": 0.0}
    models = [
        train({**params, **given}, rows("logistic")) for given in ({}, {"target_leaves": "same"})
    ]
    assert np.array_equal(models[0].predict_raw(FRAME), models[1].predict_raw(FRAME))


def test_further_rows_add_to_what_is_known() -> None:
    y = TARGETS["logistic"]
    first, then = Dataset(FRAME[:400], y[:400]), Dataset(FRAME[400:], y[400:])
    begun = run(first, "logistic", 3)
    both = run(then, "logistic", 3, init_model=begun)
    assert both.n_iterations == 6
    assert begun.schema.statistics is not None
    assert both.schema.statistics is not None
    (one, other) = (model.schema.statistics.totals for model in (begun, both))
    assert other[0] == N
    assert other[1] == y.sum()
    assert one[0] == 400
    levels = list(begun.schema.levels_of("a"))
    known = np.flatnonzero(FRAME["a"].isin(levels))
    town = both.schema.statistics.combinations[0]
    assert town.weights.sum() == len({*range(400), *known})
    refitted = refit(begun, then, decay_rate=0.5)
    assert refitted.schema.statistics is not None
    assert refitted.schema.statistics.totals.tolist() == other.tolist()
    kept = refit(begun, then, decay_rate=1.0)
    np.testing.assert_array_equal(kept.predict(FRAME), begun.predict(FRAME))


def test_other_words_for_the_categories_of_an_earlier_model_are_an_error() -> None:
    dataset = rows("logistic")
    begun = run(dataset, "logistic", 2)
    with pytest.raises(InvalidInputError, match="'a', 'b' by target statistics"):
        train({"objective": "logistic", "categorical": "subset"}, dataset, init_model=begun)
    plain = train({"objective": "logistic", "n_estimators": 2, "categorical": "subset"}, dataset)
    with pytest.raises(InvalidInputError, match="no column by target statistics"):
        run(dataset, "logistic", 2, init_model=plain)
    more = train({"objective": "logistic", "n_estimators": 2}, dataset, init_model=plain)
    assert more.schema.statistics is None


def test_eval_sets_have_the_metrics_of_the_model() -> None:
    test = Dataset(FRAME[:200].assign(a="never seen"), TARGETS["logistic"][:200])
    for method in ("hist", "exact"):
        model = run(rows("logistic"), "logistic", eval_sets={"t": test})
        params = {**HOW, "objective": "logistic", "n_estimators": 6, "split_method": method}
        model = train(params, rows("logistic"), eval_sets={"t": test})
        told = model.history["t"]["logloss"][-1]
        assert told == model.evaluate(test)["logloss"]


def test_folds_estimators_and_early_stopping() -> None:
    table = cv({**HOW, "objective": "logistic", "n_estimators": 5}, rows("logistic"), folds=3)
    assert len(table) == 5
    model = CeibaClassifier(**HOW, n_estimators=40, early_stopping_rounds=3, learning_rate=0.5)
    model.fit(FRAME, TARGETS["logistic"])
    assert model.model_.n_iterations < 40
    assert model.score(FRAME, TARGETS["logistic"]) > 0.7


def test_quantiles_are_calibrated_and_refitted() -> None:
    params = {**HOW, "objective": "quantile", "quantile": [0.1, 0.9], "n_estimators": 5}
    dataset = Dataset(FRAME, TARGETS["squared_error"])
    model = train(params, dataset)
    assert model.correction.shifts
    assert refit(model, dataset, decay_rate=0.0).n_iterations == 5


@pytest.mark.parametrize(
    "given",
    [
        {"objective": "squared_error"},
        {"objective": "squared_error", "multi_strategy": "vector_leaf", "target_leaves": "own"},
        {"objective": "logistic"},
    ],
    ids=str,
)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_each_of_several_targets_has_its_statistics(given: dict[str, Any], weights: str) -> None:
    targets = np.column_stack([SCORE, -2 * SCORE + FRAME["x"]])
    if given["objective"] == "logistic":
        targets = (targets > 0).astype(float)
    dataset, params = Dataset(FRAME, targets, weight=WEIGHTS[weights]), {**HOW, **given}
    whole = train({**params, "n_estimators": 6}, dataset)
    kept = whole.schema.statistics
    assert kept is not None
    assert kept.labels == ("mean of output 0", "mean of output 1", "rows")
    counts = np.ones(N) if WEIGHTS[weights] is None else WEIGHTS[weights]
    assert kept.totals == pytest.approx([counts.sum(), *(counts @ targets)])
    expected = pd.DataFrame(counts[:, None] * targets).groupby(FRAME["a"]).sum().to_numpy()
    assert np.sort(kept.combinations[0].sums.T, axis=0) == pytest.approx(np.sort(expected, axis=0))
    begun = train({**params, "n_estimators": 2}, dataset)
    on = train({**params, "n_estimators": 4}, dataset, init_model=begun)
    assert on.fingerprint() == whole.fingerprint()


@settings(max_examples=15, deadline=None)
@hypothesis.given(
    st.lists(st.integers(-60, 60), min_size=2, max_size=4), st.sampled_from(list(WEIGHTS))
)
def test_statistics_do_not_depend_on_the_scale_of_other_targets(
    exponents: list[int], weights: str
) -> None:
    """Every target is rounded in its own unit: 2^40 beside 1 loses nothing."""
    y = SCORE.to_numpy()
    units = np.ldexp(1.0, exponents)

    def encoded(targets: np.ndarray) -> Encoded:
        dataset = Dataset(FRAME[["a"]], targets, weight=WEIGHTS[weights])
        parameters = resolve({"target_permutations": 2})
        return encode(
            TargetSums(parameters, SquaredError(), dataset, WEIGHTS[weights]), [0], no_combinations
        )

    alone = encoded(y)
    together = encoded(y[:, None] * units)
    for target, unit in enumerate(units):
        np.testing.assert_array_equal(
            together.dataset.table.columns[target][0] / unit, alone.dataset.table.columns[0][0]
        )
    kept, expected = together.schema.statistics, alone.schema.statistics
    assert kept is not None
    assert expected is not None
    np.testing.assert_array_equal(kept.totals[1:] / units, [expected.totals[1]] * len(units))


def no_combinations(_: Dataset, __: Schema) -> list[tuple[int, ...]]:
    return []


def test_ranking() -> None:
    relevance = np.digitize(SCORE, [0.0, 1.5]).astype(float)
    dataset = Dataset(FRAME, relevance, qid=np.arange(N) // 10)
    model = train({**HOW, "objective": "lambdarank_ndcg", "n_estimators": 5}, dataset)
    assert model.schema.statistics is not None
    assert model.schema.statistics.n_targets == 1


def test_rules_of_columns_hold_for_what_is_made_of_them() -> None:
    sets = [["a", "x"], ["b"]]
    params = {**HOW, "objective": "logistic", "n_estimators": 20, "interaction_constraints": sets}
    frame = train(params, rows("logistic")).trees_to_frame()
    assert "a x b" not in set(frame["feature"])
    for _, tree in frame.groupby("tree"):
        assert not {"a", "b"} <= set(tree["feature"].dropna())
    params = {**HOW, "objective": "logistic", "monotone_constraints": {"x": 1}}
    model = train(params, rows("logistic"))
    low, high = (model.predict(FRAME.assign(x=FRAME["x"] + step)) for step in (0.0, 1.0))
    assert (high >= low).all()


@pytest.mark.parametrize("weights", ["none", "whole"])
def test_a_target_in_another_unit_is_another_target(weights: str) -> None:
    """The integers of y and of 2 * y are the same: only their units differ."""
    dataset = rows("squared_error", weights)
    begun = train({**HOW, "n_estimators": 2}, dataset)
    before = begun.schema.statistics
    for factor in (1.0, 2.0, 0.25):
        scaled = Dataset(FRAME, factor * dataset.target, weight=dataset.weight)
        on = train({**HOW, "n_estimators": 2}, scaled, init_model=begun)
        sums = zip(before.combinations, on.schema.statistics.combinations, strict=True)
        added = 0.0 if factor == 1.0 else factor
        for one, joined in sums:
            np.testing.assert_allclose(joined.sums, (1.0 + added) * one.sums, rtol=1e-12)
