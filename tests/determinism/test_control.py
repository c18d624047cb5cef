"""One model, however a training is cut into pieces; for every listed objective."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ceiba import Checkpoint, Dataset, Round, refit, train
from ceiba.objectives import OBJECTIVES, find_objective
from ceiba.testing.targets import example_target

N_ROWS = 300
X = np.random.default_rng(0).normal(size=(N_ROWS, 4))
X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
SAMPLED = {"subsample": 0.6, "colsample_bytree": 0.6}
NAMES = [kind.name for kind in OBJECTIVES]
METHODS = ("hist", "exact", "approx")


def rows_of(name: str) -> Dataset:
    target = example_target(find_objective(name), N_ROWS)
    weight, qid = np.arange(N_ROWS) % 3 + 1.0, None
    if find_objective(name).task == "ranking":
        target, qid = np.clip(np.round(target), 0.0, 4.0), np.arange(N_ROWS) // 10
    return Dataset(X, target, weight=weight, qid=qid)


def params_of(name: str, **given: Any) -> dict[str, Any]:
    params = {"objective": name, "n_estimators": 9, "min_samples_leaf": 5, "max_leaves": 8}
    return {**params, "n_jobs": 1, **given}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NAMES)
def test_in_two_pieces(name: str, method: str) -> None:
    rows, held = rows_of(name), {"held": rows_of(name)}
    given = {**SAMPLED, "split_method": method}
    at_once = train(params_of(name, **given), rows, eval_sets=held)
    some = train(params_of(name, **given, n_estimators=4), rows, eval_sets=held)
    rest = params_of(name, **given, n_estimators=5)
    both = train(rest, rows, eval_sets=held, init_model=some)
    assert both.fingerprint() == at_once.fingerprint()
    assert both.history == at_once.history


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NAMES)
def test_cut_off_and_resumed(name: str, method: str, tmp_path: Path) -> None:
    rows, path = rows_of(name), tmp_path / "training.ceiba"
    given = params_of(name, **SAMPLED, early_stopping_rounds=20, split_method=method)
    held = {"held": rows_of(name)}
    whole = train(given, rows, eval_sets=held)

    def crash(round: Round) -> None:
        if round.iteration == 5:
            raise RuntimeError("the lights went out")

    with pytest.raises(RuntimeError, match="lights"):
        train(given, rows, eval_sets=held, callbacks=[Checkpoint(path, every=2), crash])
    resumed = train(given, rows, eval_sets=held, resume_from=path)
    assert resumed.fingerprint() == whole.fingerprint()
    assert resumed.history == whole.history


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("leaf_rule", ["exact", "friedman"])
def test_refitted_on_its_own_rows(name: str, leaf_rule: str, method: str) -> None:
    rows = rows_of(name)
    # A calibration knows rows that the trees have not seen; a refit has none of those.
    given = params_of(name, leaf_rule=leaf_rule, split_method=method, calibration_folds=0)
    model = train(given, rows)
    assert refit(model, rows, decay_rate=0.0, n_jobs=1).fingerprint() == model.fingerprint()
