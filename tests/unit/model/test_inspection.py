"""Descriptions of a model: its trees, its table of nodes, and the help of its methods."""

from __future__ import annotations

import doctest
import inspect

import numpy as np
import pytest

from ceiba import Model
from ceiba.model.tree_weights import TreeWeights
from ceiba.testing.forests import random_model

METHODS = [
    name
    for name, value in inspect.getmembers(Model, inspect.isfunction)
    if not name.startswith("_") and inspect.signature(value).parameters.keys() - {"self"}
]
#: Methods that other modules of ceiba call and users do not: one sentence is enough.
INTERNAL = {"known_rows", "evaluate_rows", "scored", "metrics_of", "with_forest", "corrected"}


@pytest.mark.parametrize("name", METHODS)
def test_help_describes_every_parameter_and_its_examples_run(name: str) -> None:
    text = inspect.getdoc(getattr(Model, name)) or ""
    if name in INTERNAL:
        assert text
        return
    parameters = [p for p in inspect.signature(getattr(Model, name)).parameters if p != "self"]
    assert all(parameter in text for parameter in parameters)
    assert "Parameters\n----------\n" in text
    assert "Returns\n-------\n" in text or "Yields\n------\n" in text or name.startswith("save")
    found = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    out: list[str] = []
    runner = doctest.DocTestRunner()
    runner.run(found, out=out.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(out)


def test_trees_have_the_weights_of_the_model() -> None:
    from dataclasses import replace

    model = random_model(0, n_iterations=4)
    assert model.trees().weight is None
    changed = replace(model, tree_weights=TreeWeights().changed(2, [0, 1], [0.5, 0.25]))
    assert changed.trees().weight.tolist() == [0.5, 0.25, 1.0, 1.0]
    assert changed.trees(2).weight is None
    mean = replace(model, tree_weights=TreeWeights(mean=True))
    assert mean.trees(begin=2).weight.tolist() == [0.5] * 4
    own = mean.trees().weighted().to_forest(model.n_features).arrays()
    np.testing.assert_array_equal(own["value"], mean.weighted_forest().arrays()["value"])
