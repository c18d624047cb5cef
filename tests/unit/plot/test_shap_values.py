"""SHAP values of all rows, one row, one column and pairs."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import (
    LONG,
    classifier,
    made_up,
    of_letters,
    of_wide,
    regressor,
    table,
    target,
    troubles,
    wide,
)

from ceiba import CeibaRegressor, plot
from ceiba.errors import CeibaError

pd = pytest.importorskip("pandas")


def names(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_a_fall_leads_from_the_base_to_the_score():
    explanation = regressor().explain(table())
    ax = plot.waterfall(explanation, 7)
    steps = [bar.get_width() for bar in ax.patches]
    assert sum(steps) == pytest.approx(explanation.values[7].sum())
    assert ax.patches[0].get_x() == pytest.approx(explanation.base_values[7])
    assert len(names(ax)) == len(steps)
    assert any("colour = " in name for name in names(ax))
    few = plot.waterfall(explanation, 7, max_columns=1)
    assert names(few)[0] == "3 other columns"
    assert few.patches[0].get_width() == pytest.approx(sum(steps[:-1]))
    assert not troubles(ax.figure)


def test_numbers_beside_bars_stay_apart_from_names():
    from matplotlib import pyplot as plt

    for size in ((3.2, 2.6), (6.0, 4.0), (11.0, 7.0)):
        figure, ax = plt.subplots(figsize=size, layout="constrained")
        plot.waterfall(of_wide().explain(wide()[0][:1]), ax=ax)
        assert not troubles(figure)
        figure, ax = plt.subplots(figsize=size, layout="constrained")
        plot.beeswarm(of_letters().explain(wide()[0][:3]), output="c", ax=ax)
        assert not troubles(figure)


def test_dependence_over_numbers_and_levels():
    explanation = regressor().explain(table())
    ax = plot.dependence(explanation, "age", colour_by=None)
    points = ax.collections[0].get_offsets()
    np.testing.assert_allclose(points[:, 0], table()["age"])
    np.testing.assert_allclose(points[:, 1], explanation.values[:, 0])
    assert ax.get_xlabel() == "age"
    ax = plot.dependence(explanation, "colour")
    assert len(ax.get_xticklabels()) == 4
    assert len(ax.figure.axes) == 2  # the colours of a second column
    assert not troubles(ax.figure)
    assert plot.dependence(explanation, LONG, colour_by="gaps").get_ylabel() == (
        "SHAP value, prediction"
    )


def test_pairs_as_a_matrix_and_over_values():
    explanation = regressor().explain(table()[:40], interactions=True)
    ax = plot.interactions(explanation)
    shown = ax.images[0].get_array()
    assert shown.shape == (4, 4)
    assert np.ma.getmaskarray(np.ma.masked_invalid(shown))[0, 1]
    assert not troubles(ax.figure)
    ax = plot.interactions(explanation, ("age", LONG))
    points = ax.collections[0].get_offsets()
    both = explanation.values[:, 0, 1] + explanation.values[:, 1, 0]
    np.testing.assert_allclose(np.sort(ax.collections[1].get_offsets()[:, 1]), np.sort(both))
    assert len(points) == 0


def test_outputs_are_chosen_by_name_or_number():
    explanation = of_letters().explain(wide()[0][:5])
    by_name = plot.waterfall(explanation, output="d")
    by_number = plot.waterfall(explanation, output=3)
    assert by_name.get_xlabel() == by_number.get_xlabel() == "raw score of class d (softmax)"


def test_the_axis_names_class_and_scale():
    def label(model, **how):
        return plot.waterfall(model.explain(table()[:3], **how)).get_xlabel()

    assert label(classifier()) == "log-odds of class yes"
    probability = {"background": table()[:20], "output": "probability"}
    assert label(classifier(), **probability) == "probability of class yes"
    assert label(regressor()) == "prediction"
    positive = target() - target().min() + 0.1
    poisson = CeibaRegressor(n_estimators=3, objective="poisson").fit(table(), positive)
    assert label(poisson) == "logarithm of the prediction"
    title = plot.waterfall(classifier().explain(table()[:3], **probability)).get_title(loc="left")
    chance = classifier().predict_proba(table()[:1])[0, 1]
    assert float(title.split()[-1]) == pytest.approx(chance, abs=1e-3)


def test_categories_are_gray_and_dates_are_dates():
    frame = pd.DataFrame(
        {
            "day": pd.Timestamp("2021-03-01") + pd.to_timedelta(np.arange(100), "D"),
            "wait": pd.to_timedelta(np.arange(100) * 90, "min"),
            "zip": pd.Categorical(np.arange(100) % 50 + 10000),
        }
    )
    fitted = CeibaRegressor(n_estimators=5, min_samples_leaf=2).fit(
        frame, np.arange(100) % 7 + (np.arange(100) > 50) + (np.arange(100) % 50 > 20)
    )
    explanation = fitted.explain(frame)
    ax = plot.beeswarm(explanation)
    place = names(ax).index("zip")
    for points in ax.collections:
        here = np.round(points.get_offsets()[:, 1]) == place
        assert not here.any() or points.get_array() is None  # one color
    texts = names(plot.waterfall(explanation, 31))
    assert "day = 2021-04-01" in texts
    made = made_up(
        kinds=["duration", "numeric", "numeric"], data=np.array([[1.9375, 1.0, 3.0]] * 5)
    )
    assert "f0 = 1 day 22:30" in names(plot.waterfall(made, 1))
    ax = plot.dependence(explanation, "day")
    ax.figure.canvas.draw()
    assert any("Apr" in tick.get_text() for tick in ax.get_xticklabels())
    ax = plot.dependence(explanation, "zip")
    assert ax.get_xlabel() == "zip (25 of 50 named)"
    assert plot.dependence(explanation, "wait").get_xlabel() == "wait (days)"


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plot.beeswarm(3), "needs an explanation"),
        (lambda: plot.beeswarm(made_up(0)), "at least one row"),
        (lambda: plot.beeswarm(made_up(interactions=True)), "Got interaction values"),
        (lambda: plot.interactions(made_up()), "interactions=True"),
        (lambda: plot.waterfall(made_up(), 5), "row must be"),
        (lambda: plot.waterfall(made_up(), output="a"), "has one output"),
        (lambda: plot.dependence(made_up(), "f9"), "must be a column"),
        (lambda: plot.dependence(made_up(), 3), "must be a column"),
        (lambda: plot.dependence(made_up(), 1, colour_by=True), "colour_by must be"),
        (
            lambda: plot.beeswarm(
                made_up(values=np.zeros((5, 3, 2)), output_names=["a", "b"]), output="c"
            ),
            "output must be one of 'a', 'b'",
        ),
    ],
)
def test_what_cannot_be_drawn(draw, message):
    with pytest.raises(CeibaError, match=message):
        draw()
