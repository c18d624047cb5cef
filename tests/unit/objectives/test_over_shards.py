"""Every objective starts from the same scores, and chooses the same options, over shards."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from parts import over

from ceiba.boosting.start import bind_objective, start_scores
from ceiba.errors import InvalidInputError
from ceiba.objectives import OBJECTIVES, find_objective
from ceiba.parameters.resolving import resolve
from ceiba.testing.targets import example_target

N_ROWS = 300
WEIGHTS = {"none": None, "real": np.exp(np.random.default_rng(1).normal(size=N_ROWS))}
NAMES = [kind.name for kind in OBJECTIVES]


def parameters_of(name: str, **given: Any) -> Any:
    return resolve({"objective": name, **given})


@pytest.mark.parametrize("leaf_rule", ["exact", "friedman"])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", NAMES)
def test_the_start(name: str, weights: str, leaf_rule: str) -> None:
    takes_rule = name in ("absolute_error", "quantile", "huber")
    if leaf_rule == "friedman" and not takes_rule:
        pytest.skip("the objective has no such option")
    options = {"leaf_rule": leaf_rule} if takes_rule else {}
    parameters, objective = parameters_of(name, **options), find_objective(name, **options)
    target = example_target(objective, N_ROWS)
    target = np.floor(np.abs(target)) if objective.needs_queries else target

    def start(own: Any, own_weights: Any) -> Any:
        bound = bind_objective(objective, parameters, own)
        n_outputs = bound.n_outputs(own)
        found = start_scores(parameters, bound, n_outputs, False, own, own_weights)
        scores = np.zeros((n_outputs, len(own))) + found[:, None]
        return bound, found.tolist(), bound.for_round(scores, own, own_weights)

    expected = start(target, WEIGHTS[weights])
    for cuts in ([100, 250], [0], [1, 2, 3]):
        assert over(cuts, start, target, WEIGHTS[weights])[0] == expected


@pytest.mark.parametrize(
    ("name", "target", "match"),
    [
        ("softmax", [0.0, 1.0, 3.0, 1.0], "No row has class 2"),
        ("softmax", [0.0, 0.0, 0.0, 0.0], "at least two classes"),
        ("poisson", [0.0, 0.0, 0.0, 0.0], "at least one value above 0"),
        ("logistic", [0.0, 1.0, 1.0, 2.0], "only 0 and 1"),
    ],
)
def test_wrong_targets(name: str, target: list[float], match: str) -> None:
    bind = partial(bind_objective, find_objective(name), parameters_of(name))
    with pytest.raises(InvalidInputError, match=match):
        over([2], bind, np.array(target))


def test_a_class_may_be_in_one_shard_only() -> None:
    bind = partial(bind_objective, find_objective("softmax"), parameters_of("softmax"))
    bound, _ = over([2, 3], bind, np.array([0.0, 1.0, 2.0, 0.0]))
    assert bound.n_classes == 3
