"""What tests of pictures share: models to draw, and whether texts stay apart."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

N_ROWS = 300
LONG = "serum creatinine (mg/dL), measured at admission to the hospital"


@cache
def table() -> Any:
    """Return columns with a long name, long levels and missing values."""
    import pandas as pd

    random = np.random.default_rng(0)
    colours = ["red", "green", "a level with a very long name", "blue"]
    values = random.normal(size=N_ROWS)
    return pd.DataFrame(
        {
            "age": random.uniform(20, 80, N_ROWS),
            LONG: random.gamma(2, 1, N_ROWS),
            "colour": random.choice(colours, N_ROWS),
            "gaps": np.where(random.random(N_ROWS) < 0.2, np.nan, values),
        }
    )


@cache
def target() -> Any:
    frame = table()
    return (frame["age"] / 20 + 2 * (frame["colour"] == "red") + frame[LONG]).to_numpy()


@cache
def labels() -> Any:
    return np.where(target() > np.median(target()), "yes", "no")


@cache
def wide() -> Any:
    """Return 200 columns whose names differ in the middle, and 26 classes."""
    import pandas as pd

    numbers = np.random.default_rng(1).normal(size=(208, 200))
    names = [f"measurement number {j} of the whole panel" for j in range(200)]
    letters = np.argsort(np.argsort(numbers[:, 0])) * 26 // 208
    return pd.DataFrame(numbers, columns=names), np.array([chr(97 + k) for k in letters])


@cache
def regressor() -> Any:
    from ceiba import CeibaRegressor

    sets = [(table()[:200], target()[:200]), (table()[200:], target()[200:])]
    return CeibaRegressor(n_estimators=20).fit(table(), target(), eval_set=sets)


@cache
def classifier() -> Any:
    from ceiba import CeibaClassifier

    return CeibaClassifier(n_estimators=10, eval_metric=["auc", "logloss"]).fit(
        table(), labels(), eval_set=[(table(), labels())]
    )


@cache
def of_wide() -> Any:
    from ceiba import CeibaRegressor

    frame, _ = wide()
    return CeibaRegressor(n_estimators=15).fit(frame, frame.iloc[:, :40].sum(axis=1))


@cache
def of_letters() -> Any:
    from ceiba import CeibaClassifier

    frame, letters = wide()
    return CeibaClassifier(n_estimators=2, min_samples_leaf=2).fit(frame, letters)


def made_up(n_rows: int = 5, n_columns: int = 3, **more: Any) -> Any:
    """Return an explanation of nothing: a column's values are 1, 2, … times its number."""
    values = np.outer(np.arange(1.0, n_rows + 1), np.arange(n_columns) - 1.0)
    parts = {
        "values": values,
        "base_values": np.full(n_rows, 0.5),
        "data": np.arange(n_rows * n_columns, dtype=float).reshape(n_rows, n_columns),
        "feature_names": [f"f{j}" for j in range(n_columns)],
        "output_names": [],
        "interactions": False,
    }
    return SimpleNamespace(**{**parts, **more})


def texts_of(figure: Any) -> list[tuple[str, Any]]:
    """Return every text that is seen, with its box in pixels, once the layout is settled."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    found = []
    for ax in figure.axes:
        texts = [*ax.texts, ax.title, ax._left_title]
        if ax.axison:
            texts += [ax.xaxis.label, ax.yaxis.label]
            for axis in (ax.xaxis, ax.yaxis):
                texts += [tick.label1 for tick in axis._update_ticks()]
        if ax.get_legend():
            texts += ax.get_legend().get_texts()
        found += [text for text in texts if text.get_visible() and text.get_text().strip()]
    return [(text.get_text(), text.get_window_extent(renderer)) for text in found]


def troubles(figure: Any) -> list[str]:
    """Return texts that lie over each other or leave the figure."""
    texts = texts_of(figure)
    width, height = figure.bbox.width, figure.bbox.height
    found = [
        f"{text!r} is cut"
        for text, box in texts
        if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1
    ]
    for k, (text, box) in enumerate(texts):
        for other, second in texts[:k]:
            across = min(box.x1, second.x1) - max(box.x0, second.x0)
            if across > 1.5 and min(box.y1, second.y1) - max(box.y0, second.y0) > 1.5:
                found.append(f"{text!r} lies over {other!r}")
    return found
