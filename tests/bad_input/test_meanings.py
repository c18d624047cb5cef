"""Inputs that look bad and have a meaning, which is documented."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from bad_input import FRAME, LABELS, ONES, X, Y, classifier, model, regressor
from scipy import sparse

from ceiba import Dataset, train


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


def test_more_bins_than_rows_and_three_bins() -> None:
    assert regressor(max_bins=65535).fit(X, Y).score(X, Y) > 0.1
    # Two bins of values and one for missing: the fewest that tell anything apart.
    assert regressor(max_bins=3).fit(X, Y).feature_importances_.max() > 0


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


def test_lines_of_columns_that_say_nothing_are_constants() -> None:
    """Constant, missing and repeated columns, more columns than rows, infinite values."""
    columns = {"leaf_model": "linear", "linear_lambda": 0.0, "min_samples_leaf": 1}
    nothing = np.column_stack([np.full(60, 3.0), np.full(60, np.nan)])
    plain = regressor(**columns, linear_features=[0, 1]).fit(nothing, Y)
    np.testing.assert_allclose(plain.predict(nothing), Y.mean())
    twice = np.column_stack([X[:, 0], X[:, 0]])
    same = regressor(**columns, linear_features=[0, 1]).fit(twice, Y)
    assert "linear_offsets" not in same.model_.forest.arrays()
    wide = np.random.default_rng(0).normal(size=(10, 30))
    few = regressor(**columns, linear_features=list(range(30))).fit(wide, Y[:10])
    assert np.isfinite(few.predict(wide)).all()
    extreme = X.copy()
    extreme[::7, 0], extreme[3::7, 0] = np.inf, -np.inf
    for extrapolate in ("clip", "linear"):
        fitted = regressor(leaf_model="linear", extrapolate=extrapolate).fit(extreme, Y)
        assert np.isfinite(fitted.predict(extreme)).all()
        hole = np.full((1, X.shape[1]), np.nan)  # a regressor that is missing at predict only
        assert np.isfinite(fitted.predict(hole)).all()


def test_a_frame_without_a_column_of_lines_is_refused_at_predict() -> None:
    fitted = regressor(leaf_model="linear").fit(FRAME, Y)
    with pytest.raises(ValueError, match="Missing column"):
        fitted.model_.predict(FRAME.drop(columns=FRAME.columns[0]))
