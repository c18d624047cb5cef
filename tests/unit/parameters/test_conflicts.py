"""Combinations that are refused: one message for each conflict, about its two settings only."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceiba.errors import InvalidParameterError
from ceiba.parameters import BY_NAME, IMPOSSIBLE
from ceiba.parameters.resolving import resolve

LINEAR = {"leaf_model": "linear"}
GAIN = {"leaf_model": "linear", "linear_fit": "gain"}
NODE = {"split_method": "approx", "approx_scope": "node"}
VECTOR = {"multi_strategy": "vector_leaf"}
ENTROPY = {"split_score": "entropy"}
RISING = {"monotone_constraints": [1, 0]}

CONFLICTS: list[tuple[dict[str, Any], str]] = [
    (
        {**LINEAR, **RISING},
        "leaf_model='linear' does not support monotone_constraints=[1, 0]. Set "
        "leaf_model='constant' or remove monotone_constraints.",
    ),
    (
        {**LINEAR, "boosting": "ordered"},
        "leaf_model='linear' does not support boosting='ordered'. Set leaf_model='constant' or set "
        "boosting='plain'.",
    ),
    ({**LINEAR, **ENTROPY}, "leaf_model='linear' does not support split_score='entropy'."),
    ({**ENTROPY, **RISING}, "split_score='entropy' does not support monotone_constraints=[1, 0]."),
    (
        {**ENTROPY, "random_strength": 0.5},
        "split_score='entropy' does not support random_strength=0.5. Set split_score='newton' or "
        "set random_strength=0.",
    ),
    ({**ENTROPY, "split_hessian": "unit"}, "does not support split_hessian='unit'."),
    ({**VECTOR, **RISING}, "multi_strategy='vector_leaf' does not support monotone_constraints="),
    ({**VECTOR, "split_method": "approx"}, "does not support split_method='approx'."),
    (
        {**VECTOR, "split_method": "exact", "grow_policy": "symmetric"},
        "multi_strategy='vector_leaf' does not support split_method='exact' with "
        "grow_policy='symmetric'.",
    ),
    (
        {**NODE, "split_score": "cosine"},
        "split_score='cosine' does not support approx_scope='node' with split_method='approx'. Set "
        "split_score='newton' or set approx_scope='tree'.",
    ),
    ({**NODE, "random_strength": 1.0}, "random_strength=1.0 does not support approx_scope='node'"),
    (
        {"extra_trees": True, "tree_method": "exact"},
        "extra_trees=True does not support tree_method='exact'. Set extra_trees=False or set "
        "tree_method='hist'.",
    ),
    (
        {**GAIN, "split_method": "approx"},
        "linear_fit='gain' with leaf_model='linear' does not support split_method='approx'. Set "
        "linear_fit='after' or set split_method='hist'.",
    ),
    (
        {"recipe": "catboost", "extra_trees": True},
        "extra_trees=True does not support split_score='cosine'.",
    ),
]


@pytest.mark.parametrize(("settings", "message"), CONFLICTS, ids=lambda value: str(value)[:60])
def test_a_conflict_names_its_two_settings_and_the_remedy(
    settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidParameterError, match=re.escape(message)) as caught:
        resolve(settings)
    text = str(caught.value)
    assert len(text) < 200
    words = set(re.findall(r"\w+", text))
    recipe = settings.get("recipe")
    mentioned = {name for name in BY_NAME if name in words}
    assert recipe or mentioned <= {*settings, "split_method"}


SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "leaf_model": st.sampled_from(["linear", "constant"]),
        "linear_fit": st.sampled_from(["gain", "after"]),
        "monotone_constraints": st.sampled_from([[1, -1], {"f0": 1}]),
        "boosting": st.sampled_from(["plain", "ordered"]),
        "split_score": st.sampled_from(["newton", "cosine", "entropy"]),
        "split_method": st.sampled_from(["hist", "approx", "exact"]),
        "approx_scope": st.sampled_from(["tree", "node"]),
        "random_strength": st.sampled_from([0, 1.0]),
        "split_hessian": st.sampled_from(["loss", "unit"]),
        "multi_strategy": st.sampled_from(["one_tree_per_output", "vector_leaf"]),
        "extra_trees": st.booleans(),
    },
)


@given(SETTINGS)
def test_following_the_remedies_leads_to_settings_that_are_accepted(
    settings: dict[str, Any],
) -> None:
    for _ in range(len(IMPOSSIBLE)):
        try:
            resolve(settings)
        except InvalidParameterError as error:
            remedy = re.search(
                r" or (?:set (\w+)=(\S+)|remove (\w+)|leave (\w+) out)\.$", str(error)
            )
            if remedy is None:
                raise
            name, value, *removed = remedy.groups()
            if any(removed):
                del settings[removed[0] or removed[1]]
            else:
                settings[name] = ast.literal_eval(value)
        else:
            return
    raise AssertionError(settings)


@pytest.mark.parametrize("weights", ["balanced", {0: 1.0, 1: 2.0}])
def test_classes_are_weighted_once(weights: Any) -> None:
    with pytest.raises(InvalidParameterError, match="both weight the classes"):
        resolve({"scale_pos_weight": 2.0, "class_weight": weights})
    resolve({"scale_pos_weight": 1.0, "class_weight": weights})
    resolve({"scale_pos_weight": 2.0})
