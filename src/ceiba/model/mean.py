"""The mean of several models as one model: recipe ``auto`` averages its best candidates.

How it works:

1. A round of the mean holds one round of each model (``n_parallel`` trees per output), with all
   leaf values and gains divided by the number of models. A model with fewer rounds is filled up
   with trees of one leaf that adds nothing. So the first n rounds of the mean are the mean of the
   models after n rounds, and stages and truncated models keep their meaning.
2. Models of the same rows may encode different combinations of categories. The mean has all of
   them, and its trees read their columns at new positions.
3. Raw scores are averaged, not predictions: the result is a model like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.model.idle_trees import with_idle_tree
from ceiba.model.model import Model
from ceiba.model.tree_weights import TreeWeights
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.data.schema import Schema

__all__ = ["mean_of_models"]


def mean_of_models(models: Sequence[Model], parameters: Mapping[str, Any]) -> Model:
    """Return a model whose raw scores are the mean of those of ``models``.

    The models must have the same columns, objective and number of outputs, one leaf value per
    output or several in all of them, and no calibration. ``parameters`` are recorded in the model.
    """
    first = models[0]
    if len(models) == 1:
        return replace(first, parameters=parameters)
    schema = _joint_schema([model.schema for model in models])
    n_rounds = max(model.n_iterations for model in models)
    pieces, rows, begin = [], [], 0
    for model in models:
        trees = with_idle_tree(_scaled(model, schema, 1.0 / len(models)))
        rows.append(begin + _places(model, n_rounds, trees.n_trees - 1))
        begin += trees.n_trees
        pieces.append(trees)
    order = np.concatenate(rows, axis=1)  # [n_rounds, trees of a round]
    n_parallel = sum(model.forest.n_parallel for model in models)
    joined = Trees.joined(pieces, first.n_outputs).take(order.ravel(), n_parallel)
    return replace(
        first,
        schema=schema,
        parameters=parameters,
        start_scores=np.mean([model.start_scores for model in models], axis=0),
        forest=joined.to_forest(schema.engine.n_features),
        best_iteration=n_rounds - 1,
        history={},
        tree_weights=TreeWeights(),
    )


def _scaled(model: Model, schema: Schema, factor: float) -> Trees:
    """Return the trees of a model times a factor, on the columns of another schema."""
    trees = model.trees()
    weight = np.full(trees.n_trees, factor)
    trees = replace(trees, weight=weight if trees.weight is None else weight * trees.weight)
    trees = trees.weighted()
    trees = replace(trees, gain=trees.gain * factor)
    columns = _columns_in(model.schema, schema)
    if columns is None:
        return trees
    feature = np.where(trees.is_split, columns[trees.feature], -1).astype(np.int32)
    linear = trees.linear
    if linear is not None:
        linear = replace(linear, feature=columns[linear.feature].astype(np.int32))
    return replace(trees, feature=feature, linear=linear)


def _places(model: Model, n_rounds: int, idle: int) -> NDArray[np.int64]:
    """Return the number of each tree [n_rounds, trees of a round]; ``idle`` after the last."""
    per_round = model.forest.trees_per_iteration
    places = np.full((n_rounds, per_round), idle)
    places[: model.n_iterations] = np.arange(model.forest.n_trees).reshape(-1, per_round)
    return places


def _joint_schema(schemas: Sequence[Schema]) -> Schema:
    """Return the schema with the combinations of categories of all schemas."""
    first = schemas[0]
    known: dict[tuple[int, ...], Any] = {}
    for schema in schemas:
        if schema.statistics is not None:
            known |= {own.sources: own for own in schema.statistics.combinations}
    if first.statistics is None or len(known) == len(first.statistics.combinations):
        return first
    order = sorted(known, key=lambda sources: (len(sources) > 1, sources))
    combinations = tuple(known[sources] for sources in order)
    return first.with_statistics(replace(first.statistics, combinations=combinations))


def _columns_in(schema: Schema, joint: Schema) -> NDArray[np.int64] | None:
    """Return the position in ``joint`` of each column that trees read; None if unchanged."""
    if schema.statistics is None or joint.statistics is None or joint is schema:
        return None
    places = {
        name: place
        for place, name in enumerate(
            zip(joint.statistics.sources, joint.statistics.statistics, strict=True)
        )
    }
    names = zip(schema.statistics.sources, schema.statistics.statistics, strict=True)
    return np.array([places[name] for name in names])
