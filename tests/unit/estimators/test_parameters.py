"""Constructors, docstrings, get_params and set_params: names, aliases, signatures."""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from small_table import THREE, X, Y, regressor

from ceiba import CeibaClassifier, CeibaRanker, CeibaRegressor
from ceiba.errors import InvalidParameterError, UnknownParameterError
from ceiba.estimators import NotFittedError
from ceiba.estimators.documentation import describe
from ceiba.parameters import DECLARED


@pytest.mark.parametrize("kind", [CeibaRegressor, CeibaClassifier])
def test_the_signature_shows_every_parameter(kind: type) -> None:
    name = "regressor" if kind is CeibaRegressor else "classifier"
    expected = [parameter.name for parameter in DECLARED if name in parameter.estimators]
    signature = inspect.signature(kind)
    assert list(signature.parameters) == expected
    assert signature.parameters["recipe"].default == "auto"
    assert signature.parameters["learning_rate"].default is None
    for shown in expected:
        assert f"    {shown} : " in (kind.__doc__ or "")


def test_aliases_are_kept_as_written_and_resolved_in_fit() -> None:
    written = regressor(eta=0.5, num_leaves=4)
    assert written.get_params()["eta"] == 0.5
    assert written.get_params()["learning_rate"] is None
    assert written.fit(X, Y).get_params()["eta"] == 0.5
    canonical = regressor(learning_rate=0.5, max_leaves=4).fit(X, Y)
    assert written.model_.fingerprint() == canonical.model_.fingerprint()
    assert regressor().set_params(eta=0.5).get_params()["eta"] == 0.5


def test_aliases_are_attributes_and_can_be_set() -> None:
    written = regressor(eta=0.5)
    assert written.eta == 0.5
    assert "eta" not in vars(written)
    written.eta = 0.25
    assert written.get_params()["eta"] == 0.25
    for same in (clone(written), copy.deepcopy(written), pickle.loads(pickle.dumps(written))):
        assert same.get_params() == written.get_params()
        assert same.fit(X, Y).model_.parameters["learning_rate"] == 0.25
    assert "eta=0.25" in repr(written)
    with pytest.raises(AttributeError, match="num_leaves"):
        _ = written.num_leaves
    with pytest.raises(NotFittedError):
        _ = written.feature_importances_


def test_a_copy_has_aliases_of_its_own() -> None:
    written = regressor(eta=0.5)
    copy.copy(written).set_params(eta=0.1)
    copy.copy(written).set_params(learning_rate=0.1)
    copy.copy(written).eta = 0.2
    assert written.get_params()["eta"] == 0.5


def test_the_name_that_was_set_last_counts() -> None:
    written = regressor(eta=0.5).set_params(learning_rate=0.2)
    assert "eta" not in written.get_params()
    assert written.fit(X, Y).model_.parameters["learning_rate"] == 0.2
    written.set_params(shrinkage=0.1)
    assert written.get_params()["learning_rate"] is None
    assert written.fit(X, Y).model_.parameters["learning_rate"] == 0.1
    same = regressor().set_params(**regressor(eta=0.5).get_params())
    assert same.fit(X, Y).model_.parameters["learning_rate"] == 0.5
    assert "eta" not in regressor(eta=0.5).set_params(learning_rate=None).get_params()
    assert regressor(eta=0.5).set_params(**regressor().get_params()).get_params().get("eta") is None
    with pytest.raises(InvalidParameterError, match="two names of one parameter"):
        written.set_params(eta=0.1, learning_rate=0.2)
    search = GridSearchCV(regressor(eta=0.5), {"learning_rate": [0.1, 0.3]}, cv=2).fit(X, Y)
    assert search.best_estimator_.model_.parameters["learning_rate"] in (0.1, 0.3)


