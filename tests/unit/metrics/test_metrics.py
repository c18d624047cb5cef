"""Metrics against scikit-learn, generated from the list of metrics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.metrics import METRICS, Metric, find_metric, metric_names
from ceiba.objectives import find_objective

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass
class Rows:
    """Scored rows of one kind of problem."""

    target: Floats
    raw: Floats
    prediction: Floats


def make_rows(objective: str, n_rows: int = 400, ties: bool = False) -> Rows:
    random = np.random.default_rng(0)
    raw = random.normal(size=(n_rows, 3 if objective == "softmax" else 1))
    if ties:
        raw = np.round(raw * 2.0) / 2.0
    kind = find_objective(objective)
    if objective == "squared_error":
        target = raw[:, 0] + random.normal(size=n_rows)
    elif objective in ("poisson", "tweedie"):
        target = random.poisson(np.exp(raw[:, 0])) * random.gamma(3.0, 0.4, n_rows)
    elif objective == "gamma":
        target = np.exp(raw[:, 0]) * random.gamma(3.0, 0.4, n_rows)
    elif objective == "cross_entropy":
        target = random.random(n_rows)
        target[::3] = np.round(target[::3])
    elif kind.task == "binary":
        target = (raw[:, 0] + random.normal(size=n_rows) > 0.0).astype(np.float64)
    else:
        target = np.argmax(raw + random.normal(size=raw.shape), axis=1).astype(np.float64)
    return Rows(target, kind.log_odds(raw), kind.predict(raw))


def by_class(rows: Rows) -> Any:
    prediction = rows.prediction
    return np.argmax(prediction, axis=1) if prediction.ndim == 2 else prediction > 0.5


Oracle = Callable[[Rows, Any], float]
# What scikit-learn calls the metric, and the problems it is for.
ORACLES: dict[str, tuple[tuple[str, ...], Oracle]] = {
    "rmse": (
        ("squared_error",),
        lambda r, w: (
            sklearn_metrics.mean_squared_error(r.target, r.prediction, sample_weight=w) ** 0.5
        ),
    ),
    "mse": (
        ("squared_error",),
        lambda r, w: sklearn_metrics.mean_squared_error(r.target, r.prediction, sample_weight=w),
    ),
    "cross_entropy": (
        ("cross_entropy", "logistic"),
        # A share is a row of class 1 beside one of class 0.
        lambda r, w: (
            2.0
            * sklearn_metrics.log_loss(
                np.repeat([1.0, 0.0], len(r.target)),
                np.tile(r.prediction, 2),
                sample_weight=np.concatenate([r.target, 1.0 - r.target])
                * (1.0 if w is None else np.tile(w, 2)),
                normalize=False,
            )
            / (2.0 * (len(r.target) if w is None else w.sum()))
        ),
    ),
    "mae": (
        ("squared_error",),
        lambda r, w: sklearn_metrics.mean_absolute_error(r.target, r.prediction, sample_weight=w),
    ),
    "r2": (
        ("squared_error",),
        lambda r, w: sklearn_metrics.r2_score(r.target, r.prediction, sample_weight=w),
    ),
    "huber": (
        ("squared_error",),
        lambda r, w: np.average(
            np.where(
                np.abs(r.target - r.prediction) <= 1.0,
                0.5 * (r.target - r.prediction) ** 2,
                np.abs(r.target - r.prediction) - 0.5,
            ),
            weights=w,
        ),
    ),
    "pseudo_huber": (
        ("squared_error",),
        lambda r, w: np.average(
            np.sqrt(1.0 + (r.target - r.prediction) ** 2) - 1.0,
            weights=w,
        ),
    ),
    "quantile": (
        ("squared_error",),
        lambda r, w: sklearn_metrics.mean_pinball_loss(r.target, r.prediction, sample_weight=w),
    ),
    "mape": (
        ("squared_error", "gamma"),
        lambda r, w: sklearn_metrics.mean_absolute_percentage_error(
            r.target, r.prediction, sample_weight=w
        ),
    ),
    "rmsle": (
        ("poisson", "gamma"),
        lambda r, w: sklearn_metrics.root_mean_squared_log_error(
            r.target, r.prediction, sample_weight=w
        ),
    ),
    "poisson_deviance": (
        ("poisson", "gamma"),
        lambda r, w: sklearn_metrics.mean_poisson_deviance(r.target, r.prediction, sample_weight=w),
    ),
    "gamma_deviance": (
        ("gamma",),
        lambda r, w: sklearn_metrics.mean_gamma_deviance(r.target, r.prediction, sample_weight=w),
    ),
    "tweedie_deviance": (
        ("tweedie", "poisson", "gamma"),
        lambda r, w: sklearn_metrics.mean_tweedie_deviance(
            r.target, r.prediction, sample_weight=w, power=1.5
        ),
    ),
    "exponential_loss": (
        ("exponential", "logistic"),
        # From the probability: sqrt((1 - p) / p) of the class of the row.
        lambda r, w: np.average(
            np.sqrt(1.0 / np.where(r.target == 1.0, r.prediction, 1.0 - r.prediction) - 1.0),
            weights=w,
        ),
    ),
    "average_precision": (
        ("logistic", "exponential"),
        lambda r, w: sklearn_metrics.average_precision_score(
            r.target, r.raw[:, 0], sample_weight=w
        ),
    ),
    "logloss": (
        ("logistic", "exponential"),
        lambda r, w: sklearn_metrics.log_loss(r.target, r.prediction, sample_weight=w),
    ),
    "multi_logloss": (
        ("softmax",),
        lambda r, w: sklearn_metrics.log_loss(r.target, r.prediction, sample_weight=w),
    ),
    "auc": (
        ("logistic",),
        lambda r, w: sklearn_metrics.roc_auc_score(r.target, r.raw[:, 0], sample_weight=w),
    ),
    "multi_auc": (
        ("softmax",),
        lambda r, w: np.mean(
            [
                sklearn_metrics.roc_auc_score(r.target == k, r.prediction[:, k], sample_weight=w)
                for k in range(3)
            ]
        ),
    ),
    "accuracy": (
        ("logistic", "softmax"),
        lambda r, w: sklearn_metrics.accuracy_score(r.target, by_class(r), sample_weight=w),
    ),
    "balanced_accuracy": (
        ("logistic", "softmax"),
        lambda r, w: sklearn_metrics.balanced_accuracy_score(
            r.target, by_class(r), sample_weight=w
        ),
    ),
    "f1": (
        ("logistic", "softmax"),
        lambda r, w: sklearn_metrics.f1_score(
            r.target,
            by_class(r),
            sample_weight=w,
            average="macro" if r.raw.shape[1] > 1 else "binary",
        ),
    ),
    "mcc": (
        ("logistic", "softmax"),
        lambda r, w: sklearn_metrics.matthews_corrcoef(r.target, by_class(r), sample_weight=w),
    ),
    "cohen_kappa": (
        ("logistic", "softmax"),
        lambda r, w: sklearn_metrics.cohen_kappa_score(r.target, by_class(r), sample_weight=w),
    ),
    "brier": (
        ("logistic", "softmax"),
        lambda r, w: sklearn_metrics.brier_score_loss(
            r.target, r.prediction, sample_weight=w, labels=[0, 1, 2][: max(2, r.raw.shape[1])]
        ),
    ),
    "error": (
        ("logistic", "softmax"),
        lambda r, w: sklearn_metrics.zero_one_loss(r.target, by_class(r), sample_weight=w),
    ),
}
CASES = [
    pytest.param(kind(), objective, id=f"{kind.name}-{objective}")
    for kind in METRICS
    if not kind.needs_queries  # those have test_ranking.py
    for objective in ORACLES[kind.name][0]
]
each_case = pytest.mark.parametrize(("metric", "objective"), CASES)


def make_weights(kind: str, n_rows: int) -> Floats | None:
    random = np.random.default_rng(5)
    if kind == "integers":
        return random.integers(1, 5, n_rows).astype(np.float64)
    return random.gamma(0.5, size=n_rows) * 1e3 if kind == "real" else None


@each_case
@pytest.mark.parametrize("weights_kind", ["none", "integers", "real"])
@pytest.mark.parametrize("ties", [False, True])
def test_equals_scikit_learn(metric: Metric, objective: str, weights_kind: str, ties: bool) -> None:
    rows = make_rows(objective, ties=ties)
    weights = make_weights(weights_kind, len(rows.target))
    expected = ORACLES[metric.name][1](rows, weights)
    given = metric(rows.target, rows.raw, rows.prediction, weights)
    assert isinstance(given, float)
    assert given == pytest.approx(expected, rel=1e-12)


@each_case
@pytest.mark.parametrize("weights_kind", ["none", "real"])
def test_does_not_depend_on_the_order_of_rows(
    metric: Metric, objective: str, weights_kind: str
) -> None:
    rows = make_rows(objective, n_rows=9000)
    weights = make_weights(weights_kind, 9000)
    expected = metric(rows.target, rows.raw, rows.prediction, weights)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(9000)
        given = metric(
            rows.target[order],
            rows.raw[order],
            rows.prediction[order],
            None if weights is None else weights[order],
        )
        assert given == expected


@each_case
def test_weight_k_counts_as_k_rows(metric: Metric, objective: str) -> None:
    rows = make_rows(objective)
    times = np.random.default_rng(6).integers(1, 4, len(rows.target))
    weighted = metric(rows.target, rows.raw, rows.prediction, times.astype(np.float64))
    repeated = metric(
        np.repeat(rows.target, times),
        np.repeat(rows.raw, times, axis=0),
        np.repeat(rows.prediction, times, axis=0),
        None,
    )
    assert weighted == repeated


@each_case
def test_better_predictions_are_better(metric: Metric, objective: str) -> None:
    rows = make_rows(objective)
    task = find_objective(objective).task
    if objective == "squared_error":
        perfect = rows.target[:, None]
    elif task == "regression":
        perfect = np.log(np.maximum(rows.target, 1e-3))[:, None]
    elif task == "binary":
        perfect = 20.0 * (rows.target[:, None] - 0.5)
    else:
        perfect = 20.0 * (rows.target[:, None] == np.arange(3)).astype(np.float64)
    prediction = find_objective(objective).predict(perfect)
    good = metric(rows.target, perfect, prediction, None)
    usual = metric(rows.target, rows.raw, rows.prediction, None)
    assert good > usual if metric.higher_is_better else good < usual


def test_every_name_belongs_to_one_metric() -> None:
    names = [name.lower() for kind in METRICS for name in (kind.name, *kind.aliases)]
    assert len(names) == len(set(names))
    for kind in METRICS:
        for name in (kind.name, *kind.aliases):
            full_name = f"{name}@5" if getattr(kind, "needs_cutoff", False) else name
            assert type(find_metric(full_name.upper())) is kind
    assert metric_names() == tuple(kind.name for kind in METRICS)
    metric = find_metric("auc")
    assert find_metric(metric) is metric


def test_unknown_metric_names_the_nearest() -> None:
    with pytest.raises(InvalidParameterError, match="Did you mean 'rmse'"):
        find_metric("rmsee")


@pytest.mark.parametrize("family", ["poisson", "gamma", "tweedie"])
def test_likelihoods_of_xgboost_are_deviances(family: str) -> None:
    for name in (f"{family}-nloglik", f"{family}_nloglik", f"{family}-nloglik@1.5"):
        with pytest.raises(InvalidParameterError, match=rf"Use '{family}_deviance'"):
            find_metric(name)


def test_error_takes_a_threshold() -> None:
    rows = make_rows("logistic")
    weights = np.random.default_rng(5).gamma(0.5, size=len(rows.target))
    for text in ("0.5", "0.3", "0.75", ".9", "1e-3"):
        metric = find_metric(f"ERROR@{text}")
        assert metric.name == f"error@{text}"
        predicted = rows.prediction > float(text)
        expected = sklearn_metrics.zero_one_loss(rows.target, predicted, sample_weight=weights)
        found = metric(rows.target, rows.raw, rows.prediction, weights)
        assert found == pytest.approx(expected, rel=1e-12)
        order = np.random.default_rng(0).permutation(len(rows.target))
        given = (rows.target[order], rows.raw[order], rows.prediction[order], weights[order])
        assert metric(*given) == found
    for wrong in ("error@", "error@0", "error@1", "error@x", "error@nan", "error-", "error@.5@.5"):
        with pytest.raises(InvalidParameterError, match="allows a threshold"):
            find_metric(wrong)
    several = make_rows("softmax")
    with pytest.raises(InvalidInputError, match=r"Got 3 classes\. Use metric error"):
        find_metric("error@0.7")(several.target, several.raw, several.prediction, None)
    with pytest.raises(InvalidInputError, match=r"error@0\.7 needs a target of 0 and 1"):
        find_metric("error@0.7")(rows.target + 1.0, rows.raw, rows.prediction, None)


def test_deviance_of_tweedie_takes_the_power() -> None:
    rows = make_rows("tweedie")
    for power in (1.1, 1.9):
        metric = find_metric("tweedie", tweedie_variance_power=power, other_option=1)
        expected = sklearn_metrics.mean_tweedie_deviance(rows.target, rows.prediction, power=power)
        given = metric(rows.target, rows.raw, rows.prediction, None)
        assert given == pytest.approx(expected, rel=1e-12)


def test_deviances_need_positive_predictions_and_targets() -> None:
    raw = np.array([[1.0], [2.0]])
    for name in ("poisson_deviance", "gamma_deviance", "tweedie_deviance"):
        metric = find_metric(name)
        with pytest.raises(InvalidInputError, match=r"predictions above 0\. Got 0"):
            metric(np.ones(2), raw, np.array([0.0, 1.0]), None)
        with pytest.raises(InvalidInputError, match="needs targets"):
            metric(np.array([-1.0, 1.0]), raw, np.ones(2), None)
    with pytest.raises(InvalidInputError, match="targets above 0"):
        find_metric("gamma_deviance")(np.array([0.0, 1.0]), raw, np.ones(2), None)
    with pytest.raises(InvalidInputError, match="predictions above -1"):
        find_metric("rmsle")(np.ones(2), raw, np.array([-2.0, 0.0]), None)


def test_average_precision_without_class_1_is_an_error() -> None:
    raw = np.arange(4.0)[:, None]
    for target, weights in [(np.zeros(4), None), (np.arange(4) % 2.0, np.array([1.0, 0, 1, 0]))]:
        with pytest.raises(InvalidInputError, match="rows of class 1"):
            find_metric("average_precision")(target, raw, raw[:, 0], weights)


def test_classes_are_those_that_a_classifier_predicts() -> None:
    # sigmoid of such a score rounds to one half, and the classifier still says class 1.
    raw = np.array([[1e-17], [-1e-17]])
    prediction = find_objective("logistic").predict(raw)
    assert (prediction == 0.5).all()
    assert find_metric("accuracy")(np.array([1.0, 0.0]), raw, prediction, None) == 1.0


def test_r2_of_a_constant_target() -> None:
    target, raw = np.full(5, 2.0), np.arange(5.0)[:, None]
    assert find_metric("r2")(target, raw, raw[:, 0], None) == 0.0
    assert find_metric("r2")(target, target[:, None], target, None) == 1.0


def test_auc_of_one_class_is_an_error() -> None:
    raw = np.arange(5.0)[:, None]
    for target, weights in [(np.ones(5), None), (np.arange(5) % 2.0, np.array([1.0, 0, 1, 0, 1]))]:
        with pytest.raises(InvalidInputError, match="both classes"):
            find_metric("auc")(target, raw, raw[:, 0], weights)


def test_metric_that_does_not_fit_the_model_is_an_error() -> None:
    several = make_rows("softmax")
    regression = make_rows("squared_error")
    for name in ("rmse", "mae", "r2", "huber", "pseudo_huber", "logloss", "auc"):
        with pytest.raises(InvalidInputError, match=f"Metric {name} needs one prediction"):
            find_metric(name)(several.target, several.raw, several.prediction, None)
    for name in ("logloss", "auc", "accuracy", "error"):
        with pytest.raises(InvalidInputError, match="target of 0 and 1"):
            find_metric(name)(regression.target, regression.raw, regression.prediction, None)
    with pytest.raises(InvalidInputError, match="several classes"):
        find_metric("multi_logloss")(regression.target, regression.raw, regression.prediction, None)
    with pytest.raises(InvalidInputError, match="positive weight"):
        find_metric("rmse")(regression.target, regression.raw, regression.prediction, np.zeros(400))


def test_quantile_is_the_mean_over_its_levels() -> None:
    random = np.random.default_rng(0)
    target, prediction = random.normal(size=50), np.sort(random.normal(size=(50, 3)), axis=1)
    weights = random.gamma(1.0, size=50)
    levels = (0.1, 0.5, 0.8)
    expected = [
        sklearn_metrics.mean_pinball_loss(
            target, prediction[:, k], alpha=level, sample_weight=weights
        )
        for k, level in enumerate(levels)
    ]
    metric = find_metric("pinball", quantile=levels, n_classes=None)
    given = metric(target, prediction, prediction, weights)
    assert given == pytest.approx(np.mean(expected), rel=1e-12)
    with pytest.raises(InvalidInputError, match=r"each of its 3 levels\. Got 2"):
        metric(target, prediction[:, :2], prediction[:, :2], None)
    with pytest.raises(InvalidInputError, match=r"each of its 1 levels\. Got 3"):
        find_metric("quantile")(target, prediction, prediction, None)


def test_huber_takes_the_delta_of_the_loss() -> None:
    target, prediction = np.zeros(2), np.array([1.0, 3.0])
    metric = find_metric("huber", huber_delta=2.0)
    assert metric(target, prediction[:, None], prediction, None) == (0.5 + 4.0) / 2
    smooth = find_metric("mphe", huber_delta=2.0)
    expected = np.mean(4.0 * (np.sqrt(1.0 + (prediction / 2.0) ** 2) - 1.0))
    found = smooth(target, prediction[:, None], prediction, None)
    assert found == pytest.approx(expected, rel=1e-14)
