"""Settings and calls of other libraries that are wrong here: each has its text, to the letter."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from pickle import PicklingError
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from bad_input import (
    FRAME,
    LABELS,
    ONES,
    BadCall,
    X,
    Y,
    classifier,
    each_of,
    model,
    regressor,
)

from ceiba import CeibaError, Dataset, EarlyStopping, cv, load_model, train

ROWS = Dataset(X, Y)
PARAMS = {"n_estimators": 5, "n_jobs": 1}


def run(**how: Any) -> Any:
    return train(PARAMS, ROWS, **how)


def slopes(y_true: np.ndarray, raw_score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return raw_score - y_true, np.ones(len(y_true))


ERRORS: list[BadCall] = [
    (
        "a GPU",
        lambda: regressor(device="cuda").fit(X, Y),
        ValueError,
        "device='cuda' is not supported: ceiba runs on the CPU. Remove it.",
    ),
    (
        "a GPU, of CatBoost",
        lambda: classifier(task_type="GPU").fit(X, LABELS),
        ValueError,
        "task_type='GPU' is not supported: ceiba runs on the CPU. Remove it.",
    ),
    (
        "bins on a GPU",
        lambda: model(tree_method="gpu_hist"),
        ValueError,
        "tree_method='gpu_hist' is not supported: ceiba runs on the CPU. Remove it.",
    ),
    (
        "a random forest",
        lambda: model(boosting="rf"),
        ValueError,
        "boosting='forest' with num_parallel_tree=1 averages trees, and without sampling all of "
        "them are identical. Set subsample or colsample_bynode below 1, or extra_trees=True.",
    ),
    (
        "linear boosters",
        lambda: model(booster="gblinear"),
        ValueError,
        "booster='gblinear' is not supported: linear boosters are not available. Remove it, or "
        "set boosting to 'plain', 'dart' or 'forest'.",
    ),
    (
        "columns of categories",
        lambda: classifier(cat_features=["agee"]).fit(FRAME, LABELS),
        ValueError,
        "categorical_features must name columns of the table. Got 'agee'. Did you mean 'age'?",
    ),
    (
        "columns of categories, misspelt",
        lambda: regressor(categorical_featurs=[0]),
        TypeError,
        "Unknown parameter 'categorical_featurs'. Did you mean 'categorical_features'?",
    ),
    (
        "a forest",
        lambda: model(num_parallel_tree=100),
        ValueError,
        "boosting='plain' with num_parallel_tree=100 averages trees, and without sampling all of "
        "them are identical. Set subsample or colsample_bynode below 1, or extra_trees=True.",
    ),
    (
        "text",
        lambda: classifier(text_features=["name"]),
        TypeError,
        "text_features=['name'] is not supported: columns must contain numbers, booleans, dates "
        "or categories. Convert free text and embeddings to numbers, and remove it.",
    ),
    (
        "alpha",
        lambda: regressor(alpha=0.5).fit(X, Y),
        ValueError,
        "alpha=0.5 is not supported: its meaning depends on the library. Set reg_alpha for the "
        "L1 penalty, or quantile for the level of a quantile. recipe='xgboost' accepts it as "
        "the L1 penalty; recipe='lightgbm' and 'gbm' accept it with objective='quantile' or "
        "'huber'.",
    ),
    (
        "noise",
        lambda: regressor(langevin=True),
        TypeError,
        "langevin=True is not supported: noise on gradients is not available. Remove it, or set "
        "random_strength for noise on split scores.",
    ),
    (
        "noise without bins",
        lambda: model(random_strength=1, tree_method="exact"),
        ValueError,
        "random_strength=1.0 does not support tree_method='exact'. Set random_strength=0 or set "
        "tree_method='hist'.",
    ),
    (
        "no bagging and a share",
        lambda: model(bagging_freq=0, bagging_fraction=0.5),
        ValueError,
        "bagging_freq=0 disables row sampling. Got it with bagging_fraction=0.5, which samples "
        "rows. Set bagging_freq=1 to draw a sample in each round, or remove bagging_fraction.",
    ),
    (
        "two rates",
        lambda: model(eta=0.1, learning_rate=0.2),
        ValueError,
        "eta=0.1 and learning_rate=0.2 are two names of one parameter, learning_rate, with "
        "different values. Set one of them.",
    ),
    (
        "a parameter twice",
        lambda: train({"eta": 0.1}, ROWS, eta=0.2),
        ValueError,
        "eta is set twice, to 0.1 and to 0.2. Set it once.",
    ),
    (
        "weights of classes of numbers",
        lambda: regressor(is_unbalance=True).fit(X, Y),
        ValueError,
        "CeibaRegressor has no parameter class_weight (given as 'is_unbalance'). Leave it out.",
    ),
    (
        "weights of classes in train",
        lambda: model(is_unbalance=True),
        ValueError,
        "is_unbalance belongs to the estimators. Got it in train or cv. Give weights to the "
        "Dataset, and a model to continue as init_model.",
    ),
    (
        "a wait that is not the automatic one",
        lambda: regressor(early_stopping="auto", n_iter_no_change=3).fit(X, Y),
        ValueError,
        "early_stopping='auto' is not supported: it must be True, False, a number of rounds or "
        "'auto', which waits 10 rounds. Set early_stopping_rounds.",
    ),
    (
        "the best of nothing",
        lambda: regressor(use_best_model=True).fit(X, Y),
        ValueError,
        "use_best_model=True is not supported: it must be True if early_stopping_rounds is set, "
        "and False otherwise. To keep all rounds, use callbacks=[EarlyStopping(rounds, "
        "keep_best=False)].",
    ),
    (
        "a detector of CatBoost",
        lambda: model(od_type="IncToDec"),
        ValueError,
        "od_type='IncToDec' is not supported: early stopping waits for a number of rounds. Set "
        "od_type='Iter', or early_stopping_rounds.",
    ),
    (
        "an option of a loss",
        lambda: model(loss_function="Quantile:delta=2"),
        ValueError,
        "loss_function='Quantile:delta=2' is not supported: the objective does not have this "
        "option. Set quantile, huber_delta or tweedie_variance_power.",
    ),
    (
        "a name like no other",
        lambda: regressor(qwertzuiop=1),
        TypeError,
        "Unknown parameter 'qwertzuiop'. The closest names are n_estimators, one_drop, drop_rate, "
        "leaf_iterations, interaction_constraints.",
    ),
    (
        "a metric like no other",
        lambda: classifier(metric="qwertzuiop").fit(X, LABELS, eval_set=[(X, LABELS)]),
        ValueError,
        "metric must be the name of a metric of ceiba or of a scorer of scikit-learn, or a "
        "function (y_true, y_pred) that returns a number. Got 'qwertzuiop'. The closest names "
        "are cross_entropy, error, tweedie_deviance, mse, precision.",
    ),
    (
        "a loss like no other",
        lambda: model(loss_function="qwertzuiop"),
        ValueError,
        "loss_function must be the name of a loss, or a function (y_true, raw_score) that "
        "returns (gradients, hessians). Got 'qwertzuiop'. The closest names are cross_entropy,"
        " squared_error, tweedie, absolute_error, squared_log_error.",
    ),
    (
        "a metric of another library",
        lambda: classifier(eval_metric="neg_log_los").fit(X, LABELS, eval_set=[(X, LABELS)]),
        ValueError,
        "eval_metric must be the name of a metric of ceiba or of a scorer of scikit-learn, "
        "or a function (y_true, y_pred) that returns a number. Got 'neg_log_los'. Did you "
        "mean 'neg_log_loss'?",
    ),
    (
        "probabilities of numbers",
        lambda: regressor(eval_metric="neg_log_loss").fit(X, Y, eval_set=[(X, Y)]),
        ValueError,
        "Metric neg_log_loss of scikit-learn needs class probabilities. Objective "
        "squared_error has none. Use CeibaClassifier, or another metric.",
    ),
    (
        "no metric to stop by",
        lambda: regressor(eval_metric=[], early_stopping_rounds=3).fit(X, Y),
        ValueError,
        "Early stopping needs a metric, and there is none. Give eval_metric (a custom "
        "objective has no metric of its own), or early_stopping_rounds=0.",
    ),
    (
        "a callback without a metric",
        lambda: train(
            {**PARAMS, "objective": slopes}, ROWS, eval_sets=[ROWS], callbacks=[EarlyStopping(2)]
        ),
        ValueError,
        "Early stopping needs a metric. Got none. Set eval_metric: a custom objective has no "
        "default metric.",
    ),
    (
        "another number of classes",
        lambda: classifier(num_class=3).fit(X, LABELS),
        ValueError,
        "num_class=3 differs from the 2 classes of y. Leave it out.",
    ),
    (
        "one class",
        lambda: classifier().fit(X, np.zeros(60)),
        ValueError,
        "y must hold at least 2 classes among the rows of positive weight. Got only 0.0. "
        "A classifier cannot learn from one class.",
    ),
    (
        "an argument of fit, misspelt",
        lambda: regressor().fit(X, Y, evalset=[(X, Y)]),
        TypeError,
        "fit has no argument 'evalset'. Did you mean 'eval_set'?",
    ),
    (
        "names of no eval sets",
        lambda: regressor().fit(X, Y, eval_names=["valid"]),
        ValueError,
        "eval_names=['valid'] is not supported: it must contain one name for each eval set in "
        "eval_set.",
    ),
    (
        "half an eval set",
        lambda: regressor().fit(X, Y, X_val=X),
        ValueError,
        "X_val is not supported: each eval set needs a table and a target. Pass eval_set=[(X, y)].",
    ),
    (
        "weights of other eval sets",
        lambda: regressor().fit(X, Y, eval_set=[(X, Y)], sample_weight_eval_set=[ONES, ONES]),
        ValueError,
        "sample_weight_eval_set is not supported: it must contain one entry for each eval set. "
        "Pass eval_set=[(X, y, weights)].",
    ),
    (
        "queries of numbers",
        lambda: regressor().fit(X, Y, group=[30, 30]),
        TypeError,
        "group=[30, 30] is not supported: queries are for CeibaRanker. Remove it, or train a "
        "ranker.",
    ),
    (
        "a plot",
        lambda: regressor().fit(X, Y, plot=True),
        ValueError,
        "plot=True is not supported: plots during training are not available. Remove it, and "
        "plot evals_result_ afterwards.",
    ),
    (
        "an argument of train, misspelt",
        lambda: run(early_stoping_rounds=3),
        TypeError,
        "train has no argument 'early_stoping_rounds'. Did you mean 'early_stopping_rounds'?",
    ),
    (
        "pairs the wrong way round",
        lambda: run(evals=[ROWS]),
        ValueError,
        "evals=[<Dataset: 60 rows, 3 features with target>] is not supported: it must be a list "
        "of pairs (Dataset, name). Pass eval_sets.",
    ),
    (
        "names without sets",
        lambda: run(valid_names=["a"]),
        ValueError,
        "valid_names=['a'] is not supported: it needs valid_sets. Pass eval_sets={name: Dataset}.",
    ),
    (
        "two datasets",
        lambda: train(PARAMS, ROWS, dtrain=Dataset(X, Y)),
        ValueError,
        "train got dtrain and dataset: two names of one argument with different values. Pass "
        "one of them.",
    ),
    (
        "an argument of cv, misspelt",
        lambda: cv(PARAMS, ROWS, n_fold=3),
        TypeError,
        "cv has no argument 'n_fold'. Did you mean 'fold_count'?",
    ),
    (
        "two numbers of folds",
        lambda: cv(PARAMS, ROWS, folds=3, nfold=5),
        ValueError,
        "cv got nfold=5 and folds=3: two names of one argument with different values. Pass one "
        "of them.",
    ),
    (
        "an argument of a Dataset, misspelt",
        lambda: Dataset(X, lable=Y),
        TypeError,
        "Dataset has no argument 'lable'. Did you mean 'label'?",
    ),
    (
        "two targets",
        lambda: Dataset(X, Y, label=ONES),
        ValueError,
        "Dataset got label and target: two names of one argument with different values. Pass "
        "one of them.",
    ),
    (
        "a column that is not there",
        lambda: Dataset(FRAME, "hight"),
        ValueError,
        "target='hight' is not a column of the table. Did you mean 'height'?",
    ),
    (
        "the name of a column of an array",
        lambda: regressor().fit(X, "age"),
        TypeError,
        "y='age' is a column name, which requires a DataFrame. Got ndarray. Pass a DataFrame, or "
        "the target values.",
    ),
    (
        "a Dataset and its target",
        lambda: regressor().fit(Dataset(X, Y), Y),
        ValueError,
        "A Dataset already has the data of its rows. Got y as well. Pass them to the Dataset.",
    ),
    (
        "an argument of predict, misspelt",
        lambda: model().predict(FRAME, raw_scor=True),
        TypeError,
        "predict has no argument 'raw_scor'. Did you mean 'raw_score'?",
    ),
    (
        "shares of columns",
        lambda: model().predict(FRAME, approx_contribs=True),
        TypeError,
        "approx_contribs=True is not supported: SHAP values are always exact. Remove it.",
    ),
    (
        "rounds twice",
        lambda: model().predict(FRAME, num_iteration=2, iteration_range=(0, 3)),
        ValueError,
        "`iteration_range` and another argument both select the rounds. Got iteration_range=(0, 3) "
        "and num_iteration. Give only iteration_range=(begin, end).",
    ),
    (
        "classes of numbers",
        lambda: model().predict(FRAME, prediction_type="Class"),
        ValueError,
        "Probabilities and classes need a model that predicts classes. Got a model with objective "
        "'squared_error'. Use `predict`, or prediction_type='RawFormulaVal'.",
    ),
    (
        "a metric without a target",
        lambda: model().evaluate(FRAME),
        ValueError,
        "Metrics need a target. Got rows without one. Give `y`.",
    ),
    (
        "labels that the model does not know",
        lambda: classifier().fit(X, LABELS).evaluate(X, np.full(60, "perhaps")),
        ValueError,
        "y holds labels that do not occur in training: 'perhaps'. The classes are 'no', 'yes'.",
    ),
    (
        "a lambda in a pickle",
        lambda: pickle.dumps(regressor(learning_rate=lambda number: 0.1)),
        PicklingError,
        "learning_rate holds <lambda>, which pickle cannot store because it is not at the top "
        "level of a module. Define it there, or save the fitted model with save_model.",
    ),
    (
        "a model into text",
        lambda: model().save(io.StringIO()),
        OSError,
        "A model must be saved to a binary file. Got the StringIO in text mode. Open it with "
        "open(path, 'wb').",
    ),
    (
        "a model from text",
        lambda: load_model(io.StringIO("model")),
        OSError,
        "A model must be loaded from a binary file. Got the StringIO in text mode. Open it with "
        "open(path, 'rb').",
    ),
    (
        "an integer beyond 2^53 in a column",
        lambda: regressor().fit(pd.DataFrame({"key": np.arange(60) + 2**60, "age": Y}), Y),
        ValueError,
        "Column 'key': integers must lie between -2^53 and 2^53, where float64 is exact. Got "
        "1152921504606847035. Subtract an offset from the column, convert it to float64 "
        "and accept the rounding, or name it in categorical_features if it is an identifier.",
    ),
    (
        "a lazy table",
        lambda: regressor().fit(pl.LazyFrame({"a": Y}), Y),
        TypeError,
        "The table must be in memory. Got a lazy LazyFrame of polars. Call .collect() on it first.",
    ),
    (
        "no threads",
        lambda: regressor(n_jobs=0).fit(X, Y),
        ValueError,
        "n_jobs must be a number of threads, 1 or more, or -1 for all of them, -2 for all but"
        " one and so on. Got 0.",
    ),
    (
        "no rounds of LightGBM to wait",
        lambda: EarlyStopping(stopping_rounds=0),
        ValueError,
        "stopping_rounds must be an integer, 1 or more. Got 0.",
    ),
    (
        "a callback that says which way is up",
        lambda: EarlyStopping(rounds=3, maximize=True),
        TypeError,
        "maximize=True is not supported: each metric declares its direction. Remove it.",
    ),
]


@each_of(ERRORS)
def test_error(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, CeibaError), "every error of ours is a CeibaError"
    assert str(caught.value) == message
