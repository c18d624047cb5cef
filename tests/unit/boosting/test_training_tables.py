"""The forms in which a training reads its rows."""

from __future__ import annotations

import numpy as np
import pytest

import ceiba
from ceiba.boosting.continuation.continued import Earlier
from ceiba.boosting.encoding.encoded_table import encode_training
from ceiba.boosting.loop import train_trees
from ceiba.boosting.prepare import prepare
from ceiba.boosting.training_tables import TrainingTables
from ceiba.parameters.resolving import resolve


def tables(**given: object) -> TrainingTables:
    X = np.random.default_rng(0).normal(size=(80, 3))
    dataset = ceiba.Dataset(X, X[:, 0])
    parameters = resolve({"objective": "squared_error", **given})
    ready = prepare(parameters, dataset, {}, None, Earlier())
    encoded = encode_training(parameters, ready, None, train_trees)
    return TrainingTables.of(ready, encoded)


@pytest.mark.parametrize(
    ("given", "there", "by_bins"),
    [
        ({}, {"mapper", "binned"}, True),
        ({"split_method": "exact"}, {"mapper", "binned", "ranked"}, False),
        ({"split_method": "approx"}, {"ranked"}, False),
        ({"leaf_model": "linear"}, {"mapper", "binned", "regressors"}, False),
    ],
    ids=["hist", "exact", "approx", "lines"],
)
def test_only_what_is_asked_for_is_made(given, there, by_bins) -> None:
    made = tables(**given)
    forms = ("mapper", "binned", "ranked", "regressors", "exchange")
    assert {name for name in forms if getattr(made, name) is not None} == there
    assert (made.for_eval_sets is not None) == by_bins