def test_names_are_checked_at_once_and_values_in_fit() -> None:
    with pytest.raises(UnknownParameterError, match="Did you mean 'learning_rate'"):
        CeibaRegressor(learning_rat=0.1)
    with pytest.raises(TypeError, match="path_smooth"):
        CeibaRegressor(path_smooth=0.1)
    with pytest.raises(ValueError, match="Did you mean 'max_depth'"):
        CeibaRegressor().set_params(max_dept=3)
    with pytest.raises(InvalidParameterError, match="has no parameter class_weight"):
        CeibaRegressor(class_weight="balanced")
    with pytest.raises(InvalidParameterError, match="has no parameter class_weight"):
        CeibaRegressor().set_params(class_weight="balanced")
    wrong = CeibaRegressor(max_bins=1)
    with pytest.raises(InvalidParameterError, match=r"max_bins must be .* Got 1\."):
        wrong.fit(X, Y)
    with pytest.raises(InvalidParameterError, match="two names of one parameter"):
        CeibaRegressor(eta=0.1, learning_rate=0.2).fit(X, Y)


def test_the_description_has_every_parameter() -> None:
    text = describe()
    for parameter in DECLARED:
        assert f"{parameter.name} : must be" not in text
        assert f"{parameter.name} : {parameter.constraint.text}" in text
    assert "class_weight" not in describe("regressor")


class _Derived(CeibaRegressor):
    """Has a parameter of its own, shows one of ceiba's and sets another."""

    def __init__(self, *, note: str = "", max_leaves: int = 4) -> None:
        super().__init__(max_leaves=max_leaves, n_estimators=3)
        self.note = note


def test_a_derived_class_may_have_parameters_of_its_own() -> None:
    derived = clone(_Derived(note="a")).set_params(note="b", max_leaves=5).fit(X, Y)
    assert derived.get_params() == {"note": "b", "max_leaves": 5}
    assert derived.model_.n_iterations == 3
    assert derived.model_.parameters["max_leaves"] == 5
    with pytest.raises(InvalidParameterError, match="max_depth"):
        derived.set_params(max_depth=3)


class _HandsOn(CeibaRegressor):
    """Has a parameter of its own and hands the others on."""

    def __init__(self, note: str = "", **parameters: Any) -> None:
        super().__init__(**parameters)
        self.note = note


def test_a_derived_class_that_hands_others_on_keeps_them() -> None:
    derived = _HandsOn("a", n_estimators=3, num_leaves=5, device="cpu")
    params = derived.get_params()
    assert (params["note"], params["n_estimators"], params["num_leaves"]) == ("a", 3, 5)
    assert params["learning_rate"] is None
    same = clone(derived).set_params(max_depth=3)
    assert same.get_params() == {**params, "max_depth": 3}
    assert same.fit(X, Y).model_.n_iterations == 3
    assert same.model_.parameters["max_leaves"] == 5
    with pytest.raises(UnknownParameterError, match="max_depth"):
        _HandsOn(max_dept=3)


def test_a_derived_class_may_have_parameters_and_attributes_of_foreign_names() -> None:
    class Named(CeibaRegressor):
        def __init__(self, *, name: str = "", **parameters: Any) -> None:
            super().__init__(**parameters)
            self.name = name
            self.data = [1, 2]

    derived = clone(Named(name="mine", n_estimators=3)).fit(X, Y)
    assert (derived.name, derived.data) == ("mine", [1, 2])


def test_foreign_names_are_kept_as_written() -> None:
    written = regressor(device="cpu", silent=True, boosting_type="gbdt", class_weight=None)
    params = written.get_params()
    assert (params["device"], params["silent"], params["class_weight"]) == ("cpu", True, None)
    assert written.device == "cpu"
    assert clone(written).get_params() == params
    assert "device='cpu'" in repr(written)
    written.device = "cuda"
    with pytest.raises(InvalidParameterError, match="device='cuda' is not supported"):
        written.fit(X, Y)
    with pytest.raises(InvalidParameterError, match="forcedsplits_filename="):
        written.set_params(forcedsplits_filename="splits.json")
    assert written.set_params(device="cpu").fit(X, Y).model_.n_iterations == 10
    with pytest.raises(
        InvalidParameterError, match=r"no parameter class_weight .given as 'is_unbalance'"
    ):
        regressor(is_unbalance=True).fit(X, Y)


