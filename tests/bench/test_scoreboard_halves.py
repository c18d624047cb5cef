import json
from pathlib import Path

import pytest
from benchmarks.scoreboard.halves import CHOOSING, CONFIRMING, deal

LIST = Path(__file__).parents[3] / "shared" / "data" / "datasets.json"


def test_halves_are_dealt_by_digest():
    if not LIST.exists():
        pytest.skip(
            f"{LIST} is not there: the tables of the scoreboard are kept beside the repository"
        )
    tables = [(t["name"], t["task"]) for t in json.loads(LIST.read_text())["datasets"]]
    assert deal(tables) == (list(CHOOSING), list(CONFIRMING))


def test_a_table_and_its_raw_form_stay_together():
    for half, other in ((CHOOSING, CONFIRMING), (CONFIRMING, CHOOSING)):
        for name in half:
            assert name.removesuffix("_raw") not in other
            assert f"{name}_raw" not in other


def test_deal_keeps_families_and_tasks_balanced():
    tables = [(f"t{i}", "binary") for i in range(10)] + [("t3_raw", "binary"), ("r", "ranking")]
    first, second = deal(tables)
    assert sorted([*first, *second]) == sorted(name for name, _ in tables)
    assert abs(len(first) - len(second)) <= 2
    assert ("t3" in first) == ("t3_raw" in first)
