"""DART: what trees count, and scores that follow it to the bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import Checkpoint, Dataset, EarlyStopping, load_model, refit, train
from ceiba.boosting.modes import removable_scores
from ceiba.metrics import find_metric
from ceiba.testing.dropped import DartRule, dart_weights

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(300, 4))
Y = X[:, 0] + np.sin(3 * X[:, 1]) + 0.3 * RANDOM.normal(size=300)
CLASSES = np.digitize(Y, [-0.5, 0.5]).astype(float)
NEW = RANDOM.normal(size=(100, 4))
NEW_Y = NEW[:, 0] + np.sin(3 * NEW[:, 1])
PARAMS = {"max_leaves": 6, "learning_rate": 0.5, "n_jobs": 1, "recipe": "dart", "skip_drop": 0.2}
RULES = ("lightgbm", "tree", "forest")


def run(n_rounds: int = 12, objective: str = "squared_error", **more: Any) -> Any:
    target = CLASSES if objective == "softmax" else Y
    own = {
        name: more.pop(name)
        for name in list(more)
        if name not in ("callbacks", "init_model", "resume_from")
    }
    given = {**PARAMS, "drop_rate": 0.4, "objective": objective, "n_estimators": n_rounds, **own}
    if given.get("boosting") == "plain":
        del given["drop_rate"], given["skip_drop"]
    evals = {"new": Dataset(NEW, np.clip(np.round(NEW_Y), 0, 2))}
    return train(given, Dataset(X, target), eval_sets=evals, **more)


@settings(max_examples=200)
@given(st.data())
def test_weights_are_those_of_the_definition(data: Any) -> None:
    """Drops, factors and leaves of a whole training, worked out anew from the definition."""

    def draw(strategy: Any, label: str) -> Any:
        return data.draw(strategy, label=label)

    shares = st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0])
    rule = DartRule(
        seed=draw(st.integers(0, 2**40), "seed"),
        drop_rate=draw(shares, "drop_rate"),
        skip_drop=draw(st.sampled_from([0.0, 0.3, 0.6]), "skip_drop"),
        max_drop=draw(st.integers(0, 4), "max_drop"),
        one_drop=draw(st.booleans(), "one_drop"),
        drop_sampling=draw(st.sampled_from(["weighted", "uniform"]), "drop_sampling"),
        normalize=draw(st.sampled_from(RULES), "normalize"),
    )
    n_rounds = draw(st.integers(1, 14), "n_rounds")
    rates = draw(
        st.one_of(
            st.floats(0.05, 1.0),
            st.lists(st.floats(0.05, 1.0), min_size=n_rounds, max_size=n_rounds),
        ),
        "learning_rate",
    )
    given_rule = {
        name: getattr(rule, name)
        for name in ("drop_rate", "skip_drop", "max_drop", "one_drop", "drop_sampling", "normalize")
    }
    params = {
        "boosting": "dart", "n_estimators": n_rounds, "learning_rate": rates, "max_leaves": 4,
        "random_state": rule.seed, "reg_lambda": 0.0, "min_samples_leaf": 5, "n_jobs": 1,
        **given_rule,
    }  # fmt: skip
    rows, target = X[:60], Y[:60]
    model = train(params, Dataset(rows, target))
    expected = dart_weights(rule, rates if isinstance(rates, list) else [rates] * n_rounds)
    arrays, leaves = model.forest.arrays(), model.apply(rows)
    parts = arrays["value"][arrays["tree_offsets"][:-1] + leaves]  # [n, n_rounds]
    factors_before: list[float] = []
    for round, (dropped, first, factors) in enumerate(expected):
        assert model.tree_weights.changed_in(round) == dropped
        np.testing.assert_allclose(model.tree_weights.as_of(round + 1), factors, rtol=1e-13)
        counted = np.array(factors_before)
        counted[dropped] = 0.0
        points = model.start_scores[0] + parts[:, :round] @ counted
        for leaf in np.unique(leaves[:, round]):
            inside = leaves[:, round] == leaf
            newton = first[round] * (target[inside] - points[inside]).mean()
            value = arrays["value"][arrays["tree_offsets"][round] + leaf]
            assert value == pytest.approx(newton, rel=1e-9, abs=1e-9)
        factors_before = factors


@pytest.mark.parametrize("objective", ["squared_error", "softmax"])
@pytest.mark.parametrize("rule", RULES)
def test_cuts_stages_and_ranges_have_the_weights_of_their_round(objective: str, rule: str) -> None:
    model = run(objective=objective, normalize=rule)
    assert len(model.tree_weights) > 5
    metric = find_metric("multi_logloss" if objective == "softmax" else "rmse")
    target = np.clip(np.round(NEW_Y), 0, 2)
    (history,) = model.history["new"].values()
    for n_rounds, stage in enumerate(model.staged_predict(NEW), start=1):
        cut = model.truncate(n_rounds)
        np.testing.assert_array_equal(stage, cut.predict(NEW))
        np.testing.assert_array_equal(model.predict(NEW, iteration_range=(0, n_rounds)), stage)
        raw = cut.predict_raw(NEW)
        value = metric(target, raw if raw.ndim == 2 else raw[:, None], stage, None)
        assert history[n_rounds - 1] == pytest.approx(value, rel=1e-12)
    half = run(6, objective, normalize=rule)
    assert model.truncate(6).fingerprint() == half.fingerprint()


def test_early_stopping_cuts_to_the_weights_of_the_best_round() -> None:
    stopped = run(200, callbacks=[EarlyStopping(3)])
    assert stopped.n_iterations < 200
    assert stopped.fingerprint() == run(stopped.n_iterations).fingerprint()


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"objective": "softmax", "subsample": 0.7},
        {"split_method": "exact", "objective": "absolute_error"},
        {"objective": "quantile", "quantile": [0.1, 0.9]},
        {"grow_policy": "symmetric", "max_leaves": 0, "max_depth": 3},
    ],
    ids=["plain", "softmax", "exact", "quantiles", "symmetric"],
)
def test_going_on_and_resuming_have_the_bits_of_one_training(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    whole, part = run(10, **more), run(6, **more)
    further = run(4, init_model=part, **more)
    assert further.fingerprint() == whole.fingerprint()
    path = tmp_path / "training.ceiba"
    saving = Checkpoint(path, every=1)

    def crash(round: Any) -> None:
        if round.iteration == 6:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        run(10, callbacks=[saving, crash], **more)
    resumed = run(10, callbacks=[saving, lambda round: None], resume_from=path, **more)
    assert resumed.fingerprint() == whole.fingerprint()
    assert resumed.history == whole.history


def test_plain_rounds_on_dart_and_dart_on_plain_rounds() -> None:
    dart, plain = run(6), run(6, boosting="plain")
    for first, boosting in ((dart, "plain"), (plain, "dart")):
        model = run(6, init_model=first, boosting=boosting)
        kept = first.tree_weights.as_of(6)
        now = model.tree_weights.as_of(12)
        assert np.array_equal(now[:6], kept) == (boosting == "plain")
        assert len(model.tree_weights) > 0


@pytest.mark.parametrize("objective", ["squared_error", "softmax"])
def test_a_refit_drops_what_was_dropped(objective: str) -> None:
    model = run(objective=objective)
    target = CLASSES if objective == "softmax" else Y
    same = refit(model, Dataset(X, target), decay_rate=0.0)
    assert same.fingerprint() == model.fingerprint()
    # What comes later does not decide what was done.
    longer = run(2, objective, init_model=model, boosting="plain")
    again = refit(longer, Dataset(X, target), decay_rate=0.0)
    np.testing.assert_array_equal(again.tree_weights.as_of(14), longer.tree_weights.as_of(14))
    np.testing.assert_allclose(again.predict(NEW), longer.predict(NEW), rtol=1e-9)


def test_files_keep_the_weights(tmp_path: Path) -> None:
    model = run()
    model.save(tmp_path / "model.ceiba")
    again = load_model(tmp_path / "model.ceiba")
    assert again.fingerprint() == model.fingerprint()
    assert again.truncate(5).fingerprint() == model.truncate(5).fingerprint()


def test_leaves_on_disk_give_the_same_model(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run()
    monkeypatch.setattr(removable_scores, "MOST_BYTES", 1000)
    assert run().fingerprint() == expected.fingerprint()


@pytest.mark.parametrize(
    ("pasted", "ours"),
    [
        (
            {"booster": "dart", "rate_drop": 0.3, "one_drop": 1, "sample_type": "weighted",
             "normalize_type": "forest"},
            {"boosting": "dart", "drop_rate": 0.3, "one_drop": True, "drop_sampling": "weighted",
             "normalize": "forest", "skip_drop": 0.0, "max_drop": 0},
        ),
        (
            {"boosting_type": "dart", "uniform_drop": True, "xgboost_dart_mode": True,
             "max_drop": -1, "drop_seed": 7},
            {"boosting": "dart", "drop_sampling": "uniform", "normalize": "tree", "max_drop": 0,
             "random_state": 7},
        ),
    ],
    ids=["xgboost", "lightgbm"],
)  # fmt: skip
def test_settings_of_other_libraries(pasted: dict[str, Any], ours: dict[str, Any]) -> None:
    rest = {"n_estimators": 8, "n_jobs": 1}
    first = train({**rest, **pasted}, Dataset(X, Y))
    assert first.fingerprint() == train({**rest, **ours}, Dataset(X, Y)).fingerprint()
    assert len(first.tree_weights) > 0
