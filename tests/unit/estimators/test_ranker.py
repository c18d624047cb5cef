"""CeibaRanker."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import ceiba
from ceiba import CeibaClassifier, CeibaRanker, CeibaRegressor, Checkpoint, Dataset, train
from ceiba.boosting.row_splits import hold_out
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.estimators import NotFittedError
from ceiba.parameters import DECLARED

OBJECTIVES = ("pairwise", "lambdarank_ndcg", "lambdarank_map")


def make_rows(n_queries: int = 60, seed: int = 0) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(seed)
    qid = np.repeat(np.arange(n_queries) * 7, random.integers(2, 15, n_queries))
    X = random.normal(size=(len(qid), 4))
    X[:, 3] += random.normal(size=n_queries)[qid // 7]  # says something of the query, nothing more
    worth = np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * random.normal(size=len(qid))
    return X, np.digitize(worth, [0.5, 1.2, 2.0]).astype(float), qid


X, Y, QID = make_rows()
TEST_X, TEST_Y, TEST_QID = make_rows(seed=1)
SIZES = np.unique(QID, return_counts=True)[1]
TEST_SIZES = np.unique(TEST_QID, return_counts=True)[1]
FRAME = pd.DataFrame(X, columns=list("abcd"))


def ranker(**given: Any) -> CeibaRanker:
    return CeibaRanker(**{"n_estimators": 20, "n_jobs": 1, "min_samples_leaf": 5, **given})


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("norm", [True, False])
def test_a_ranker_learns(objective: str, norm: bool) -> None:
    fitted = ranker(objective=objective, lambdarank_norm=norm, n_estimators=50)
    fitted.fit(X, Y, qid=QID)
    chance = ranker(n_estimators=1, min_samples_leaf=10**6).fit(X, Y, qid=QID)
    at_chance = chance.score(TEST_X, TEST_Y, qid=TEST_QID)
    found = fitted.score(TEST_X, TEST_Y, qid=TEST_QID)
    assert found > 0.85 > at_chance + 0.1
    assert fitted.model_.objective.name == objective
    assert fitted.predict(TEST_X).shape == (len(TEST_X),)
    stages = list(fitted.staged_predict(TEST_X))
    assert len(stages) == 50
    np.testing.assert_array_equal(stages[-1], fitted.predict(TEST_X))


def test_ids_and_sizes_mean_the_same() -> None:
    by_id = ranker().fit(X, Y, qid=QID)
    by_size = ranker().fit(X, Y, group=SIZES)
    by_word = ranker().fit(X, Y, qid=[f"query {number:04}" for number in QID])
    plain = train(
        {
            "objective": "lambdarank",
            "grow_policy": "symmetric",
            "n_estimators": 20,
            "min_samples_leaf": 5,
        },
        Dataset(X, Y, qid=QID),
    )
    prints = {each.model_.fingerprint() for each in (by_id, by_size, by_word)}
    assert prints == {plain.fingerprint()}
    expected = by_id.score(TEST_X, TEST_Y, qid=TEST_QID)
    assert by_id.score(TEST_X, TEST_Y, group=TEST_SIZES) == expected


def test_options_reach_the_objective_and_the_metric() -> None:
    evals = {"eval_set": [(TEST_X, TEST_Y / 2)], "eval_qid": [TEST_QID]}
    with pytest.raises(InvalidInputError, match="ndcg_exp_gain=False"):
        ranker().fit(X, Y / 2, qid=QID, **evals)
    fitted = ranker(ndcg_exp_gain=False, lambdarank_num_pair_per_sample=5)
    fitted.fit(X, Y / 2, qid=QID, **evals)
    state = fitted.model_.objective.state()
    assert state["ndcg_exp_gain"] is False
    assert state["lambdarank_truncation_level"] == 5
    found = fitted.score(TEST_X, TEST_Y / 2, qid=TEST_QID)
    assert found == fitted.evals_result_["validation_0"]["ndcg"][-1]
    assert (
        ranker(recipe="xgboost")
        .fit(X, Y, qid=QID)
        .model_.objective.state()["lambdarank_truncation_level"]
        == 32
    )


@pytest.mark.parametrize(
    ("given", "policy", "max_depth"),
    [
        ({}, "symmetric", 6),
        ({"max_depth": 3}, "symmetric", 3),
        ({"grow_policy": "leafwise"}, "leafwise", 0),
        ({"num_leaves": 15}, "leafwise", 0),
        ({"recipe": "lightgbm"}, "leafwise", 0),
        ({"recipe": "xgboost"}, "depthwise", 6),
    ],
)
def test_trees_are_symmetric_unless_others_are_asked_for(
    given: dict[str, Any], policy: str, max_depth: int
) -> None:
    parameters = ranker(**given).fit(X, Y, qid=QID).model_.parameters
    assert (parameters["grow_policy"], parameters["max_depth"]) == (policy, max_depth)


# ---- weights -------------------------------------------------------------------------------------


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_query_of_weight_k_is_k_queries(objective: str) -> None:
    times = np.random.default_rng(2).integers(1, 4, len(SIZES))
    weighted = ranker(objective=objective).fit(X, Y, group=SIZES, sample_weight=times)
    parts = [np.flatnonzero(q * 7 == QID) for q in np.repeat(np.arange(len(SIZES)), times)]
    rows = np.concatenate(parts)
    repeated = ranker(objective=objective).fit(X[rows], Y[rows], group=[len(p) for p in parts])
    assert weighted.model_.fingerprint() == repeated.model_.fingerprint()
    by_row = ranker(objective=objective).fit(X, Y, qid=QID, sample_weight=times[QID // 7])
    assert by_row.model_.fingerprint() == weighted.model_.fingerprint()
    scores = weighted.score(X, Y, qid=QID, sample_weight=times)
    again = repeated.score(X[rows], Y[rows], group=[len(p) for p in parts])
    assert scores == pytest.approx(again, rel=1e-14)


def test_one_number_is_the_weight_of_all() -> None:
    plain = ranker().fit(X, Y, qid=QID)
    assert ranker().fit(X, Y, qid=QID, sample_weight=1.0).model_.fingerprint() == (
        plain.model_.fingerprint()
    )


def test_rows_of_weight_zero_are_no_rows() -> None:
    keep = np.random.default_rng(3).random(len(Y)) < 0.8
    zeros = ranker().fit(X, Y, qid=QID, sample_weight=keep.astype(float))
    without = ranker().fit(X[keep], Y[keep], qid=QID[keep])
    assert zeros.model_.fingerprint() == without.model_.fingerprint()
    expected = without.score(X[keep], Y[keep], qid=QID[keep])
    assert zeros.score(X, Y, qid=QID, sample_weight=keep.astype(float)) == expected


# ---- eval sets and early stopping ----------------------------------------------------------------


def test_eval_sets_have_queries() -> None:
    metrics = ["map", "ndcg@3"]
    fitted = ranker(eval_metric=metrics).fit(
        X, Y, qid=QID, eval_set=[(X, Y), (TEST_X, TEST_Y)], eval_qid=[QID, TEST_QID]
    )
    assert list(fitted.evals_result_) == ["validation_0", "validation_1"]
    assert list(fitted.evals_result_["validation_1"]) == metrics
    by_name = ranker(eval_metric=metrics).fit(
        X, Y, qid=QID, eval_set={"test": (TEST_X, TEST_Y)}, eval_group={"test": TEST_SIZES}
    )
    assert by_name.evals_result_["test"] == fitted.evals_result_["validation_1"]
    alone = ranker(eval_metric=metrics).fit(
        X, Y, qid=QID, eval_set=(TEST_X, TEST_Y), eval_qid=TEST_QID
    )
    assert alone.evals_result_["validation_0"] == fitted.evals_result_["validation_1"]
    numbered = ranker(eval_metric=metrics).fit(
        X, Y, qid=QID, eval_set={7: (TEST_X, TEST_Y)}, eval_qid={7: TEST_QID}
    )
    assert numbered.evals_result_ == {"7": fitted.evals_result_["validation_1"]}
    # One weight for each query, as in fit.
    weights = np.random.default_rng(4).gamma(1.0, size=len(TEST_SIZES))
    weighted = ranker().fit(
        X, Y, qid=QID, eval_set=[(TEST_X, TEST_Y, weights)], eval_qid=[TEST_QID]
    )
    expected = weighted.score(TEST_X, TEST_Y, qid=TEST_QID, sample_weight=weights)
    assert weighted.evals_result_["validation_0"]["ndcg"][-1] == expected


def test_early_stopping_looks_at_ndcg() -> None:
    fitted = ranker(n_estimators=500, early_stopping_rounds=5).fit(
        X, Y, qid=QID, eval_set=[(TEST_X, TEST_Y)], eval_qid=[TEST_QID]
    )
    history = fitted.evals_result_["validation_0"]["ndcg"]
    assert fitted.n_iter_ < len(history) < 500
    assert fitted.best_iteration_ == int(np.argmax(history))
    held = ranker(n_estimators=500, early_stopping_rounds=5).fit(X, Y, qid=QID)
    assert list(held.evals_result_) == ["validation"]
    assert held.n_iter_ < 500


def test_whole_queries_are_held_out() -> None:
    def parted(X: Any, Y: Any, qid: Any, fraction: float) -> tuple[set[int], set[int]]:
        """Return the first columns of the rows that are kept, and of those that are held out."""
        kept, held = hold_out(Dataset(X, Y, qid=qid), fraction, seed=0)
        assert kept.n_rows + held.n_rows == len(Y)
        return tuple({*qid[np.isin(X[:, 0], part.table.columns[0][0])]} for part in (kept, held))

    kept, held = parted(X, Y, QID, 0.25)
    assert len(held) == 15
    assert not kept & held
    order = np.random.default_rng(5).permutation(len(Y))
    assert parted(X[order], Y[order], QID[order], 0.25) == (kept, held)
    with pytest.raises(InvalidInputError, match="at least 2"):
        parted(X, Y, np.zeros(len(Y), dtype=int), 0.25)
    assert len(parted(X[:3], Y[:3], np.array([0, 1, 1]), 0.01)[1]) == 1


# ---- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({}, "needs the query of each row. Give qid"),
        ({"qid": QID, "group": SIZES}, "Pass only one of them"),
        ({"qid": QID[:-1]}, "qid must contain one query id"),
        ({"group": SIZES[:-1]}, "add up to the number of rows"),
        ({"qid": np.where(QID == 7, np.nan, QID)}, "Got nan in row"),
        ({"qid": QID, "sample_weight": np.ones(3)}, "for each of the 60 queries"),
        ({"qid": QID, "eval_qid": [QID]}, "eval_qid needs an eval_set"),
        ({"qid": QID, "eval_group": [SIZES]}, "eval_group needs an eval_set"),
        (
            {"qid": QID, "eval_set": [(X, Y)]},
            "Eval set 'validation_0' has no queries. Give eval_qid",
        ),
        ({"qid": QID, "eval_set": [(X, Y)], "eval_qid": [QID, QID]}, "each of the 1 eval sets"),
        ({"qid": QID, "eval_set": [(X, Y)], "eval_qid": 3}, "Got 3"),
        (
            {"qid": QID, "eval_set": [(X, Y)], "eval_qid": [QID[:-1]]},
            "Eval set 'validation_0': qid must contain",
        ),
        (
            {"qid": QID, "eval_set": {"test": (X, Y)}, "eval_qid": {"tset": QID}},
            r"names of eval_set, \['test'\]\. Got \['tset'\]",
        ),
        (
            {"qid": QID, "eval_set": [(X, -Y)], "eval_qid": [QID]},
            "Eval set 'validation_0': .*relevance",
        ),
    ],
)
def test_what_does_not_fit_is_explained(given: dict[str, Any], match: str) -> None:
    with pytest.raises(InvalidInputError, match=match):
        ranker().fit(X, Y, **given)


def test_eval_sets_that_are_none() -> None:
    with pytest.raises(InvalidTypeError, match="must be a pair"):
        ranker().fit(X, Y, qid=QID, eval_set=[X], eval_qid=[QID])
    with pytest.raises(InvalidInputError, match="empty eval_set"):
        ranker(early_stopping_rounds=2).fit(X, Y, qid=QID, eval_set=[], eval_qid=[])


@pytest.mark.parametrize("label", [-1.0, 32.0, 0.5])
def test_labels_that_are_no_relevance(label: float) -> None:
    with pytest.raises(InvalidInputError, match=f"Got also {label:g}"):
        ranker().fit(X, np.where(Y == 3, label, Y), qid=QID)


def test_nothing_to_order() -> None:
    """Queries of one document, or all labels equal: no tree splits, every score is the same."""
    alone = ranker().fit(X, Y, qid=np.arange(len(Y)))
    equal = ranker().fit(X, np.ones(len(Y)), qid=QID)
    for fitted in (alone, equal):
        assert len(set(fitted.predict(X))) == 1
        assert np.isfinite(fitted.predict(X)).all()


def test_each_task_has_its_estimator(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"cannot train a ranker\. Use CeibaClassifier"):
        ranker(objective="logistic").fit(X, Y, qid=QID)
    with pytest.raises(InvalidParameterError, match=r"cannot train a regressor\. Use CeibaRanker"):
        CeibaRegressor(objective="rank:ndcg").fit(X, Y)
    with pytest.raises(InvalidParameterError, match=r"cannot train a classifier\. Use CeibaRanker"):
        CeibaClassifier(objective="rank:ndcg").fit(X, Y)
    with pytest.raises(InvalidInputError, match="lambdarank_ndcg ranks the documents"):
        train({"objective": "rank:ndcg"}, Dataset(X, Y))
    path = tmp_path / "model"
    CeibaRegressor(n_estimators=2).fit(X, Y).save_model(path)
    with pytest.raises(InvalidInputError, match="Load it with CeibaRegressor or"):
        CeibaRanker().load_model(path)
    ranker().fit(X, Y, qid=QID).save_model(path)
    for kind in (CeibaRegressor, CeibaClassifier):
        with pytest.raises(InvalidInputError, match="Load it with CeibaRanker or"):
            kind().load_model(path)


def test_other_losses_may_be_scored_by_ranking_metrics() -> None:
    dataset = Dataset(X, Y, qid=QID)
    model = train(
        {"eval_metric": ["rmse", "ndcg@5"], "n_estimators": 3}, dataset, eval_sets=[dataset]
    )
    assert list(model.history["validation_0"]) == ["rmse", "ndcg@5"]
    plain = Dataset(X, Y)
    with pytest.raises(InvalidInputError, match="ndcg needs queries"):
        train({"eval_metric": "ndcg"}, plain, eval_sets=[plain])


# ---- scikit-learn's habits -----------------------------------------------------------------------


def test_the_signature_shows_every_parameter() -> None:
    expected = [parameter.name for parameter in DECLARED if "ranker" in parameter.estimators]
    assert list(inspect.signature(CeibaRanker).parameters) == expected
    assert "lambdarank_truncation_level" in expected
    assert "class_weight" not in expected
    for name in expected:
        assert f"    {name} : " in (CeibaRanker.__doc__ or "")


def test_clone_set_params_and_pickle() -> None:
    written = ranker(eta=0.3)
    copy = clone(written)
    assert copy.get_params() == written.get_params()
    assert copy.set_params(lambdarank_norm=False).get_params()["lambdarank_norm"] is False
    with pytest.raises(InvalidParameterError, match="no parameter class_weight"):
        CeibaRanker(class_weight="balanced")
    fitted = written.fit(FRAME, Y, qid=QID)
    assert fitted is written
    assert fitted.n_features_in_ == 4
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert fitted.feature_importances_.sum() == pytest.approx(1.0)
    assert not hasattr(clone(fitted), "model_")
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(FRAME), fitted.predict(FRAME))
    with pytest.raises(NotFittedError):
        ranker().predict(X)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(FRAME[["b", "a", "c", "d"]])


def test_a_saved_ranker_predicts_the_same(tmp_path: Path) -> None:
    fitted = ranker().fit(X, Y, qid=QID)
    fitted.save_model(tmp_path / "model")
    loaded = CeibaRanker().load_model(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict(X), fitted.predict(X))
    model = ceiba.load_model(tmp_path / "model")
    assert model.fingerprint() == fitted.model_.fingerprint()
    assert model.objective == fitted.model_.objective


def test_a_ranker_goes_on(tmp_path: Path) -> None:
    random = np.random.default_rng(8)
    x, qid = random.normal(size=(200, 3)), np.arange(200) // 8
    y = np.digitize(x[:, 0] + random.normal(size=200), [0.0, 1.0])
    given: dict[str, Any] = {"n_jobs": 1, "min_samples_leaf": 5, "subsample": 0.7}
    at_once = CeibaRanker(n_estimators=8, **given).fit(x, y, qid=qid)
    warm = CeibaRanker(n_estimators=3, warm_start=True, **given).fit(x, y, qid=qid)
    warm.set_params(n_estimators=8).fit(x, y, qid=qid)
    some = CeibaRanker(n_estimators=3, **given).fit(x, y, qid=qid)
    more = CeibaRanker(n_estimators=5, **given).fit(x, y, qid=qid, init_model=some)
    path = tmp_path / "training.ceiba"
    stop = [Checkpoint(path, every=2), lambda round: round.iteration == 3 and 1 / 0]
    with pytest.raises(ZeroDivisionError):
        CeibaRanker(n_estimators=8, **given).fit(x, y, qid=qid, callbacks=stop)
    resumed = CeibaRanker(n_estimators=8, **given).fit(x, y, qid=qid, resume_from=path)
    for other in (warm, more, resumed):
        assert other.model_.fingerprint() == at_once.model_.fingerprint()
    with pytest.raises(InvalidInputError, match="rows are not those"):
        CeibaRanker(n_estimators=8, **given).fit(x, y, qid=np.arange(200) // 9, resume_from=path)
