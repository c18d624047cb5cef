"""One model, wherever the rows are: three shards in other processes make the recorded models."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from process_exchange import ShardedDataset, Workers
from recorded_settings import SETTINGS, results, train_setting

import ceiba

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text())


def in_shards(setting: dict[str, Any]) -> bool:
    """Whether shards give the model of one table: what they refuse or change is declared."""
    params = setting["params"]
    return (
        setting["split_method"] == "hist"
        and params.get("recipe") not in ("catboost", "plgb")
        and params.get("leaf_model") != "linear"
        and params.get("leaf_rows") != "all"
        and params.get("boosting") != "ordered"
        # auto encodes categories of many levels by target statistics only where all rows are.
        and (setting["table"] != "categories" or params.get("categorical") in ("onehot", "subset"))
    )


HIST = [setting for setting in SETTINGS if in_shards(setting)]


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers()
    yield made
    made.close()


def in_processes(workers: Workers) -> Any:
    made: list[Any] = []
    ShardedDataset.workers, ShardedDataset.made = workers, made

    def train(params: dict[str, Any], dataset: ceiba.Dataset, **how: Any) -> ceiba.Model:
        dataset.__class__ = ShardedDataset
        return ceiba.train(params, dataset, **how)

    return train, made


@pytest.mark.parametrize("setting", HIST, ids=lambda setting: str(setting["name"]))
def test_the_model_is_the_recorded_one(setting: dict[str, Any], workers: Workers) -> None:
    train, made = in_processes(workers)
    model = train_setting(setting, train=train)
    assert results(setting, model) == RECORDED[setting["name"]]
    assert made
    for exchange in made:
        # Nothing was read past the exchange.
        assert {"measure", "pack", "end"} <= set(exchange.calls)
        exchange.close()


@pytest.mark.parametrize(
    "given",
    [{}, {"objective": "softmax"}, {"objective": "absolute_error"}, {"boosting": "dart"}],
    ids=["one tree", "three trees", "medians", "dart"],
)
def test_shards_release_the_trees_of_earlier_rounds(given: Any, workers: Workers) -> None:
    train, made = in_processes(workers)
    random = np.random.default_rng(0)
    X, y = random.normal(size=(90, 2)), np.arange(90.0) % 3
    n_trees = 3 if given.get("objective") == "softmax" else 1
    kept = []

    def look(_: Any) -> None:
        kept.extend(made[0].ask_all("n_trees"))

    train({"n_estimators": 8, **given}, ceiba.Dataset(X, y), callbacks=[look])
    assert len(kept) == 24
    assert max(kept) <= n_trees
    gc.collect()
    assert made[0].ask_all("n_trees") == [0, 0, 0]
    made[0].close()


@pytest.mark.parametrize("method", ["exact", "approx"])
def test_what_shards_cannot_do_is_refused(method: str, workers: Workers) -> None:
    train, _ = in_processes(workers)
    dataset = ceiba.Dataset([[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 1.0, 1.0])
    with pytest.raises(ceiba.CeibaError, match=f"split_method='{method}'"):
        train({"split_method": method, "n_estimators": 2}, dataset)


def test_target_statistics_need_all_rows(workers: Workers) -> None:
    train, _ = in_processes(workers)
    frame = pd.DataFrame({"a": list("abcd") * 150, "b": (np.arange(600) % 150).astype(str)})
    for given in ("target", {"a": "target"}):
        params = {"categorical": given, "n_estimators": 2}
        with pytest.raises(
            ceiba.CeibaError, match="categorical='target' does not support sharded rows"
        ):
            train(params, ceiba.Dataset(frame, np.arange(600.0)))


def test_auto_chooses_no_statistics(workers: Workers) -> None:
    train, made = in_processes(workers)
    frame = pd.DataFrame({"a": list("abcd") * 150, "b": (np.arange(600) % 150).astype(str)})
    rows = frame, np.arange(600.0)
    given = {"n_estimators": 2, "min_data_per_level": 0}
    model = train(given, ceiba.Dataset(*rows))
    assert model.categorical == {"a": "onehot", "b": "subset"}
    sets = ceiba.train({**given, "categorical": {"b": "subset"}}, ceiba.Dataset(*rows))
    assert np.array_equal(model.predict(frame), sets.predict(frame))
    assert ceiba.train(given, ceiba.Dataset(*rows)).categorical["b"] == "target"
    for exchange in made:
        exchange.close()


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_categories_make_the_same_model(policy: str, workers: Workers) -> None:
    train, made = in_processes(workers)
    random = np.random.default_rng(0)
    codes = random.integers(0, 400, 1500)
    table = {"many": [f"level {code}" for code in codes], "x": random.normal(size=1500)}
    table["few"] = np.where(codes % 3 == 0, None, np.array(["a", "b"])[codes % 2])
    rows = pd.DataFrame(table), random.normal(size=400)[codes]
    given = {"grow_policy": policy, "max_depth": 4, "n_estimators": 3, "min_data_per_group": 5}
    given["categorical"] = "subset"
    one = ceiba.train(given, ceiba.Dataset(*rows))
    assert train(given, ceiba.Dataset(*rows)).fingerprint() == one.fingerprint()
    assert made
    for exchange in made:
        exchange.close()


@pytest.mark.parametrize("policy", ["leafwise", "depthfirst"])
def test_heavy_tails_make_the_same_forest(policy: str, workers: Workers) -> None:
    train, made = in_processes(workers)
    random = np.random.default_rng(0)
    rows = random.normal(size=(1500, 3)), np.exp(4 * random.normal(size=1500))
    given = {"recipe": "forest", "n_estimators": 2, "grow_policy": policy}
    one = ceiba.train(given, ceiba.Dataset(*rows))
    assert train(given, ceiba.Dataset(*rows)).fingerprint() == one.fingerprint()
    assert made
    for exchange in made:
        exchange.close()
