"""Raw scores that the estimators start from: the same models as ``train`` makes of a Dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_table import BINARY, THREE, X, Y, classifier, regressor

from ceiba import CeibaRanker, Checkpoint, Dataset, Model, Round, train
from ceiba.boosting.row_splits import HOLD_OUT_ROUND
from ceiba.errors import InvalidInputError
from ceiba.random import unit_numbers

RANDOM = np.random.default_rng(3)
SCORES = RANDOM.normal(size=400)
BY_CLASS = RANDOM.normal(size=(400, 3))
WEIGHTS = RANDOM.integers(0, 3, size=400).astype(float)  # a third of the rows are none
QID = np.arange(400) // 8
GRADES = np.digitize(Y, [-0.5, 0.5, 1.0]).astype(float)
SMALL: dict[str, Any] = {"n_estimators": 10, "n_jobs": 1}


def trained(target: Any, objective: str = "squared_error", **given: Any) -> Model:
    weight, scores = given.pop("weight", None), given.pop("init_score", SCORES)
    rows = Dataset(X, target, weight=weight, init_score=scores, qid=given.pop("qid", None))
    return train({**SMALL, "objective": objective, **given}, rows)


@pytest.mark.parametrize("weight", [None, WEIGHTS])
def test_the_model_is_that_of_a_dataset(weight: np.ndarray | None) -> None:
    numbers = regressor().fit(X, Y, weight, init_score=SCORES)
    assert numbers.model_.fingerprint() == trained(Y, weight=weight).fingerprint()
    two = classifier().fit(X, BINARY, weight, init_score=SCORES[:, None])
    expected = trained(BINARY == "yes", "logistic", weight=weight)
    assert two.model_.fingerprint() == expected.fingerprint()
    three = classifier().fit(X, THREE, weight, init_score=BY_CLASS.tolist())
    codes = np.searchsorted(three.classes_, THREE)
    expected = trained(codes, "softmax", n_classes=3, weight=weight, init_score=BY_CLASS)
    assert three.model_.fingerprint() == expected.fingerprint()
    ranker = CeibaRanker(**SMALL).fit(X, GRADES, weight, qid=QID, init_score=SCORES)
    expected = trained(GRADES, "lambdarank_ndcg", weight=weight, qid=QID, grow_policy="symmetric")
    assert ranker.model_.fingerprint() == expected.fingerprint()


def test_predictions_leave_it_out() -> None:
    """A model that starts from the right scores has nothing to add to them."""
    fitted = regressor().fit(X, Y, init_score=Y)
    np.testing.assert_array_equal(fitted.predict(X), np.zeros(400))
    exposure = RANDOM.uniform(0.5, 4.0, size=400)
    counts = RANDOM.poisson(exposure * np.exp(X[:, 0]))
    rates = regressor(objective="poisson", base_score=1.0, n_estimators=50)
    rates.fit(X, counts, init_score=np.log(exposure))
    assert np.corrcoef(np.log(rates.predict(X)), X[:, 0])[0, 1] > 0.9


def test_eval_sets_bring_their_own() -> None:
    params = {**SMALL, "objective": "softmax", "n_classes": 3}
    three = classifier().fit(
        X[:300],
        THREE[:300],
        init_score=BY_CLASS[:300],
        eval_set={
            "plain": (X[300:], THREE[300:], None, BY_CLASS[300:]),
            "weighed": (X, THREE, WEIGHTS, BY_CLASS),
        },
    )
    codes = np.searchsorted(three.classes_, THREE)
    rows = Dataset(X, codes, init_score=BY_CLASS)
    evals = {
        "plain": rows.take(np.arange(300, 400)),
        "weighed": Dataset(X, codes, weight=WEIGHTS, init_score=BY_CLASS),
    }
    expected = train(params, rows.take(np.arange(300)), eval_sets=evals)
    assert three.model_.fingerprint() == expected.fingerprint()
    assert three.model_.history == expected.history
    alone = regressor().fit(X, Y, init_score=SCORES, eval_set=(X, Y, None, SCORES))
    rmse = np.sqrt(np.mean((Y - SCORES - alone.predict(X)) ** 2))
    assert alone.evals_result_["validation_0"]["rmse"][-1] == pytest.approx(rmse)


def test_eval_sets_of_a_ranker_bring_their_own() -> None:
    weights = np.linspace(0.0, 1.0, 50)  # one for each query
    ranker = CeibaRanker(**SMALL).fit(
        X,
        GRADES,
        qid=QID,
        init_score=SCORES,
        eval_set=[(X, GRADES, weights, SCORES), (X, GRADES, None, SCORES)],
        eval_qid=[QID, QID],
    )
    rows = Dataset(X, GRADES, qid=QID, init_score=SCORES)
    weighed = Dataset(X, GRADES, qid=QID, weight=weights, init_score=SCORES)
    params = {**SMALL, "objective": "lambdarank_ndcg", "grow_policy": "symmetric"}
    expected = train(params, rows, eval_sets=[weighed, rows])
    assert ranker.model_.history == expected.history


def test_rows_that_are_held_out_keep_theirs() -> None:
    given: dict[str, Any] = {"early_stopping_rounds": 3, "learning_rate": 0.5, "n_estimators": 200}
    fitted = regressor(**given, validation_fraction=0.25).fit(X, Y, WEIGHTS, init_score=SCORES)
    used = np.flatnonzero(WEIGHTS)
    numbers = unit_numbers(0, HOLD_OUT_ROUND, len(used))
    held = np.sort(used[np.argsort(numbers, kind="stable")[: round(0.25 * len(used))]])
    rest = np.setdiff1d(used, held)
    learned, scored = (
        Dataset(X[rows], Y[rows], weight=WEIGHTS[rows], init_score=SCORES[rows])
        for rows in (rest, held)
    )
    expected = train({**SMALL, **given}, learned, eval_sets={"validation": scored})
    assert fitted.model_.fingerprint() == expected.fingerprint()
    assert fitted.evals_result_ == {
        "validation": {"rmse": list(expected.history["validation"]["rmse"])}
    }
    assert fitted.n_iter_ < 200


def test_class_weights_and_classes_without_rows_keep_them_in_place() -> None:
    labels = np.where(WEIGHTS == 0, "none", BINARY)  # a class of rows of weight 0
    fitted = classifier(class_weight={"yes": 2.0}).fit(X, labels, WEIGHTS, init_score=SCORES)
    assert fitted.classes_.tolist() == ["no", "yes"]
    weights = WEIGHTS * np.where(BINARY == "yes", 2.0, 1.0)
    expected = trained(BINARY == "yes", "logistic", weight=weights)
    assert fitted.model_.fingerprint() == expected.fingerprint()


def test_quantiles_are_calibrated_from_them() -> None:
    levels = [0.1, 0.9]
    scores = np.stack([SCORES - 1, SCORES + 1], axis=1)
    given = {"objective": "quantile", "quantile": levels, "calibration_folds": 3}
    fitted = regressor(**given).fit(X, Y + SCORES, init_score=scores)
    expected = trained(Y + SCORES, **given, init_score=scores)
    assert fitted.model_.fingerprint() == expected.fingerprint()
    one = regressor(**{**given, "quantile": 0.9}).fit(X, Y, init_score=SCORES)
    expected = trained(Y, **{**given, "quantile": 0.9})
    assert one.model_.fingerprint() == expected.fingerprint()


def test_going_on_and_resuming(tmp_path: Path) -> None:
    whole = classifier().fit(X, THREE, init_score=BY_CLASS)
    some = classifier(n_estimators=4).fit(X, THREE, init_score=BY_CLASS)
    more = classifier(n_estimators=6).fit(X, THREE, init_score=BY_CLASS, init_model=some)
    assert more.model_.fingerprint() == whole.model_.fingerprint()
    warm = classifier(n_estimators=4, warm_start=True).fit(X, THREE, init_score=BY_CLASS)
    warm.set_params(n_estimators=10).fit(X, THREE, init_score=BY_CLASS)
    assert warm.model_.fingerprint() == whole.model_.fingerprint()

    def crash(round: Round) -> None:
        if round.iteration == 5:
            raise RuntimeError("the lights went out")

    path = tmp_path / "training.ceiba"
    with pytest.raises(RuntimeError):
        classifier().fit(X, THREE, init_score=BY_CLASS, callbacks=[Checkpoint(path, 2), crash])
    resumed = classifier().fit(X, THREE, init_score=BY_CLASS, resume_from=path)
    assert resumed.model_.fingerprint() == whole.model_.fingerprint()
    for other in (None, BY_CLASS + 1e-9):
        with pytest.raises(InvalidInputError, match="initial scores and queries in the same order"):
            classifier().fit(X, THREE, init_score=other, resume_from=path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (SCORES[:399], "init_score must have one value for each row. Got 399 values for 400 rows"),
        (np.where(SCORES > 2, np.nan, SCORES), "init_score must be finite. Got NaN"),
        (BY_CLASS[:10], r"one row per row of the table. Got shape \(10, 3\)"),
        (BY_CLASS, r"for each row and output, \(400, 1\). Got \(400, 3\)"),
        (np.zeros((400, 1, 1)), "one-dimensional"),
        (0.5, "one-dimensional"),
        (["a"] * 400, "init_score must be numbers. Got the type <U1"),
        ([[0.0]] * 399 + [[0.0, 1.0]], "init_score is not a rectangular array"),
        (np.ma.masked_greater(SCORES[:, None], 2.0), "init_score must be finite"),
    ],
)
def test_what_does_not_fit_is_an_error(given: Any, message: str) -> None:
    for fit in (
        lambda: regressor().fit(X, Y, init_score=given),
        lambda: regressor(early_stopping_rounds=2, validation_fraction=0.5).fit(
            X, Y, init_score=SCORES, eval_set=[(X, Y, None, given)]
        ),
        lambda: CeibaRanker(**SMALL).fit(X, GRADES, qid=QID, init_score=given),
        lambda: train(SMALL, Dataset(X, Y, init_score=given)),
    ):
        with pytest.raises(InvalidInputError, match=message):
            fit()


def test_all_eval_sets_have_scores_or_none() -> None:
    with pytest.raises(InvalidInputError, match="'validation_0': init_score must be given for"):
        regressor().fit(X, Y, init_score=SCORES, eval_set=[(X, Y)])
    with pytest.raises(InvalidInputError, match="'validation_0': init_score must be given for"):
        regressor().fit(X, Y, eval_set=[(X, Y, None, SCORES)])
