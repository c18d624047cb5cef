from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import InvalidInputError, InvalidParameterError, ModelFileError
from ceiba.model.load import load_model
from ceiba.model.model import Model
from ceiba.testing.forests import random_forest, random_model, random_rows, raw_scores, with_sets

DAMAGE = {
    "offsets do not start at 0": ("tree_offsets", 0, 1),
    "offsets shrink": ("tree_offsets", 2, 0),
    "offsets end early": ("tree_offsets", -1, 3),
    "offsets leave the arrays": ("tree_offsets", 1, 2**62),
    "feature too large": ("feature", 0, 5),
    "feature negative": ("feature", 0, -2),
    "left is itself": ("left", 0, 0),
    "left out of range": ("left", 0, 2**31 - 1),
    "left negative": ("left", 0, -5),
    "right is left": ("right", 0, "left"),
    "leaf with a child": ("left", "leaf", 1),
    "split becomes a leaf": ("feature", 0, -1),
    "leaf becomes a split": ("feature", "leaf", 0),
    "threshold is not a number": ("threshold", 0, np.nan),
    "value infinite": ("value", "leaf", np.inf),
    "value of a split not a number": ("value", 0, np.nan),
    "values overflow": ("value", "leaf", 1e308),
    "missing_left 2": ("missing_left", 0, 2),
    "gain infinite": ("gain", 0, np.inf),
    "cover not a number": ("cover", 0, np.nan),
    "count infinite": ("count", 0, -np.inf),
}


@pytest.fixture
def arrays():
    return random_forest(0, kind="general", n_trees=4, n_features=5, n_leaves=9)


@pytest.mark.parametrize("damage", DAMAGE)
def test_check_forest(arrays, damage):
    name, place, value = DAMAGE[damage]
    if place == "leaf":
        place = np.flatnonzero(arrays["feature"] < 0)[0]
    arrays[name][place] = arrays["left"][0] if value == "left" else value
    with pytest.raises(ModelFileError, match="damaged"):
        _core.Forest(5, 1, arrays)


@pytest.mark.parametrize("name", ["feature", "threshold", "count"])
def test_check_forest_lengths_and_types(arrays, name):
    with pytest.raises(ModelFileError, match=r"one entry for each|nodes"):
        _core.Forest(5, 1, {**arrays, name: arrays[name][:-1]})
    with pytest.raises(ModelFileError, match="wrong type"):
        _core.Forest(5, 1, {**arrays, name: np.zeros(len(arrays[name]), dtype=np.float32)})
    with pytest.raises(ModelFileError, match="no array called"):
        _core.Forest(5, 1, {key: value for key, value in arrays.items() if key != name})


SETS_DAMAGE = {
    "set out of range": ("set_of_node", "set", 10**6),
    "set below -1": ("set_of_node", "set", -2),
    "set of a leaf": ("set_of_node", "leaf", 0),
    "threshold beside a set": ("threshold", "set", 1.0),
    "first offset": ("set_offsets", 0, 1),
    "offset beyond the words": ("set_offsets", 1, 10**9),
    "offset below the one before": ("set_offsets", 2, -1),
    "offsets end early": ("set_offsets", -1, 0),
    "last word empty": ("set_words", -1, 0),
}


@pytest.mark.parametrize("damage", SETS_DAMAGE)
def test_check_sets(arrays, damage):
    arrays = with_sets(arrays, [70] * 5)
    _core.Forest(5, 1, arrays)
    name, place, value = SETS_DAMAGE[damage]
    if place == "leaf":
        place = np.flatnonzero(arrays["feature"] < 0)[0]
    elif place == "set":
        place = np.flatnonzero(arrays["set_of_node"] >= 0)[0]
    arrays[name][place] = value
    with pytest.raises(ModelFileError, match="damaged"):
        _core.Forest(5, 1, arrays)


def test_sets_come_with_all_their_arrays(arrays):
    sets = with_sets(arrays, [70] * 5)
    names = [name for name in sets if name not in arrays]
    assert names == ["set_of_node", "set_offsets", "set_words"]
    for name in names:
        with pytest.raises(ModelFileError, match="no array called"):
            _core.Forest(5, 1, {key: value for key, value in sets.items() if key != name})
        with pytest.raises(ModelFileError, match=r"damaged|no nodes"):
            _core.Forest(5, 1, {**sets, name: sets[name][:-1]})
        with pytest.raises(ModelFileError, match=r"damaged|no nodes"):
            _core.Forest(5, 1, {**sets, name: sets[name][:0]})
        with pytest.raises(ModelFileError, match="wrong type"):
            _core.Forest(5, 1, {**sets, name: sets[name].astype(np.float64)})


def test_check_forest_outputs(arrays):
    for n_outputs in (3, 0, -1, 2**40):
        with pytest.raises(ModelFileError):
            _core.Forest(5, n_outputs, arrays)


def test_arrays_survive_and_are_read_only(arrays):
    views = _core.Forest(5, 2, arrays).arrays()  # the views keep the forest alive
    assert list(views) == list(arrays)
    for name, view in views.items():
        np.testing.assert_array_equal(view, arrays[name])
        assert not view.flags.writeable


