"""The forms of the library shap: its own values are ours."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba import CeibaClassifier, CeibaError, CeibaRegressor, Dataset, train

shap = pytest.importorskip("shap")

RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(500, 6))
X[RANDOM.random(X.shape) < 0.05] = np.nan
Y = np.nan_to_num(X[:, 0] * X[:, 1] + X[:, 2])


@pytest.mark.parity
@pytest.mark.parametrize("policy", ["leafwise", "symmetric"])
def test_values_are_those_of_tree_explainer(policy: Any) -> None:
    model = train({"n_estimators": 10, "grow_policy": policy, "max_depth": 5}, Dataset(X, Y))
    explainer = shap.TreeExplainer(model.to_shap(), feature_perturbation="tree_path_dependent")
    own = model.explain(X[:60])
    np.testing.assert_allclose(own.values, explainer.shap_values(X[:60]), rtol=0, atol=1e-9)
    np.testing.assert_allclose(own.base_values[0], explainer.expected_value, atol=1e-9)
    pairs = model.explain(X[:20], interactions=True).values
    theirs = explainer.shap_interaction_values(X[:20])
    np.testing.assert_allclose(pairs, theirs, rtol=0, atol=1e-9)
    background = X[100:130]
    explainer = shap.TreeExplainer(model.to_shap(), background)
    values = model.explain(X[:60], background=background).values
    # Its weights of background rows are of single precision.
    np.testing.assert_allclose(values, explainer.shap_values(X[:60]), rtol=0, atol=1e-6)


@pytest.mark.parity
def test_several_classes() -> None:
    classifier = CeibaClassifier(n_estimators=4).fit(X, np.digitize(Y, [-0.5, 0.5]))
    model = classifier.model_
    explainer = shap.TreeExplainer(model.to_shap(), feature_perturbation="tree_path_dependent")
    theirs = explainer.shap_values(X[:40])
    np.testing.assert_allclose(classifier.explain(X[:40]).values, theirs, rtol=0, atol=1e-9)


@pytest.mark.parity
def test_leaves_of_several_outputs() -> None:
    levels = CeibaRegressor(objective="quantile", quantile=[0.2, 0.8], n_estimators=4).fit(X, Y)
    explainer = shap.TreeExplainer(
        levels.model_.to_shap(), feature_perturbation="tree_path_dependent"
    )
    own = levels.explain(X[:40])
    np.testing.assert_allclose(own.values, explainer.shap_values(X[:40]), rtol=0, atol=1e-9)


def test_models_that_read_more_than_the_table() -> None:
    cities = np.array(["Bonn", "Lima", "Oslo"], dtype=object)[RANDOM.integers(3, size=500)]
    table = {"city": cities, "x": X[:, 0]}
    frame = pd.DataFrame(table)
    model = train({"n_estimators": 3, "categorical": "target"}, Dataset(frame, Y))
    with pytest.raises(CeibaError, match="statistics of the target"):
        model.to_shap()


def test_an_explanation_of_shap() -> None:
    classifier = CeibaClassifier(n_estimators=4).fit(X, np.digitize(Y, [-0.5, 0.5]))
    own = classifier.explain(X[:40])
    theirs = own.to_shap()
    assert isinstance(theirs, shap.Explanation)
    assert theirs.shape == (40, 6, 3)
    assert theirs.feature_names == own.feature_names
    np.testing.assert_array_equal(theirs[..., 1].values, own.values[..., 1])
    np.testing.assert_array_equal(theirs.data, own.data)


def test_without_shap(monkeypatch: pytest.MonkeyPatch) -> None:
    explanation = CeibaRegressor(n_estimators=2).fit(X, Y).explain(X[:2])
    monkeypatch.setitem(sys.modules, "shap", None)
    with pytest.raises(CeibaError, match=r"needs shap. Install it with: pip install 'ceiba\[shap"):
        explanation.to_shap()
