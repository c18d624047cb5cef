"""Rounds of several trees: boosted forests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ceiba import Checkpoint, Dataset, load_model, refit, train
from ceiba.testing import reference

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(300, 4))
Y = X[:, 0] + np.sin(3 * X[:, 1]) + 0.3 * RANDOM.normal(size=300)
CLASSES = np.digitize(Y, [-0.5, 0.5]).astype(float)
NEW = RANDOM.normal(size=(100, 4))
PARAMS = {
    "num_parallel_tree": 3, "subsample": 0.7, "max_leaves": 6, "learning_rate": 0.6,
    "n_estimators": 4, "n_jobs": 2,
}  # fmt: skip
KINDS: dict[str, dict[str, Any]] = {
    "squared_error": {},
    "softmax": {"objective": "softmax"},
    "quantiles": {"objective": "quantile", "quantile": [0.1, 0.9], "calibration_folds": 0},
    "logistic steps": {"objective": "logistic", "grow_policy": "symmetric", "max_leaves": 8},
    "dart": {"boosting": "dart", "skip_drop": 0.0, "drop_rate": 0.6},
    "mvs": {"sampling": "mvs"},
}
EACH = pytest.mark.parametrize("kind", KINDS)


def target_of(kind: str) -> Any:
    return {"softmax": CLASSES, "logistic steps": (Y > 0) * 1.0}.get(kind, Y)


def run(kind: str = "squared_error", **more: Any) -> Any:
    calls = ("callbacks", "init_model", "resume_from")
    own = {name: more.pop(name) for name in list(more) if name not in calls}
    target = target_of(kind)
    evals = {"same": Dataset(X, target)}
    return train({**PARAMS, **KINDS[kind], **own}, Dataset(X, target), eval_sets=evals, **more)


def test_members_are_trees_of_their_own_samples() -> None:
    """Every member is the tree of the reference on its own rows, a third of the learning rate."""
    from ceiba import _core

    model = run(min_data_in_bin=1, min_samples_leaf=5, colsample_bynode=0.5, n_estimators=2)
    mapper = _core.BinMapper.find([[X[:, j]] for j in range(4)], None, 256, 1, 1)
    codes = reference.bin_codes(mapper, X)
    plan = reference.Plan(
        max_leaves=6, min_samples_leaf=5, min_child_weight=1e-3, reg_lambda=1.0,
        colsample_bynode=0.5,
    )  # fmt: skip
    arrays = model.forest.arrays()
    scores = np.full(300, model.start_scores[0])
    for round in range(2):
        for member in range(3):
            rows = np.flatnonzero(_core.hash_uniform(0, round, 300, member) < 0.7)
            gradients = np.zeros((3, 300))
            gradients[member] = scores - Y  # the number of a tree is that of its member
            expected = reference.grow(
                mapper, codes, gradients, None, 1.0, None, rows.astype(np.int32), plan, round, 0.2
            )
            begin, end = arrays["tree_offsets"][3 * round + member :][:2]
            own = slice(*expected["tree_offsets"][member:][:2])
            for name in ("feature", "threshold", "count"):
                np.testing.assert_array_equal(arrays[name][begin:end], expected[name][own])
            np.testing.assert_allclose(
                arrays["value"][begin:end], expected["value"][own], rtol=1e-12
            )
        scores = model.predict_raw(X, iteration_range=(0, round + 1))


@EACH
def test_iterations_are_rounds(kind: str) -> None:
    model = run(kind)
    assert model.n_iterations == 4
    assert model.n_trees == 12 * (3 if kind == "softmax" else 1)
    assert model.forest.trees_per_iteration * 4 == model.n_trees
    stages = list(model.staged_predict(NEW))
    for n_rounds, stage in enumerate(stages, start=1):
        cut = model.truncate(n_rounds)
        np.testing.assert_array_equal(cut.predict(NEW), stage)
        np.testing.assert_array_equal(cut.predict(NEW[:2]), stage[:2])
        assert cut.n_iterations == n_rounds
    frame = model.trees_to_frame()
    assert frame["iteration"].max() == 3
    # The scores of eval sets, tree by tree, are those of predictions.
    again = train(
        {**PARAMS, **KINDS[kind], "n_jobs": 1}, Dataset(X, target_of(kind)),
        eval_sets={"same": Dataset(X, target_of(kind))},
    )  # fmt: skip
    assert again.fingerprint() == model.fingerprint()
    assert again.history["same"] == model.history["same"]


@EACH
def test_going_on_resuming_and_files(kind: str, tmp_path: Path) -> None:
    whole = run(kind, n_estimators=6)
    part = run(kind)
    assert run(kind, n_estimators=2, init_model=part).fingerprint() == whole.fingerprint()
    path = tmp_path / "training.ceiba"
    saving = Checkpoint(path, every=1)

    def crash(round: Any) -> None:
        if round.iteration == 3:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        run(kind, n_estimators=6, callbacks=[saving, crash])
    resumed = run(kind, n_estimators=6, callbacks=[saving, lambda round: None], resume_from=path)
    assert resumed.fingerprint() == whole.fingerprint()
    whole.save(tmp_path / "model.ceiba")
    again = load_model(tmp_path / "model.ceiba")
    assert again.n_iterations == 6
    np.testing.assert_array_equal(again.predict(NEW), whole.predict(NEW))


@pytest.mark.parametrize("kind", ["squared_error", "softmax", "logistic steps", "dart"])
def test_refits(kind: str) -> None:
    model = run(kind, subsample=1.0, colsample_bynode=0.5)
    same = refit(model, Dataset(X, target_of(kind)), decay_rate=0.0)
    assert same.fingerprint() == model.fingerprint()
