from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import ceiba
from ceiba.errors import ModelFileError

FILE = Path(__file__).parents[2] / "model_files" / "foreign" / "lightgbm_linear.txt"

TREE = """tree
version=v4
num_class=1
num_tree_per_iteration=1
max_feature_idx=1
objective=regression
feature_names=a b
feature_infos=[-4:4] [0:10]

Tree=0
num_leaves=2
num_cat=0
split_feature=0
threshold=0
decision_type={decision}
left_child=-1
right_child=-2
leaf_value=1 2
leaf_weight=3 5
leaf_count=3 5
internal_count=8
is_linear=1
leaf_const={const}
num_features={sizes}
leaf_features={features}
leaf_coeff={slopes}
shrinkage=1

end of trees
"""


def load(const="3 4", sizes="1 2", features="1 1 0", slopes="-0.5 0.25 2", decision=8):
    text = TREE.format(
        const=const, sizes=sizes, features=features, slopes=slopes, decision=decision
    )
    return ceiba.load_model(io.BytesIO(text.encode()))


def expected(a, b, decision):
    left = a <= 0 if a == a else decision == 10
    if left:
        return 1.0 if b != b else 3 - 0.5 * b
    return 2.0 if a != a or b != b else 4 + 0.25 * b + 2 * a


@pytest.mark.parametrize("decision", [8, 10])
def test_predictions(decision):
    model = load(decision=decision)
    for a in (-1.0, 0.0, 3.0, 100.0, np.nan):
        for b in (0.0, 7.0, -50.0, np.nan):
            assert model.predict([[a, b]])[0] == pytest.approx(expected(a, b, decision), abs=1e-12)


def test_means_are_where_the_line_predicts_the_leaf_value():
    trees = load().trees()
    linear = trees.linear
    assert linear.extrapolates
    assert linear.feature.tolist() == [1, 0, 1]  # in increasing order within a leaf
    assert linear.mean[0] == 4.0  # 3 - 0.5 * 4 == 1
    assert 4 + 2 * linear.mean[1] + 0.25 * linear.mean[2] == pytest.approx(2.0)
    assert (linear.low <= linear.mean).all()
    assert (linear.mean <= linear.high).all()


def test_tests_for_missing_values_count_no_rows():
    trees = load().trees()
    assert trees.count.sum() == pytest.approx(8 + 3 + 5 + 5 + 5)
    assert np.isinf(trees.threshold).sum() == 2


def test_a_slope_of_zero_and_a_mean_outside_of_the_range():
    for slopes, const in (("0 0 0", "3 4"), ("1e-9 0 0", "3 4")):
        model = load(slopes=slopes, const=const)
        assert model.predict([[-1.0, 5.0]])[0] == pytest.approx(3.0)
        assert model.predict([[-1.0, np.nan]])[0] == 1.0


def test_explanations_add_up():
    model = ceiba.load_model(FILE)
    X = np.column_stack([np.linspace(-2, 2, 50), np.arange(50) % 9])
    explanation = model.explain(X)
    total = explanation.base_values + explanation.values.sum(axis=1)
    assert total == pytest.approx(model.predict(X))


@pytest.mark.parametrize(
    "changes",
    [
        {"const": "3"},
        {"const": "3 nan"},
        {"sizes": "1 1"},
        {"sizes": "-1 4"},
        {"features": "1 2 0"},
        {"features": "1 0 0"},
        {"slopes": "inf 1 1"},
        {"slopes": "1 1"},
    ],
)
def test_damaged_leaves(changes):
    with pytest.raises(ModelFileError):
        load(**changes)
