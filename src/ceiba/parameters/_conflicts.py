"""Unsupported combinations of parameters, with one message for each conflict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ceiba import _core
from ceiba.messages import shown

__all__ = ["IMPOSSIBLE", "Conflict"]

Values = Mapping[str, Any]

#: Stands for every value that switches a feature on: a number above 0, True or a list.
_ON = object()


@dataclass(frozen=True)
class Conflict:
    """An unsupported combination: a test for it and a message for the user."""

    holds: Callable[[Values], bool]
    #: Returns the message, given the values and the names that the user wrote.
    message: Callable[[Values, Mapping[str, str]], str]


@dataclass(frozen=True)
class _Setting:
    """One side of a conflict: a parameter with a value, and the value that avoids it."""

    name: str
    value: Any
    #: Value that removes the conflict; None if the parameter is to be removed.
    off: Any
    #: Other parameters that must have these values too.
    beside: Mapping[str, Any] = field(default_factory=dict)

    def holds(self, values: Values) -> bool:
        value = values[self.name]
        is_set = bool(value) if self.value is _ON else value == self.value
        return is_set and all(values[name] == beside for name, beside in self.beside.items())

    def text(self, values: Values, called: Mapping[str, str]) -> str:
        names = [self.name, *self.beside]
        return " with ".join(f"{called[name]}={shown(values[name])}" for name in names)

    def remedy(self, called: Mapping[str, str]) -> str:
        name = called[self.name]
        return f"remove {name}" if self.off is None else f"set {name}={self.off!r}"


def _conflict(one: _Setting, other: _Setting) -> Conflict:
    def message(values: Values, called: Mapping[str, str]) -> str:
        remedy = f"{one.remedy(called)} or {other.remedy(called)}"
        return (
            f"{one.text(values, called)} does not support {other.text(values, called)}. "
            f"{remedy[0].upper()}{remedy[1:]}."
        )

    return Conflict(lambda values: one.holds(values) and other.holds(values), message)


def _written(holds: Callable[[Values], bool], text: str) -> Conflict:
    """Return a conflict with its own message; ``called`` maps names to those the user wrote."""

    def message(values: Values, called: Mapping[str, str]) -> str:
        return text.format_map({**values, "called": called})

    return Conflict(holds, message)


_LINEAR = _Setting("leaf_model", "linear", "constant")
_LINEAR_GAIN = _Setting("linear_fit", "gain", "after", {"leaf_model": "linear"})
_VECTOR = _Setting("multi_strategy", "vector_leaf", "one_tree_per_output")
_EXTRA = _Setting("extra_trees", True, False)
_EXACT = _Setting("split_method", "exact", "hist")
_EXACT_SYMMETRIC = _Setting("split_method", "exact", "hist", {"grow_policy": "symmetric"})
_APPROX = _Setting("split_method", "approx", "hist")
_APPROX_NODE = _Setting("approx_scope", "node", "tree", {"split_method": "approx"})
_COSINE = _Setting("split_score", "cosine", "newton")
_ENTROPY = _Setting("split_score", "entropy", "newton")
_NOISE = _Setting("random_strength", _ON, 0)
_MONOTONE = _Setting("monotone_constraints", _ON, None)
_ORDERED = _Setting("boosting", "ordered", "plain")
_UNIT_HESSIAN = _Setting("split_hessian", "unit", "loss")

#: Pairs of lists: every setting of the first conflicts with every setting of the second.
_PAIRS: tuple[tuple[tuple[_Setting, ...], tuple[_Setting, ...]], ...] = (
    ((_VECTOR,), (_MONOTONE,)),
    ((_EXTRA,), (_COSINE, _NOISE)),
    ((_LINEAR,), (_MONOTONE, _ORDERED, _ENTROPY)),
    ((_ENTROPY,), (_MONOTONE, _NOISE, _UNIT_HESSIAN)),
)

#: Settings by the names that ``_core.search_limits()`` has for them.
_SEARCHES = {
    "exact": _EXACT,
    "approx": _APPROX,
    "approx_node": _APPROX_NODE,
    "linear": _LINEAR_GAIN,
}
_SEARCH_SETTINGS = {
    "vector_leaves": _VECTOR,
    "vector_symmetric": _VECTOR,
    "extra_trees": _EXTRA,
    "cosine": _COSINE,
    "noise": _NOISE,
    "exact": _EXACT,
    "approx": _APPROX,
}


def _search_conflicts() -> Iterator[Conflict]:
    """Yield what the split searches do not support, as the engine declares it."""
    for search, settings in _core.search_limits().items():
        for name in settings:
            setting, other = _SEARCH_SETTINGS.get(name), _SEARCHES.get(search)
            if setting is None or other is None:
                continue  # depends on the data, or is a conflict of a wider setting above
            if name == "vector_symmetric":
                other = _EXACT_SYMMETRIC
            yield _conflict(other, setting) if search == "linear" else _conflict(setting, other)


_COLUMN_SHARES = ("colsample_bytree", "colsample_bylevel", "colsample_bynode")


def _has_equal_trees(values: Values) -> bool:
    """Return whether averaged trees would all use the same rows, columns and thresholds."""
    return (
        (values["boosting"] == "forest" or values["num_parallel_tree"] > 1)
        and values["n_estimators"] * values["num_parallel_tree"] > 1
        and values["sampling"] in ("none", "bernoulli", "uniform")
        and values["subsample"] == 1.0
        and all(values[name] == 1.0 for name in _COLUMN_SHARES)
        and not values["extra_trees"]
    )


IMPOSSIBLE: tuple[Conflict, ...] = (
    _written(
        lambda p: (
            p["grow_policy"] == "symmetric"
            and not (1 <= p["max_depth"] <= 16 or 2 <= p["max_leaves"] <= 65536)
        ),
        "{called[grow_policy]}='symmetric' needs {called[max_depth]} between 1 and 16 (or "
        "{called[max_leaves]} between 2 and 65536), because each level doubles the leaves. Got "
        "{called[max_depth]}={max_depth}, {called[max_leaves]}={max_leaves}.",
    ),
    _written(
        lambda p: (
            p["subsample_freq"] == 0
            and p["subsample"] < 1.0
            and p["sampling"] not in ("goss", "mvs")
        ),
        "{called[subsample_freq]}=0 disables row sampling. Got it with "
        "{called[subsample]}={subsample}, which samples rows. Set {called[subsample_freq]}=1 to "
        "draw a sample in each round, or remove {called[subsample]}.",
    ),
    _written(
        lambda p: p["subsample"] < 1.0 and p["sampling"] in ("none", "goss", "bayesian"),
        "{called[sampling]}='{sampling}' does not support {called[subsample]}={subsample}. Remove "
        "{called[subsample]}, or set sampling='bernoulli', 'uniform', 'mvs' or 'bootstrap'.",
    ),
    _written(
        lambda p: p["sampling"] == "goss" and p["top_rate"] + p["other_rate"] > 1.0,
        "top_rate and other_rate are fractions of all rows. Got top_rate={top_rate}, other_rate="
        "{other_rate}. Set two numbers whose sum is at most 1.",
    ),
    _written(
        lambda p: p["scale_pos_weight"] != 1.0 and p["class_weight"] is not None,
        "{called[scale_pos_weight]}={scale_pos_weight} and {called[class_weight]}={class_weight!r} "
        "both weight the classes. Remove one of them, or pass both as sample_weight.",
    ),
    *(_conflict(one, other) for ones, others in _PAIRS for one, other in product(ones, others)),
    *_search_conflicts(),
    _written(
        _has_equal_trees,
        "{called[boosting]}={boosting!r} with {called[num_parallel_tree]}={num_parallel_tree} "
        "averages trees, and without sampling all of them are identical. Set {called[subsample]} "
        "or {called[colsample_bynode]} below 1, or {called[extra_trees]}=True.",
    ),
)
