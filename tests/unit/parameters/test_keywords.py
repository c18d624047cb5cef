"""Keywords of other libraries in fit, train, cv, Dataset, predict and callbacks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from small_table import BINARY, FRAME, X, Y, classifier, regressor

from ceiba import CeibaRanker, Dataset, EarlyStopping, LogRounds, cv, train
from ceiba.errors import InvalidParameterError, UnknownParameterError
from ceiba.parameters.keywords import CALLS

ROWS = Dataset(X, Y)
WEIGHTS = np.linspace(0.5, 2.0, 400)
PARAMS = {"n_estimators": 5, "n_jobs": 1}
QUERIES = np.arange(400) // 20
RELEVANCE = np.digitize(Y, [-0.5, 0.0, 0.5])


def same_model(one: Any, other: Any) -> bool:
    return bool(one.model_.fingerprint() == other.model_.fingerprint())


# ---- fit -----------------------------------------------------------------------------------------


def test_parameters_of_fit_are_for_this_fit() -> None:
    fitted = classifier().fit(
        X, BINARY, eval_set=[(X, BINARY)], eval_metric=["auc", "error"], verbose=False
    )
    assert list(fitted.evals_result_["validation_0"]) == ["auc", "error"]
    assert fitted.get_params()["eval_metric"] is None
    again = fitted.fit(X, BINARY, eval_set=[(X, BINARY)])
    assert list(again.evals_result_["validation_0"]) == ["logloss"]
    stopped = regressor(n_estimators=300).fit(
        X[:200], Y[:200], eval_set=[(X[200:], Y[200:])], early_stopping_rounds=3
    )
    assert stopped.n_iter_ < 300
    with pytest.raises(InvalidParameterError, match="eval_metric is set twice"):
        classifier(eval_metric="auc").fit(X, BINARY, eval_metric="error")


def test_the_last_word_on_lines_counts(capsys: pytest.CaptureFixture[str]) -> None:
    regressor(verbose=1).fit(X, Y, verbose=False)
    assert capsys.readouterr().out == ""
    regressor().fit(X, Y, eval_set=[(X, Y)], verbose=5)
    assert len(capsys.readouterr().out.splitlines()) == 2
    regressor(verbose=0).fit(X, Y, eval_set=[(X, Y)], verbose_eval=True)
    assert len(capsys.readouterr().out.splitlines()) == 10


def test_eval_sets_of_fit() -> None:
    half = X[:200], Y[:200]
    expected = regressor().fit(X, Y, eval_set={"one": (*half, WEIGHTS[:200]), "two": (X, Y)})
    for given in (
        {"eval_names": ["one", "two"], "sample_weight_eval_set": [WEIGHTS[:200], None]},
        {"eval_sample_weight": [WEIGHTS[:200], None], "eval_names": ["one", "two"]},
    ):
        fitted = regressor().fit(X, Y, eval_set=[half, (X, Y)], **given)
        assert fitted.evals_result_ == expected.evals_result_
    one = regressor().fit(X, Y, eval_set=[(*half, WEIGHTS[:200])]).evals_result_
    pair = {"X_val": half[0], "y_val": half[1], "sample_weight_val": WEIGHTS[:200]}
    assert regressor().fit(X, Y, **pair).evals_result_ == one
    two = regressor().fit(X, Y, eval_X=(half[0], X), eval_y=(half[1], Y), eval_names=["a", "b"])
    assert list(two.evals_result_) == ["a", "b"]
    start = 0.1 * X[:, 0]
    shifted = regressor().fit(X, Y, init_score=start, eval_set=[(X, Y, None, start)])
    margin = {"base_margin": start, "base_margin_eval_set": [start]}
    assert regressor().fit(X, Y, eval_set=[(X, Y)], **margin).evals_result_ == (
        shifted.evals_result_
    )
    assert same_model(
        regressor().fit(X, Y, baseline=start), regressor().fit(X, Y, init_score=start)
    )


def test_the_best_model_is_kept() -> None:
    held = {"eval_set": [(X[200:], Y[200:])]}
    fitted = regressor(n_estimators=200, learning_rate=0.5).fit(
        X[:200], Y[:200], use_best_model=True, **held
    )
    values = fitted.evals_result_["validation_0"]["rmse"]
    assert len(values) == 200
    assert fitted.best_iteration_ == int(np.argmin(values))
    for wrong in ({"use_best_model": True}, {"early_stopping_rounds": 3, "use_best_model": False}):
        with pytest.raises(InvalidParameterError, match="use_best_model"):
            regressor().fit(X[:200], Y[:200], **wrong)


def test_a_dataset_may_be_fitted() -> None:
    fitted = regressor().fit(Dataset(X, Y, weight=WEIGHTS), eval_set=Dataset(X, Y))
    assert same_model(fitted, regressor().fit(X, Y, WEIGHTS))
    assert fitted.predict(Dataset(X)).tolist() == fitted.predict(X).tolist()
    ranked = CeibaRanker(**PARAMS).fit(Dataset(X, RELEVANCE, qid=QUERIES))
    assert same_model(ranked, CeibaRanker(**PARAMS).fit(X, RELEVANCE, group_id=QUERIES))


WRONG_IN_FIT: list[tuple[dict[str, Any], str]] = [
    ({"evalset": [(X, Y)]}, r"fit has no argument 'evalset'. Did you mean 'eval_set'\?"),
    ({"qid": QUERIES}, "queries are for CeibaRanker"),
    ({"group_id": QUERIES}, "queries are for CeibaRanker"),
    ({"text_features": [0]}, "contain numbers, booleans, dates or categories"),
    ({"plot": True}, "plots during training are not available"),
    ({"monitor": print}, "callbacks"),
    ({"eval_names": ["a"]}, "one name for each eval set"),
    ({"X_val": X}, "needs a table and a target"),
    ({"y_val": Y}, "needs a table and a target"),
    ({"X_val": X, "y_val": Y, "eval_set": [(X, Y)]}, "needs a table and a target"),
    ({"base_margin": Y, "init_score": X[:, 0]}, "names of one argument"),
    ({"feature_name": ["a", "b", "c", "d"]}, "DataFrame"),
]


@pytest.mark.parametrize(("given", "message"), WRONG_IN_FIT, ids=lambda value: "-".join(value)[:40])
def test_what_fit_refuses(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        regressor().fit(X, Y, **given)


# ---- train and cv --------------------------------------------------------------------------------


def test_keywords_of_train() -> None:
    valid = Dataset(X[:100], Y[:100])
    expected = train({**PARAMS, "eval_metric": "mae"}, ROWS, eval_sets={"a": ROWS, "b": valid})
    results: dict[str, Any] = {}
    for given in (
        {"evals": [(ROWS, "a"), (valid, "b")], "evals_result": results},
        {"valid_sets": [ROWS, valid], "valid_names": ["a", "b"]},
        {"eval_set": {"a": ROWS, "b": valid}, "verbose_eval": False},
    ):
        model = train({"metric": "mae"}, ROWS, 5, n_jobs=1, **given)
        assert model.fingerprint() == expected.fingerprint()
        assert dict(model.history["b"]) == dict(expected.history["b"])
    assert list(results["b"]) == ["mae"]
    by_place = train({"metric": "mae", "n_jobs": 1}, ROWS, 5, [(ROWS, "a"), (valid, "b")])
    assert dict(by_place.history["b"]) == dict(expected.history["b"])
    assert train(PARAMS, dtrain=ROWS).fingerprint() == expected.fingerprint()
    assert train(dataset=ROWS, num_boost_round=5).fingerprint() == expected.fingerprint()
    more = train(PARAMS, ROWS, xgb_model=expected)
    assert more.n_iterations == 10


def test_functions_of_predictions() -> None:
    def half(predictions: np.ndarray, rows: Any) -> tuple[str, float, bool]:
        return "half", float(np.mean(np.abs(predictions - rows.get_label()) < 0.5)), True

    def slopes(scores: np.ndarray, rows: Any) -> tuple[np.ndarray, np.ndarray]:
        return scores - rows.get_label(), np.ones(len(scores))

    for given in ({"feval": half}, {"custom_metric": half}, {"feval": [half], "metric": "mae"}):
        model = train({**PARAMS}, ROWS, eval_sets=[ROWS], **given)
        names = ["mae" if "metric" in given else "rmse", "half"]
        assert list(model.history["validation_0"]) == names
    own = train({**PARAMS, "base_score": 0.0}, ROWS)
    model = train({**PARAMS, "base_score": 0.0}, ROWS, obj=slopes)
    np.testing.assert_array_equal(model.predict(X), own.predict(X))
    assert list(train(PARAMS, ROWS, eval_sets=[ROWS], custom_metric=["mae"]).history) == [
        "validation_0"
    ]
    table = cv(PARAMS, ROWS, nfold=3, feval=half, maximize=True)
    assert "test-half-mean" in table


def test_keywords_of_cv() -> None:
    expected = cv({**PARAMS, "random_state": 3}, ROWS, folds=4)
    for given in ({"nfold": 4, "seed": 3}, {"fold_count": 4, "partition_random_seed": 3}):
        np.testing.assert_array_equal(cv(PARAMS, ROWS, as_pandas=True, **given), expected)
    assert len(cv(PARAMS, ROWS, nfold=3, return_cvbooster=True)[1]) == 3


WRONG_IN_TRAINING: list[tuple[Any, dict[str, Any], str]] = [
    (train, {"learning_rat": 0.1}, r"train has no argument 'learning_rat'. Did you mean"),
    (train, {"valid_names": ["a"]}, "it needs valid_sets"),
    (train, {"valid_sets": [ROWS], "valid_names": ["a", "b"]}, "valid_names must name each"),
    (train, {"evals": [ROWS]}, "list of pairs"),
    (train, {"dtrain": ROWS}, "names of one argument"),
    (train, {"feval": "auc"}, "a function"),
    (train, {"maximize": True}, "each metric declares its direction"),
    (train, {"num_boost_round": 7}, "n_estimators=5 and num_boost_round=7"),
    (train, {"plot": True}, "plots during training are not available"),
    (cv, {"n_folds": 3}, "cv has no argument 'n_folds'. Did you mean 'folds'"),
    (cv, {"nfold": 3, "folds": 4}, "names of one argument"),
    (cv, {"as_pandas": False}, "dict"),
    (cv, {"init_model": "a.ceiba"}, "train from scratch"),
    (cv, {"fpreproc": print}, "Preprocess the rows before"),
]


@pytest.mark.parametrize(
    ("call", "given", "message"), WRONG_IN_TRAINING, ids=[row[2] for row in WRONG_IN_TRAINING]
)
def test_what_trainings_refuse(call: Any, given: dict[str, Any], message: str) -> None:
    dataset = Dataset(X, Y)
    with pytest.raises(InvalidParameterError, match=message):
        call(PARAMS, dataset, **given)


# ---- Dataset and predict -------------------------------------------------------------------------


def test_keywords_of_a_dataset() -> None:
    dataset = Dataset(
        X, label=Y, base_margin=WEIGHTS, group_id=QUERIES, feature_name=list("pqrs"), silent=True,
        reference=ROWS, feature_types=["q", "q", "int", "float"], free_raw_data=False, nthread=2,
    )  # fmt: skip
    assert dataset.schema.names == ("p", "q", "r", "s")
    assert dataset.target is not None
    assert dataset.init_score is not None
    assert dataset.queries is not None
    assert Dataset(X, Y, feature_name="auto", categorical_feature="auto").schema.names[0] == "f0"
    for given, message in (
        ({"lable": Y}, r"Dataset has no argument 'lable'. Did you mean 'label'\?"),
        ({"label": Y, "target": X[:, 0]}, "names of one argument"),
        ({"feature_types": ["magic"] * 4}, "'c' for categories"),
        ({"params": {"max_bin": 3}}, "Pass them to train"),
        ({"cat_features": [99]}, "by a position between"),
        ({"label_lower_bound": Y}, "survival"),
    ):
        with pytest.raises(InvalidParameterError, match=message):
            Dataset(X, **given)
    assert repr(Dataset(X, params={})) == repr(Dataset(X))


def test_keywords_of_predict() -> None:
    model = train(PARAMS, ROWS)
    raw = model.predict_raw(X)
    assert model.predict(X, raw_score=True).tolist() == raw.tolist()
    assert model.predict(X, output_margin=True).tolist() == raw.tolist()
    np.testing.assert_array_equal(model.predict(X, pred_leaf=True), model.apply(X))
    shares = model.predict(X, pred_contrib=True)
    np.testing.assert_allclose(shares.sum(axis=1), raw)
    assert model.predict(X, pred_contribs=True).tolist() == shares.tolist()
    assert model.predict(X, pred_contrib=False).tolist() == model.predict(X).tolist()
    three = model.predict(X, iteration_range=(0, 3))
    for given in ({"num_iteration": 3}, {"ntree_limit": 3}, {"ntree_end": 3}):
        assert model.predict(X, **given).tolist() == three.tolist()
    part = model.predict(X, iteration_range=(1, 4))
    assert model.predict(X, start_iteration=1, num_iteration=3).tolist() == part.tolist()
    assert model.predict(X, ntree_start=1, ntree_end=4).tolist() == part.tolist()
    everything = model.predict(X).tolist()
    for given in (
        {"num_iteration": 0}, {"num_iteration": -1}, {"num_iteration": 100}, {"thread_count": 1},
        {"num_iteration": model.best_iteration}, {"validate_features": True, "training": False},
    ):  # fmt: skip
        assert model.predict(X, **given).tolist() == everything
    with pytest.raises(UnknownParameterError, match=r"predict has no argument 'raw'"):
        model.predict(X, raw=True)
    for given, message in (
        ({"approx_contribs": True}, "SHAP"),
        ({"base_margin": Y}, "initial scores"),
        ({"num_iteration": 3, "iteration_range": (0, 2)}, "both select the rounds"),
        ({"num_iteration": "all"}, "must be an integer"),
        ({"start_iteration": -2}, "must be an integer"),
        ({"prediction_type": "Exponent"}, "'RawFormulaVal'"),
        ({"prediction_type": "Class"}, "need a model that predicts classes"),
    ):
        with pytest.raises(InvalidParameterError, match=message):
            model.predict(X, **given)


def test_keywords_of_predictions_of_classes() -> None:
    fitted = classifier().fit(FRAME, BINARY)
    raw = fitted.decision_function(FRAME)
    assert fitted.predict(FRAME, raw_score=True).tolist() == raw.tolist()
    assert fitted.predict_proba(FRAME, raw_score=True).tolist() == raw.tolist()
    shares = fitted.predict_proba(FRAME)
    assert fitted.predict(FRAME, prediction_type="Probability").tolist() == shares.tolist()
    np.testing.assert_array_equal(
        fitted.predict(FRAME, prediction_type="LogProbability"), np.log(shares)
    )
    classes = fitted.predict(FRAME)
    assert fitted.predict(FRAME, prediction_type="Class").tolist() == classes.tolist()
    assert fitted.model_.predict(FRAME, prediction_type="Class").tolist() == classes.tolist()
    assert fitted.model_.predict(FRAME, prediction_type="Probability").shape == (400, 2)
    few = fitted.predict_proba(FRAME, iteration_range=(0, 2))
    assert fitted.predict_proba(FRAME, num_iteration=2).tolist() == few.tolist()
    assert fitted.apply(FRAME, num_iteration=2).shape == (400, 2)


# ---- callbacks -----------------------------------------------------------------------------------


def test_keywords_of_callbacks() -> None:
    early = EarlyStopping(stopping_rounds=3, min_delta=[0.1, 0.1], metric_name="mae")
    assert (early.rounds, early.tolerance, early.metric) == (3, 0.1, ["mae"])
    early = EarlyStopping(rounds=2, data_name="Train", save_best=False, first_metric_only=False)
    assert (early.eval_set, early.keep_best) == (["Train"], False)
    assert LogRounds(period=7, show_stdv=False).every == 7
    for wrong, message in (
        ({"rounds": 3, "stopping_rounds": 4}, "names of one argument"),
        ({"stopping_rounds": 3, "min_delta": [0.1, 0.2]}, "one number"),
        ({"rounds": 3, "maximize": True}, "declares its direction"),
        ({}, "rounds must be"),
    ):
        with pytest.raises(InvalidParameterError, match=message):
            EarlyStopping(**wrong)


def test_a_call_knows_each_name_once() -> None:
    for call in CALLS:
        assert not set(call.own) & set(call.rows) - {"qid", "group", "init_model"}
