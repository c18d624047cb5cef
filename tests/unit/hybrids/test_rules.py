"""Rules say which rows reach a leaf, and can be read."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from ceiba import Dataset, train
from ceiba.data.read_table import read_like, read_table
from ceiba.hybrids.rows import values_of
from ceiba.hybrids.rules import Condition, Rule, leaf_rules, rule_from_json


def frame(seed: int = 11, n: int = 400) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    age = random.normal(50, 10, size=n)
    age[random.random(n) < 0.1] = np.nan
    city = random.choice(["oslo", "rome", "lima", "cairo"], size=n).astype(object)
    city[random.random(n) < 0.1] = None
    return pd.DataFrame({"age": age, "city": city})


@pytest.mark.parametrize("categorical", ["subset", "onehot"])
def test_rules_of_a_tree_part_rows_as_the_tree_does(categorical: str) -> None:
    table = frame()
    noise = np.random.default_rng(12).normal(size=len(table))
    y = table.age.fillna(20) * (table.city == "rome") + noise
    settings = {
        "n_estimators": 1, "max_depth": 4, "min_samples_leaf": 5, "categorical": categorical,
    }  # fmt: skip
    if categorical == "subset":
        settings |= {"cat_smooth": 0.0, "min_data_per_group": 1}
    model = train(settings, Dataset(table, y))
    rules = leaf_rules(model)
    later = pd.concat(
        [frame(seed=13), pd.DataFrame({"age": [np.inf, -1.0], "city": ["bonn", "bonn"]})]
    )

    values = values_of(read_like(later, model.schema).arranged(model.schema))
    leaves = model.apply(later)[:, 0]
    assert len(rules) > 4
    for node, rule in rules.items():
        np.testing.assert_array_equal(rule.met(values), leaves == node)
    for rule in rules.values():
        stored = json.loads(json.dumps(rule.to_json()))
        assert rule_from_json(stored, model.schema).to_json() == rule.to_json()


def test_words() -> None:
    schema = read_table(frame()).schema
    texts = [
        Condition(0, 41.25, (), True, False).text(schema),
        Condition(0, 41.25, (), False, True).text(schema),
        Condition(0, np.inf, (), False, True).text(schema),
        Condition(0, np.inf, (), True, False).text(schema),
        Condition(1, np.nan, (2,), True, False).text(schema),
        Condition(1, np.nan, (0, 3), False, True).text(schema),
    ]
    assert texts == [
        "age <= 41.25",
        "age > 41.25 or age is missing",
        "age is missing",
        "age is not missing",
        "city is oslo",
        "city not in {cairo, rome} or city is missing",
    ]
    assert Rule().text(schema) == "every row"
    between = Rule(
        (
            Condition(0, 60.0, (), True, True),
            Condition(1, np.nan, (1,), False, True),
            Condition(0, 40.0, (), False, True),
            Condition(0, np.inf, (), True, False),
        )
    )
    assert between.text(schema) == ("40 < age <= 60 and (city is not lima or city is missing)")


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [1],
        [[0, 1.0, [], True]],
        [[9, 1.0, [], True, False]],
        [[0, None, [], True, False]],
        [[0, "nan", [], True, False]],
        [[0, 1.0, [], 1, False]],
        [[1, None, [99], True, False]],
        [[1, 2.0, [1], True, False]],
    ],
)
def test_damaged_rules_are_refused(stored: object) -> None:
    with pytest.raises(ValueError, match="damaged"):
        rule_from_json(stored, read_table(frame()).schema)


def test_thresholds_may_be_infinite_in_a_file() -> None:
    schema = read_table(frame()).schema
    rule = Rule((Condition(0, np.inf, (), True, False), Condition(0, -np.inf, (), False, True)))
    stored = json.loads(json.dumps(rule.to_json(), allow_nan=False))
    assert rule_from_json(stored, schema) == rule
