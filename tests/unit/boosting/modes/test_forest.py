"""Forest mode: a mean of trees that do not know each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import (
    CeibaForestRegressor,
    Checkpoint,
    Dataset,
    EarlyStopping,
    load_model,
    refit,
    train,
)
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.metrics import find_metric

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(300, 4))
Y = X[:, 0] + np.sin(3 * X[:, 1]) + 0.3 * RANDOM.normal(size=300)
CLASSES = np.digitize(Y, [-0.5, 0.5]).astype(float)
NEW = RANDOM.normal(size=(100, 4))
NEW_Y = NEW[:, 0] + np.sin(3 * NEW[:, 1])
PARAMS = {"boosting": "forest", "subsample": 0.6, "max_leaves": 8, "n_jobs": 2}
KINDS: dict[str, dict[str, Any]] = {
    "squared_error": {},
    "softmax": {"objective": "softmax"},
    "parallel": {"num_parallel_tree": 3, "colsample_bynode": 0.5},
    "median, exact": {"objective": "absolute_error", "split_method": "exact"},
    "quantiles": {"objective": "quantile", "quantile": [0.1, 0.9]},
    "symmetric": {"grow_policy": "symmetric", "max_leaves": 0, "max_depth": 3},
    "extra trees": {"extra_trees": True, "subsample": 1.0},
    "bootstrap": {"sampling": "bootstrap", "subsample": 1.0},
    "mvs": {"sampling": "mvs"},
}
EACH = pytest.mark.parametrize("kind", KINDS)


def run(kind: str = "squared_error", n_rounds: int = 8, **more: Any) -> Any:
    own = {**PARAMS, **KINDS[kind], "n_estimators": n_rounds}
    calls = ("callbacks", "init_model", "resume_from")
    own |= {name: more.pop(name) for name in list(more) if name not in calls}
    target = CLASSES if own.get("objective") == "softmax" else Y
    evals = {"new": Dataset(NEW, np.clip(np.round(NEW_Y), 0, 2))}
    return train(own, Dataset(X, target), eval_sets=evals, **more)


def test_every_tree_is_the_first() -> None:
    """Leaves hold the mean residual of the start score, over the rows of the sample."""
    model = run(n_rounds=5, reg_lambda=0.0)
    arrays, leaves = model.forest.arrays(), model.apply(X)
    from ceiba import _core

    for tree, first in enumerate(arrays["tree_offsets"][:-1]):
        sampled = _core.hash_uniform(0, tree, len(X)) < 0.6
        for leaf in np.unique(leaves[:, tree]):
            rows = sampled & (leaves[:, tree] == leaf)
            expected = (Y[rows] - model.start_scores[0]).mean()
            assert arrays["value"][first + leaf] == pytest.approx(expected, abs=1e-12)


@EACH
def test_ranges_stages_and_cuts_are_means(kind: str) -> None:
    model = run(kind)
    assert model.n_iterations == 8
    metric = find_metric({"softmax": "multi_logloss", "median, exact": "mae"}.get(kind, "rmse"))
    target = np.clip(np.round(NEW_Y), 0, 2)
    parts = np.array(
        [
            model.predict_raw(NEW, iteration_range=(i, i + 1)) - model.start_scores.squeeze()
            for i in range(8)
        ]
    )
    for begin, end in ((0, 8), (0, 3), (2, 7), (5, 6)):
        expected = model.start_scores.squeeze() + parts[begin:end].mean(axis=0)
        found = model.predict_raw(NEW, iteration_range=(begin, end))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
    (history,) = model.history["new"].values()
    for n_rounds, stage in enumerate(model.staged_predict(NEW), start=1):
        cut = model.truncate(n_rounds)
        np.testing.assert_array_equal(stage, cut.predict(NEW))
        if kind != "quantiles":
            raw = cut.predict_raw(NEW)
            value = metric(target, raw if raw.ndim == 2 else raw[:, None], stage, None)
            assert history[n_rounds - 1] == pytest.approx(value, rel=1e-12)
    assert model.truncate(5).fingerprint() == run(kind, 5).fingerprint()
    nothing = model.predict_raw(NEW, iteration_range=(3, 3))
    np.testing.assert_array_equal(
        nothing, np.broadcast_to(model.start_scores.squeeze(), nothing.shape)
    )


@pytest.mark.parametrize("kind", ["squared_error", "softmax", "parallel"])
def test_explanations_add_up_to_means(kind: str) -> None:
    model = run(kind)
    for bounds in ((0, 8), (2, 5)):
        explained = model.explain(NEW[:10], iteration_range=bounds)
        total = explained.base_values + explained.values.sum(axis=1)
        raw = model.predict_raw(NEW[:10], iteration_range=bounds)
        np.testing.assert_allclose(total, raw, rtol=1e-9, atol=1e-12)


@EACH
def test_threads_do_not_matter(kind: str) -> None:
    prints = {run(kind, 5, n_jobs=n).fingerprint() for n in (1, 2, 3)}
    assert len(prints) == 1


@EACH
def test_going_on_and_resuming_have_the_bits_of_one_training(kind: str, tmp_path: Path) -> None:
    whole, part = run(kind, 7), run(kind, 4)
    assert run(kind, 3, init_model=part).fingerprint() == whole.fingerprint()
    path = tmp_path / "training.ceiba"
    saving = Checkpoint(path, every=1)

    def crash(round: Any) -> None:
        if round.iteration == 4:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        run(kind, 7, callbacks=[saving, crash])
    resumed = run(kind, 7, callbacks=[saving, lambda round: None], resume_from=path)
    assert resumed.fingerprint() == whole.fingerprint()
    assert resumed.history == whole.history


@pytest.mark.parametrize("kind", ["squared_error", "softmax", "extra trees", "parallel"])
def test_a_refit_on_all_rows_is_that_of_the_first_round(kind: str) -> None:
    """With all rows in every tree a refit gives the trees back."""
    sampled = {"subsample": 1.0, "colsample_bynode": 0.5}
    model = run(kind, **sampled)
    target = CLASSES if kind == "softmax" else Y
    assert refit(model, Dataset(X, target), decay_rate=0.0).fingerprint() == model.fingerprint()


def test_early_stopping() -> None:
    stopped = run(n_rounds=100, callbacks=[EarlyStopping(2)])
    assert stopped.n_iterations < 100
    assert stopped.fingerprint() == run(n_rounds=stopped.n_iterations).fingerprint()


@EACH
def test_files(kind: str, tmp_path: Path) -> None:
    model = run(kind, 4)
    model.save(tmp_path / "model.ceiba")
    again = load_model(tmp_path / "model.ceiba")
    assert again.fingerprint() == model.fingerprint()
    np.testing.assert_array_equal(again.predict(NEW), model.predict(NEW))
    assert again.truncate(2).fingerprint() == model.truncate(2).fingerprint()


def test_what_does_not_go_together() -> None:
    with pytest.raises(InvalidParameterError, match="all of them are identical"):
        run(subsample=1.0)
    with pytest.raises(InvalidParameterError, match="learning_rate has no place"):
        run(learning_rate=0.1)
    with pytest.raises(
        InvalidParameterError, match="extra_trees=True does not support split_method='exact'"
    ):
        run(split_method="exact", extra_trees=True)
    with pytest.raises(InvalidInputError, match="is a mean of trees"):
        run(init_model=run(n_rounds=2), boosting="plain")
    with pytest.raises(InvalidInputError, match="is a sum of trees"):
        run(init_model=run(n_rounds=2, boosting="plain"))
    with pytest.raises(InvalidInputError, match="grows 1 trees"):
        run(init_model=run(n_rounds=2), num_parallel_tree=2)


def test_lightgbm_does_not_read_its_learning_rate() -> None:
    pasted = {"boosting_type": "rf", "learning_rate": 0.05, "bagging_fraction": 0.6}
    first = train({**pasted, "n_estimators": 3, "max_leaves": 8}, Dataset(X, Y))
    assert first.fingerprint() == run(n_rounds=3).fingerprint()
    assert first.parameters["learning_rate"] == 1.0


@given(st.integers(0, 2**32 - 1), st.booleans(), st.integers(1, 2))
@settings(max_examples=25, deadline=None)
def test_small_targets_are_told_apart_beside_large_ones(
    seed: int, weighted: bool, n_targets: int
) -> None:
    """A target of 1e-4 beside one of 1e6: trees without a limit give every row its own value."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(1500, 3))
    Y = np.exp(4 * random.normal(size=(1500, n_targets)))
    weights = random.integers(1, 9, size=1500) if weighted else None
    forest = CeibaForestRegressor(2, bootstrap=False, max_features=0.7, random_state=0)
    found = forest.fit(X, Y.squeeze(), sample_weight=weights).predict(X).reshape(Y.shape)
    error = np.abs(found - Y) / Y
    assert np.quantile(error, 0.9) < 1e-8
    assert np.quantile(error, 0.99) < 1e-4


@given(st.integers(0, 2**32 - 1), st.sampled_from([16, 32, 64]))
@settings(max_examples=25, deadline=None)
def test_whole_weights_have_no_unit(seed: int, factor: int) -> None:
    """Also where weights of all rows come to more than the sums of a word hold."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(300, 3))
    y = random.normal(size=300).round(2)
    y[:150] = 1e-4 * np.arange(150)
    weights = random.integers(1, 4, size=300)
    params = {"recipe": "forest", "n_estimators": 1, "subsample": 0.99, "min_data_in_bin": 1}
    one = train(params, Dataset(X, y, weight=weights))
    other = train(params, Dataset(X, y, weight=weights * factor))
    np.testing.assert_array_equal(one.apply(X), other.apply(X))
