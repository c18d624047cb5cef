"""The deviation of the noise on splits, and trainings with noise."""

from __future__ import annotations

import numpy as np
import pytest

import ceiba
from ceiba.boosting.noise import deviations
from ceiba.boosting.row_statistics import RowStatistics
from ceiba.parameters.resolving import resolve


def statistics(gradients: np.ndarray) -> RowStatistics:
    return RowStatistics(gradients, None, 1.0)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_it_is_what_catboost_has(scale: float) -> None:
    gradients = scale * np.random.default_rng(0).normal(size=(2, 1000))
    parameters = resolve({"random_strength": 2.0, "learning_rate": 0.1})
    for round in (0, 30, 70, 200):
        left = 1000 * np.exp(-0.1 * round)
        expected = 2.0 * scale * np.sqrt(np.mean((gradients / scale) ** 2, axis=1))
        found = deviations(parameters, statistics(gradients), None, round)
        np.testing.assert_allclose(found, expected * left / (1 + left), rtol=1e-12)


def test_a_schedule_adds_up() -> None:
    gradients, rates = np.ones((1, 50)), [0.1, 0.5, 0.3, 0.1]
    listed = resolve({"random_strength": 1.0, "learning_rate": rates})
    alone = resolve({"random_strength": 1.0, "learning_rate": 0.9})
    weights = np.full(50, 2.5)
    assert deviations(listed, statistics(gradients), weights, 3) == pytest.approx(
        deviations(alone, statistics(2.5 * gradients), None, 1)
    )


def test_a_weight_of_k_is_k_rows() -> None:
    random = np.random.default_rng(3)
    X, counts = random.normal(size=(150, 3)), random.integers(1, 4, 150)
    y = 2 * X[:, 0] + X[:, 1] + random.normal(size=150)
    given = {"n_estimators": 5, "random_strength": 1.0, "n_jobs": 1}
    weighted = ceiba.train(given, ceiba.Dataset(X, y, weight=counts))
    X, y = np.repeat(X, counts, axis=0), np.repeat(y, counts)
    assert ceiba.train(given, ceiba.Dataset(X, y)).fingerprint() == weighted.fingerprint()


def test_no_noise() -> None:
    assert deviations(resolve({}), statistics(np.ones((1, 5))), None, 0) == []
    quiet = resolve({"random_strength": 1.0})
    assert deviations(quiet, statistics(np.zeros((1, 5))), None, 0) == [0.0]


@pytest.mark.threads
@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_one_model(policy: str) -> None:
    """Threads, blocks and going on change nothing; the seed does."""
    random = np.random.default_rng(1)
    X = random.normal(size=(600, 5))
    y = random.integers(0, 3, size=600).astype(float)
    given = {"objective": "softmax", "score": "cosine", "random_strength": 1.0}
    given |= {"grow_policy": policy, "n_estimators": 4, "max_depth": 4}

    def fingerprint(dataset: ceiba.Dataset, **more) -> str:
        return ceiba.train({**given, **more}, dataset).fingerprint()

    first = fingerprint(ceiba.Dataset(X, y), n_jobs=1)
    assert fingerprint(ceiba.Dataset(X, y), n_jobs=3) == first
    parts = (slice(100), slice(100, 450), slice(450, 600))
    blocks = [(X[part], y[part]) for part in parts]
    assert fingerprint(ceiba.Dataset.from_blocks(blocks), n_jobs=2) == first
    half = ceiba.train({**given, "n_estimators": 2}, ceiba.Dataset(X, y))
    rest = ceiba.train({**given, "n_estimators": 2}, ceiba.Dataset(X, y), init_model=half)
    assert rest.fingerprint() == first
    assert fingerprint(ceiba.Dataset(X, y), random_state=1) != first
