"""Callbacks of LightGBM and XGBoost: translated where there is an equivalent, else explained."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import lightgbm
import numpy as np
import pytest
import xgboost
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import CeibaRegressor, Dataset, EarlyStopping, cv, train
from ceiba.callbacks import Round, translated
from ceiba.callbacks._base import CallbackList
from ceiba.errors import CeibaError, InvalidParameterError, InvalidTypeError

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 3))
Y = X[:, 0] + RANDOM.normal(size=200)
ROWS, OTHERS = Dataset(X[:120], Y[:120]), Dataset(X[120:], Y[120:])
PARAMS: dict[str, Any] = {"n_estimators": 60, "n_jobs": 1, "min_samples_leaf": 3}
METRICS = ("rmse", "mae")


def rates_of(model: Any) -> Any:
    return model.parameters["learning_rate"]


def test_early_stopping_of_both_libraries_keeps_the_best_round() -> None:
    ours = train(PARAMS, ROWS, eval_sets=[OTHERS], callbacks=[EarlyStopping(5)])
    assert ours.n_iterations < 50
    for foreign in (lightgbm.early_stopping(5), xgboost.callback.EarlyStopping(rounds=5)):
        model = train(PARAMS, ROWS, eval_sets=[OTHERS], callbacks=[foreign])
        assert model.fingerprint() == ours.fingerprint()


def test_an_eval_set_of_training_rows_does_not_decide_for_lightgbm() -> None:
    sets = {"first": ROWS, "second": OTHERS}
    model = train(PARAMS, ROWS, eval_sets=sets, callbacks=[lightgbm.early_stopping(5)])
    alone = train(PARAMS, ROWS, eval_sets=[OTHERS], callbacks=[lightgbm.early_stopping(5)])
    assert model.n_iterations == alone.n_iterations
    estimator = CeibaRegressor(**PARAMS).fit(
        X[:120],
        Y[:120],
        eval_set=[(X[:120], Y[:120]), (X[120:], Y[120:])],
        callbacks=[lightgbm.early_stopping(5)],
    )
    assert estimator.n_iter_ == alone.n_iterations


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 6).map(float)] * 4), min_size=1, max_size=25),
    st.integers(1, 6),
    st.sampled_from([0.0, 1.0]),
    st.booleans(),
)
def test_stops_where_lightgbm_stops(
    scores: list[tuple[float, ...]], rounds: int, delta: float, first_only: bool
) -> None:
    """Both callbacks see the same metrics of two eval sets, round by round."""
    foreign = lightgbm.early_stopping(
        rounds, first_metric_only=first_only, verbose=False, min_delta=delta
    )
    watching = CallbackList(translated([foreign]).callbacks)
    theirs = lightgbm.early_stopping(
        rounds, first_metric_only=first_only, verbose=False, min_delta=delta
    )
    watching.before_training(len(scores))
    expected = None
    for iteration, values in enumerate(scores):
        named = {
            name: dict(zip(METRICS, pair, strict=True))
            for name, pair in (("a", values[:2]), ("b", values[2:]))
        }
        results = [
            lightgbm.callback.EvalResult(name, metric, value, False, None)
            for name, metrics in named.items()
            for metric, value in metrics.items()
        ]
        env = SimpleNamespace(
            model=None,
            params={},
            iteration=iteration,
            begin_iteration=0,
            end_iteration=len(scores),
            evaluation_result_list=results,
        )
        try:
            theirs(env)
        except lightgbm.callback.EarlyStopException as stop:
            expected = stop.best_iteration
        better = dict.fromkeys(METRICS, False)
        is_over = watching.after_round(Round(iteration, len(scores), named, better, dict))
        assert is_over == (expected is not None and iteration + 1 < len(scores)) or (
            iteration + 1 == len(scores)
        )
        if is_over or expected is not None:
            break
    assert watching.kept_iteration() == expected


def test_logging(capsys: pytest.CaptureFixture[str]) -> None:
    for foreign in (lightgbm.log_evaluation(20), xgboost.callback.EvaluationMonitor(period=20)):
        train(PARAMS, ROWS, eval_sets=[OTHERS], callbacks=[foreign])
        assert capsys.readouterr().out.count("validation_0 rmse") == 3
    train(PARAMS, ROWS, eval_sets=[OTHERS], callbacks=[lightgbm.log_evaluation(0)])
    assert capsys.readouterr().out == ""


def test_recording() -> None:
    found: dict[str, Any] = {"left": "over"}
    callbacks = [lightgbm.record_evaluation(found)]
    model = train(PARAMS, ROWS, eval_sets={"v": OTHERS}, callbacks=callbacks)
    assert found == {"v": {"rmse": list(model.history["v"]["rmse"])}}


@pytest.mark.parametrize(
    "foreign",
    [
        lambda rates: lightgbm.reset_parameter(learning_rate=rates),
        xgboost.callback.LearningRateScheduler,
    ],
    ids=["lightgbm", "xgboost"],
)
@pytest.mark.parametrize("as_function", [False, True])
def test_learning_rates(foreign: Any, as_function: bool) -> None:
    rates = [0.3 / (1 + i) for i in range(10)]
    given: Any = rates.__getitem__ if as_function else rates
    params = {**PARAMS, "n_estimators": 10}
    ours = train({**params, "learning_rate": rates}, ROWS)
    model = train(params, ROWS, callbacks=[foreign(given)])
    assert model.fingerprint() == ours.fingerprint()
    assert rates_of(model) == rates
    further = train(params, ROWS, init_model=model, callbacks=[foreign(given)])
    assert rates_of(further) == [*rates, *rates]
    table = cv(params, ROWS, folds=2, callbacks=[foreign(given)])
    expected = cv({**params, "learning_rate": rates}, ROWS, folds=2)
    np.testing.assert_array_equal(table["test-rmse-mean"], expected["test-rmse-mean"])


class OwnOfXGBoost(xgboost.callback.TrainingCallback):
    pass


class OwnOfCatBoost:
    def after_iteration(self, info: Any) -> bool:
        return True


@pytest.mark.parametrize(
    ("callback", "kind", "message"),
    [
        (xgboost.callback.TrainingCheckPoint("x"), InvalidTypeError, r"Use ceiba.Checkpoint\(path"),
        (OwnOfXGBoost(), InvalidTypeError, "OwnOfXGBoost of xgboost is not supported"),
        (OwnOfCatBoost(), InvalidTypeError, "with the method after_iteration"),
        (
            lightgbm.reset_parameter(num_leaves=[3] * 60),
            InvalidParameterError,
            "supported for learning_rate only. Got 'num_leaves'",
        ),
        (
            lightgbm.reset_parameter(learning_rate=["fast"]),
            InvalidParameterError,
            "The learning rates of a callback must be a list .* Got \\['fast'\\]",
        ),
        (
            xgboost.callback.EarlyStopping(rounds=5, maximize=True),
            InvalidParameterError,
            "maximize=True contradicts metric rmse, for which lower values are better",
        ),
        (
            xgboost.callback.EarlyStopping(rounds=5, metric_name="auc"),
            CeibaError,
            "monitors metric 'auc', which does not exist",
        ),
        (
            lambda env: env.evaluation_result_list,
            AttributeError,
            r"LightGBM's CallbackEnv. Use round.evals\[",
        ),
        (lambda round: round.model, AttributeError, r"Use round.make_model\(\)"),
        (lambda round: round.iter, AttributeError, "no attribute 'iter'. It has iteration"),
        (
            lambda round: np.zeros(3),
            InvalidTypeError,
            r"<lambda> must return True to stop .* Got array\(\[0., 0., 0.\]\)",
        ),
        (lambda round: round.make_model("a"), InvalidParameterError, "iteration .* Got 'a'"),
        (lambda round: round.make_model(1.5), InvalidParameterError, "iteration .* Got 1.5"),
        (lambda round: round.make_model(-1), InvalidParameterError, "iteration .* Got -1"),
        (lambda round: round.make_model(1), InvalidParameterError, "between 0 and 0. Got 1"),
        (OwnOfXGBoost, InvalidTypeError, "must be a function of one argument"),
    ],
)
def test_what_is_explained(callback: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        train(PARAMS, ROWS, eval_sets=[OTHERS], callbacks=[callback])
    assert isinstance(caught.value, CeibaError)
