"""Every picture is a method of models and estimators too."""

from __future__ import annotations

import inspect

import pytest
from pictures import classifier, labels, regressor, table

from ceiba import CeibaRegressor, NotFittedError, plot


def test_every_function_is_a_method():
    methods = {name for name in vars(plot.ModelPlots) if not name.startswith("_")}
    assert methods == set(plot.__all__) - {"ModelPlots"}
    for name in methods:
        method, function = getattr(plot.ModelPlots, name), getattr(plot, name)
        assert function.__doc__ in method.__doc__
        shown = list(inspect.signature(method).parameters)
        kept = list(inspect.signature(function).parameters)[1:]
        assert shown in (["self", *kept], ["self", "X", *kept])


def test_methods_of_models_and_estimators():
    ax = regressor().model_.plot.waterfall(table(), 2, max_columns=2)
    assert len(ax.patches) == 3
    assert classifier().plot.roc(table(), labels()).get_title(loc="left") == "ROC"
    assert regressor().plot.interactions(table()[:10]).images
    assert "importances, " in repr(regressor().plot)
    with pytest.raises(NotFittedError):
        _ = CeibaRegressor().plot
