"""60 models from the product of all kinds of models, drawn by a fixed seed.

Combinations that training refuses, for example ordered boosting with linear leaves, are skipped.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import ceiba
from ceiba.errors import InvalidParameterError

__all__ = ["N_DRAWN", "Drawn", "drawn_models"]

N_DRAWN = 60
_SEED = 35
_N_ROWS = 700
_N_NEW = 300

#: All objectives and the kind of their target; two of them with several targets too.
_TARGETS = {
    "squared_error": "real",
    "absolute_error": "real",
    "huber": "real",
    "pseudo_huber": "real",
    "quantile": "real",
    "poisson": "positive",
    "gamma": "positive",
    "tweedie": "positive",
    "squared_log_error": "positive",
    "cross_entropy": "share",
    "several targets": "several",
    "labels": "labels",
    "logistic": "binary",
    "exponential": "binary",
    "softmax": "classes",
    "one_against_rest": "classes",
    "gini": "classes",
    "pairwise": "query",
    "lambdarank_ndcg": "query",
    "lambdarank_map": "query",
}
_DIMENSIONS: dict[str, tuple[Any, ...]] = {
    "objective": tuple(_TARGETS),
    "categories": ("none", "onehot", "subset", "target"),
    "missing": ("none", "numbers", "everywhere"),
    "n_classes": (2, 3, 5),
    "leaf": ("constant", "linear", "vector"),
    "boosting": ("plain", "ordered", "dart", "forest"),
    "trees": ("leafwise", "symmetric", "parallel"),
}


@dataclass(frozen=True)
class Drawn:
    """A trained model, its kind, and rows of the same table that it was not trained on."""

    kind: dict[str, Any]
    model: ceiba.Model
    new_rows: pd.DataFrame

    @property
    def name(self) -> str:
        """Return the values of all dimensions."""
        return ", ".join(map(str, self.kind.values()))


@cache
def drawn_models() -> list[Drawn]:
    """Return the models, always the same ones."""
    every = list(itertools.product(*_DIMENSIONS.values()))
    random = np.random.default_rng(_SEED)
    found: list[Drawn] = []
    for place in random.permutation(len(every)):
        kind = dict(zip(_DIMENSIONS, every[place], strict=True))
        try:
            found.append(_trained(kind, int(place)))
        except InvalidParameterError:
            continue
        if len(found) == N_DRAWN:
            break
    return found


def _trained(kind: dict[str, Any], seed: int) -> Drawn:
    random = np.random.default_rng(seed)
    table, score = _table(kind, random)
    target = _target(kind, score, random)
    new, train = table[:_N_NEW], table[_N_NEW:]
    group = np.repeat(50, (len(train)) // 50) if _kind(kind) == "query" else None
    dataset = ceiba.Dataset(train, target[_N_NEW:], group=group)
    return Drawn(kind, ceiba.train(_parameters(kind), dataset), new)


def _kind(kind: dict[str, Any]) -> str:
    return _TARGETS[kind["objective"]]


def _table(kind: dict[str, Any], random: np.random.Generator) -> tuple[pd.DataFrame, Any]:
    n = _N_ROWS + _N_NEW
    table = pd.DataFrame(
        {
            "size": random.normal(size=n),
            "age": random.integers(0, 60, n).astype(float),
            "weight": random.gamma(2.0, 10.0, n).round(2),
        }
    )
    score = table["size"] + np.sin(table.age / 9) + 0.05 * table.weight * (table.age > 30)
    if kind["categories"] != "none":
        city = random.choice(["lima", "oslo", "rome", "quito", "zürich", "a b"], n)
        code = random.integers(0, 40, n)
        score = score + (city == "rome") - 0.5 * (city == "lima") + 0.04 * (code % 17)
        table["city"], table["code"] = pd.Categorical(city), code
        if kind["missing"] == "everywhere":
            table.loc[random.random(n) < 0.1, "city"] = np.nan
    if kind["missing"] != "none":
        table.loc[random.random(n) < 0.1, "size"] = np.nan
        table.loc[random.random(n) < 0.1, "weight"] = np.nan
    return table, (score + 0.3 * random.normal(size=n)).to_numpy()


def _target(kind: dict[str, Any], score: Any, random: np.random.Generator) -> Any:
    match _kind(kind):
        case "real":
            return score
        case "positive":
            return np.exp(score / 2)
        case "share":
            return 1 / (1 + np.exp(-score))
        case "several":
            return np.column_stack([score, -score + random.normal(size=len(score))])
        case "labels":
            return np.column_stack([score > 1, score + random.normal(size=len(score)) > 2]) * 1.0
        case "binary":
            return (score > np.median(score)) * 1.0
        case "classes":
            shares = np.arange(1, kind["n_classes"]) / kind["n_classes"]
            return np.digitize(score, np.quantile(score, shares)).astype(float)
        case _:
            return np.digitize(score, np.quantile(score, [0.5, 0.8])).astype(float)


def _parameters(kind: dict[str, Any]) -> dict[str, Any]:
    objective = {
        "several targets": "squared_error",
        "labels": "logistic",
    }.get(kind["objective"], kind["objective"])
    parameters: dict[str, Any] = {
        "objective": objective,
        "n_estimators": 12,
        "max_leaves": 12,
        "learning_rate": 0.3,
        "random_state": 1,
    }
    if kind["categories"] != "none":
        parameters |= {"categorical": kind["categories"], "categorical_features": ["code"]}
    if kind["leaf"] == "linear":
        parameters["leaf_model"] = "linear"
    if kind["leaf"] == "vector":
        parameters["multi_strategy"] = "vector_leaf"
    if kind["boosting"] != "plain":
        parameters["boosting"] = kind["boosting"]
    if kind["boosting"] == "forest":
        parameters |= {"subsample": 0.6, "learning_rate": 1.0}
    if kind["trees"] == "symmetric":
        parameters |= {"grow_policy": "symmetric", "max_depth": 4, "max_leaves": 0}
    if kind["trees"] == "parallel":
        parameters |= {"num_parallel_tree": 2, "subsample": 0.7}
    return parameters
