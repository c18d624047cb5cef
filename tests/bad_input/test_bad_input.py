"""One table of bad, empty and extreme inputs: each has a clear error or a documented meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from ceiba import CeibaClassifier, CeibaRegressor, Dataset, train
from ceiba.errors import CeibaError

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 3))
Y = X[:, 0] + RANDOM.normal(size=60)
LABELS = np.where(Y > 0, "yes", "no")
FRAME = pd.DataFrame(X, columns=["age", "height", "weight"])
ONES = np.ones(60)


def with_value(values: np.ndarray, value: float) -> np.ndarray:
    changed = values.copy()
    changed.flat[1] = value
    return changed


def regressor(**given: Any) -> CeibaRegressor:
    return CeibaRegressor(**{"n_estimators": 5, "n_jobs": 1, **given})


def classifier(**given: Any) -> CeibaClassifier:
    return CeibaClassifier(**{"n_estimators": 5, "n_jobs": 1, **given})


def model(**given: Any) -> Any:
    return train({"n_estimators": 5, "n_jobs": 1, **given}, Dataset(FRAME, Y))


def of_dtype(values: Any) -> pd.DataFrame:
    return FRAME.assign(height=values)


ERRORS: list[tuple[str, Callable[[], Any], type[Exception], str]] = [
    # ---- empty and misshapen tables -------------------------------------------------------------
    ("no rows", lambda: regressor().fit(X[:0], Y[:0]), ValueError, r"0 sample\(s\)"),
    ("no columns", lambda: regressor().fit(X[:, :0], Y), ValueError, r"0 feature\(s\)"),
    ("no rows in a Dataset", lambda: Dataset(X[:0], Y[:0]), ValueError, "row"),
    ("no columns in a Dataset", lambda: Dataset(X[:, :0], Y), ValueError, "column|feature"),
    ("empty list", lambda: regressor().fit([], []), ValueError, "2D"),
    ("one dimension", lambda: regressor().fit(Y, Y), ValueError, "2D|1D|dimension"),
    ("three dimensions", lambda: regressor().fit(np.ones((60, 2, 2)), Y), ValueError, "2D|3D|dim"),
    (
        "ragged list",
        lambda: regressor().fit([[1.0], [1.0, 2.0]], [1, 2]),
        ValueError,
        "same length",
    ),
    ("a word for a table", lambda: regressor().fit("table.csv", Y), TypeError, "Got str"),
    ("None for a table", lambda: regressor().fit(None, Y), TypeError, "Got None"),
    ("more rows than labels", lambda: regressor().fit(X, Y[:-1]), ValueError, "60 rows .* 59"),
    ("Dataset of two lengths", lambda: Dataset(X, Y[:-1]), ValueError, "59|60"),
    # ---- values ---------------------------------------------------------------------------------
    ("complex values", lambda: regressor().fit(X * 1j, Y), ValueError, "Complex data not supp"),
    ("words", lambda: regressor().fit(of_dtype("tall"), Y), CeibaError, "height"),
    ("dates", lambda: regressor().fit(of_dtype(pd.Timestamp("2020")), Y), CeibaError, "height"),
    ("object column", lambda: regressor().fit(of_dtype([{}] * 60), Y), CeibaError, "height"),
    (
        "categories",
        lambda: regressor().fit(of_dtype(pd.Categorical(["a", "b"] * 30)), Y),
        CeibaError,
        "height",
    ),
    (
        "integers beyond 2^53",
        lambda: regressor().fit(np.full((60, 1), 2**53 + 1), Y),
        ValueError,
        r"2\^53",
    ),
    (
        "names given twice",
        lambda: Dataset(FRAME.set_axis(["a", "a", "b"], axis=1), Y),
        CeibaError,
        "a",
    ),
    # ---- targets --------------------------------------------------------------------------------
    ("no target", lambda: regressor().fit(X, None), ValueError, "y is None"),
    ("NaN target", lambda: regressor().fit(X, with_value(Y, np.nan)), ValueError, "row 1"),
    ("infinite target", lambda: regressor().fit(X, with_value(Y, np.inf)), ValueError, "infinity"),
    (
        "NaN target of a Dataset",
        lambda: Dataset(X, with_value(Y, np.nan)),
        ValueError,
        "NaN|finite",
    ),
    ("words as target", lambda: regressor().fit(X, LABELS), ValueError, "CeibaClassifier"),
    ("two columns of targets", lambda: regressor().fit(X, X[:, :2]), ValueError, "1d array"),
    ("numbers as labels", lambda: classifier().fit(X, Y), ValueError, "Unknown label type"),
    ("NaN label", lambda: classifier().fit(X, with_value(ONES, np.nan)), ValueError, "NaN"),
    (
        "missing label",
        lambda: classifier().fit(X, np.array([None, *LABELS[1:]], dtype=object)),
        ValueError,
        "row 0",
    ),
    ("one class", lambda: classifier().fit(X, ONES), ValueError, "at least 2 classes"),
    (
        "one row of one class",
        lambda: classifier().fit(X[:1], [1]),
        ValueError,
        "at least 2 classes",
    ),
    (
        "one class of weight above zero",
        lambda: classifier().fit(X, LABELS, sample_weight=LABELS == "yes"),
        ValueError,
        "only .*'yes'",
    ),
    (
        "labels that are not 0 and 1",
        lambda: train({"objective": "logistic"}, Dataset(X, Y)),
        ValueError,
        "0 and 1",
    ),
    (
        "class indices with a gap",
        lambda: train({"objective": "softmax"}, Dataset(X, np.arange(60) % 2 * 2.0)),
        ValueError,
        "class 1",
    ),
    # ---- weights --------------------------------------------------------------------------------
    (
        "negative weight",
        lambda: regressor().fit(X, Y, sample_weight=with_value(ONES, -1)),
        ValueError,
        "Got -1 in row 1",
    ),
    (
        "NaN weight",
        lambda: regressor().fit(X, Y, sample_weight=with_value(ONES, np.nan)),
        ValueError,
        "Got nan in row 1",
    ),
    (
        "infinite weight",
        lambda: regressor().fit(X, Y, sample_weight=with_value(ONES, np.inf)),
        ValueError,
        "Got inf in row 1",
    ),
    ("all weights zero", lambda: regressor().fit(X, Y, sample_weight=0 * ONES), ValueError, "zero"),
    ("too few weights", lambda: regressor().fit(X, Y, sample_weight=ONES[1:]), ValueError, "59"),
    ("negative weight, Dataset", lambda: Dataset(X, Y, weight=-ONES), ValueError, "weight"),
    ("NaN weight, Dataset", lambda: Dataset(X, Y, weight=np.nan * ONES), ValueError, "weight"),
    ("all weights zero, Dataset", lambda: Dataset(X, Y, weight=0 * ONES), ValueError, "zero|0"),
    (
        "weight of a class that is not there",
        lambda: classifier(class_weight={"maybe": 2}).fit(X, LABELS),
        ValueError,
        "'maybe'",
    ),
    # ---- parameters -----------------------------------------------------------------------------
    ("misspelt parameter", lambda: regressor(n_estimator=5), TypeError, "mean 'n_estimators'"),
    ("misspelt in train", lambda: model(learning_rat=1), ValueError, "mean 'learning_rate'"),
    ("alpha", lambda: model(alpha=1), ValueError, "reg_alpha"),
    ("two aliases", lambda: model(eta=0.1, shrinkage=0.1), ValueError, "two names"),
    ("bins below 2", lambda: model(max_bins=1), ValueError, "between 2 and 65535. Got 1"),
    ("bins above 65535", lambda: model(max_bins=65536), ValueError, "Got 65536"),
    ("rounds beyond 2^31", lambda: model(n_estimators=2**31), ValueError, "Got 2147483648"),
    ("leaves beyond 2^31", lambda: model(max_leaves=2**31), ValueError, "Got 2147483648"),
    ("depth beyond 2^31", lambda: model(max_depth=2**31), ValueError, "Got 2147483648"),
    ("leaf rows beyond 2^31", lambda: model(min_samples_leaf=2**40), ValueError, "Got 1099511"),
    ("NaN parameter", lambda: model(learning_rate=np.nan), ValueError, "Got nan"),
    ("a seed below 0", lambda: model(random_state=-1), ValueError, "Got -1"),
    ("no threads", lambda: model(n_jobs=0), ValueError, "Got 0"),
    ("unknown objective", lambda: model(objective="logistik"), ValueError, "logistic"),
    ("unknown metric", lambda: model(eval_metric="accuracies"), ValueError, "accuracy"),
    ("unknown recipe", lambda: model(recipe="catboost"), ValueError, "one of 'auto'"),
    (
        "a depth of 2^40 leaves",
        lambda: model(grow_policy="symmetric", max_depth=40),
        ValueError,
        "doubles",
    ),
    (
        "base_score that is no probability",
        lambda: classifier(base_score=2.0).fit(X, LABELS),
        ValueError,
        "base_score",
    ),
    # ---- eval sets ------------------------------------------------------------------------------
    (
        "unknown class in an eval set",
        lambda: classifier().fit(X, LABELS, eval_set=[(X, np.full(60, "maybe"))]),
        ValueError,
        "'maybe'",
    ),
    (
        "more classes in an eval set",
        lambda: train(
            {"objective": "softmax"},
            Dataset(X, np.arange(60) % 3.0),
            eval_sets=[Dataset(X, np.arange(60) % 4.0)],
        ),
        ValueError,
        "Eval set 'validation_0'.*3",
    ),
    (
        "columns of an eval set",
        lambda: regressor().fit(X, Y, eval_set=[(X[:, :2], Y)]),
        ValueError,
        "X has 2 features",
    ),
    ("no eval set", lambda: model(early_stopping_rounds=3), ValueError, "needs an eval set"),
    (
        "a metric for another task",
        lambda: regressor(eval_metric="auc").fit(X, Y, eval_set=[(X, Y)]),
        ValueError,
        "auc",
    ),
    # ---- columns at predict ---------------------------------------------------------------------
    (
        "column missing",
        lambda: regressor().fit(FRAME, Y).predict(FRAME[["age", "height"]]),
        ValueError,
        "now missing:\n- weight",
    ),
    (
        "column renamed",
        lambda: regressor().fit(FRAME, Y).predict(FRAME.rename(columns={"age": "years"})),
        ValueError,
        "unseen at fit time:\n- years\n",
    ),
    (
        "columns reordered (estimator)",
        lambda: regressor().fit(FRAME, Y).predict(FRAME[["weight", "age", "height"]]),
        ValueError,
        "same order",
    ),
    (
        "column extra",
        lambda: regressor().fit(FRAME, Y).predict(FRAME.assign(shoe=1.0)),
        ValueError,
        "unseen at fit time:\n- shoe",
    ),
    (
        "column missing (Model)",
        lambda: model().predict(FRAME[["age", "height"]]),
        ValueError,
        "weight",
    ),
    (
        "column renamed (Model)",
        lambda: model().predict(FRAME.rename(columns={"weight": "weigth"})),
        ValueError,
        "weigth|weight",
    ),
    (
        "too many columns",
        lambda: regressor().fit(X, Y).predict(np.ones((2, 4))),
        ValueError,
        "4 feat",
    ),
    (
        "too few columns",
        lambda: regressor().fit(X, Y).predict(np.ones((2, 2))),
        ValueError,
        "2 feat",
    ),
    ("too few columns (Model)", lambda: model().predict(np.ones((2, 2))), ValueError, "2"),
    (
        "one row without its brackets",
        lambda: regressor().fit(X, Y).predict(X[0]),
        ValueError,
        "2D|1D|dim",
    ),
    (
        "words at predict",
        lambda: regressor().fit(X, Y).predict([["a", "b", "c"]]),
        ValueError,
        "Column 0",
    ),
    ("not fitted", lambda: regressor().predict(X), ValueError, "not fitted"),
    # ---- the rest -------------------------------------------------------------------------------
    ("a table as a Dataset", lambda: train({}, X), TypeError, "ceiba.Dataset"),  # type: ignore[arg-type]
    (
        "a callback that is none",
        lambda: regressor().fit(X, Y, callbacks=[3]),
        TypeError,
        "callback",
    ),
    (
        "init_score of another shape",
        lambda: train({}, Dataset(X, Y, init_score=np.zeros((60, 2)))),
        ValueError,
        "init_score",
    ),
    (
        "rows held out of one",
        lambda: regressor(early_stopping_rounds=2).fit(X[:1], Y[:1]),
        ValueError,
        "at least 2",
    ),
]


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [case[1:] for case in ERRORS],
    ids=[case[0] for case in ERRORS],
)
def test_error(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        call()
    assert isinstance(caught.value, CeibaError), "every error of ours is a CeibaError"
    assert str(caught.value).strip()


# ---- inputs that look bad and have a meaning -----------------------------------------------------


def test_one_row_predicts_its_target() -> None:
    assert regressor().fit(X[:1], [7.0]).predict(X).tolist() == [7.0] * 60


def test_a_constant_target_is_predicted() -> None:
    fitted = regressor().fit(X, np.full(60, 2.5))
    assert fitted.predict(X).tolist() == [2.5] * 60
    constant = train({"objective": "logistic", "n_estimators": 2}, Dataset(X, ONES))
    assert (constant.predict(X) > 0.999).all()


def test_an_all_missing_column_is_never_split_on() -> None:
    holes = X.copy()
    holes[:, 1] = np.nan
    fitted = regressor(min_samples_leaf=1).fit(holes, Y)
    assert fitted.feature_importances_[1] == 0.0
    only = regressor(min_samples_leaf=1).fit(holes[:, 1:2], Y)
    np.testing.assert_allclose(only.predict(holes[:, 1:2]), Y.mean())


def test_a_constant_column_is_never_split_on() -> None:
    constant = np.column_stack([X[:, 0], np.full(60, 3.0)])
    assert regressor(min_samples_leaf=1).fit(constant, Y).feature_importances_.tolist() == [1, 0]


def test_infinities_are_ordinary_extreme_values() -> None:
    extreme = X[:, :1].copy()
    extreme[Y > 1] = np.inf
    extreme[Y < -1] = -np.inf
    fitted = regressor(min_samples_leaf=1, n_estimators=50).fit(extreme, Y)
    assert fitted.predict([[np.inf]])[0] > fitted.predict([[0.0]])[0]
    assert fitted.predict([[-np.inf]])[0] < fitted.predict([[0.0]])[0]
    assert np.isfinite(fitted.predict(extreme)).all()


def test_missing_at_predict_only_goes_with_the_heavier_child() -> None:
    step = np.where(np.arange(60) < 40, 0.0, 1.0)
    fitted = regressor(min_samples_leaf=1).fit(step[:, None], step)
    assert fitted.predict([[np.nan]]) == fitted.predict([[0.0]])


def test_minus_zero_is_zero() -> None:
    signs = np.where(np.arange(60) % 2, 0.0, -0.0)[:, None]
    assert regressor(min_samples_leaf=1).fit(signs, np.arange(60.0)).feature_importances_ == [0.0]


def test_columns_reordered_are_matched_by_a_model() -> None:
    fitted = model()
    np.testing.assert_array_equal(
        fitted.predict(FRAME[["weight", "age", "height"]]), fitted.predict(FRAME)
    )


def test_no_rows_at_predict_are_no_predictions() -> None:
    assert regressor().fit(X, Y).predict(X[:0]).shape == (0,)
    assert classifier().fit(X, LABELS).predict_proba(X[:0]).shape == (0, 2)
    assert model().predict(FRAME[:0]).shape == (0,)


def test_rows_of_weight_zero_are_not_there() -> None:
    weights = np.where(np.arange(60) < 30, 1.0, 0.0)
    wild = np.where(weights == 0, 1e300, Y)
    weighted = regressor().fit(X, wild, sample_weight=weights)
    assert weighted.model_.fingerprint() == regressor().fit(X[:30], Y[:30]).model_.fingerprint()


def test_huge_targets_stay_finite() -> None:
    predictions = regressor(min_samples_leaf=1).fit(X, Y * 1e150).predict(X)
    assert np.isfinite(predictions).all()
    assert np.corrcoef(predictions, Y)[0, 1] > 0.5


def test_tiny_and_huge_weights() -> None:
    # min_data_in_bin counts a row of weight w as w rows, and so would choose other bins.
    given = {"min_child_weight": 0, "reg_lambda": 0, "weighted_counts": False, "min_data_in_bin": 1}
    plain = regressor(**given).fit(X, Y)
    for factor in (2.0**-40, 2.0**40):
        scaled = regressor(**given).fit(X, Y, sample_weight=factor * ONES)
        np.testing.assert_allclose(scaled.predict(X), plain.predict(X), rtol=1e-9)


def test_more_bins_than_rows_and_two_bins() -> None:
    assert regressor(max_bins=65535).fit(X, Y).score(X, Y) > 0.1
    # One bin of values and one for missing: nothing to split.
    assert regressor(max_bins=2).fit(X, Y).feature_importances_.tolist() == [0, 0, 0]


def test_a_column_of_booleans_and_small_integers() -> None:
    mixed = pd.DataFrame({"flag": Y > 0, "level": np.digitize(Y, [-1, 0, 1]).astype(np.int8)})
    assert regressor(n_estimators=50).fit(mixed, Y).score(mixed, Y) > 0.5


def test_sparse_zeros_are_zeros() -> None:
    thin = np.where(np.abs(X) > 1, X, 0.0)
    fitted = regressor().fit(sparse.csr_array(thin), Y)
    np.testing.assert_array_equal(fitted.predict(thin), fitted.predict(sparse.csr_array(thin)))


def test_large_weights_are_counted_exactly_or_as_one_row() -> None:
    # As many rows as 32 bits cannot count, without the memory: no sum may overflow.
    given = {"min_samples_leaf": 1, "reg_lambda": 0.0, "min_data_in_bin": 1}
    light = regressor(**given).fit(X, Y).predict(X)
    for exponent, counted in [(24, 2.0**24), (31, 1.0), (60, 1.0)]:
        heavy = regressor(**given).fit(X, Y, sample_weight=2.0**exponent * ONES)
        arrays = heavy.model_.forest.arrays()
        assert arrays["count"][0] == 60 * counted
        assert arrays["cover"][0] == 60 * 2.0**exponent
        np.testing.assert_allclose(heavy.predict(X), light, rtol=1e-6)
