"""One model with constraints, weighted columns and pruning, however the work was divided."""

from __future__ import annotations

from typing import Any

import pytest

from ceiba import _core

pytestmark = pytest.mark.threads

SMALL = {"block_rows": 64, "chunk_rows": 64, "serial_below": 0}
N_FEATURES = 8
RULES: dict[str, dict[str, Any]] = {
    "monotone": {"monotone_constraints": [1, -1, 0, 1, 0, -1, 0, 1]},
    "interactions": {"interaction_constraints": [[0, 1, 2], [2, 3, 4], [5, 6]]},
    "weights": {"feature_weights": [3, 1, 1, 0, 2, 1, 1, 5], "colsample_bynode": 0.5},
    "pruning": {"prune": "after", "min_split_gain": 2.0, "split_hessian": "unit"},
}
RULES["all"] = {name: value for rules in RULES.values() for name, value in rules.items()}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
@pytest.mark.parametrize("kind", ["friedman", "two classes", "five classes"])
def test_one_fingerprint(make_problem: Any, kind: str, policy: str, rules: str) -> None:
    problem = make_problem(kind, 900, N_FEATURES).with_weights("real").with_missing()
    limits = {"max_leaves": 15} if policy == "leafwise" else {"max_depth": 4}
    params = {"grow_policy": policy, **limits, **RULES[rules]}
    if "prune" in params and kind == "friedman":
        params["min_split_gain"] = 150.0 if policy == "symmetric" else 40.0
    found = {"usual": problem.train(params).fingerprint()}
    assert problem.train({"grow_policy": policy, **limits}).fingerprint() != found["usual"]
    _core.change_settings(**SMALL)
    for n_threads in (1, 2, 3, 7):
        model = problem.train({**params, "n_jobs": n_threads})
        found[f"{n_threads} threads"] = model.fingerprint()
    params["n_jobs"] = 2
    found["blocks"] = problem.train(params, n_blocks=7).fingerprint()
    found["other order"] = problem.permuted().train(params).fingerprint()
    _core.change_settings(shard_rows=100)
    _core.set_avx2(not _core.uses_avx2())
    found["other kernels, shards"] = problem.train(params).fingerprint()
    assert len(set(found.values())) == 1, found
