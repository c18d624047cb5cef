"""Pictures of regressions."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import classifier, labels, regressor, table, target, troubles
from sklearn.linear_model import LinearRegression, LogisticRegression

from ceiba import CeibaClassifier, CeibaRegressor, plot
from ceiba.errors import CeibaError


def test_residuals_and_predictions():
    predicted = regressor().predict(table())
    ax = plot.residuals(regressor(), table(), target())
    points = ax.collections[0].get_offsets()
    np.testing.assert_allclose(points[:, 0], predicted)
    np.testing.assert_allclose(points[:, 1], target() - predicted)
    assert "RMSE" in ax.get_title(loc="left")
    assert not troubles(ax.figure)
    ax = plot.observed(regressor(), table(), target())
    points = ax.collections[0].get_offsets()
    np.testing.assert_allclose(points[:, 0], target())
    np.testing.assert_allclose(points[:, 1], predicted)
    assert "R² 0." in ax.get_title(loc="left")


def test_one_row_and_many_rows():
    assert not troubles(plot.residuals(regressor(), table()[:1], target()[:1]).figure)
    assert not troubles(plot.observed(regressor(), table()[:1], target()[:1]).figure)
    x = np.random.default_rng(0).normal(size=(5000, 1))
    fitted = CeibaRegressor(n_estimators=3).fit(x, x[:, 0])
    assert len(plot.observed(fitted, x, x[:, 0]).figure.axes) == 2  # rows are counted in cells


def test_single_rows_can_be_seen_among_many():
    random = np.random.default_rng(0)
    x = random.normal(size=(6000, 1))
    y = x[:, 0] + 0.01 * random.normal(size=6000)
    y[:5] += [50.0, -40.0, 30.0, 20.0, -70.0]
    fitted = CeibaRegressor(n_estimators=30).fit(x[5:], y[5:])
    ax = plot.residuals(fitted, x, y)
    points = ax.collections[0].get_offsets()
    off = y - fitted.predict(x)
    for residual in off[:5]:
        assert np.isclose(points[:, 1], residual).any()
    assert len(points) < 1000
    shown = ax.collections[1].get_array()
    assert len(points) + np.nansum(np.ma.filled(shown, 0.0)) == 6000
    low, high = ax.get_ylim()
    assert low < off.min()
    assert high > off.max()
    assert not troubles(ax.figure)


@pytest.mark.parametrize("crowded", ["upper left", "upper right", "lower left", "lower right"])
def test_the_legend_of_residuals_avoids_the_crowd(crowded):
    from ceiba.plot.regression import _emptiest_corner

    up, right = "upper" in crowded, "right" in crowded
    x = np.array([0.0, 0.0, 1.0, 1.0, *[float(right)] * 5])
    y = np.array([0.0, 1.0, 0.0, 1.0, *[float(up)] * 5])
    assert _emptiest_corner(x, y) != crowded


def test_coverage_of_quantiles():
    levels = [0.1, 0.5, 0.9]
    fitted = CeibaRegressor(objective="quantile", quantile=levels, n_estimators=10)
    fitted.fit(table(), target())
    ax = plot.coverage({"three": fitted}, table(), target())
    shares = (target()[:, None] <= fitted.predict(table())).mean(axis=0)
    np.testing.assert_allclose(ax.lines[0].get_xdata(), levels)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), shares)
    assert not troubles(ax.figure)
    with pytest.raises(CeibaError, match="needs one prediction"):
        plot.residuals(fitted, table(), target())


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plot.coverage(regressor(), table(), target()), "needs a quantile model"),
        (lambda: plot.residuals(regressor(), table(), target()[:3]), "one value for each"),
        (lambda: plot.residuals(regressor(), table(), labels()), "y must hold numbers"),
    ],
)
def test_what_cannot_be_drawn(draw, message):
    with pytest.raises(CeibaError, match=message):
        draw()


def test_classes_have_no_residuals():
    """Labels of text raised a bare ValueError, and those of 0 and 1 were drawn as numbers."""
    numbers = (labels() == "yes").astype(int)
    of_numbers = CeibaClassifier(n_estimators=2).fit(table(), numbers)
    of_labels = CeibaClassifier(n_estimators=2).fit(table(), np.stack([numbers, 1 - numbers], 1))
    for owner, y in [
        (classifier(), labels()),
        (of_numbers, numbers),
        (of_numbers.model_, numbers),
        (of_labels, numbers),
        (LogisticRegression().fit(numbers[:, None], numbers), numbers),
    ]:
        for draw in (plot.residuals, plot.observed):
            with pytest.raises(CeibaError, match=r"a regression model.*plot\.confusion"):
                draw(owner, table(), y)
    with pytest.raises(CeibaError, match="needs a regression model"):
        classifier().plot.residuals(table(), labels())


def test_residuals_of_other_libraries():
    x = table()[["age"]].to_numpy()
    other = LinearRegression().fit(x, target())
    ax = plot.residuals(other, x, target())
    np.testing.assert_allclose(ax.collections[0].get_offsets()[:, 0], other.predict(x))
