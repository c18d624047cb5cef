"""Names that are near by their meaning, and not by their letters alone."""

from __future__ import annotations

import pytest

from ceiba.errors import UnknownParameterError
from ceiba.parameters import BY_NAME
from ceiba.parameters.nearest import likeness, nearest_words
from ceiba.parameters.resolving import resolve


@pytest.mark.parametrize(
    ("wrong", "right", "other"),
    [
        ("categorical_columns", "categorical_features", "max_features"),
        ("linear_trees_", "linear_tree", "leaf_rule"),
        ("number_of_trees", "n_estimators", "n_classes"),
        ("l2", "reg_lambda", "reg_alpha"),
        ("threads", "n_jobs", "n_estimators"),
        ("min_leaf", "min_samples_leaf", "max_leaves"),
        ("seed_", "random_state", "n_jobs"),
        ("maxDepth", "max_depth", "max_bins"),
    ],
)
def test_meaning_counts(wrong: str, right: str, other: str) -> None:
    assert likeness(wrong, right) > likeness(wrong, other)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            "categorical_featurs",
            r"^Unknown parameter 'categorical_featurs'. Did you mean 'categorical_features'\?$",
        ),
        ("path_smoothe", "If you mean 'path_smooth': leaf values are not smoothed"),
        ("learning_rat", r"Did you mean 'learning_rate'\?$"),
        ("num_leavs", r"Did you mean 'num_leaves' \(an alias of max_leaves\)\?$"),
        ("qwertz", r"The closest names are (\w+, ){4}\w+\.$"),
    ],
)
def test_what_is_said(wrong: str, message: str) -> None:
    with pytest.raises(UnknownParameterError, match=message):
        resolve({wrong: 1})


def test_five_at_most() -> None:
    said = nearest_words("xyzxyz", dict.fromkeys(BY_NAME, 1.0))
    assert said.count(",") == 4
    few = nearest_words("xyz", {"auc": 1.0, "roc_auc": 1.0, "mae": 1.0}, {"roc_auc": "auc"})
    assert sorted(few.removeprefix("The closest names are ")[:-1].split(", ")) == ["auc", "mae"]
