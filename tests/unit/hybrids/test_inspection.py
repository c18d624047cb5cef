"""Metrics, explanations and plots of hybrids."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hybrid_cases import HYBRIDS, mixed_frame, mixed_target, target_for
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import log_loss, mean_absolute_error, root_mean_squared_error

from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.hybrids.inspection import shapley_values

FRAME = mixed_frame()
Y = mixed_target(FRAME)
LATER = mixed_frame(40, seed=5)
CASES = [(one, n) for one in HYBRIDS for n in ((2, 3) if hasattr(one, "C") else (0,))]
EACH = pytest.mark.parametrize(
    ("hybrid", "n_classes"), CASES, ids=[f"{type(one).__name__}-{n}" for one, n in CASES]
)


def fitted(hybrid: Any, n_classes: int) -> Any:
    return clone(hybrid).fit(FRAME, target_for(hybrid, Y, n_classes or 2))


@EACH
def test_metrics_are_those_of_the_predictions(hybrid: Any, n_classes: int) -> None:
    own = fitted(hybrid, n_classes)
    truth = target_for(hybrid, mixed_target(LATER), n_classes or 2)
    weights = np.random.default_rng(1).random(len(LATER)) + 0.5
    if not n_classes:
        predicted = own.predict(LATER)
        expected = root_mean_squared_error(truth, predicted, sample_weight=weights)
        assert own.evaluate(LATER, truth, sample_weight=weights) == {
            "rmse": pytest.approx(expected)
        }
        absolute = own.evaluate(LATER.assign(y=truth), "y", "mae")
        assert absolute == pytest.approx(mean_absolute_error(truth, predicted))
    else:
        chances = own.predict_proba(LATER)
        found = own.evaluate(LATER, truth, sample_weight=weights)
        expected = log_loss(truth, chances, sample_weight=weights, labels=own.classes_)
        assert list(found.values()) == [pytest.approx(expected)]
        assert own.evaluate(LATER, truth, "accuracy") == pytest.approx(own.score(LATER, truth))
    with pytest.raises(InvalidInputError, match="same number of rows"):
        own.evaluate(LATER, truth[:-1])


@EACH
def test_explanations_add_up_to_predictions(hybrid: Any, n_classes: int) -> None:
    own = fitted(hybrid, n_classes)
    explanation = own.explain(LATER[:6], background=FRAME[:8])
    total = explanation.base_values + explanation.values.sum(axis=1)
    predicted = own.predict_proba(LATER[:6]) if n_classes else own.predict(LATER[:6])
    np.testing.assert_allclose(total, predicted[:, 1] if n_classes == 2 else predicted, atol=1e-9)
    assert explanation.feature_names == list(FRAME.columns)
    cities = LATER.city[:6].tolist()
    assert explanation.data[:, 2].tolist() == [one if one == one else None for one in cities]
    assert (explanation.values[:, 3] == 0).all()  # a column that is always the same
    assert len(own.explain(LATER[:3])) == 3


@given(n_columns=st.integers(1, 7), n_background=st.integers(1, 5), seed=st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_values_of_sums_of_pairs_are_exact(n_columns: int, n_background: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    slopes, pairs = random.normal(size=n_columns), random.normal(size=(n_columns, n_columns))
    np.fill_diagonal(pairs, 0.0)
    rows, background = (
        random.normal(size=(3, n_columns)),
        random.normal(size=(n_background, n_columns)),
    )

    def predicted(x: np.ndarray) -> np.ndarray:
        return (x @ slopes + np.einsum("ni,ij,nj->n", x, pairs, x))[:, None]

    values, base = shapley_values(predicted, rows, background)
    expected = np.zeros((3, n_columns))
    both = pairs + pairs.T
    for b in background:
        expected += slopes * (rows - b) + 0.5 * (rows - b) * ((rows + b) @ both)
    np.testing.assert_allclose(values[:, :, 0], expected / n_background, atol=1e-9)
    assert base[0] == pytest.approx(predicted(background).mean())


@EACH
def test_plots(hybrid: Any, n_classes: int) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    own = fitted(hybrid, n_classes)
    truth = target_for(hybrid, mixed_target(LATER), n_classes or 2)
    names = ["roc", "precision_recall", "calibration", "confusion"]
    for name in names if n_classes else ["residuals", "observed"]:
        assert name in repr(own.plot)
        getattr(own.plot, name)(LATER, truth)
    own.plot.beeswarm(LATER[:10])
    own.plot.waterfall(LATER[:10])
    pyplot.close("all")
    with pytest.raises(InvalidTypeError, match=r"has no plot\.training"):
        own.plot.training()
