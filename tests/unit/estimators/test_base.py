"""What the estimators share: eval sets, early stopping, weights, going on from a model."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from small_table import BINARY, FRAME, THREE, X, Y, classifier, regressor

from ceiba import (
    CeibaClassifier,
    CeibaRegressor,
    Checkpoint,
    Dataset,
    Round,
    TrainingInterrupted,
)
from ceiba.boosting.row_splits import hold_out
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError

# ---- eval sets and early stopping ----------------------------------------------------------------


def test_eval_sets() -> None:
    fitted = classifier(eval_metric=["error", "logloss"]).fit(
        X[:300], BINARY[:300], eval_set=[(X[:300], BINARY[:300]), (X[300:], BINARY[300:])]
    )
    assert list(fitted.evals_result_) == ["validation_0", "validation_1"]
    assert list(fitted.evals_result_["validation_1"]) == ["error", "logloss"]
    assert len(fitted.evals_result_["validation_1"]["error"]) == 10
    error = np.mean(fitted.predict(X[300:]) != BINARY[300:])
    assert fitted.evals_result_["validation_1"]["error"][-1] == pytest.approx(error)


def test_forms_of_eval_set() -> None:
    weights = np.ones(100)
    pair = (X[300:], Y[300:])
    for given, name in [
        ([pair], "validation_0"),
        (pair, "validation_0"),
        ([[*pair]], "validation_0"),
        ([(*pair, weights)], "validation_0"),
        ((*pair, weights), "validation_0"),
        ([(*pair, weights, None)], "validation_0"),
        ((*pair, None, None), "validation_0"),
        ({"held": pair}, "held"),
    ]:
        fitted = regressor().fit(X[:300], Y[:300], eval_set=given)
        assert list(fitted.evals_result_) == [name]
    for wrong in (X, 3, [X], "validation", [(*pair, None, None, None)]):
        with pytest.raises(InvalidTypeError, match="pair"):
            regressor().fit(X, Y, eval_set=wrong)


def test_an_eval_set_must_fit() -> None:
    for wrong, message in [
        ((X[:, :3], BINARY), "Eval set 'validation_0': X has 3 features"),
        ((X[:10], BINARY), "same number of rows"),
        ((X, np.full(400, "perhaps")), "'perhaps'. The classes are 'no', 'yes'"),
        ((X, BINARY, -np.ones(400)), "at least 0"),
        ((X, None), "requires y"),
        ((X[:0], BINARY[:0]), "0 sample"),
    ]:
        with pytest.raises(InvalidInputError, match=message):
            classifier().fit(X, BINARY, eval_set=[wrong])


def test_an_eval_set_need_not_have_every_class() -> None:
    some = THREE != "top"
    fitted = classifier().fit(X, THREE, eval_set=[(X[some], THREE[some])])
    assert len(fitted.evals_result_["validation_0"]["multi_logloss"]) == 10


def test_early_stopping_with_an_eval_set() -> None:
    fitted = regressor(n_estimators=500, learning_rate=0.5, early_stopping_rounds=5)
    fitted.fit(X[:200], Y[:200], eval_set=[(X[200:], Y[200:])])
    values = fitted.evals_result_["validation_0"]["rmse"]
    assert fitted.best_iteration_ == int(np.argmin(values))
    assert fitted.n_iter_ == fitted.best_iteration_ + 1 < 500
    rmse = np.sqrt(np.mean((fitted.predict(X[200:]) - Y[200:]) ** 2))
    assert rmse == pytest.approx(min(values))


@pytest.mark.parametrize("table", [X, FRAME, pl.DataFrame(FRAME), sparse.csr_array(X)])
def test_early_stopping_with_rows_held_out(table: Any) -> None:
    fitted = classifier(n_estimators=300, eta=0.5, n_iter_no_change=5, validation_fraction=0.25)
    fitted.fit(table, THREE)
    assert list(fitted.evals_result_) == ["validation"]
    assert fitted.n_iter_ < 300
    again = classifier(n_estimators=300, eta=0.5, n_iter_no_change=5, validation_fraction=0.25)
    assert again.fit(table, THREE).model_.fingerprint() == fitted.model_.fingerprint()


def test_recipe_histgb_stops_early_with_many_rows() -> None:
    many = np.random.default_rng(1).normal(size=(10_001, 2))
    fitted = CeibaRegressor(recipe="histgb", n_jobs=1, n_estimators=30).fit(many, many[:, 0])
    assert list(fitted.evals_result_) == ["validation"]
    off = CeibaRegressor(recipe="histgb", n_jobs=1, n_estimators=3, early_stopping_rounds=0)
    assert off.fit(many, many[:, 0]).evals_result_ == {}


def test_callbacks() -> None:
    fitted = regressor().fit(X, Y, callbacks=[lambda round: round.iteration == 2])
    assert fitted.n_iter_ == 3


def test_eval_sets_of_one_name_are_not_dropped() -> None:
    with pytest.raises(InvalidInputError, match="different names"):
        regressor().fit(X, Y, eval_set={1: (X, Y), "1": (X, Y)})


def test_an_empty_eval_set_stops_nothing() -> None:
    for empty in ([], {}, ()):
        with pytest.raises(InvalidInputError, match="empty eval_set"):
            regressor(early_stopping_rounds=3).fit(X, Y, eval_set=empty)
        assert regressor().fit(X, Y, eval_set=empty).evals_result_ == {}
    with pytest.raises(InvalidInputError, match=r"^Eval set 'validation_1': .* 0 sample"):
        regressor().fit(X, Y, eval_set=[(X, Y), (X[:0], Y[:0])])


def test_an_eval_set_of_a_wrong_type_is_named() -> None:
    with pytest.raises(InvalidTypeError, match="Eval set 'held': A table must be"):
        regressor().fit(X, Y, eval_set={"held": ({"a": 1}, Y)})


# ---- one rule for weights ------------------------------------------------------------------------


def held_out_loss(fitted: CeibaClassifier, weights: np.ndarray) -> float:
    """Return the log loss of the rows that were held out, with the last trees."""
    held = hold_out(Dataset(X, (BINARY == "yes").astype(float), weight=weights), 0.1, 0, 2)[1]
    p = fitted.model_.predict(held.table)
    losses = -np.log(np.where(held.target == 1, p, 1 - p))
    return float(np.average(losses, weights=held.weight))


@pytest.mark.parametrize(
    "given",
    [{"class_weight": {"yes": 7.0}}, {"scale_pos_weight": 7.0}, {"class_weight": "balanced"}],
)
@pytest.mark.parametrize("weights", [np.ones(400), np.arange(400) % 3 + 1.0])
def test_rows_that_are_only_scored_keep_their_weights(given: Any, weights: np.ndarray) -> None:
    fitted = classifier(early_stopping_rounds=50, **given).fit(X, BINARY, sample_weight=weights)
    (values,) = fitted.evals_result_["validation"].values()
    assert min(values) == pytest.approx(held_out_loss(fitted, weights), rel=1e-9)
    given_set = classifier(**given).fit(X, BINARY, eval_set=[(X, BINARY, weights)])
    (values,) = given_set.evals_result_["validation_0"].values()
    p = given_set.predict_proba(X)[np.arange(400), (BINARY == "yes").astype(int)]
    assert values[-1] == pytest.approx(np.average(-np.log(p), weights=weights), rel=1e-9)


def test_scale_pos_weight_is_a_sample_weight() -> None:
    scaled = classifier(scale_pos_weight=3.0, max_bins=20).fit(X, BINARY)
    weights = np.where(BINARY == "yes", 3.0, 1.0)
    by_row = classifier(max_bins=20).fit(X, BINARY, sample_weight=weights)
    by_class = classifier(max_bins=20, class_weight={"yes": 3.0}).fit(X, BINARY)
    assert scaled.model_.fingerprint() == by_row.model_.fingerprint()
    assert scaled.model_.fingerprint() == by_class.model_.fingerprint()


def test_automatic_patience_counts_all_rows() -> None:
    random = np.random.default_rng(1)
    wide = random.normal(size=(10_500, 1))
    y = wide[:, 0] + random.normal(size=10_500)
    params = {"n_estimators": 300, "learning_rate": 1.0, "max_leaves": 31, "n_jobs": 1}
    fitted = CeibaRegressor(early_stopping_rounds="auto", **params).fit(wide, y)
    # 9,450 rows are left to learn from, and early stopping is still on.
    (values,) = fitted.evals_result_["validation"].values()
    assert len(values) == fitted.best_iteration_ + 11 < 300
    assert fitted.model_.parameters["early_stopping_rounds"] == 10
    small = regressor(early_stopping_rounds="auto").fit(X, Y)
    assert small.evals_result_ == {}
    # Rows of weight 0 are no rows.
    weights = (np.arange(10_500) < 10_000).astype(float)
    fitted = regressor(early_stopping_rounds="auto").fit(wide, y, sample_weight=weights)
    assert fitted.evals_result_ == {}


# ---- going on from a model -----------------------------------------------------------------------


@pytest.mark.parametrize("labels", [Y, BINARY, THREE], ids=["numbers", "two", "three"])
@pytest.mark.parametrize("given", [{}, {"subsample": 0.5, "colsample_bytree": 0.5}])
def test_a_warm_start_adds_rounds(labels: np.ndarray, given: dict[str, Any]) -> None:
    make = regressor if labels is Y else classifier
    fitted = make(n_estimators=4, warm_start=True, **given).fit(X, labels)
    fitted.set_params(n_estimators=9).fit(X, labels)
    at_once = make(n_estimators=9, **given).fit(X, labels)
    assert fitted.model_.fingerprint() == at_once.model_.fingerprint()
    assert fitted.n_iter_ == 9
    assert fitted.model_.parameters["n_estimators"] == 9
    assert fitted.fit(X, labels).model_.fingerprint() == at_once.model_.fingerprint()
    with pytest.raises(InvalidParameterError, match="n_estimators=3 must be larger or equal"):
        fitted.set_params(n_estimators=3).fit(X, labels)
    fitted.set_params(warm_start=False).fit(X, labels)
    assert fitted.n_iter_ == 3


def test_a_warm_start_goes_on_with_its_history_and_the_rows_held_out() -> None:
    given: dict[str, Any] = {"early_stopping_rounds": 50, "validation_fraction": 0.3}
    fitted = regressor(n_estimators=4, warm_start=True, **given).fit(X, Y)
    fitted.set_params(n_estimators=9).fit(X, Y)
    at_once = regressor(n_estimators=9, **given).fit(X, Y)
    assert fitted.model_.fingerprint() == at_once.model_.fingerprint()
    assert fitted.evals_result_ == at_once.evals_result_


def test_a_warm_start_of_another_table_is_refused() -> None:
    fitted = classifier(warm_start=True).fit(X, THREE)
    fitted.set_params(n_estimators=12)
    with pytest.raises(InvalidInputError, match="4 columns"):
        fitted.fit(X[:, :3], THREE)
    with pytest.raises(InvalidInputError, match="'other'"):
        fitted.fit(X, np.where(THREE == "top", "other", THREE))
    # Not every class has to come again.
    some = THREE != "top"
    assert fitted.fit(X[some], THREE[some]).classes_.tolist() == ["low", "mid", "top"]


def test_init_model_of_fit_counts_further_rounds() -> None:
    some = classifier(n_estimators=4).fit(X, THREE)
    at_once = classifier(n_estimators=9).fit(X, THREE)
    for init_model in (some, some.model_):
        more = classifier(n_estimators=5).fit(X, THREE, init_model=init_model)
        assert more.model_.fingerprint() == at_once.model_.fingerprint()
        assert more.n_iter_ == 9
    more = some.fit(X, THREE, init_model=some.model_)
    assert more.n_iter_ == 8
    with pytest.raises(InvalidInputError, match="objective"):
        classifier().fit(X, BINARY, init_model=regressor().fit(X, Y))


def test_going_on_without_names_keeps_those_of_the_model() -> None:
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    named = regressor(n_estimators=2).fit(frame, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        more = regressor(n_estimators=2).fit(X, Y, init_model=named, eval_set=[(frame, Y)])
    assert more.feature_names_in_.tolist() == list(frame)
    swapped = frame[list(frame)[::-1]]
    with pytest.raises(InvalidInputError, match="feature names"):
        regressor(n_estimators=2).fit(X, Y, init_model=named, eval_set=[(swapped, Y)])
    with pytest.raises(InvalidInputError, match="columns"):
        regressor(n_estimators=2).fit(X[:, 1:], Y, init_model=named)


def test_an_estimator_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "training.ceiba"
    given: dict[str, Any] = {"early_stopping_rounds": 3, "learning_rate": 0.5, "n_estimators": 60}
    expected = classifier(**given).fit(X, THREE)

    def crash(round: Round) -> None:
        if round.iteration == 5:
            raise RuntimeError("the lights went out")

    with pytest.raises(RuntimeError):
        classifier(**given).fit(X, THREE, callbacks=[Checkpoint(path, every=2), crash])
    resumed = classifier(**given).fit(X, THREE, resume_from=path)
    assert resumed.model_.fingerprint() == expected.model_.fingerprint()
    assert resumed.evals_result_ == expected.evals_result_
    np.testing.assert_array_equal(resumed.predict(X), expected.predict(X))


def test_going_on_with_a_class_that_only_rows_of_weight_zero_have(tmp_path: Path) -> None:
    weights = np.where(X[:, 3] > 0.5, 0.0, 1.0)
    labels = np.where(weights > 0, BINARY, "unknown")
    path = tmp_path / "training.ceiba"
    eval_set = [(X, labels, weights)]
    whole = classifier().fit(
        X, labels, weights, eval_set=eval_set, callbacks=[Checkpoint(path, every=4)]
    )
    some = classifier(n_estimators=4).fit(X, labels, weights)
    more = classifier(n_estimators=6).fit(X, labels, weights, init_model=some)
    resumed = classifier().fit(X, labels, weights, eval_set=eval_set, resume_from=path)
    for fitted in (more, resumed):
        assert fitted.classes_.tolist() == ["no", "yes"]
        assert fitted.model_.fingerprint() == whole.model_.fingerprint()


def test_an_interrupted_fit_leaves_the_trees_so_far() -> None:
    def interrupt(round: Round) -> None:
        if round.iteration == 4:
            raise KeyboardInterrupt

    fitted = classifier()
    with pytest.raises(KeyboardInterrupt, match="has 5 complete rounds") as caught:
        fitted.fit(X, THREE, callbacks=[interrupt], eval_set=[(X, THREE)])
    assert isinstance(caught.value, TrainingInterrupted)
    assert fitted.n_iter_ == 5
    whole = classifier(n_estimators=5).fit(X, THREE)
    assert fitted.model_.fingerprint() == whole.model_.fingerprint()
    np.testing.assert_array_equal(fitted.predict(X), whole.predict(X))
    assert [len(values) for values in fitted.evals_result_["validation_0"].values()] == [5]


def test_a_fit_interrupted_before_its_first_round_is_no_fit() -> None:
    def interrupt(number: int) -> float:
        raise KeyboardInterrupt

    fitted = regressor(learning_rate=interrupt)
    with pytest.raises(KeyboardInterrupt):
        fitted.fit(X, Y)
    assert not hasattr(fitted, "model_")


# ---- several outputs -----------------------------------------------------------------------------

BOTH = np.column_stack([Y, X[:, 1] * X[:, 2]])
LABELS = (BOTH > 0).astype(int)
HALVES = np.tile([0.0, 0.5, 2.0, 1.0], 100)


@pytest.mark.parametrize(
    ("make", "target", "metric"), [(regressor, BOTH, "rmse"), (classifier, LABELS, "logloss")]
)
def test_metrics_of_several_outputs_are_those_of_the_model(
    make: Any, target: np.ndarray, metric: str
) -> None:
    fitted = make().fit(X, target, eval_set=[(X, target, HALVES)])
    found = fitted.evaluate(X, target, metric, HALVES)
    assert found == fitted.model_.evaluate(X, target, metric, sample_weight=HALVES)
    assert found == fitted.evals_result_["validation_0"][metric][-1]
    assert fitted.evaluate(X, target) == {metric: fitted.model_.evaluate(X, target, metric)}
    for same in (target.tolist(), pd.DataFrame(target), pl.DataFrame(target)):
        assert fitted.evaluate(X, same, metric, HALVES) == found
    rows = Dataset(X, target, weight=HALVES)
    assert fitted.evaluate(rows, metric=metric) == found
    ours = fitted.importances("permutation", X, target, n_repeats=2)
    pd.testing.assert_frame_equal(
        ours, fitted.model_.importances("permutation", X, target, n_repeats=2)
    )


@pytest.mark.parametrize("make", [regressor, classifier])
def test_a_warm_start_of_several_outputs(make: Any) -> None:
    target = BOTH if make is regressor else LABELS
    grown = make(warm_start=True, n_estimators=4).fit(X, target)
    grown.set_params(n_estimators=10).fit(X, target)
    assert grown.model_.fingerprint() == make().fit(X, target).model_.fingerprint()
    further = make(n_estimators=6).fit(X, target, init_model=make(n_estimators=4).fit(X, target))
    assert further.model_.fingerprint() == grown.model_.fingerprint()


def test_other_numbers_of_targets_are_refused() -> None:
    several, one = regressor().fit(X, BOTH), regressor().fit(X, Y)
    levels = regressor(objective="quantile", quantile=[0.1, 0.9]).fit(X, Y)
    of_labels, of_classes = classifier().fit(X, LABELS), classifier().fit(X, BINARY)
    three = np.column_stack([BOTH, Y])
    for fitted, target, message in [
        (several, Y, "2 targets for each row, as in training. Got 1"),
        (several, three, "2 targets for each row, as in training. Got 3"),
        (one, BOTH, "1 target for each row, as in training. Got 2"),
        (levels, BOTH, "1 target for each row, as in training. Got 2"),
        (of_labels, LABELS[:, 0], "a column for each target. Got an array of shape"),
        (of_labels, pd.Series(LABELS[:, 0]), "a column for each target. Got an array of shape"),
        (of_labels, None, "requires y to be passed"),
        (of_labels, LABELS + 1, "labels of 0 and 1"),
        (of_classes, LABELS, "1d array"),
    ]:
        for method in (fitted.evaluate, fitted.refit):
            with pytest.raises(InvalidInputError, match=message):
                method(X, target)
    with pytest.raises(InvalidInputError, match="Eval set 'validation_0': There must be 1 target"):
        regressor().fit(X, Y, eval_set=[(X, BOTH)])
