"""Kinds of boosting that do what plain boosting does not: change their mind about earlier trees,
and fit leaves at other scores than those of the gradients. Everything that follows a round is right
for them too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ceiba import Checkpoint, Dataset, EarlyStopping, load_model, refit, train
from ceiba.boosting.modes.plain import PlainBoosting
from ceiba.boosting.modes.state import Boosting, ScoreTracker
from ceiba.metrics import find_metric

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(300, 4))
Y = X[:, 0] + np.sin(3 * X[:, 1]) + 0.3 * RANDOM.normal(size=300)
CLASSES = np.digitize(Y, [-0.5, 0.5]).astype(float)
NEW = RANDOM.normal(size=(100, 4))
NEW_Y = NEW[:, 0] + np.sin(3 * NEW[:, 1])
PARAMS = {"n_estimators": 6, "max_leaves": 6, "learning_rate": 0.5, "n_jobs": 1}


class Halving(Boosting):
    """Every round halves what all earlier trees count."""

    def __init__(
        self,
        parameters: Any,
        scores: Any,
        weights: Any = None,
        follows: Any = None,
        leaf_inputs: Any = None,
    ) -> None:
        super().__init__(parameters, scores, weights)
        self._start = scores[:, :1].copy()  # tests give no initial scores

    def scores_for_gradients(self) -> Any:
        return self.scores

    def scores_for_leaves(self) -> Any:
        return self.scores

    def commit(self, trees: Any) -> None:
        halve(self.scores, self._start)
        trees.add_to_scores(self.scores)
        factors = 0.5 * self.weights.as_of(self.round)
        self.weights = self.weights.changed(self.round, range(self.round), factors)

    def track(self, rows: Any) -> Any:
        return HalvingTracker(rows, self._start)

    def replay(self, model: Any, rows: Any) -> None:
        replay_halved(model, rows, self._start)


class HalvingTracker(ScoreTracker):
    def __init__(self, rows: Any, start: Any) -> None:
        super().__init__(rows)
        self._start = start

    def add(self, trees: Any) -> None:
        halve(self.rows.scores, self._start)
        super().add(trees)

    def replay(self, model: Any, rows: Any) -> None:
        replay_halved(model, rows, self._start)


def replay_halved(model: Any, rows: Any, start: Any) -> None:
    for iteration in range(model.n_iterations):
        halve(rows.scores, start)
        rows.add(model.forest.slice(iteration, iteration + 1), rows.scores)


def halve(scores: Any, start: Any) -> None:
    scores -= start
    scores *= 0.5
    scores += start


@pytest.fixture
def halving(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("make_rows", "continuation.refit"):
        monkeypatch.setattr(f"ceiba.boosting.{module}.make_boosting", Halving)


def run(n_rounds: int = 6, objective: str = "squared_error", **more: Any) -> Any:
    target = CLASSES if objective == "softmax" else Y
    given = {**PARAMS, "objective": objective, "n_estimators": n_rounds}
    evals = {"new": Dataset(NEW, np.clip(np.round(NEW_Y), 0, 2))}
    return train(given, Dataset(X, target), eval_sets=evals, **more)


@pytest.mark.usefixtures("halving")
@pytest.mark.parametrize("objective", ["squared_error", "softmax"])
def test_cuts_stages_and_ranges_have_the_weights_of_their_round(objective: str) -> None:
    model = run(objective=objective)
    metric = find_metric("multi_logloss" if objective == "softmax" else "rmse")
    np.testing.assert_array_equal(model.tree_weights.as_of(3), [0.25, 0.5, 1.0])
    target = np.clip(np.round(NEW_Y), 0, 2)
    for n_rounds, stage in enumerate(model.staged_predict(NEW), start=1):
        cut = model.truncate(n_rounds)
        np.testing.assert_array_equal(stage, cut.predict(NEW))
        part = model.predict(NEW, iteration_range=(0, n_rounds))
        np.testing.assert_array_equal(part, stage)
        raw = cut.predict_raw(NEW)
        value = metric(target, raw if raw.ndim == 2 else raw[:, None], stage, None)
        (history,) = model.history["new"].values()
        assert history[n_rounds - 1] == pytest.approx(value, rel=1e-12)
        assert cut.fingerprint() == run(n_rounds, objective).fingerprint()


@pytest.mark.usefixtures("halving")
def test_scores_are_sums_of_what_trees_count() -> None:
    model = run()
    arrays = model.forest.arrays()
    leaves = model.apply(NEW)
    parts = arrays["value"][arrays["tree_offsets"][:-1] + leaves]
    expected = model.start_scores + parts @ 0.5 ** np.arange(5, -1, -1.0)
    np.testing.assert_allclose(model.predict(NEW), expected, rtol=1e-12)
    frame = model.trees_to_frame()
    first = frame[frame["tree"] == 0]["value"].to_numpy()
    np.testing.assert_array_equal(first, arrays["value"][: len(first)] / 32)


@pytest.mark.usefixtures("halving")
def test_early_stopping_cuts_to_the_weights_of_the_best_round() -> None:
    stopped = run(callbacks=[EarlyStopping(1)], n_rounds=200)
    assert stopped.n_iterations < 200
    assert stopped.fingerprint() == run(stopped.n_iterations).fingerprint()


@pytest.mark.usefixtures("halving")
def test_going_on_and_resuming(tmp_path: Path) -> None:
    whole = run(6)
    part = run(4)
    assert run(2, init_model=part).fingerprint() == whole.fingerprint()
    path = tmp_path / "training.ceiba"
    saving = Checkpoint(path, every=1)

    def crash(round: Any) -> None:
        if round.iteration == 3:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        run(6, callbacks=[saving, crash])
    resumed = run(6, callbacks=[saving, lambda round: None], resume_from=path)
    assert resumed.fingerprint() == whole.fingerprint()
    assert resumed.history == whole.history


@pytest.mark.usefixtures("halving")
def test_files_keep_the_weights(tmp_path: Path) -> None:
    model = run()
    model.save(tmp_path / "model.ceiba")
    again = load_model(tmp_path / "model.ceiba")
    assert again.fingerprint() == model.fingerprint()
    np.testing.assert_array_equal(again.predict(NEW), model.predict(NEW))
    assert again.truncate(2).fingerprint() == model.truncate(2).fingerprint()
    assert model.truncate(1).fingerprint() != model.truncate(2).fingerprint()


@pytest.mark.usefixtures("halving")
def test_a_refit_goes_through_the_same_rounds() -> None:
    model, rows = run(), Dataset(X, Y)
    same = refit(model, rows, decay_rate=0.0)
    assert same.fingerprint() == model.fingerprint()
    moved = refit(model, Dataset(X, Y + 1.0), decay_rate=0.5)
    assert len(moved.tree_weights) == len(model.tree_weights)
    assert not np.array_equal(moved.predict(NEW), model.predict(NEW))


class LeavesAtTheStart(PlainBoosting):
    """Every tree is fitted as if it were the first; only where it splits knows the others."""

    def __init__(
        self, parameters: Any, scores: Any, weights: Any = None, leaf_inputs: Any = None
    ) -> None:
        super().__init__(parameters, scores, weights)
        self._start = scores.copy()

    def scores_for_leaves(self) -> Any:
        return self._start


def test_leaves_may_be_fitted_at_other_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ceiba.boosting.make_rows.make_boosting", LeavesAtTheStart)
    given = {**PARAMS, "n_estimators": 3, "reg_lambda": 0.0}
    model = train(given, Dataset(X, Y))
    arrays, leaves = model.forest.arrays(), model.apply(X)
    for tree, first in enumerate(arrays["tree_offsets"][:-1]):
        for leaf in np.unique(leaves[:, tree]):
            rows = leaves[:, tree] == leaf
            expected = 0.5 * (Y[rows] - model.start_scores[0]).mean()
            assert arrays["value"][first + leaf] == pytest.approx(expected, abs=1e-12)


def test_plain_models_hold_no_weights(tmp_path: Path) -> None:
    model = run()
    assert len(model.tree_weights) == 0
    assert model.weighted_forest() is model.forest
    model.save(tmp_path / "model.ceiba")
    assert b"weight_round" not in (tmp_path / "model.ceiba").read_bytes()
