"""Compare models with recorded.json: every setting, every bit.

record.py adds entries for new settings, and replaces an entry only together with a reason, which it
logs in renewed.jsonl. The settings are in ``tests/support/recorded_settings.py``, so that other
tests can train them in other ways.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from recorded_hybrids import HYBRIDS, predictions_of
from recorded_settings import SETTINGS, TARGET_OF, results, train_setting
from recorded_tables import make_table, make_target

import ceiba

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text())
RECORDED_HYBRIDS = json.loads(Path(__file__).with_name("recorded_hybrids.json").read_text())
RENEWED = Path(__file__).with_name("renewed.jsonl")

#: Values that at least one setting must have.
COVERED = {
    "boosting": {"dart", "forest", "ordered"},
    "sampling": {"bayesian", "bootstrap", "goss", "mvs", "uniform"},
    "leaf_model": {"linear"},
    "linear_fit": {"gain"},
    "multi_strategy": {"vector_leaf"},
    "categorical": {"onehot", "subset", "target"},
}

#: The first row of table mixed, and its real target.
FIRST_ROW = [
    0.9831161499023438,
    -0.0337677001953125,
    -2.7463836669921875,
    6.0,
    0.0,
    -1.75,
    0.03452577638540788,
    -1.4423561096191406,
]
FIRST_TARGET = 1.3678817749023438


def identifier(setting: dict[str, Any]) -> str:
    return str(setting["name"])


@pytest.mark.parametrize("setting", SETTINGS, ids=identifier)
def test_the_model_is_the_recorded_one(setting: dict[str, Any]) -> None:
    model = train_setting(setting)
    assert model.parameters["split_method"] == setting["split_method"]
    assert results(setting, model) == RECORDED[setting["name"]]


@pytest.mark.threads
@pytest.mark.parametrize(
    "setting", [each for each in SETTINGS if each["n_rows"] >= 5000], ids=identifier
)
def test_two_threads_make_it_too(setting: dict[str, Any]) -> None:
    model = train_setting(setting, n_jobs=2)
    assert model.fingerprint() == RECORDED[setting["name"]]["fingerprint"]


@pytest.mark.parametrize("setting", HYBRIDS, ids=identifier)
def test_the_hybrid_predicts_as_recorded(setting: dict[str, Any]) -> None:
    recorded = RECORDED_HYBRIDS[setting["name"]]
    assert predictions_of(setting) == pytest.approx(recorded, rel=1e-9, abs=1e-12)


def test_the_file_holds_each_setting_once() -> None:
    names = [setting["name"] for setting in SETTINGS]
    assert names == list(RECORDED)
    assert len(set(names)) == len(names) >= 60


def test_the_settings_cover_what_there_was() -> None:
    given = [setting["params"] for setting in SETTINGS]
    assert {params.get("objective") for params in given} == {*TARGET_OF, "gini", None}
    assert {params.get("recipe") for params in given} >= set(ceiba.RECIPES)
    for name, values in COVERED.items():
        assert {str(params.get(name)) for params in given} >= values
    assert {setting["split_method"] for setting in SETTINGS} == {"hist", "exact", "approx"}


def test_a_row_does_not_depend_on_its_table() -> None:
    """The hashes themselves, so that a change of them is not taken for one of the core."""
    assert make_table("mixed", 3, 5).tolist() == make_table("mixed", 8)[5:].tolist()
    assert make_table("mixed", 1).tolist() == [FIRST_ROW]
    assert make_target("real", "mixed", 1).tolist() == [FIRST_TARGET]


def test_the_log_ends_with_the_recorded_fingerprints() -> None:
    last = {entry["name"]: entry for entry in map(json.loads, RENEWED.read_text().splitlines())}
    for name, entry in last.items():
        assert entry["reason"].strip()
        if name not in RECORDED_HYBRIDS:
            assert entry["to"] == RECORDED[name]["fingerprint"]
