"""Ordered boosting: what it learns, that it is one model, and how it goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba.boosting.leaves import LeafRule
from ceiba.boosting.modes.ordered import LeafFitInputs, OrderedBoosting, first_rows
from ceiba.errors import InvalidParameterError
from ceiba.objectives import find_objective
from ceiba.parameters.resolving import resolve

OBJECTIVES = ["squared_error", "logistic", "softmax", "poisson"]


def make(objective: str, n_rows: int = 400) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 5))
    signal = X[:, 0] + X[:, 1] * X[:, 2]
    if objective == "softmax":
        return X, np.digitize(signal, [-0.7, 0.7]).astype(float)
    if objective == "poisson":
        return X, random.poisson(np.exp(0.5 * signal)).astype(float)
    noisy = signal + random.normal(size=n_rows)
    return X, (noisy > 0).astype(float) if objective == "logistic" else noisy


def params(objective: str, **more: Any) -> dict[str, Any]:
    own = {"objective": objective, "boosting": "ordered", "n_estimators": 8, "max_leaves": 8}
    return {**own, "min_samples_leaf": 5, "learning_rate": 0.2, **more}


@pytest.mark.threads
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_one_model(objective: str) -> None:
    X, y = make(objective)
    given = params(objective, subsample=0.8, leaf_rows="all")
    first = ceiba.train({**given, "n_jobs": 1}, ceiba.Dataset(X, y)).fingerprint()
    _core_small()
    assert ceiba.train({**given, "n_jobs": 3}, ceiba.Dataset(X, y)).fingerprint() == first
    parts = (slice(100), slice(100, 350), slice(350, 400))
    blocks = ceiba.Dataset.from_blocks([(X[part], y[part]) for part in parts])
    assert ceiba.train({**given, "n_jobs": 2}, blocks).fingerprint() == first
    other = ceiba.train({**given, "random_state": 1}, ceiba.Dataset(X, y))
    assert other.fingerprint() != first
    plain = ceiba.train({**given, "boosting": "plain"}, ceiba.Dataset(X, y))
    assert plain.fingerprint() != first


def _core_small() -> None:
    ceiba._core.change_settings(block_rows=64, chunk_rows=64, serial_below=0)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("steps", [1, 3])
def test_going_on_is_one_training(objective: str, steps: int) -> None:
    if objective in ("squared_error", "softmax") and steps > 1:
        pytest.skip("one step ends at the minimum, or is all there is")
    X, y = make(objective)
    given = params(objective, leaf_iterations=steps)
    whole = ceiba.train(given, ceiba.Dataset(X, y))
    half = ceiba.train({**given, "n_estimators": 3}, ceiba.Dataset(X, y))
    rest = ceiba.train({**given, "n_estimators": 5}, ceiba.Dataset(X, y), init_model=half)
    assert rest.fingerprint() == whole.fingerprint()


class Killed(Exception):
    """What a callback raises in the place of a signal."""


def test_a_killed_training_is_resumed(tmp_path: Path) -> None:
    X, y = make("logistic")
    given = params("logistic", sampling="mvs", random_strength=1.0, n_estimators=10)
    sets = {"test": ceiba.Dataset(X[:50], y[:50])}
    whole = ceiba.train(given, ceiba.Dataset(X, y), eval_sets=sets)
    path = tmp_path / "checkpoint.ceiba"

    class Kill(ceiba.Callback):
        def after_round(self, round: Any) -> bool:
            if round.iteration == 6:
                raise Killed
            return False

    callbacks = [ceiba.Checkpoint(path, every=2), Kill()]
    with pytest.raises(Killed):
        ceiba.train(given, ceiba.Dataset(X, y), eval_sets=sets, callbacks=callbacks)
    resumed = ceiba.train(given, ceiba.Dataset(X, y), eval_sets=sets, resume_from=path)
    assert resumed.fingerprint() == whole.fingerprint()
    assert resumed.history == whole.history


def test_files_refits_and_folds(tmp_path: Path) -> None:
    X, y = make("logistic")
    model = ceiba.train(params("logistic"), ceiba.Dataset(X, y))
    model.save(tmp_path / "model.ceiba")
    loaded = ceiba.load_model(tmp_path / "model.ceiba")
    assert loaded.fingerprint() == model.fingerprint()
    # The leaves of the model are those of plain boosting: fitted to all rows at the scores of all
    # trees.
    refitted = ceiba.refit(model, ceiba.Dataset(X, y), decay_rate=0.0)
    np.testing.assert_allclose(refitted.predict_raw(X), model.predict_raw(X), rtol=1e-9, atol=1e-9)
    table = ceiba.cv(params("logistic"), ceiba.Dataset(X, y), folds=3)
    assert table is not None


def test_gradients_are_taken_where_their_rows_are_not_known() -> None:
    """In a table of noise plain scores fit the targets; the ordered ones do not."""
    random = np.random.default_rng(0)
    n = 600
    y = random.normal(size=n)
    objective = find_objective("squared_error")
    parameters = resolve({"boosting": "ordered", "learning_rate": 0.3, "reg_lambda": 0.0})
    learned = LeafFitInputs(objective, y, None, LeafRule(), 1)
    boosting = OrderedBoosting(parameters, np.zeros((1, n)), None, learned)

    class ScoringTrees:
        def __init__(self, leaves: np.ndarray) -> None:
            self.own = leaves

        def leaves(self, binned: Any = None) -> np.ndarray:
            assert binned is None
            return self.own[None].astype(np.uint8)

        def round_values(self) -> Any:
            raise AssertionError

        def add_to_scores(self, scores: np.ndarray) -> None:
            residuals = y - scores[0]
            sums = np.bincount(self.own, residuals) / np.bincount(self.own)
            scores[0] += 0.3 * sums[self.own]

    for round in range(40):
        boosting.begin(round)
        boosting.commit(ScoringTrees(random.integers(0, 20, size=n)))
    boosting.begin(40)
    in_sample = np.corrcoef(boosting.scores_for_leaves()[0], y)[0, 1]
    honest = np.corrcoef(boosting.scores_for_gradients()[0], y)[0, 1]
    assert in_sample > 0.5
    assert abs(honest) < 0.15


@pytest.mark.parametrize("objective", ["absolute_error", "quantile", "huber", "lambdarank_ndcg"])
def test_losses_that_have_no_newton_leaves_of_single_rows(objective: str) -> None:
    X, y = make("softmax")
    qid = np.arange(len(y)) // 10 if objective.startswith("lambda") else None
    with pytest.raises(InvalidParameterError, match="single rows whose leaves are Newton steps"):
        ceiba.train(params(objective), ceiba.Dataset(X, y, qid=qid))


def test_one_tree_a_round() -> None:
    X, y = make("logistic")
    with pytest.raises(InvalidParameterError, match="grows one tree"):
        ceiba.train(params("logistic", num_parallel_tree=2, subsample=0.5), ceiba.Dataset(X, y))


@pytest.mark.parametrize("n_rows", [1, 2, 3, 10])
def test_few_rows(n_rows: int) -> None:
    X, y = np.arange(float(n_rows))[:, None], np.arange(float(n_rows))
    model = ceiba.train(params("squared_error", min_samples_leaf=1), ceiba.Dataset(X, y))
    assert np.isfinite(model.predict(X)).all()
    assert first_rows(n_rows) == max(1, n_rows // 2)
