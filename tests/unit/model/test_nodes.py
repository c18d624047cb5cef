from __future__ import annotations

import dataclasses

import numpy as np

from ceiba import _core
from ceiba.objectives import find_objective
from ceiba.testing.forests import random_model


def test_trees_to_frame():
    model = random_model(0, n_outputs=2, objective="softmax")
    frame = model.trees_to_frame()
    assert len(frame) == len(model.forest.arrays()["feature"])
    root = frame[frame["node"] == 0]
    assert (root["depth"] == 0).all()
    assert len(root) == model.n_trees
    splits = frame[frame["left"] >= 0]
    assert splits["feature"].isin(model.schema.names).all()
    assert splits["threshold"].notna().all()
    leaves = frame[frame["left"] < 0]
    assert leaves["feature"].isna().all()
    assert leaves["missing"].isna().all()
    for _, split in splits.iterrows():
        child = frame[(frame["tree"] == split["tree"]) & (frame["node"] == split["right"])]
        assert child["depth"].item() == split["depth"] + 1


def test_trees_to_frame_with_leaves_of_several_outputs():
    model = random_model(0, objective="quantile", n_outputs=3, leaf_width=3)
    frame = model.trees_to_frame()
    arrays = model.forest.arrays()
    assert len(frame) == len(arrays["feature"])
    assert frame["iteration"].max() == frame["tree"].max() == model.n_iterations - 1
    np.testing.assert_array_equal(frame[["value_0", "value_1", "value_2"]], arrays["value"])
    assert not {"value", "output"} & set(frame.columns)
    plain = random_model(0, objective="quantile", n_outputs=3).trees_to_frame()
    assert [c for c in plain.columns if c != "output"][:-1] == list(frame.columns)[:-3]


def test_trees_to_frame_with_sets_of_levels():
    model = random_model(0, n_levels=(0, 3, 200, 64, 0))
    frame, arrays = model.trees_to_frame(), model.forest.arrays()
    by_set = arrays["set_of_node"] >= 0
    assert by_set.any()
    assert frame["levels"].notna().tolist() == by_set.tolist()
    assert frame["threshold"][by_set].isna().all()
    assert frame["threshold"][(arrays["feature"] >= 0) & ~by_set].notna().all()
    for node in np.flatnonzero(by_set):
        words = arrays["set_words"][
            slice(*arrays["set_offsets"][arrays["set_of_node"][node] :][:2])
        ]
        number = sum(int(word) << (64 * place) for place, word in enumerate(words))
        assert number == sum(1 << level for level in frame["levels"][node])
    assert "levels" not in random_model(0).trees_to_frame().columns


def test_fingerprint_covers_what_is_computed():
    model = random_model(0)
    same = dataclasses.replace(model, parameters={"n_jobs": 3}, history={}, best_iteration=0)
    assert same.fingerprint() == model.fingerprint()
    two = random_model(0, objective="logistic")
    assert dataclasses.replace(two, classes=np.arange(2)).fingerprint() == two.fingerprint()
    assert len(model.fingerprint()) == 64
    arrays = {name: array.copy() for name, array in model.forest.arrays().items()}
    arrays["value"][-1] += 1e-16 + abs(arrays["value"][-1]) * 1e-15
    others = [
        dataclasses.replace(model, start_scores=model.start_scores + 1),
        dataclasses.replace(model, objective=find_objective("logistic")),
        dataclasses.replace(model, forest=model.forest.slice(0, 2)),
        dataclasses.replace(model, forest=_core.Forest(5, 1, arrays)),
        random_model(0, n_levels=(0, 3, 200, 64, 0)),
        dataclasses.replace(model, schema=dataclasses.replace(model.schema, names=tuple("abcde"))),
    ]
    assert len({model.fingerprint(), *(other.fingerprint() for other in others)}) == 7
