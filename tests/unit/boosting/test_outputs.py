"""How the outputs of a training share trees."""

from __future__ import annotations

import numpy as np
import pytest

import ceiba
from ceiba.boosting.outputs import Outputs, signs_of_round, sketch
from ceiba.boosting.row_statistics import RowStatistics
from ceiba.objectives import find_objective
from ceiba.parameters.resolving import resolve


@pytest.mark.parametrize("n_outputs", [2, 3, 4, 7, 26])
def test_signs(n_outputs: int) -> None:
    drawn = [signs_of_round(5, round, n_outputs) for round in range(200)]
    for signs in drawn:
        assert abs(signs.sum()) < 1e-12
        assert (signs**2).sum() == pytest.approx(n_outputs)
        assert len(np.unique(signs)) == 2
    np.testing.assert_array_equal(drawn[3], signs_of_round(5, 3, n_outputs))
    assert len({tuple(signs) for signs in drawn}) > 1


def test_a_sketch_is_a_sum_with_signs() -> None:
    random = np.random.default_rng(0)
    gradients, hessians = random.normal(size=(3, 50)), random.random((3, 50))
    signs = signs_of_round(1, 2, 3)
    given = RowStatistics(gradients, hessians, 0.0)
    found = Outputs(sketched=True).buffers(given)
    sketch(given, signs, found, 1)
    np.testing.assert_allclose(found.gradients[0], signs @ gradients)
    assert found.hessians is not None
    np.testing.assert_allclose(found.hessians[0], signs**2 @ hessians * 2 / 3)


@pytest.mark.parametrize(
    ("strategy", "objective", "n_outputs", "together", "sketched"),
    [
        ("one_tree_per_output", "squared_error", 3, False, False),
        ("vector_leaf", "squared_error", 1, False, False),
        ("vector_leaf", "squared_error", 3, True, False),
        ("vector_leaf", "softmax", 3, False, True),
        ("vector_leaf", "quantile", 3, False, False),
    ],
)
def test_which_way(strategy, objective, n_outputs, together, sketched) -> None:
    options = {"quantile": [0.1, 0.5, 0.9]} if objective == "quantile" else {}
    found = Outputs.of(
        resolve({"multi_strategy": strategy}), find_objective(objective, **options), n_outputs
    )
    assert (found.split_together, found.sketched) == (together, sketched)


@pytest.mark.parametrize("objective", ["softmax", "one_against_rest"])
def test_classes_with_vector_leaves(objective: str, tmp_path) -> None:
    random = np.random.default_rng(4)
    X = random.normal(size=(900, 4))
    y = np.argmax(np.column_stack([X[:, 0], X[:, 1], X[:, 2] * X[:, 3]]), axis=1).astype(float)
    parameters = {"objective": objective, "n_estimators": 40, "multi_strategy": "vector_leaf"}
    model = ceiba.train(parameters, ceiba.Dataset(X, y))
    assert model.n_trees == 40
    assert (model.predict(X).argmax(axis=1) == y).mean() > 0.9
    np.testing.assert_allclose(model.predict(X).sum(axis=1), 1.0)
    model.save(tmp_path / "model.ceiba")
    assert ceiba.load_model(tmp_path / "model.ceiba").fingerprint() == model.fingerprint()
    again = ceiba.train({**parameters, "n_jobs": 2}, ceiba.Dataset(X, y))
    assert again.fingerprint() == model.fingerprint()
    other = ceiba.train({**parameters, "random_state": 1}, ceiba.Dataset(X, y))
    assert other.fingerprint() != model.fingerprint()