def test_model_is_immutable():
    model = random_model(0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.best_iteration = 7
    with pytest.raises(dataclasses.FrozenInstanceError):
        del model.forest
    with pytest.raises(TypeError):
        model.parameters["learning_rate"] = 1.0
    with pytest.raises(TypeError):
        model.history["valid"]["rmse"] = ()
    with pytest.raises(ValueError, match="read-only"):
        model.start_scores[0] = 1.0


def test_what_is_handed_in_may_change_later():
    start, parameters = np.zeros(1), {"nested": [1]}
    made = random_model(0)
    model = Model(
        schema=made.schema,
        objective=made.objective,
        parameters=parameters,
        start_scores=start,
        forest=made.forest,
        best_iteration=3,
    )
    before = model.fingerprint()
    start[0] = 5.0
    parameters["nested"].append(2)
    assert model.fingerprint() == before
    assert model.parameters["nested"] == [1]


def test_parts_must_fit():
    made = random_model(0)
    with pytest.raises(InvalidInputError, match="one start score"):
        Model(
            schema=made.schema,
            objective=made.objective,
            parameters={},
            start_scores=np.zeros(2),
            forest=made.forest,
            best_iteration=0,
        )


@pytest.mark.parametrize(
    ("objective", "n_outputs"), [("squared_error", 1), ("logistic", 1), ("softmax", 3)]
)
@pytest.mark.parametrize("n_rows", [1, 200])
def test_predictions(objective, n_outputs, n_rows):
    model = random_model(1, objective=objective, n_outputs=n_outputs)
    X = random_rows(0, n_rows, 5)
    raw = raw_scores(model.forest.arrays(), X, n_outputs, model.start_scores)
    expected = raw if n_outputs > 1 else raw[:, 0]
    np.testing.assert_array_equal(model.predict_raw(X), expected)
    np.testing.assert_array_equal(model.predict(X), model.objective.predict(raw))
    stages = list(model.staged_predict_raw(X))
    assert len(stages) == model.n_iterations
    np.testing.assert_array_equal(stages[-1], expected)
    np.testing.assert_array_equal(stages[1], model.predict_raw(X, iteration_range=(0, 2), n_jobs=1))
    np.testing.assert_array_equal(list(model.staged_predict(X))[-1], model.predict(X))
    assert model.apply(X).shape == (n_rows, model.n_trees)
    assert model.apply(X, iteration_range=(1, 3)).shape == (n_rows, 2 * n_outputs)


def test_fast_and_general_way_agree():
    model = random_model(2)
    X = random_rows(0, 50, 5)
    np.testing.assert_array_equal(
        model.predict(X), model.predict(X, iteration_range=(0, model.n_iterations))
    )
    with pytest.raises(InvalidInputError):
        model.predict(X[:, :4])
    with pytest.raises(InvalidInputError):
        model.predict(X[0])


def test_pickle_and_copy(tmp_path):
    model = random_model(0, objective="softmax", n_outputs=3, classes=np.array(["a", "b", "c"]))
    X = random_rows(0, 30, 5)
    loaded = pickle.loads(pickle.dumps(model))
    assert loaded.fingerprint() == model.fingerprint()
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert copy.copy(model) is model
    assert copy.deepcopy(model) is model
    model.save(tmp_path / "model.ceiba")
    again = load_model(tmp_path / "model.ceiba")
    assert again.fingerprint() == model.fingerprint()
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert dict(again.parameters) == dict(model.parameters)
    assert again.history == model.history
    assert again.best_iteration == model.best_iteration
    np.testing.assert_array_equal(again.classes, model.classes)


def test_repr():
    shown = repr(random_model(0, objective="softmax", n_outputs=3))
    assert "softmax" in shown
    assert "4 iterations of 3 trees" in shown
    assert "5 features (column 0, column 1, column 2 and 2 more)" in shown


# ---- cut models ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_truncate(n_outputs, tmp_path):
    objective = "softmax" if n_outputs > 1 else "squared_error"
    whole = random_model(2, objective=objective, n_outputs=n_outputs, n_iterations=6)
    whole = dataclasses.replace(whole, history={"held": {"rmse": range(6)}})
    X = np.random.default_rng(0).normal(size=(9, whole.n_features))
    for n in range(7):
        cut = whole.truncate(n)
        assert (cut.n_iterations, cut.best_iteration) == (n, n - 1)
        assert cut.history["held"]["rmse"] == tuple(range(n))
        expected = whole.predict(X, iteration_range=(0, n))
        np.testing.assert_array_equal(cut.predict(X), expected)
        assert whole[:n].fingerprint() == cut.fingerprint()
        cut.save(tmp_path / "model.ceiba")
        assert load_model(tmp_path / "model.ceiba").fingerprint() == cut.fingerprint()
    assert whole.n_iterations == 6
    assert whole[:].fingerprint() == whole[0:99].fingerprint() == whole.fingerprint()
    assert whole[:-2].n_iterations == 4


@pytest.mark.parametrize("n", [-1, 7, 2.0, "all", None, True])
def test_truncate_to_what_is_not_there(n):
    with pytest.raises(InvalidParameterError, match="n_iterations must be"):
        random_model(2, n_iterations=6).truncate(n)


@pytest.mark.parametrize(
    "wrong", [slice(2, 4), slice(0, 4, 2), slice(None, None, -1), slice("a"), 3]
)
def test_only_the_first_iterations_are_a_model(wrong):
    with pytest.raises(InvalidParameterError, match=r"as in model\[:n\]"):
        random_model(2, n_iterations=6)[wrong]
