"""Metrics over rounds, and boosting step by step."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import classifier, of_letters, regressor, troubles, wide

from ceiba import CeibaRegressor, plot
from ceiba.errors import CeibaError


def test_every_metric_has_a_panel_and_every_set_a_line():
    axes = plot.training(classifier())
    assert [ax.get_ylabel() for ax in axes] == ["auc", "logloss"]
    history = classifier().evals_result_["validation_0"]
    for ax in axes:
        line = ax.get_legend_handles_labels()[0][0]
        np.testing.assert_allclose(line.get_ydata(), history[ax.get_ylabel()])
    ax = plot.training(regressor(), "rmse")
    assert [text.get_text().split(",")[0] for text in ax.get_legend().get_texts()] == [
        "validation_0",
        "validation_1",
    ]
    assert not troubles(ax.figure)


def test_the_best_round_is_marked():
    x = np.random.default_rng(0).normal(size=(300, 2))
    y = x[:, 0] + np.random.default_rng(1).normal(size=300)
    fitted = CeibaRegressor(n_estimators=200, early_stopping_rounds=5).fit(x, y)
    title = plot.training(fitted).get_title(loc="left")
    assert title.endswith(f"(best_iteration {fitted.best_iteration_})")
    ax = plot.training(fitted)
    assert ax.get_xlabel() == "iteration (counted from 0)"
    marked = next(line for line in ax.lines if line.get_marker() == "o")
    assert marked.get_xdata()[0] == fitted.best_iteration_
    best = int(np.argmax(classifier().evals_result_["validation_0"]["auc"]))
    assert f"best at iteration {best})" in plot.training(classifier(), "auc").get_title(loc="left")


def test_steps_have_the_fit_above_and_residuals_below():
    x = np.linspace(0, 6, 200)[:, None]
    y = np.sin(x[:, 0])
    fitted = CeibaRegressor(n_estimators=12, max_leaves=4).fit(x, y)
    axes = fitted.plot.steps(x, y, rounds=[1, 12])
    assert len(axes) == 4
    points = axes[3].collections[0].get_offsets()
    np.testing.assert_allclose(points[:, 1], y - fitted.predict(x))
    np.testing.assert_allclose(points[:, 0], x[:, 0])
    assert [ax.get_title(loc="left") for ax in axes[:2]] == ["after 1 round", "after 12 rounds"]
    assert len(axes[2].lines) == 2  # nothing is left to do, and the next step
    assert len(axes[3].lines) == 1
    assert not troubles(axes[0].figure)
    assert len(fitted.plot.steps(x, y)) == 8


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plot.training(of_letters()), "trained with an eval set"),
        (lambda: plot.training(regressor(), "auc"), "metric must be a metric of the training"),
        (lambda: plot.steps(of_letters(), *wide()), "one output"),
        (lambda: plot.steps(regressor(), [[0]], [1], rounds=[99]), "rounds must be"),
    ],
)
def test_what_cannot_be_drawn(draw, message):
    with pytest.raises(CeibaError, match=message):
        draw()
