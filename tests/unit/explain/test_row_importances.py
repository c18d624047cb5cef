"""Importances that need rows: shuffled columns, and means of SHAP values."""

from __future__ import annotations

import tracemalloc
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from small_table import BINARY, FRAME, X, Y, classifier, regressor

from ceiba import Dataset, train
from ceiba.errors import CeibaError, InvalidInputError, InvalidParameterError
from ceiba.explain import permutation_importances, shap_importances


@pytest.fixture(scope="module")
def model():
    return regressor().fit(FRAME, Y).model_


def test_a_shuffled_column_is_predicted_for(model):
    drops = permutation_importances(model, FRAME, Y, metric="mse", n_repeats=3, random_state=7)
    orders = np.random.default_rng(7)
    before = model.evaluate(FRAME, Y, "mse")
    for repeat in range(3):
        order = orders.permutation(len(FRAME))
        for j, name in enumerate(FRAME):
            shuffled = FRAME.assign(**{name: FRAME[name].to_numpy()[order]})
            expected = model.evaluate(shuffled, Y, "mse") - before
            assert drops[j, repeat] == pytest.approx(expected, abs=1e-12)


def test_a_table_is_sorted_and_shows_the_spread(model):
    table = model.importances("permutation", FRAME, Y, n_repeats=4)
    assert list(table) == ["feature", "permutation", "spread"]
    assert set(table["feature"][:2]) == {"a", "b"}
    assert (np.diff(table["permutation"]) <= 0).all()
    assert (table["spread"] >= 0).all()


def test_higher_is_better_or_lower(model):
    for metric in ("r2", "mae", "neg_mean_absolute_error"):
        drops = permutation_importances(model, FRAME, Y, metric=metric, n_repeats=1)
        assert drops[0, 0] > 0, metric


def test_the_order_of_columns_and_threads_change_nothing(model):
    found = permutation_importances(model, FRAME, Y, n_jobs=1)
    np.testing.assert_array_equal(found, permutation_importances(model, FRAME[[*"dbca"]], Y))
    turned = regressor().fit(FRAME[[*"dbca"]], Y).model_
    assert turned.predict(FRAME).tolist() == model.predict(FRAME).tolist()
    again = permutation_importances(turned, FRAME, Y)
    np.testing.assert_array_equal(again, found[[3, 1, 2, 0]])


def test_labels_categories_datasets_and_weights():
    generator = np.random.default_rng(0)
    colours = pd.Series(generator.choice(["red", "green", "blue"], 400)).astype("category")
    frame = pd.DataFrame({"colour": colours, "x": X[:, 0], "constant": 1.0})
    labels = np.where((colours == "red") ^ (BINARY == 1), "yes", "no")
    fitted = classifier().fit(frame, labels)
    table = fitted.importances(
        "permutation", frame, labels, metric="auc", sample_weight=X[:, 1] > 0
    )
    assert set(table["feature"][:2]) == {"colour", "x"}
    assert table["permutation"].iloc[2] == table["spread"].iloc[2] == 0
    rows = Dataset(frame, (labels == "yes").astype(float))
    np.testing.assert_array_equal(
        permutation_importances(fitted.model_, rows, metric="auc"),
        permutation_importances(fitted.model_, frame, labels, metric="auc"),
    )


def test_shap_importances_are_means_of_absolute_values(model):
    values = np.array([[1.0, -2.0], [3.0, 0.0]])
    explained = SimpleNamespace(explain=lambda X, **how: SimpleNamespace(values=values))
    assert shap_importances(explained, X).tolist() == [2.0, 1.0]
    outputs = SimpleNamespace(
        explain=lambda X, **how: SimpleNamespace(values=np.stack([values, -values], axis=2))
    )
    assert shap_importances(outputs, X).tolist() == [4.0, 2.0]
    nothing = SimpleNamespace(explain=lambda X, **how: SimpleNamespace(values=values[:0]))
    with pytest.raises(InvalidInputError, match="at least one row"):
        shap_importances(nothing, X)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"X": None}, "Give `X` and `y`"),
        ({"y": None}, "Give `y`"),
        ({"n_repeats": 0}, "n_repeats must be"),
        ({"random_state": "x"}, "random_state must be"),
        ({"metric": ["mae", "rmse"]}, "use one metric"),
        ({"metric": "nonsense"}, "metric must be"),
    ],
)
def test_what_cannot_be_shuffled(model, how, message):
    with pytest.raises(CeibaError, match=message):
        model.importances("permutation", **{"X": FRAME, "y": Y, **how})


def test_an_unknown_option_is_an_error(model):
    with pytest.raises((TypeError, InvalidParameterError)):
        model.importances("permutation", FRAME, Y, n_repeat=3)


def test_sparse_rows_stay_sparse():
    generator = np.random.default_rng(2)
    rows = sp.random(2000, 6000, 0.002, format="lil", random_state=generator)
    rows[:, :3] = generator.integers(0, 3, (2000, 3))
    rows = rows.tocsr()
    target = np.asarray(rows[:, :3].sum(axis=1)).ravel()
    model = train({"n_estimators": 4, "max_leaves": 8}, Dataset(rows, target))
    tracemalloc.start()
    found = permutation_importances(model, rows, target, n_repeats=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2000 * 6000  # an eighth of the dense rows
    assert found[:3].min() > 0
    whole = permutation_importances(model, rows.toarray(), target, n_repeats=2)
    np.testing.assert_array_equal(found, whole)
    halves = Dataset.from_blocks([(rows[:700], target[:700]), (rows[700:], target[700:])])
    np.testing.assert_array_equal(permutation_importances(model, halves, n_repeats=2), whole)


def test_columns_of_linear_leaves_are_shuffled_though_no_split_reads_them():
    random = np.random.default_rng(0)
    table = random.normal(size=(400, 2))
    target = np.sign(table[:, 0]) * 5 + table[:, 1]
    settings = {"n_estimators": 3, "max_depth": 1, "leaf_model": "linear", "linear_features": [1]}
    trained = train(settings, Dataset(table, target))
    assert set(trained.trees().feature.tolist()) == {-1, 0}
    drops = permutation_importances(trained, table, target, metric="mse", n_repeats=1)
    assert drops[1, 0] > 0.1
