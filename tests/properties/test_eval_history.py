"""Scores of eval sets, for every boosting mode, leaf model and number of outputs.

The history of an eval set is the metric of staged predictions, training continues from a checkpoint
with the same history, and a user's metric cannot change the scores.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import make_scorer

from ceiba import Checkpoint, Dataset, train
from ceiba.errors import CeibaError

RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(260, 4))
X[::7, 1] = np.nan
SIGNAL = X[:, 0] * 2 + np.sin(3 * X[:, 2]) + 0.3 * RANDOM.normal(size=260)
LEVELS = RANDOM.integers(0, 6, 260).astype(float)
FIRST, LAST = slice(0, 180), slice(180, 260)
CLASSES = np.digitize(SIGNAL, [-1.0, 1.0]).astype(float)
TARGETS = np.c_[SIGNAL, -SIGNAL + X[:, 3]]

BOOSTING = ("plain", "ordered", "dart", "forest")
LEAVES: dict[str, dict[str, Any]] = {
    "constant": {},
    "linear": {"leaf_model": "linear"},
    "linear_gain": {"leaf_model": "linear", "linear_fit": "gain"},
}
OUTPUTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "one": (SIGNAL, {}),
    "logistic": ((SIGNAL > 0).astype(float), {"objective": "logistic"}),
    "classes": (CLASSES, {"objective": "softmax"}),
    "vector_classes": (CLASSES, {"objective": "softmax", "multi_strategy": "vector_leaf"}),
    "targets": (TARGETS, {}),
    "vector_targets": (TARGETS, {"multi_strategy": "vector_leaf"}),
    "quantiles": (SIGNAL, {"objective": "quantile", "quantile": [0.2, 0.8]}),
}
MORE: dict[str, dict[str, Any]] = {
    "hist": {},
    "exact": {"split_method": "exact"},
    "sampled": {"subsample": 0.7, "num_parallel_tree": 2},
    "target_statistics": {"categorical": "target", "categorical_features": [4]},
}


def impossible(boosting: str, leaves: str, outputs: str, more: str) -> bool:
    """Whether training refuses the combination."""
    shares = outputs in ("vector_classes", "targets", "vector_targets", "quantiles")
    if boosting == "ordered":
        return shares or leaves != "constant" or more == "sampled"
    return leaves == "linear_gain" and (outputs.startswith("vector") or more == "exact")


def dataset(target: Any, rows: slice, more: str) -> Dataset:
    table = np.c_[X, LEVELS] if more == "target_statistics" else X
    return Dataset(table[rows], target[rows], weight=1.0 + np.arange(260.0)[rows] % 3)


def run(
    boosting: str,
    leaves: str,
    outputs: str,
    more: str,
    n_rounds: int = 6,
    seed: int = 0,
    metric: Any = None,
    **keywords: Any,
) -> tuple[Any, dict[str, Dataset]]:
    target, own = OUTPUTS[outputs]
    params = {
        "boosting": boosting, "n_estimators": n_rounds, "max_leaves": 5, "random_state": seed,
        "n_jobs": 1, "eval_metric": metric, **own, **LEAVES[leaves], **MORE[more],
    }  # fmt: skip
    if boosting == "forest":
        params["subsample"] = 0.6
    else:
        params["learning_rate"] = 0.5
    if boosting == "dart":
        params |= {"drop_rate": 0.5, "skip_drop": 0.0}
    rows = {"seen": FIRST, "new": LAST}
    sets = {name: dataset(target, part, more) for name, part in rows.items()}
    return train(params, sets["seen"], eval_sets=sets, **keywords), sets


PAIRS = [
    (boosting, leaves)
    for boosting in BOOSTING
    for leaves in LEAVES
    if boosting != "ordered" or leaves == "constant"
]
DRAWN = given(
    outputs=st.sampled_from(list(OUTPUTS)),
    more=st.sampled_from(list(MORE)),
    n_rounds=st.integers(2, 9),
    seed=st.integers(0, 2**32 - 1),
)


@pytest.mark.parametrize(("boosting", "leaves"), PAIRS)
@DRAWN
@settings(max_examples=25)
def test_history_is_the_metric_of_staged_predictions(
    boosting: str, leaves: str, outputs: str, more: str, n_rounds: int, seed: int
) -> None:
    """On rows that were learned from and on others."""
    if impossible(boosting, leaves, outputs, more):
        with pytest.raises(CeibaError):
            run(boosting, leaves, outputs, more)
        return
    model, sets = run(boosting, leaves, outputs, more, n_rounds, seed)
    for name, rows in sets.items():
        for stage in range(n_rounds):
            expected = model.truncate(stage + 1).evaluate(rows)
            found = {metric: values[stage] for metric, values in model.history[name].items()}
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
        table = X if more != "target_statistics" else np.c_[X, LEVELS]
        part = table[FIRST if name == "seen" else LAST]
        for stage, prediction in enumerate(model.staged_predict(part), start=1):
            np.testing.assert_array_equal(prediction, model.truncate(stage).predict(part))


@pytest.mark.parametrize(("boosting", "leaves"), PAIRS)
@DRAWN
@settings(max_examples=10)
def test_a_resumed_training_has_the_same_history(
    tmp_path_factory: pytest.TempPathFactory,
    boosting: str,
    leaves: str,
    outputs: str,
    more: str,
    n_rounds: int,
    seed: int,
) -> None:
    assume(not impossible(boosting, leaves, outputs, more))
    setting = boosting, leaves, outputs, more, n_rounds, seed
    path = tmp_path_factory.mktemp("checkpoints") / "training.ceiba"

    def crash(round: Any) -> None:
        if round.iteration == n_rounds // 2:
            raise RuntimeError

    saving = Checkpoint(path, every=1)
    with pytest.raises(RuntimeError):
        run(*setting, callbacks=[saving, crash])
    whole, _ = run(*setting)
    resumed, _ = run(*setting, callbacks=[saving, lambda round: None], resume_from=path)
    assert resumed.fingerprint() == whole.fingerprint()
    assert resumed.history == whole.history


def spoil(y_true: Any, y_pred: Any, sample_weight: Any) -> float:
    """Return a metric, and overwrite every argument that can be written to."""
    value = float(np.mean(y_pred))
    for array in (y_true, y_pred, sample_weight):
        if array.flags.writeable:
            array[...] = 0.5
    return value


@pytest.mark.parametrize("boosting", BOOSTING)
@pytest.mark.parametrize("metric", [spoil, make_scorer(spoil)], ids=["function", "scorer"])
def test_a_metric_cannot_change_scores_targets_or_weights(boosting: str, metric: Any) -> None:
    setting = boosting, "constant", "one", "hist"
    plain, _ = run(*setting, metric="rmse")
    model, sets = run(*setting, metric=["rmse", metric])
    assert model.fingerprint() == plain.fingerprint()
    for name in sets:
        assert model.history[name]["rmse"] == plain.history[name]["rmse"]
    model.evaluate(sets["new"], metric=metric)
    assert sets["new"].target is not None
    np.testing.assert_array_equal(sets["new"].target, SIGNAL[LAST])
