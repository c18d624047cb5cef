"""Explanations of trained models: sums, shapes, tables of every kind, rounds, errors."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from ceiba import (
    CeibaClassifier,
    CeibaError,
    CeibaRanker,
    CeibaRegressor,
    Dataset,
    Model,
    _core,
    load_model,
    train,
)
from ceiba.explain import Explanation
from ceiba.model.tree_weights import TreeWeights
from ceiba.testing.forests import random_model, random_rows

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(400, 5))
X[RANDOM.random(X.shape) < 0.1] = np.nan
Y = np.nan_to_num(X[:, 0] * 2 + (X[:, 1] > 0) * X[:, 2])
FRAME = pd.DataFrame(X, columns=list("abcde")).assign(
    city=pd.Categorical(RANDOM.choice(["Bergen", "Oslo", "Tromsø"], 400))
)
Y = Y + (FRAME["city"] == "Oslo")


def assert_sums(explanation: Explanation, raw: NDArray[np.float64]) -> None:
    total = explanation.base_values + explanation.values.sum(axis=1)
    np.testing.assert_allclose(total, raw, rtol=0, atol=1e-9 * np.abs(raw).max())


@pytest.fixture(scope="module")
def model() -> Model:
    return train({"n_estimators": 12, "max_leaves": 15}, Dataset(FRAME, Y))


def test_values_add_up_to_the_raw_score(model: Model) -> None:
    explanation = model.explain(FRAME)
    assert explanation.values.shape == (400, 6)
    assert explanation.base_values.shape == (400,)
    assert explanation.feature_names == list(FRAME.columns)
    assert explanation.method == "path-dependent"
    assert_sums(explanation, model.predict_raw(FRAME))
    assert len(explanation) == 400
    assert "path-dependent SHAP values, 400 rows, 6 columns" in repr(explanation)


def test_a_background_is_the_mean_of_its_predictions(model: Model) -> None:
    background = FRAME[:37]
    explanation = model.explain(FRAME, background=background)
    assert explanation.method == "interventional"
    assert_sums(explanation, model.predict_raw(FRAME))
    np.testing.assert_allclose(explanation.base_values, model.predict_raw(background).mean())
    turned = model.explain(FRAME, background=background[::-1])  # its order means nothing
    np.testing.assert_array_equal(turned.values, explanation.values)
    of_itself = model.explain(FRAME[:1], background=FRAME[:1])
    assert not of_itself.values.any()


@pytest.mark.parametrize("background", [None, FRAME[:11]])
def test_interactions_sum_to_values(model: Model, background: Any) -> None:
    alone = model.explain(FRAME[:50], background=background)
    pairs = model.explain(FRAME[:50], background=background, interactions=True)
    assert pairs.interactions
    assert pairs.values.shape == (50, 6, 6)
    np.testing.assert_array_equal(pairs.values, pairs.values.transpose(0, 2, 1))
    np.testing.assert_allclose(pairs.values.sum(axis=2), alone.values, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(pairs.base_values, alone.base_values)


def test_the_rows_are_shown_as_the_user_has_them(model: Model) -> None:
    given = FRAME[:20].copy()
    given.loc[3, "city"] = None
    data = model.explain(given).data
    assert data.dtype == object
    assert data[:3, 5].tolist() == given["city"][:3].tolist()
    assert data[3, 5] is None
    np.testing.assert_array_equal(data[:, :5].astype(float), given.iloc[:, :5])
    plain = train({"n_estimators": 2}, Dataset(X, Y)).explain(X)
    np.testing.assert_array_equal(plain.data, X)
    assert plain.data.dtype == np.float64


def test_tables_of_every_kind(model: Model) -> None:
    pl = pytest.importorskip("polars")  # imported above it would not start under a sanitizer
    expected = model.explain(FRAME[:9]).values
    others: list[Any] = [
        pl.from_pandas(FRAME[:9]),
        FRAME[:9][["city", *"edcba"]],
        Dataset(FRAME[:9], Y[:9]),
    ]
    for other in others:
        np.testing.assert_array_equal(model.explain(other).values, expected)
    row = dict(zip(FRAME.columns, FRAME.iloc[0], strict=True))
    np.testing.assert_array_equal(model.explain(row).values, expected[:1])
    filled = np.nan_to_num(X)
    plain = train({"n_estimators": 5}, Dataset(filled, Y))
    whole = plain.explain(filled, background=filled[:20])
    sparse = plain.explain(sp.csr_matrix(filled), background=sp.csr_matrix(filled[:20]))
    np.testing.assert_array_equal(sparse.values, whole.values)
    np.testing.assert_array_equal(
        plain.explain(filled.astype(np.float32).astype(float)).values,
        plain.explain(filled.astype(np.float32)).values,
    )
    assert plain.explain(filled[:0]).values.shape == (0, 5)


def test_rounds(model: Model) -> None:
    part = model.explain(FRAME, iteration_range=(2, 7))
    assert_sums(part, model.predict_raw(FRAME, iteration_range=(2, 7)))
    none = model.explain(FRAME, iteration_range=(3, 3))
    assert not none.values.any()
    np.testing.assert_array_equal(none.base_values, np.full(400, model.start_scores[0]))
    whole = [model.explain(FRAME, iteration_range=r).values for r in ((0, 5), (5, 12))]
    np.testing.assert_allclose(sum(whole), model.explain(FRAME).values, rtol=0, atol=1e-12)


def test_a_loaded_model_explains_the_same(model: Model, tmp_path: Any) -> None:
    model.save(tmp_path / "model")
    again = load_model(tmp_path / "model").explain(FRAME)
    np.testing.assert_array_equal(again.values, model.explain(FRAME).values)


def test_trees_that_count_otherwise() -> None:
    plain = random_model(3, n_iterations=4, n_outputs=2, leaf_width=2, objective="quantile")
    weights = TreeWeights().changed(3, [0, 2], [0.25, 3.0])
    weighted = plain.with_forest(plain.forest, tree_weights=weights)
    rows = random_rows(3, 30, 5)
    for bounds in ((0, 4), (0, 3), (1, 4)):
        explanation = weighted.explain(rows, iteration_range=bounds)
        assert_sums(explanation, weighted.predict_raw(rows, iteration_range=bounds))


@pytest.mark.parametrize(
    "params",
    [
        {"boosting": "dart", "drop_rate": 0.5},
        {"boosting": "forest", "subsample": 0.6},
        {"num_parallel_tree": 3, "subsample": 0.6},
    ],
)
def test_other_kinds_of_boosting(params: dict[str, Any]) -> None:
    """Cut models have trees of their own, which must live as long as what explains them."""
    for loss in ({}, {"objective": "softmax", "n_classes": 3}):
        target = np.digitize(Y, [-1, 1]).astype(float) if loss else Y
        own = train({"n_estimators": 6, **params, **loss}, Dataset(X, target))
        for bounds in ((0, 6), (0, 4), (2, 5)):
            raw = own.predict_raw(X, iteration_range=bounds)
            for how in ({}, {"background": X[:20]}):
                assert_sums(own.explain(X, iteration_range=bounds, **how), raw)


def test_several_outputs() -> None:
    classes = np.array(["low", "middle", "high"])[np.digitize(Y, [-1, 1])]
    classifier = CeibaClassifier(n_estimators=6).fit(FRAME, classes)
    explanation = classifier.explain(FRAME, background=FRAME[:10])
    assert explanation.output_names == ["high", "low", "middle"]
    assert explanation.values.shape == (400, 6, 3)
    assert_sums(explanation, classifier.decision_function(FRAME))
    frame = explanation.to_frame()
    assert list(frame.columns) == ["row", "output", *FRAME.columns]
    assert frame["output"][:4].tolist() == ["high", "low", "middle", "high"]
    np.testing.assert_array_equal(frame.loc[5, "a"], explanation.values[1, 0, 2])
    levels = CeibaRegressor(objective="quantile", quantile=[0.1, 0.9], n_estimators=5).fit(X, Y)
    explanation = levels.explain(X)
    assert explanation.output_names == [0.1, 0.9]
    assert_sums(explanation, levels.model_.predict_raw(X))


def test_frames(model: Model) -> None:
    frame = model.explain(FRAME[:4]).to_frame()
    assert list(frame.columns) == list(FRAME.columns)
    np.testing.assert_array_equal(frame.to_numpy(), model.explain(FRAME[:4]).values)
    pairs = model.explain(FRAME[:4], interactions=True)
    frame = pairs.to_frame()
    assert list(frame.columns) == ["row", "feature", *FRAME.columns]
    assert len(frame) == 24
    np.testing.assert_array_equal(frame.iloc[7, 2:].to_numpy(float), pairs.values[1, 1])
    assert len(model.explain(FRAME[:0]).to_frame()) == 0


def test_contributions_have_the_form_of_other_libraries() -> None:
    target = np.digitize(Y, [-1, 1])
    one, three = CeibaClassifier(n_estimators=4), CeibaClassifier(n_estimators=4)
    one.fit(X, target > 0)
    three.fit(X, target)
    assert one.predict(X, pred_contrib=True).shape == (400, 6)
    assert one.predict(X, pred_interactions=True).shape == (400, 6, 6)
    side_by_side = three.predict(X, pred_contrib=True)
    assert side_by_side.shape == (400, 18)
    apart = three.predict(X, pred_contribs=True)
    assert apart.shape == (400, 3, 6)
    np.testing.assert_array_equal(apart.reshape(400, -1), side_by_side)
    np.testing.assert_allclose(apart.sum(axis=2), three.decision_function(X))
    pairs = three.predict(X, pred_interactions=True)
    assert pairs.shape == (400, 3, 6, 6)
    np.testing.assert_allclose(pairs.sum(axis=3), apart, atol=1e-12)
    part = three.model_.predict(X, pred_contrib=True, num_iteration=2)
    assert not np.array_equal(part, side_by_side)


def test_probabilities_add_up_and_point_the_same_way() -> None:
    classifier = CeibaClassifier(n_estimators=10).fit(X, Y > 0)
    rows, background = X[:30], X[100:120]
    explanation = classifier.explain(rows, background=background, output="probability")
    chance = classifier.predict_proba(rows)[:, 1]
    total = explanation.base_values + explanation.values.sum(axis=1)
    np.testing.assert_allclose(total, chance, rtol=0, atol=1e-9)
    mean = classifier.predict_proba(background)[:, 1].mean()
    np.testing.assert_allclose(explanation.base_values, mean)
    of_one = classifier.explain(rows, background=background[:1], output="probability")
    raw = classifier.explain(rows, background=background[:1])
    assert (np.sign(of_one.values) == np.sign(raw.values)).all()


def test_rankers_too() -> None:
    ranker = CeibaRanker(n_estimators=3).fit(X, (Y > 0).astype(int), qid=np.arange(400) // 20)
    assert_sums(ranker.explain(X), ranker.predict(X))


def bad(model: Model) -> list[tuple[Callable[[], Any], str]]:
    two = CeibaClassifier(n_estimators=2).fit(X, Y > 0)
    return [
        (lambda: model.explain(FRAME.drop(columns="a")), "'a'"),
        (
            lambda: model.explain(FRAME, background=FRAME.drop(columns="a")),
            "background: .*'a'",
        ),
        (lambda: model.explain(FRAME, background=FRAME[:0]), "background must have rows"),
        (lambda: model.explain(FRAME, iteration_range=(0, 99)), "iteration_range must be"),
        (lambda: model.explain(FRAME, interactions="all"), "interactions must be True or False"),
        (lambda: model.explain(FRAME, output="odds"), "output must be 'raw' or 'probability'"),
        (lambda: model.explain(FRAME, output="probability"), "a model of two classes"),
        (lambda: two.explain(X, output="probability"), "needs a background"),
        (
            lambda: two.explain(X, background=X, output="probability", interactions=True),
            "does not support interactions",
        ),
        (lambda: two.explain(X, background=X[:, :3]), "3 features"),
        (lambda: model.to_shap(), "splits by sets of levels"),
    ]


@pytest.mark.parametrize("case", range(11))
def test_bad_input(model: Model, case: int) -> None:
    call, message = bad(model)[case]
    with pytest.raises(CeibaError, match=re.compile(message)):
        call()


def test_an_estimator_that_is_not_fitted() -> None:
    with pytest.raises(CeibaError, match="not fitted"):
        CeibaRegressor().explain(X)


def test_the_core_checks_what_it_is_given(model: Model) -> None:
    forest = model.forest
    for players in ([0] * 5, [0, 0, 0, 0, 0, 7]):
        with pytest.raises(CeibaError, match="must have a player"):
            _core.Explainer(forest, 0, 1, players, 6, False)
    explainer = _core.Explainer(forest, 0, 1, [0] * 6, 1, False)
    with pytest.raises(CeibaError, match="contiguous float64"):
        explainer.explain_matrix(np.zeros((2, 6)), np.zeros((2, 2, 1)), 1)


@pytest.mark.threads
def test_threads_blocks_and_processors_change_nothing() -> None:
    for kind in ("general", "symmetric", "mixed"):
        own = random_model(7, n_outputs=3, n_features=6, kind=kind, n_levels=(0, 70, 0, 0, 3, 0))
        rows = random_rows(8, 700, 6, (0, 70, 0, 0, 3, 0))
        for how in ({}, {"background": rows[:80]}, {"interactions": True}):
            expected = own.explain(rows, n_jobs=1, **how).values
            np.testing.assert_array_equal(own.explain(rows, n_jobs=3, **how).values, expected)
            before = _core.uses_avx2()
            _core.set_avx2(not before)
            try:
                np.testing.assert_array_equal(own.explain(rows, n_jobs=2, **how).values, expected)
            finally:
                _core.set_avx2(before)
            for part in (slice(0, 1), slice(5, 8), slice(290, 650)):
                few = own.explain(rows[part], n_jobs=1, **how).values
                np.testing.assert_array_equal(few, expected[part])


def sparse_table(n_rows: int, n_columns: int) -> tuple[Any, NDArray[np.float64]]:
    random = np.random.default_rng(5)
    rows = sp.random(n_rows, n_columns, 0.002, format="csr", random_state=random)
    rows[:, :5] = sp.random(n_rows, 5, 0.5, format="csr", random_state=random)
    return sp.csr_matrix(rows), np.asarray(rows[:, :5].sum(axis=1)).ravel()


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
def test_a_sparse_background_stays_sparse() -> None:
    rows, target = sparse_table(3000, 8000)
    model = train({"n_estimators": 5, "max_leaves": 8}, Dataset(rows, target))
    tracemalloc.start()
    found = model.explain(rows[:5], background=rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3000 * 8000  # an eighth of the dense rows
    halves = Dataset.from_blocks([(rows[:700], target[:700]), (rows[700:], target[700:])])
    for other in (rows.toarray(), halves):
        expected = model.explain(rows[:5], background=other)
        np.testing.assert_array_equal(found.values, expected.values)
        np.testing.assert_array_equal(found.base_values, expected.base_values)
