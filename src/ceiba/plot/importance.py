"""Bar plots of feature importances, several kinds side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ceiba.errors import InvalidParameterError
from ceiba.explain.row_importances import permutation_importances, shap_importances
from ceiba.parameters.constraints import Integer, check_value
from ceiba.plot._of_model import model_of
from ceiba.plot.style import (
    INK,
    MAIN,
    MUTED,
    SMALL,
    dress,
    letters_beside,
    names_that_fit,
    new_column_of_axes,
    short_names,
)

__all__ = ["importances"]

_TITLES = {
    "gain": "sum of gains",
    "total_gain": "sum of gains",
    "cover": "sum of hessians",
    "total_cover": "sum of hessians",
    "split": "number of splits",
    "weight": "number of splits",
    "mean_gain": "mean gain of a split",
    "mean_cover": "mean hessians of a split",
    "mean_rows": "mean rows of a split",
    "mdi": "mean decrease in impurity",
    "impurity": "mean decrease in impurity",
    "permutation": "loss when shuffled",
    "shap": "mean |SHAP value|",
}


def importances(
    model: Any,
    kinds: str | Sequence[str] | None = None,
    X: Any = None,
    y: Any = None,
    *,
    max_columns: int = 20,
    axes: Any = None,
    **how: Any,
) -> Any:
    """Draw feature importances as bars, one panel per kind.

    Parameters
    ----------
    model : Model or fitted estimator
        The model.
    kinds : str or list of str, default=None
        Kinds of :meth:`ceiba.Model.importances`; the first one sorts the columns. None draws
        "gain" and "split"; with X also "shap"; with X and y "gain", "permutation" and "shap".
    X, y : table and target, default=None
        Rows, for "permutation" and "shap".
    max_columns : int, default=20
        Largest number of columns to draw. Given axes may have room for fewer.
    axes : array of axes, default=None
        One for each kind. None makes a new figure.
    **how
        Options of "permutation": metric, n_repeats, random_state, sample_weight.

    Returns
    -------
    axes, or list of axes
        A list if ``kinds`` is a list or None.

    Examples
    --------
    >>> import ceiba
    >>> from ceiba import CeibaClassifier
    >>> from ceiba.demo import load_heart_failure
    >>> X, y, names = load_heart_failure()
    >>> model = CeibaClassifier(n_estimators=20).fit(X, y)
    >>> axes = ceiba.plot.importances(model, ["gain", "split"])
    """
    owner = model_of(model)
    if kinds is None:
        rows = ["gain", "split"]
        if X is not None:
            rows = ["gain", "split", "shap"] if y is None else ["gain", "permutation", "shap"]
        kinds = rows
    wished = [kinds] if isinstance(kinds, str) else list(kinds)
    if not wished:
        raise InvalidParameterError("kinds must name at least one kind of importances. Got none.")
    most = names_that_fit(axes, check_value("max_columns", Integer(1), max_columns))
    found = [_values(owner, kind, X, y, how) for kind in wished]
    order = np.argsort(-found[0][0], kind="stable")[:most]
    size = (1.6 + 2.4 * len(wished), max(1.8, 0.9 + 0.22 * len(order)))
    every = new_column_of_axes(axes, 1, len(wished), size)
    longest = None if axes is None else letters_beside(every[0])
    names = short_names([owner.feature_names[j] for j in order], longest)
    places = np.arange(len(order))[::-1]
    for panel, (ax, kind, (values, spread)) in enumerate(zip(every, wished, found, strict=True)):
        shown = values[order]
        error = None if spread is None else spread[order]
        ax.barh(places, shown, height=0.72, color=MAIN, xerr=error, ecolor=INK, capsize=2)
        dress(ax, title=_TITLES.get(kind, kind), grid="x")
        ax.set_ylim(-0.6, len(order) - 0.4)
        ax.set_yticks(places, names if panel == 0 else [""] * len(order))
        ax.tick_params(axis="y", length=0)
        ax.xaxis.set_major_locator(_few_ticks())
    left = len(found[0][0]) - len(order)
    if left:
        every[0].annotate(
            f"and {left} more columns",
            (0, 0),
            (0, -26),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=SMALL,
            color=MUTED,
            va="top",
        )
    return every[0] if isinstance(kinds, str) else every


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(4, steps=[1, 2, 2.5, 5, 10])


def _values(model: Any, kind: str, X: Any, y: Any, how: dict[str, Any]) -> tuple[Any, Any]:
    if kind not in ("permutation", "shap"):
        return model.feature_importances(kind), None
    if X is None:
        raise InvalidParameterError(f"Importances of kind {kind!r} need rows. Give X.")
    if kind == "shap":
        return shap_importances(model, X), None
    drops = permutation_importances(model, X, y, **how)
    return drops.mean(axis=1), drops.std(axis=1)