def test_a_foreign_name_is_forgotten_with_what_it_stands_for() -> None:
    written = CeibaClassifier(auto_class_weights="Balanced", bootstrap_type="No")
    written.set_params(class_weight="balanced", sampling="mvs")
    params = written.get_params()
    assert (params["class_weight"], params["sampling"]) == ("balanced", "mvs")
    assert "auto_class_weights" not in params
    assert "bootstrap_type" not in params
    params = written.set_params(auto_class_weights="SqrtBalanced").get_params()
    assert (params["auto_class_weights"], params["class_weight"]) == ("SqrtBalanced", None)
    # A switch leaves alone what it reads.
    kept = CeibaRegressor(n_iter_no_change=5).set_params(early_stopping=True).get_params()
    assert (kept["early_stopping"], kept["n_iter_no_change"]) == (True, 5)


def test_where_values_come_from() -> None:
    estimator = CeibaClassifier(recipe="lightgbm", eta=0.2, n_jobs=1, n_estimators=3)
    table = estimator.resolved()
    assert list(table) == ["parameter", "value", "source"]
    found = {row.parameter: (row.value, row.source) for row in table.itertuples()}
    assert found["learning_rate"] == (0.2, "you")
    assert found["recipe"] == ("lightgbm", "you")
    assert found["max_bins"] == (255, "recipe")
    assert found["objective"] == (None, "data")
    assert "quantile" not in found
    estimator.fit(X, THREE)
    found = {row.parameter: (row.value, row.source) for row in estimator.resolved().itertuples()}
    assert found["objective"] == ("softmax", "data")
    assert found["n_classes"] == (3, "data")
    assert found["learning_rate"] == (0.2, "you")
    plain = {row.parameter: row.source for row in CeibaRegressor().resolved().itertuples()}
    assert plain["recipe"] == "recipe"
    ranker = CeibaRanker(recipe="single")
    ranked = {row.parameter: row.value for row in ranker.resolved().itertuples()}
    assert ranked["grow_policy"] == "symmetric"
    generator = np.random.RandomState(3)
    drawn = CeibaRegressor(random_state=generator)
    drawn.resolved()
    assert generator.randint(1000) == np.random.RandomState(3).randint(1000)


def test_a_table_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    table = CeibaClassifier(n_estimators=3).resolved()
    assert table["parameter"].to_list()[0] == "recipe"
    monkeypatch.setitem(sys.modules, "polars", None)
    assert CeibaClassifier(n_estimators=3).resolved()["source"][0] == "recipe"


def test_foreign_names_are_read_beside_our_own() -> None:
    """Reading a single parameter must know the others that a foreign name depends on."""
    X = np.arange(40.0).reshape(20, 2)
    level = CeibaRegressor(n_estimators=2, recipe="lightgbm", objective="quantile", alpha=0.3)
    assert level.fit(X, X[:, 0]).model_.parameters["quantile"] == 0.3
    assert level.predict(X).shape == (20,)
    best = CeibaRegressor(n_estimators=3, early_stopping_rounds=2, use_best_model=True)
    assert best.fit(X, X[:, 0], eval_set=[(X, X[:, 0])]).predict(X).shape == (20,)
    CeibaClassifier(n_estimators=2, use_label_encoder=False).fit(X, X[:, 0] > 20)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decision_function", "apply"])
def test_predictions_take_a_number_of_threads(method: str) -> None:
    X = np.arange(40.0).reshape(20, 2)
    classifier = CeibaClassifier(n_estimators=2).fit(X, X[:, 0] > 20)
    call = getattr(classifier, method)
    np.testing.assert_array_equal(call(X, n_jobs=1), call(X))
    for wrong in (0, "two", 1.5):
        with pytest.raises(InvalidParameterError, match="n_jobs must be"):
            call(X, n_jobs=wrong)
    with pytest.raises(UnknownParameterError, match="Did you mean 'n_jobs'"):
        call(X, n_job=1)


def test_only_what_was_changed() -> None:
    X = np.arange(40.0)[:, None]
    fitted = CeibaRegressor(recipe="xgboost", eta=0.2, max_depth=6, n_estimators=2).fit(X, X[:, 0])
    found = {row.parameter: row.source for row in fitted.resolved(changed_only=True).itertuples()}
    assert found["recipe"] == found["learning_rate"] == found["n_estimators"] == "you"
    assert found["objective"] == "data"
    assert "max_depth" not in found  # 6 is the recipe's own
    assert "reg_lambda" not in found
    assert len(CeibaRegressor().resolved(changed_only=True)) == 0
