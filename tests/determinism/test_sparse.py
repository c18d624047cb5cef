"""One model, however rows that mostly hold nothing are given, kept and divided.

Three kinds of tables: one-hot, words, and columns of both kinds among plain ones.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sharded import Workers, sharded_kind

import ceiba
from ceiba import _core

N_ROWS, N_COLUMNS = 1500, 150


def make_table(
    kind: str, n_rows: int = N_ROWS, n_columns: int = N_COLUMNS
) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    if kind == "one-hot":
        table = np.zeros((n_rows, n_columns))
        n_levels = n_columns // 5
        levels = random.integers(0, n_levels, (n_rows, 5)) * 5 + np.arange(5)  # groups scattered
        table[np.arange(n_rows)[:, None], levels] = 1.0
    else:
        table = scipy.sparse.random(n_rows, n_columns, 0.03, random_state=1).toarray()
        table[:, ::7] = np.round(4 * table[:, ::7])
    if kind == "mixed":
        table[:, 10:20] = random.normal(size=(n_rows, 10))
        table[:, 30:60] *= -1.0
        table[random.random(table.shape) < 0.01] = np.nan
        table[:, 3] = 5.0
    score = np.nan_to_num(table[:, :40]) @ random.normal(size=40)
    return table, (score + 0.3 * random.normal(size=n_rows) > 0).astype(float)


FORMS = {
    "dense": lambda table: table,
    "csr": scipy.sparse.csr_matrix,
    "csc": scipy.sparse.csc_array,
}
SETTINGS: dict[str, dict[str, Any]] = {
    "leafwise": {"grow_policy": "leafwise", "subsample": 0.7, "colsample_bynode": 0.5},
    "depthwise": {"grow_policy": "depthwise", "min_samples_leaf": 1},
    "symmetric": {"grow_policy": "symmetric", "colsample_bytree": 0.7},
    "exact": {"split_method": "exact"},
    "approx": {"split_method": "approx"},
}


@pytest.mark.threads
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("kind", ["one-hot", "words", "mixed"])
def test_one_model(kind: str, setting: str) -> None:
    table, target = make_table(kind)
    given = {"objective": "binary", "n_estimators": 3, "max_leaves": 8, **SETTINGS[setting]}
    found, predicted = set(), set()
    for form, thin in (("dense", 64), ("dense", 0), ("csr", 64), ("csr", 0), ("csc", 10)):
        _core.change_settings(thin_columns=thin, serial_below=0 if thin == 0 else 32768)
        _core.reset_counters()
        data = FORMS[form](table)
        weight = np.arange(N_ROWS) % 3 + 1.0 if setting == "depthwise" else None
        model = ceiba.train(
            {**given, "n_jobs": 1 + (thin == 0)}, ceiba.Dataset(data, target, weight=weight)
        )
        if thin == 0 and kind != "one-hot" and "split_method" not in given:
            assert _core.counters()["listed_columns"] > 0
        found.add(model.fingerprint())
        for rows in (data, data[:20]):
            predicted.add((len(data[:20].shape), model.predict(rows)[:20].tobytes()))
            predicted.add((len(data[:20].shape), model.predict(rows)[:20].tobytes()))
        leaves = model.apply(data)
        np.testing.assert_array_equal(leaves[:20], model.apply(table[:20]))
    assert len(found) == 1
    assert len(predicted) == 1


@pytest.mark.parametrize("kind", ["one-hot", "words", "mixed"])
def test_one_model_of_many_columns(kind: str) -> None:
    """As users have them, with everything as it is by default."""
    table, target = make_table(kind, 5000, 500)
    given = {"objective": "binary", "n_estimators": 10}
    found = {
        ceiba.train(given, ceiba.Dataset(make(table), target)).fingerprint()
        for make in FORMS.values()
    }
    assert len(found) == 1


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_folds_and_new_leaves_are_those_of_the_dense_table(form: str) -> None:
    table, target = make_table("mixed")
    given = {"objective": "binary", "n_estimators": 4, "max_leaves": 8, "n_jobs": 1}
    found = []
    for make in (FORMS["dense"], FORMS[form]):
        data = ceiba.Dataset(make(table), target)
        scores, models = ceiba.cv(given, data, folds=3, return_models=True)
        prints = [model.fingerprint() for model in models]
        model = ceiba.train(given, ceiba.Dataset(make(table[:700]), target[:700]))
        renewed = ceiba.refit(model, ceiba.Dataset(make(table[700:]), target[700:]))
        assert renewed.fingerprint() != model.fingerprint()
        found.append((prints, scores.to_csv(), renewed.fingerprint()))
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", ["one-hot", "mixed"])
def test_a_training_goes_on_from_its_checkpoint(kind: str, tmp_path: Any) -> None:
    table, target = make_table(kind)
    given = {"objective": "binary", "max_leaves": 8, "subsample": 0.7, "n_jobs": 1}
    rows = FORMS["csr"](table)
    held = ceiba.Dataset(rows[:200], target[:200])
    path = tmp_path / "checkpoint"

    def run(n_rounds: int, data: Any, **how: Any) -> Any:
        own = ceiba.Dataset(data, target)
        return ceiba.train(given | {"n_estimators": n_rounds}, own, eval_sets=[held], **how)

    whole = run(7, rows)
    run(4, rows, callbacks=[ceiba.Checkpoint(path, every=2)])
    for data in (rows, FORMS["csc"](table), table):  # the same rows, however they are given
        resumed = run(7, data, resume_from=path)
        assert resumed.fingerprint() == whole.fingerprint()
    more = run(3, rows, init_model=run(4, rows))
    assert more.fingerprint() == whole.fingerprint()


def test_blocks_make_the_same_model() -> None:
    table, target = make_table("mixed")
    rows = scipy.sparse.csr_matrix(table)
    given = {"n_estimators": 3, "max_leaves": 8, "n_jobs": 1}
    whole = ceiba.train(given, ceiba.Dataset(table, target))
    cuts = [0, 1, 400, 401, N_ROWS]
    blocks = [(rows[begin:end], target[begin:end]) for begin, end in pairwise(cuts)]
    _core.change_settings(thin_columns=0, shard_rows=333)
    assert (
        ceiba.train(given, ceiba.Dataset.from_blocks(blocks)).fingerprint() == whole.fingerprint()
    )
    blocks[1] = (table[1:400], target[1:400])  # a dense one among them
    assert (
        ceiba.train(given, ceiba.Dataset.from_blocks(blocks)).fingerprint() == whole.fingerprint()
    )


@pytest.mark.parametrize("policy", ["leafwise", "symmetric"])
def test_processes_make_the_same_model(policy: str) -> None:
    table, target = make_table("mixed")
    rows = scipy.sparse.csr_matrix(table)
    given = {"n_estimators": 2, "max_depth": 3, "grow_policy": policy, "objective": "binary"}
    one = ceiba.train(given, ceiba.Dataset(rows, target))
    workers, made = Workers(), []
    sharded = ceiba.Dataset(rows, target)
    sharded.__class__ = sharded_kind(workers, made)
    assert ceiba.train(given, sharded).fingerprint() == one.fingerprint()
    assert made
    for exchange in made:
        exchange.close()
    workers.close()
