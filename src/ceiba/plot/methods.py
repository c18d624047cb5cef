"""``model.plot``: every plot as a method of the model or estimator."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ceiba.plot import (
    classes,
    curves,
    importance,
    partial,
    regression,
    reliability,
    shap_values,
    swarm,
    trees,
)
from ceiba.plot.regions import regions as _regions

__all__ = ["ModelPlots"]


def _of_model(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that passes the model to a function as its first argument."""

    @functools.wraps(function)
    def method(self: ModelPlots, *arguments: Any, **options: Any) -> Any:
        return function(self._owner, *arguments, **options)

    return _signed(method, function, [])


def _of_explanation(function: Callable[..., Any], **explained: Any) -> Callable[..., Any]:
    """Return a method that explains rows and passes the explanation to a function."""

    @functools.wraps(function)
    def method(self: ModelPlots, X: Any, *arguments: Any, **options: Any) -> Any:
        return function(self._owner.explain(X, **explained), *arguments, **options)

    return _signed(method, function, ["X"])


def _signed(
    method: Callable[..., Any], function: Callable[..., Any], first: list[str]
) -> Callable[..., Any]:
    """Set the signature of the function without its first argument, the model."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    own = [inspect.Parameter(name, kind) for name in ["self", *first]]
    rest = list(inspect.signature(function).parameters.values())[1:]
    method.__signature__ = inspect.Signature([*own, *rest])  # type: ignore[attr-defined]
    method.__doc__ = (
        f"See :func:`ceiba.plot.{function.__name__}`, of this model.\n\n{function.__doc__}"
    )
    return method


class ModelPlots:
    """The plots of one model.

    Plots of SHAP values take rows and explain them: ``model.plot.beeswarm(X)``. To draw several
    plots of one explanation, use the functions of :mod:`ceiba.plot`.

    Examples
    --------
    >>> from ceiba import CeibaClassifier
    >>> from ceiba.demo import load_heart_failure
    >>> X, y, names = load_heart_failure()
    >>> model = CeibaClassifier(n_estimators=20).fit(X, y)
    >>> axes = model.plot.importances("gain")
    >>> axes = model.plot.beeswarm(X)
    """

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    importances = _of_model(importance.importances)
    beeswarm = _of_explanation(swarm.beeswarm)
    waterfall = _of_explanation(shap_values.waterfall)
    dependence = _of_explanation(shap_values.dependence)
    interactions = _of_explanation(shap_values.interactions, interactions=True)
    partial_dependence = _of_model(partial.partial_dependence)
    tree = _of_model(trees.tree)
    training = _of_model(curves.training)
    steps = _of_model(curves.steps)
    roc = _of_model(classes.roc)
    precision_recall = _of_model(classes.precision_recall)
    calibration = _of_model(reliability.calibration)
    confusion = _of_model(classes.confusion)
    regions = _of_model(_regions)
    residuals = _of_model(regression.residuals)
    observed = _of_model(regression.observed)
    coverage = _of_model(regression.coverage)

    def __repr__(self) -> str:
        names = ", ".join(name for name in vars(ModelPlots) if not name.startswith("_"))
        return f"<plots of a {type(self._owner).__name__}: {names}>"
