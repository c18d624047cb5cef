"""Parameters of a loss that is not trained are refused, and only those."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from ceiba import CeibaClassifier, CeibaRanker, CeibaRegressor, Dataset, cv, refit, train
from ceiba.boosting.loss_options import check_loss_options
from ceiba.boosting.start import create_objective
from ceiba.errors import InvalidParameterError
from ceiba.parameters import DECLARED, RECIPE_NAMES
from ceiba.parameters.resolving import Parameters, resolve

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 3))
Y = np.abs(X[:, 0]) + 0.1
FEW = {"n_estimators": 2, "n_jobs": 1}


def check(parameters: Parameters) -> None:
    check_loss_options(parameters, create_objective(parameters))


def quarter(y_true: Any, raw_score: Any) -> tuple[Any, Any]:
    return 0.25 * (raw_score - y_true), np.full_like(raw_score, 0.25)


WRONG: list[dict[str, Any]] = [
    {"quantile": 0.9},
    {"quantile": [0.1, 0.9]},
    {"quantile": 0.9, "objective": "huber"},
    {"quantile": 0.5, "recipe": "lightgbm"},
    {"tweedie_variance_power": 1.3, "objective": "quantile"},
    {"huber_delta": 2.0},
    {"huber_delta": 2.0, "eval_metric": "mae", "objective": "absolute_error"},
    {"huber_quantile": 0.8, "objective": "pseudo_huber"},
    {"curvature_rule": "plain", "objective": "huber"},
    {"calibration_folds": 5},
    {"poisson_max_delta_step": 0.3, "objective": "gamma"},
    {"hessian_factor": 2.0},
    {"lambdarank_norm": False},
    {"ndcg_exp_gain": False},
    {"lambdarank_truncation_level": 3, "objective": "pairwise"},
    {"quantile": 0.9, "objective": quarter},
]
RIGHT: list[dict[str, Any]] = [
    {},
    {"quantile": 0.9, "objective": "quantile"},
    {"quantile": 0.9, "objective": "pinball"},
    {"quantile": 0.5},
    {"quantile": None},
    {"quantile": 0.9, "recipe": "gbm"},
    {"quantile": 0.9, "eval_metric": "quantile"},
    {"quantile": 0.9, "eval_metric": ["rmse", "pinball"]},
    {"tweedie_variance_power": 1.3, "eval_metric": "tweedie_deviance", "objective": "gamma"},
    {"huber_delta": 2.0, "eval_metric": "huber"},
    {"huber_delta": 2.0, "eval_metric": "mphe"},
    {"huber_delta": 2.0, "objective": "pseudo_huber"},
    {"calibration_folds": 0},
    {"calibration_folds": "auto", "recipe": "xgboost"},
    {"calibration_folds": 3, "objective": "quantile"},
    {"leaf_rule": "friedman"},
    {"base_score": 0.5},
    {"hessian_factor": 2.0, "objective": "logistic"},
    {"hessian_factor": 2.0, "objective": "softmax"},
    {"ndcg_exp_gain": False, "objective": "pairwise", "eval_metric": "map"},
]


def text_of(params: dict[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in params.items() if not callable(value))


@pytest.mark.parametrize("params", WRONG, ids=text_of)
def test_what_neither_objective_nor_metric_reads_is_refused(params: dict[str, Any]) -> None:
    name = next(iter(params))
    with pytest.raises(
        InvalidParameterError, match=rf"{name}.* is read by .*, or leave {name} out"
    ):
        check(resolve(params))


@pytest.mark.parametrize("params", RIGHT, ids=text_of)
def test_what_is_read_or_asks_for_nothing_passes(params: dict[str, Any]) -> None:
    check(resolve(params))


@pytest.mark.parametrize("recipe", RECIPE_NAMES)
def test_values_of_a_recipe_written_out_pass(recipe: str) -> None:
    given = {p.name: p.default_of(recipe) for p in DECLARED if p.stage == "objective"}
    for objective in (None, "poisson", "quantile", "softmax", "lambdarank_map", quarter):
        check(resolve({**given, "recipe": recipe, "objective": objective}))


def test_the_message_says_what_was_given_and_what_to_do() -> None:
    with pytest.raises(InvalidParameterError) as caught:
        CeibaRegressor(quantile_alpha=0.9).fit(X, Y)
    assert str(caught.value) == (
        "quantile_alpha (here quantile) is read by objective quantile and metric quantile. Got "
        "quantile_alpha=0.9 with objective squared_error, which does not read it. Give "
        "objective='quantile', or leave quantile_alpha out."
    )
    with pytest.raises(InvalidParameterError, match=r"objective huber or pseudo_huber and metric"):
        train({"huber_delta": 2.0}, Dataset(X, Y))
    with pytest.raises(InvalidParameterError, match="with objective custom:quarter"):
        CeibaRegressor(objective=quarter, quantile=0.9).fit(X, Y)


def test_every_way_to_train_refuses() -> None:
    given = {**FEW, "quantile": 0.9}
    model = train(FEW, Dataset(X, Y))
    for act in (
        lambda: train(given, Dataset(X, Y)),
        lambda: train(given, Dataset(X, Y), init_model=model),
        lambda: cv(given, Dataset(X, Y)),
        lambda: CeibaRegressor(**given).fit(X, Y),
        lambda: CeibaRegressor(**given).fit(X, Y, init_model=model),
        lambda: CeibaClassifier(objective=quarter, hessian_factor=2.0).fit(X, X[:, 0] > 0.0),
        lambda: CeibaRanker(objective="pairwise", lambdarank_truncation_level=3).fit(
            X, np.ones(60), group=[60]
        ),
    ):
        with pytest.raises(InvalidParameterError, match="which does not read it"):
            act()


def test_metrics_of_cv_count() -> None:
    table = cv({**FEW, "quantile": 0.9}, Dataset(X, Y), metrics="quantile", folds=2)
    assert "test-quantile-mean" in table


def test_folds_of_a_calibration_have_no_metric_and_pass() -> None:
    params = {"objective": "quantile", "eval_metric": "huber", "huber_delta": 2.0}
    model = CeibaRegressor(**params, **FEW, calibration_folds=2).fit(X, Y).model_
    refit(model, Dataset(X, Y))


def test_classifiers_may_have_any_number_of_classes() -> None:
    for n_classes in (2, 3):
        labels = np.arange(60) % n_classes
        CeibaClassifier(**FEW, hessian_factor=2.0).fit(X, labels)


def test_scikit_learn_clones_and_searches() -> None:
    regressor = CeibaRegressor(**FEW, quantile=0.9)
    with pytest.raises(InvalidParameterError, match="quantile"):
        clone(regressor).fit(X, Y)
    regressor.set_params(objective="quantile").fit(X, Y)
    clone(regressor).fit(X, Y)
    regressor.set_params(objective=None, quantile=None).fit(X, Y)
    grid = [{"objective": ["quantile"], "quantile": [0.4, 0.6]}, {"objective": ["squared_error"]}]
    search = GridSearchCV(CeibaRegressor(**FEW), grid, cv=2, error_score="raise").fit(X, Y)
    assert len(search.cv_results_["params"]) == 3
