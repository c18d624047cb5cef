"""Linear leaves: their regressors and penalties.

The life of the regressors of a training:

1. :func:`check_linear_leaves` raises errors before any row is binned.
2. :func:`regressors_for` reads the numeric columns as raw values, so that predictions need no bins
   and can extrapolate (docs/measurements.md).
3. The grower fits linear leaves on them (``cpp/leaf/linear_leaves.hpp``). Scores of training rows
   use them too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba import _core
from ceiba.data.binning import read_regressors
from ceiba.data.memory import check_memory
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ceiba.data.dataset import Dataset
    from ceiba.data.schema import Schema
    from ceiba.model.model import Model
    from ceiba.parameters.resolving import Parameters

__all__ = [
    "check_earlier_linear_leaves",
    "check_linear_leaves",
    "gain_rule",
    "regressors_for",
    "slope_penalty",
]

#: The L2 penalty that ``linear_lambda="auto"`` adds to its shrinkage, for collinear columns.
_PENALTY_OF_AUTO = 1.0

#: Most regressors that ``linear_regression="full"`` can fit in every candidate split.
_MOST_OF_FULL = 8
#: What ``linear_fit="gain"`` does not support, and what to do.
_NOT_BY_GAIN = (
    ("extra_trees", True, "every threshold is tried. Leave it out."),
    ("multi_strategy", "vector_leaf", "linear leaves have one output. Leave it out."),
    ("linear_features", "tree", "a node knows no splits but those above it. Leave it out."),
)


def check_linear_leaves(parameters: Parameters, schema: Schema) -> None:
    """Raise for regressors that are not numeric or violate interaction constraints."""
    if parameters.leaf_model != "linear":
        return
    if parameters.linear_features is not None and parameters.interaction_constraints is not None:
        raise InvalidParameterError(
            "linear_features uses the same columns in every leaf, and interaction_constraints "
            "limits which columns may occur together. Got "
            f"linear_features={parameters.linear_features!r}. Leave linear_features out: leaves "
            "then use the columns of their path."
        )
    if parameters.linear_fit == "gain":
        _check_gain(parameters, len(_positions(parameters, schema)))
    else:
        _positions(parameters, schema)


def _check_gain(parameters: Parameters, n_usable: int) -> None:
    """Raise for settings that splits by linear gain do not support."""
    for name, value, advice in _NOT_BY_GAIN:
        if getattr(parameters, name) == value:
            raise InvalidParameterError(
                f"linear_fit='gain' has no {name}={value!r}: {advice} Or give linear_fit='after'."
            )
    n_most = parameters.max_linear_features
    if parameters.linear_features is not None:
        n_most = n_usable
    if parameters.linear_regression == "full" and n_most > _MOST_OF_FULL:
        raise InvalidParameterError(
            f"linear_regression='full' fits at most {_MOST_OF_FULL} columns in every candidate of "
            f"a split. Got {n_most}. Give fewer (max_linear_features, linear_features), or "
            "linear_regression='half_additive'."
        )


def check_earlier_linear_leaves(model: Model | None, parameters: Parameters) -> None:
    """Raise if some linear leaves of a continued model would extrapolate and others not."""
    if model is None or parameters.leaf_model != "linear":
        return
    linear = Trees.of(model.forest).linear
    if linear is not None and linear.extrapolates != (parameters.extrapolate == "linear"):
        had = "linear" if linear.extrapolates else "clip"
        raise InvalidInputError(
            f"The linear leaves of the earlier model have extrapolate={had!r}. Got extrapolate="
            f"{parameters.extrapolate!r}. Go on with the one that it was trained with."
        )


def regressors_for(
    parameters: Parameters, dataset: Dataset, schema: Schema, n_threads: int
) -> _core.Regressors | None:
    """Return the regressors of linear leaves, None for constant leaves.

    ``schema`` is that of the table, ``dataset`` has the columns that trees read. Target statistics
    of categories are not used.
    """
    if parameters.leaf_model != "linear":
        return None
    wanted = set(_positions(parameters, schema))
    words = schema.statistics.statistics if schema.statistics is not None else ()
    kinds, sources = schema.engine.kinds, schema.engine_sources
    columns = [
        j
        for j, own in enumerate(sources)
        if kinds[j] != "category" and not (words and words[j]) and own[0] in wanted
    ]
    n_bytes = 8 * dataset.n_rows * len(columns)
    check_memory(
        n_bytes,
        f"leaf_model='linear' keeps its regressors as raw values, and {dataset.n_rows} x "
        f"{len(columns)} numbers",
    )
    return read_regressors(dataset.table, columns, n_threads)


def gain_rule(
    parameters: Parameters,
    mapper: _core.BinMapper | None,
    regressors: _core.Regressors | None,
    weights: NDArray[np.float64] | None,
    n_threads: int,
) -> _core.LinearRule | None:
    """Return the rule of splits by linear gain, None for other splits.

    Splits use a representative value of each bin, leaves use raw values.
    """
    if regressors is None or mapper is None or parameters.linear_fit != "gain":
        return None
    values = mapper.values(regressors, weights, n_threads)
    given = parameters.linear_features
    return _core.LinearRule(
        fit=parameters.linear_regression,
        max_features=parameters.max_linear_features,
        linear_lambda=slope_penalty(parameters),
        features=None if given is None else [j for j in regressors.features if values[j]],
        values=values,
    )


def slope_penalty(parameters: Parameters) -> float:
    """Return the L2 penalty on slopes; ``linear_lambda="auto"`` also shrinks them by noise."""
    penalty = parameters.linear_lambda
    return _PENALTY_OF_AUTO if penalty == "auto" else float(penalty)


def _positions(parameters: Parameters, schema: Schema) -> list[int]:
    """Return the positions of the columns that linear leaves may use."""
    given = parameters.linear_features
    numbers = [j for j, kind in enumerate(schema.kinds) if kind != "category"]
    if given is None or isinstance(given, str):
        return numbers
    if given and all(isinstance(member, bool) for member in given):
        if len(given) != schema.n_features:
            raise InvalidParameterError(
                f"linear_features must have one entry for each of the {schema.n_features} columns "
                f"where it is a mask. Got {len(given)}."
            )
        given = [j for j, chosen in enumerate(given) if chosen]
    found = sorted({schema.position_of(member, "linear_features") for member in given})
    if not found:
        raise InvalidParameterError(
            "linear_features must name at least one column. Got none. Leave it out for the columns "
            "of the path, or give leaf_model='constant'."
        )
    for j in found:
        if schema.kinds[j] == "category":
            raise InvalidParameterError(
                f"linear_features needs columns of numbers. Got {schema.names[j]!r}, which is a "
                "category. Leave it out."
            )
    return found
