"""What raw scores are called."""

from __future__ import annotations

import numpy as np
import pytest

import ceiba
from ceiba.explain.score_names import output_scales, score_name

X = np.random.default_rng(0).normal(size=(80, 2))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"objective": "squared_error"}, ["prediction"]),
        ({"objective": "poisson"}, ["logarithm of the prediction"]),
        ({"objective": "logistic"}, ["log-odds of class 1"]),
        ({"objective": "exponential"}, ["half the log-odds of class 1"]),
        (
            {"objective": "quantile", "quantile": [0.1, 0.9]},
            ["prediction of quantile 0.1", "prediction of quantile 0.9"],
        ),
        ({"objective": "softmax"}, [f"raw score of class {k} (softmax)" for k in range(3)]),
        ({"objective": "gini", "recipe": "tree"}, [f"probability of class {k}" for k in range(3)]),
    ],
    ids=lambda value: value.get("objective", "") if isinstance(value, dict) else "",
)
def test_scales_of_objectives(settings: dict[str, object], expected: list[str]) -> None:
    y = np.arange(80) % 3
    if settings["objective"] in ("logistic", "exponential"):
        y = y % 2
    model = ceiba.train({"n_estimators": 1, **settings}, ceiba.Dataset(X, y.astype(float)))
    explanation = model.explain(X[:2])
    assert explanation.scales == expected
    assert explanation.kinds == ["numeric", "numeric"]
    assert output_scales(model, explanation.output_names) == expected


def test_several_targets_and_labels() -> None:
    y = np.stack([X[:, 0], X[:, 1]], axis=1)
    model = ceiba.train({"n_estimators": 1}, ceiba.Dataset(X, y))
    assert model.explain(X[:1]).scales == ["prediction of output 0", "prediction of output 1"]
    assert score_name(model.objective) == "prediction"
    labels = ceiba.CeibaClassifier(n_estimators=1).fit(X, (y > 0).astype(int))
    assert labels.explain(X[:1]).scales[1].startswith("log-odds of label ")


def test_classes_have_their_names() -> None:
    y = np.where(X[:, 0] > 0, "yes", "no")
    fitted = ceiba.CeibaClassifier(n_estimators=2).fit(X, y)
    assert fitted.explain(X[:1]).scales == ["log-odds of class yes"]
    how = {"background": X[:10], "output": "probability"}
    assert fitted.explain(X[:1], **how).scales == ["probability of class yes"]
