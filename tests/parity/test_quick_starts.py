"""Settings and calls of the official quick-starts run here as they do in the library they are from.

Each function is handed a library and calls it as its documentation does, on made-up rows. It runs
with the library itself, so that the calls are known to be right, and with ceiba under the
library's names of classes and functions.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import catboost
import lightgbm
import numpy as np
import pytest
import sklearn.ensemble
import xgboost
from sklearn.datasets import make_classification, make_regression
from sklearn.metrics import accuracy_score, mean_squared_error
from sklearn.model_selection import GridSearchCV, train_test_split

import ceiba

pytestmark = [
    pytest.mark.parity,
    pytest.mark.filterwarnings("ignore"),  # of the peers
]

XGBOOST = SimpleNamespace(
    DMatrix=ceiba.Dataset,
    QuantileDMatrix=ceiba.Dataset,
    train=ceiba.train,
    cv=ceiba.cv,
    XGBClassifier=ceiba.CeibaClassifier,
    XGBRegressor=ceiba.CeibaRegressor,
    XGBRanker=ceiba.CeibaRanker,
    callback=SimpleNamespace(EarlyStopping=ceiba.EarlyStopping, EvaluationMonitor=ceiba.LogRounds),
)
LIGHTGBM = SimpleNamespace(
    Dataset=ceiba.Dataset,
    train=ceiba.train,
    cv=ceiba.cv,
    LGBMClassifier=ceiba.CeibaClassifier,
    LGBMRegressor=ceiba.CeibaRegressor,
    LGBMRanker=ceiba.CeibaRanker,
    early_stopping=ceiba.EarlyStopping,
    log_evaluation=ceiba.LogRounds,
)
CATBOOST = SimpleNamespace(
    Pool=ceiba.Dataset,
    cv=ceiba.cv,
    train=ceiba.train,
    CatBoostClassifier=ceiba.CeibaClassifier,
    CatBoostRegressor=ceiba.CeibaRegressor,
    CatBoostRanker=ceiba.CeibaRanker,
)
SCIKIT_LEARN = SimpleNamespace(
    HistGradientBoostingClassifier=ceiba.CeibaClassifier,
    HistGradientBoostingRegressor=ceiba.CeibaRegressor,
    GradientBoostingClassifier=ceiba.CeibaClassifier,
    GradientBoostingRegressor=ceiba.CeibaRegressor,
)
PEERS = {
    "xgb": (xgboost, XGBOOST),
    "lgb": (lightgbm, LIGHTGBM),
    "cat": (catboost, CATBOOST),
    "sk": (sklearn.ensemble, SCIKIT_LEARN),
}

X_CLASSES, Y_CLASSES = make_classification(400, 8, random_state=0)
X_THREE, Y_THREE = make_classification(400, 8, n_informative=4, n_classes=3, random_state=0)
X_NUMBERS, Y_NUMBERS = make_regression(400, 8, noise=5.0, random_state=0)
CLASSES = train_test_split(X_CLASSES, Y_CLASSES, random_state=0)
NUMBERS = train_test_split(X_NUMBERS, Y_NUMBERS, random_state=0)
QUERIES = np.repeat(np.arange(20), 20)
RELEVANCE = np.random.default_rng(0).integers(0, 4, 400)


# ---- XGBoost -------------------------------------------------------------------------------------


def xgb_classifier(xgb: Any) -> None:
    X_train, X_test, y_train, y_test = CLASSES
    bst = xgb.XGBClassifier(
        n_estimators=2, max_depth=2, learning_rate=1, objective="binary:logistic"
    )
    bst.fit(X_train, y_train)
    preds = bst.predict(X_test)
    assert accuracy_score(y_test, preds) > 0.7


def xgb_native(xgb: Any) -> None:
    X_train, X_test, y_train, y_test = CLASSES
    w = np.random.default_rng(0).random((len(y_train), 1))
    dtrain = xgb.DMatrix(X_train, label=y_train, missing=np.nan, weight=w.ravel())
    dtest = xgb.DMatrix(X_test, label=y_test)
    param = {"max_depth": 2, "eta": 1, "objective": "binary:logistic"}
    param["nthread"] = 1
    param["eval_metric"] = "auc"
    param["eval_metric"] = ["auc", "error"]
    evallist = [(dtrain, "train"), (dtest, "eval")]
    num_round = 10
    bst = xgb.train(param, dtrain, num_round, evals=evallist, verbose_eval=False)
    bst.save_model("0001.ubj")
    ypred = bst.predict(dtest)
    assert ypred.shape == y_test.shape


def xgb_early_stopping(xgb: Any) -> None:
    X_train, X_test, y_train, y_test = NUMBERS
    dtrain, dtest = xgb.DMatrix(X_train, y_train), xgb.DMatrix(X_test, y_test)
    param = {"max_depth": 3, "eta": 0.3, "verbosity": 0, "tree_method": "hist", "device": "cpu"}
    evals = [(dtrain, "train"), (dtest, "eval")]
    results: dict[str, Any] = {}
    bst = xgb.train(
        param,
        dtrain,
        num_boost_round=200,
        evals=evals,
        early_stopping_rounds=10,
        evals_result=results,
        verbose_eval=50,
    )
    assert bst.best_score
    ypred = bst.predict(dtest, iteration_range=(0, bst.best_iteration + 1))
    assert mean_squared_error(y_test, ypred) < np.var(y_test)
    assert list(results) == ["train", "eval"]


def xgb_sklearn_early_stopping(xgb: Any) -> None:
    X_train, X_test, y_train, y_test = CLASSES
    clf = xgb.XGBClassifier(tree_method="hist", early_stopping_rounds=2, enable_categorical=True)
    clf.fit(X_train, y_train, eval_set=[(X_test, y_test)], verbose=False)
    clf.save_model("clf.ubj")
    assert clf.score(X_test, y_test) > 0.7
    assert clf.evals_result_ if hasattr(clf, "evals_result_") else clf.evals_result()


def xgb_callbacks(xgb: Any) -> None:
    X_train, X_test, y_train, y_test = CLASSES

    def eval_error_metric(predt: Any, dtrain: Any) -> tuple[str, float]:
        label = dtrain.get_label()
        r = np.zeros(predt.shape)
        gt = predt > 0.5
        r[gt] = 1 - label[gt]
        le = predt <= 0.5
        r[le] = label[le]
        return "CustomErr", float(np.sum(r))

    D_train, D_valid = xgb.DMatrix(X_train, y_train), xgb.DMatrix(X_test, y_test)
    early_stop = xgb.callback.EarlyStopping(rounds=5, metric_name="CustomErr", data_name="Train")
    booster = xgb.train(
        {"objective": "binary:logistic", "eval_metric": ["error", "rmse"], "tree_method": "hist"},
        D_train,
        evals=[(D_train, "Train"), (D_valid, "Valid")],
        custom_metric=eval_error_metric,
        num_boost_round=100,
        callbacks=[early_stop],
        verbose_eval=False,
    )
    assert booster.predict(D_valid).shape == y_test.shape


def xgb_custom_objective(xgb: Any) -> None:
    X_train, _, y_train, _ = NUMBERS
    y = np.exp(y_train / 300)

    def squared_log(predt: Any, dtrain: Any) -> tuple[Any, Any]:
        predt = np.maximum(predt, -1 + 1e-6)
        label = dtrain.get_label()
        grad = (np.log1p(predt) - np.log1p(label)) / (predt + 1)
        hess = (-np.log1p(predt) + np.log1p(label) + 1) / np.power(predt + 1, 2)
        return grad, np.maximum(hess, 1e-6)

    def rmsle(predt: Any, dtrain: Any) -> tuple[str, float]:
        predt = np.maximum(predt, -1 + 1e-6)
        elements = np.power(np.log1p(dtrain.get_label()) - np.log1p(predt), 2)
        return "PyRMSLE", float(np.sqrt(np.sum(elements) / len(predt)))

    dtrain = xgb.DMatrix(X_train, y)
    results: dict[str, Any] = {}
    xgb.train(
        {"tree_method": "hist", "seed": 1994, "disable_default_eval_metric": 1},
        dtrain=dtrain,
        num_boost_round=10,
        obj=squared_log,
        custom_metric=rmsle,
        evals=[(dtrain, "dtrain")],
        evals_result=results,
        verbose_eval=False,
    )
    values = results["dtrain"]["PyRMSLE"]
    assert values[-1] < values[0]


def xgb_cross_validation(xgb: Any) -> None:
    dtrain = xgb.DMatrix(X_CLASSES, Y_CLASSES)
    param = {"max_depth": 2, "eta": 1, "objective": "binary:logistic"}
    table = xgb.cv(
        param,
        dtrain,
        2,
        nfold=5,
        metrics={"error"},
        seed=0,
        callbacks=[xgb.callback.EvaluationMonitor(show_stdv=True)],
    )
    assert len(table["test-error-mean"]) == 2
    weighed = xgb.cv(param, dtrain, num_boost_round=5, nfold=3, metrics=["auc"], stratified=True)
    assert weighed["test-auc-mean"].iloc[-1] > 0.7


def xgb_ranker(xgb: Any) -> None:
    ranker = xgb.XGBRanker(
        tree_method="hist",
        lambdarank_num_pair_per_sample=8,
        objective="rank:ndcg",
        lambdarank_pair_method="topk",
        n_estimators=5,
    )
    ranker.fit(X_NUMBERS, RELEVANCE, qid=QUERIES)
    assert ranker.predict(X_NUMBERS).shape == (400,)


def xgb_quantiles(xgb: Any) -> None:
    X_train, X_test, y_train, y_test = NUMBERS
    alpha = np.array([0.05, 0.5, 0.95])
    evals_result: dict[str, dict[str, Any]] = {}
    Xy = xgb.QuantileDMatrix(X_train, y_train)
    Xy_test = xgb.QuantileDMatrix(X_test, y_test, ref=Xy)
    booster = xgb.train(
        {
            "objective": "reg:quantileerror",
            "tree_method": "hist",
            "quantile_alpha": alpha,
            "learning_rate": 0.04,
            "max_depth": 5,
        },
        Xy,
        num_boost_round=32,
        early_stopping_rounds=2,
        evals=[(Xy, "Train"), (Xy_test, "Test")],
        evals_result=evals_result,
        verbose_eval=False,
    )
    assert booster.predict(Xy_test).shape == (len(y_test), 3)


# ---- LightGBM ------------------------------------------------------------------------------------


def lgb_simple(lgb: Any) -> None:
    X_train, X_test, y_train, y_test = NUMBERS
    lgb_train = lgb.Dataset(X_train, y_train)
    lgb_eval = lgb.Dataset(X_test, y_test, reference=lgb_train)
    params = {
        "boosting_type": "gbdt",
        "objective": "regression",
        "metric": {"l2", "l1"},
        "num_leaves": 31,
        "learning_rate": 0.05,
        "feature_fraction": 0.9,
        "bagging_fraction": 0.8,
        "bagging_freq": 5,
        "verbose": 0,
    }
    gbm = lgb.train(
        params,
        lgb_train,
        num_boost_round=20,
        valid_sets=lgb_eval,
        callbacks=[lgb.early_stopping(stopping_rounds=5)],
    )
    gbm.save_model("model.txt")
    y_pred = gbm.predict(X_test, num_iteration=gbm.best_iteration)
    np.testing.assert_array_equal(y_pred, gbm.predict(X_test))
    assert mean_squared_error(y_test, y_pred) ** 0.5 < np.std(y_test)


def lgb_sklearn(lgb: Any) -> None:
    X_train, X_test, y_train, y_test = NUMBERS
    gbm = lgb.LGBMRegressor(num_leaves=31, learning_rate=0.05, n_estimators=20)
    gbm.fit(
        X_train,
        y_train,
        eval_set=[(X_test, y_test)],
        eval_metric="l1",
        callbacks=[lgb.early_stopping(5)],
    )
    y_pred = gbm.predict(X_test, num_iteration=gbm.best_iteration_)
    np.testing.assert_array_equal(y_pred, gbm.predict(X_test))
    assert len(gbm.feature_importances_) == 8

    def rmsle(y_true: Any, y_pred: Any) -> tuple[str, float, bool]:
        error = np.log1p(np.abs(y_pred)) - np.log1p(np.abs(y_true))
        return "RMSLE", float(np.sqrt(np.mean(np.power(error, 2)))), False

    def rae(y_true: Any, y_pred: Any) -> tuple[str, float, bool]:
        error = np.sum(np.abs(y_pred - y_true)) / np.sum(np.abs(np.mean(y_true) - y_true))
        return "RAE", float(error), False

    gbm.fit(
        X_train,
        y_train,
        eval_set=[(X_test, y_test)],
        eval_metric=[rmsle, rae],
        callbacks=[lgb.early_stopping(5)],
    )
    grid = {"learning_rate": [0.01, 0.1], "n_estimators": [5, 10]}
    search = GridSearchCV(lgb.LGBMRegressor(num_leaves=31), grid, cv=3).fit(X_train, y_train)
    assert search.best_params_


def lgb_introduction(lgb: Any) -> None:
    X_train, X_test, y_train, y_test = CLASSES
    w = np.random.default_rng(0).random(len(y_train))
    train_data = lgb.Dataset(X_train, label=y_train, weight=w, free_raw_data=False)
    validation_data = lgb.Dataset(X_test, label=y_test, reference=train_data)
    param: dict[str, Any] = {"num_leaves": 31, "objective": "binary", "verbosity": -1}
    param["metric"] = ["auc", "binary_logloss"]
    num_round = 10
    bst = lgb.train(param, train_data, num_round, valid_sets=[validation_data])
    bst.save_model("model.txt")
    table = lgb.cv(param, train_data, num_round, nfold=5)
    assert len(table) > 0
    ypred = bst.predict(X_test, num_iteration=bst.best_iteration)
    assert ((ypred >= 0) & (ypred <= 1)).all()


def lgb_advanced(lgb: Any) -> None:
    X_train, X_test, y_train, y_test = CLASSES
    names = [f"feature_{i}" for i in range(8)]
    lgb_train = lgb.Dataset(X_train, y_train, feature_name=names, free_raw_data=False)
    lgb_eval = lgb.Dataset(
        X_test, y_test, reference=lgb_train, feature_name=names, free_raw_data=False
    )
    params = {
        "boosting_type": "gbdt",
        "objective": "binary",
        "metric": "binary_logloss",
        "num_leaves": 31,
        "learning_rate": 0.05,
        "feature_fraction": 0.9,
        "bagging_fraction": 0.8,
        "bagging_freq": 5,
        "verbose": 0,
    }
    gbm = lgb.train(params, lgb_train, num_boost_round=10, valid_sets=lgb_train)
    gbm.save_model("model.txt")
    gbm = lgb.train(
        params, lgb_train, num_boost_round=10, init_model="model.txt", valid_sets=lgb_eval
    )

    def binary_error(preds: Any, train_data: Any) -> tuple[str, float, bool]:
        labels = train_data.get_label()
        return "error", float(np.mean(labels != (preds > 0.5))), False

    gbm = lgb.train(
        params,
        lgb_train,
        num_boost_round=10,
        feval=binary_error,
        valid_sets=[lgb_train, lgb_eval],
        valid_names=["train", "eval"],
        callbacks=[lgb.log_evaluation(period=5)],
    )
    assert gbm.predict(X_test, raw_score=True).shape == y_test.shape
    assert gbm.predict(X_test, pred_leaf=True).shape == (len(y_test), 10)


def lgb_ranker(lgb: Any) -> None:
    ranker = lgb.LGBMRanker(
        objective="lambdarank", metric="ndcg", n_estimators=5, num_leaves=7, verbosity=-1
    )
    groups = np.full(20, 20)
    ranker.fit(
        X_NUMBERS,
        RELEVANCE,
        group=groups,
        eval_set=[(X_NUMBERS, RELEVANCE)],
        eval_group=[groups],
        eval_at=[5, 10],
    )
    assert [*next(iter(ranker.evals_result_.values()))] == ["ndcg@5", "ndcg@10"]


def lgb_every_default(lgb: Any) -> None:
    X_train, X_test, y_train, y_test = CLASSES
    clf = lgb.LGBMClassifier(
        boosting_type="gbdt",
        num_leaves=31,
        max_depth=-1,
        learning_rate=0.1,
        n_estimators=10,
        subsample_for_bin=200000,
        objective="binary",
        class_weight=None,
        min_split_gain=0.0,
        min_child_weight=1e-3,
        min_child_samples=20,
        subsample=1.0,
        subsample_freq=0,
        colsample_bytree=1.0,
        reg_alpha=0.0,
        reg_lambda=0.0,
        random_state=None,
        n_jobs=-1,
        importance_type="split",
        verbose=-1,
        force_col_wise=True,
        deterministic=True,
        is_unbalance=True,
    )
    clf.fit(X_train, y_train, eval_set=[(X_test, y_test)], eval_names=["valid"])
    assert list(clf.best_score_) == ["valid"]
    assert clf.predict_proba(X_test, num_iteration=5).shape == (len(y_test), 2)


# ---- CatBoost ------------------------------------------------------------------------------------


def cat_classifier(cat: Any) -> None:
    train_data = np.random.default_rng(0).integers(0, 100, size=(100, 10))
    train_labels = np.random.default_rng(1).integers(0, 2, size=100)
    test_data = cat.Pool(train_data, train_labels)
    model = cat.CatBoostClassifier(
        iterations=2,
        depth=2,
        learning_rate=1,
        loss_function="Logloss",
        verbose=True,
        allow_writing_files=False,
    )
    model.fit(train_data, train_labels)
    preds_class = model.predict(test_data)
    preds_proba = model.predict_proba(test_data)
    assert preds_class.shape == (100,)
    assert preds_proba.shape == (100, 2)


def cat_regressor(cat: Any) -> None:
    train_data = [[1, 4, 5, 6], [4, 5, 6, 7], [30, 40, 50, 60]]
    eval_data = [[2, 4, 6, 8], [1, 4, 50, 60]]
    train_labels = [10, 20, 30]
    model = cat.CatBoostRegressor(
        iterations=2, learning_rate=1, depth=2, allow_writing_files=False, silent=True
    )
    model.fit(train_data, train_labels)
    assert model.predict(eval_data).shape == (2,)


def cat_pools(cat: Any) -> None:
    X_train, X_test, y_train, y_test = NUMBERS
    train_pool = cat.Pool(X_train, y_train, cat_features=[])
    test_pool = cat.Pool(X_test, label=y_test)
    model = cat.CatBoostRegressor(
        iterations=20,
        depth=2,
        learning_rate=1,
        loss_function="RMSE",
        task_type="CPU",
        thread_count=1,
        train_dir="here",
        allow_writing_files=False,
    )
    model.fit(train_pool, eval_set=test_pool, verbose=False, use_best_model=True)
    preds = model.predict(test_pool)
    assert preds.shape == y_test.shape
    assert model.best_score_


def cat_several_classes(cat: Any) -> None:
    train_dataset = cat.Pool(data=X_THREE, label=Y_THREE)
    eval_dataset = cat.Pool(data=X_THREE[:10], label=Y_THREE[:10])
    model = cat.CatBoostClassifier(
        iterations=10,
        learning_rate=1,
        depth=2,
        loss_function="MultiClass",
        auto_class_weights="Balanced",
        logging_level="Silent",
        allow_writing_files=False,
    )
    model.fit(train_dataset)
    preds_proba = model.predict_proba(eval_dataset)
    preds_raw = model.predict(eval_dataset, prediction_type="RawFormulaVal")
    assert preds_proba.shape == preds_raw.shape == (10, 3)


def cat_tutorial(cat: Any) -> None:
    X_train, X_validation, y_train, y_validation = CLASSES
    params = {
        "iterations": 100,
        "learning_rate": 0.1,
        "eval_metric": "Accuracy",
        "custom_loss": ["AUC"],
        "random_seed": 42,
        "logging_level": "Silent",
        "od_type": "Iter",
        "od_wait": 20,
        "bootstrap_type": "Bernoulli",
        "subsample": 0.8,
        "l2_leaf_reg": 3,
        "allow_writing_files": False,
    }
    model = cat.CatBoostClassifier(**params)
    model.fit(
        X_train, y_train, eval_set=(X_validation, y_validation), logging_level="Silent", plot=False
    )
    predictions = model.predict(X_validation)
    assert accuracy_score(y_validation, predictions) > 0.7
    best = next(iter(model.best_score_[next(reversed(model.best_score_))].values()))
    assert 0.5 < best <= 1.0


def cat_cross_validation(cat: Any) -> None:
    params = {
        "loss_function": "Logloss",
        "iterations": 20,
        "custom_loss": ["AUC"],
        "random_seed": 63,
        "learning_rate": 0.5,
        "allow_writing_files": False,
    }
    data = cat.cv(
        params=params,
        pool=cat.Pool(X_CLASSES, label=Y_CLASSES),
        fold_count=3,
        shuffle=True,
        partition_random_seed=0,
        plot=False,
        stratified=True,
        verbose=False,
    )
    assert len(data) == 20


# ---- scikit-learn --------------------------------------------------------------------------------


def sk_histograms(sk: Any) -> None:
    X_train, X_test, y_train, y_test = CLASSES
    clf = sk.HistGradientBoostingClassifier(max_iter=50).fit(X_train, y_train)
    assert clf.score(X_test, y_test) > 0.7


def sk_histograms_of_a_loss(sk: Any) -> None:
    X_train, X_test, y_train, _ = NUMBERS
    reg = sk.HistGradientBoostingRegressor(
        loss="quantile",
        quantile=0.9,
        learning_rate=0.1,
        max_iter=100,
        max_leaf_nodes=15,
        max_depth=None,
        min_samples_leaf=10,
        l2_regularization=0.1,
        max_bins=255,
        categorical_features="from_dtype",
        monotonic_cst=None,
        early_stopping=True,
        scoring="loss",
        validation_fraction=0.2,
        n_iter_no_change=5,
        tol=1e-7,
        verbose=0,
        random_state=0,
    )
    reg.fit(X_train, y_train)
    assert reg.n_iter_ <= 100
    assert reg.predict(X_test).shape == (len(X_test),)


def sk_histograms_of_scores(sk: Any) -> None:
    X_train, X_test, y_train, y_test = CLASSES
    clf = sk.HistGradientBoostingClassifier(
        early_stopping=True, scoring="f1_macro", max_iter=30, class_weight="balanced"
    )
    clf.fit(X_train, y_train, X_val=X_test, y_val=y_test)
    assert clf.score(X_test, y_test) > 0.7
    rising = sk.HistGradientBoostingRegressor(monotonic_cst=[1, -1, 0, 0, 0, 0, 0, 0])
    rising.fit(X_NUMBERS, Y_NUMBERS)


def sk_trees(sk: Any) -> None:
    X_train, X_test, y_train, y_test = CLASSES
    clf = sk.GradientBoostingClassifier(
        n_estimators=100, learning_rate=1.0, max_depth=1, random_state=0
    ).fit(X_train, y_train)
    assert clf.score(X_test, y_test) > 0.7


def sk_trees_of_numbers(sk: Any) -> None:
    X_train, X_test, y_train, y_test = NUMBERS
    params = {
        "n_estimators": 100,
        "max_depth": 4,
        "min_samples_split": 5,
        "learning_rate": 0.05,
        "loss": "squared_error",
        "subsample": 0.5,
        "max_features": "sqrt",
        "criterion": "friedman_mse",
    }
    reg = sk.GradientBoostingRegressor(**params)
    reg.fit(X_train, y_train)
    assert mean_squared_error(y_test, reg.predict(X_test)) < np.var(y_test)
    test_score = np.zeros((params["n_estimators"],), dtype=np.float64)
    for i, y_pred in enumerate(reg.staged_predict(X_test)):
        test_score[i] = mean_squared_error(y_test, y_pred)
    assert test_score[-1] < test_score[0]
    assert reg.feature_importances_.sum() == pytest.approx(1.0)


QUICK_STARTS: list[Callable[[Any], None]] = [
    value
    for name, value in list(globals().items())
    if name.split("_")[0] in PEERS and callable(value)
]


def test_there_are_enough_of_them() -> None:
    assert len(QUICK_STARTS) >= 25


@pytest.mark.parametrize("quick_start", QUICK_STARTS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("which", [0, 1], ids=["peer", "ceiba"])
def test_quick_start(
    quick_start: Callable[[Any], None], which: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    quick_start(PEERS[quick_start.__name__.split("_")[0]][which])
