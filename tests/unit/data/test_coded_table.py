"""What a dataset of bin codes can do, and what it refuses."""

import pickle

import numpy as np
import pandas as pd
import pytest

import ceiba
from ceiba import CeibaClassifier, Dataset, train
from ceiba.errors import InvalidInputError, InvalidParameterError, UnpicklableError

N = 900


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(N, 4)), columns=list("abcd"))
    frame["city"] = rng.choice(["Lima", "Oslo", "Rome", None], N)
    frame["y"] = (frame["a"] + (frame["city"] == "Oslo") + rng.normal(size=N) > 0) * 1.0
    return frame


@pytest.fixture(scope="module")
def coded(frame):
    return Dataset.from_source(lambda: iter([frame[:500], frame[500:]]), "y")


@pytest.fixture(scope="module")
def whole(frame):
    return Dataset(frame, "y")


PARAMS = {"n_estimators": 5, "objective": "logistic"}


@pytest.mark.parametrize(
    "own",
    [
        {"grow_policy": "symmetric"},
        {"boosting": "dart"},
        {"boosting": "forest", "sampling": "bootstrap"},
        {"sampling": "goss"},
        {"categorical": "subset"},
        {"extra_trees": True},
        {"split_score": "cosine"},
        {"monotone_constraints": {"a": 1}},
    ],
    ids=str,
)
def test_training_is_that_of_the_table(coded, whole, own):
    params = {**PARAMS, **own}
    assert train(params, coded).fingerprint() == train(params, whole).fingerprint()


@pytest.mark.parametrize(
    "own",
    [
        {"split_method": "exact"},
        {"split_method": "approx"},
        {"leaf_model": "linear"},
        {"categorical": "target"},
    ],
    ids=str,
)
def test_what_needs_values_says_so(coded, own):
    with pytest.raises(InvalidInputError, match="holds bin codes instead of values"):
        train({**PARAMS, **own}, coded)


def test_prediction_needs_values(coded, whole, frame):
    model = train(PARAMS, coded)
    assert model.predict(frame.drop(columns="y")).shape == (N,)
    with pytest.raises(InvalidInputError, match="holds bin codes instead of values"):
        model.predict(coded)


def test_folds_and_held_out_rows_share_the_bins(coded, whole):
    table = ceiba.cv(PARAMS, coded, folds=3, early_stopping_rounds=3)
    assert len(table)
    model = train({**PARAMS, "early_stopping_rounds": 2}, coded, validation_fraction=0.2)
    assert model.n_iterations
    parts = coded.take(np.arange(0, N, 2))
    assert parts.n_rows == N // 2
    np.testing.assert_array_equal(parts.target, whole.target[::2])
    mapper, codes = coded.binned(256, 3, 1)
    same, taken = parts.binned(256, 3, 1)
    assert same is mapper
    for j in range(5):
        np.testing.assert_array_equal(taken.column(j), codes.column(j)[::2])


def test_eval_sets_of_values(coded, whole, frame):
    params = {**PARAMS, "n_estimators": 8}
    rows = Dataset(frame[:200], "y")
    one = train(params, coded, eval_sets={"valid": rows})
    assert one.history == train(params, whole, eval_sets={"valid": rows}).history


def test_weights_keep_the_bins(coded):
    weight = np.arange(N) % 3.0
    held = coded.with_weight(weight)
    assert held.n_rows == np.count_nonzero(weight)
    assert held.binned(256, 3, 1)[0] is coded.binned(256, 3, 1)[0]
    assert coded.with_weight(None).n_rows == N


def test_names_and_categories(coded):
    assert coded.with_names(list("vwxyz")).schema.names == tuple("vwxyz")
    strict = coded.with_unseen("error")
    assert strict.schema.unseen == "error"
    assert train(PARAMS, strict).n_iterations == 5
    with pytest.raises(InvalidInputError, match="instead of values"):
        coded.with_categories(["a"])


def test_it_cannot_be_pickled(coded):
    with pytest.raises(UnpicklableError, match=r"dataset.save"):
        pickle.dumps(coded)


def test_identifiers_are_found():
    frame = pd.DataFrame({"id": [f"u{i}" for i in range(300)], "x": np.arange(300.0)})
    dataset = Dataset.from_source(lambda: [(frame, np.arange(300.0))])
    with pytest.warns(UserWarning, match="category 'id' has nearly as many levels as rows"):
        train({"n_estimators": 1, "categorical": "subset"}, dataset)


def test_other_bins_are_refused(coded):
    with pytest.raises(InvalidParameterError, match="max_bins must be 256"):
        train({**PARAMS, "max_bins": 64}, coded)


def test_estimators_refuse_it_with_advice(coded):
    with pytest.raises(ceiba.CeibaError):
        CeibaClassifier(n_estimators=2).fit(coded)
