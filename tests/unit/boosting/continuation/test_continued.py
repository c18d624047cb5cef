"""Going on from a model or from a checkpoint: n rounds and then m are n + m rounds."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ceiba
from ceiba import Checkpoint, Dataset, EarlyStopping, Model, Round, load_model, train
from ceiba.boosting.continuation.continued import Earlier, find_earlier
from ceiba.errors import (
    CeibaError,
    InvalidInputError,
    InvalidParameterError,
    InvalidTypeError,
    LoadError,
)
from ceiba.model.load import load_checkpoint, save_checkpoint

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(400, 5))
X[RANDOM.random(X.shape) < 0.1] = np.nan
Y = np.nan_to_num(np.sin(2 * X[:, 0])) + 0.5 * RANDOM.normal(size=400)
TARGETS = {
    "squared_error": Y,
    "logistic": (Y > 0).astype(float),
    "softmax": np.digitize(Y, [-0.5, 0.5]).astype(float),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "sampled": {"subsample": 0.5, "colsample_bytree": 0.6, "colsample_bynode": 0.7},
    "symmetric": {"grow_policy": "symmetric", "max_depth": 3},
    "scheduled": {"learning_rate": lambda number: 0.3 / (1 + number)},
}


def dataset(objective: str = "squared_error", **given: Any) -> Dataset:
    return Dataset(X, TARGETS[objective], **given)


def run(n_estimators: int, rows: Dataset | None = None, **given: Any) -> Model:
    names = ("eval_sets", "callbacks", "init_model", "resume_from")
    how = {name: given.pop(name) for name in names if name in given}
    params = {"n_estimators": n_estimators, "n_jobs": 1, "max_leaves": 8, **given}
    return train(params, dataset() if rows is None else rows, **how)


# ---- init_model ----------------------------------------------------------------------------------


@pytest.mark.parametrize("objective", TARGETS)
@pytest.mark.parametrize("options", OPTIONS)
def test_rounds_and_more_rounds_are_one_training(objective: str, options: str) -> None:
    given = {"objective": objective, **OPTIONS[options]}
    weights = RANDOM.integers(1, 4, size=400).astype(float)
    rows, held = dataset(objective, weight=weights), {"held": dataset(objective)}
    at_once = run(9, rows, eval_sets=held, **given)
    some = run(4, rows, eval_sets=held, **given)
    more = run(5, rows, eval_sets=held, init_model=some, **given)
    assert more.fingerprint() == at_once.fingerprint()
    assert more.history == at_once.history
    assert more.best_iteration == 8
    assert more.parameters["learning_rate"] == at_once.parameters["learning_rate"]
    thrice = run(3, rows, init_model=run(2, rows, init_model=some, **given), **given)
    assert thrice.fingerprint() == at_once.fingerprint()


def test_from_a_file_and_from_an_estimator(tmp_path: Path) -> None:
    some = run(4)
    path = tmp_path / "model.ceiba"
    some.save(path)
    expected = run(6).fingerprint()
    assert run(2, init_model=path).fingerprint() == expected
    assert run(2, init_model=str(path)).fingerprint() == expected
    fitted = ceiba.CeibaRegressor(n_estimators=4, n_jobs=1, max_leaves=8).fit(X, Y)
    assert run(2, init_model=fitted).fingerprint() == expected


def test_initial_scores_are_part_of_the_scores() -> None:
    rows = dataset(init_score=np.linspace(-1, 1, 400))
    some = run(3, rows)
    assert run(4, rows, init_model=some).fingerprint() == run(7, rows).fingerprint()


def test_other_rows_get_bins_of_their_own() -> None:
    some = run(4)
    rows = Dataset(2 * X[:200] + 1, Y[:200])
    more = run(3, rows, init_model=some)
    assert more.n_iterations == 7
    assert more.truncate(4).fingerprint() == some.fingerprint()
    errors = [np.mean((m.predict(2 * X[:200] + 1) - Y[:200]) ** 2) for m in (some, more)]
    assert errors[1] < errors[0]


def test_names_that_were_once_given_stay() -> None:
    named = Dataset(pd.DataFrame(X, columns=list("abcde")), Y)
    some = run(2, named)
    assert run(1, init_model=some).schema.names == tuple("abcde")
    assert run(1, named, init_model=run(2)).schema.names == tuple("abcde")


@pytest.mark.parametrize(
    "rule",
    [
        {"monotone_constraints": {"a": 1, "c": -1}},
        {"interaction_constraints": [["a", "b"], ["c", "d", "e"]]},
        {"feature_weights": {"b": 5.0}, "colsample_bytree": 0.5},
        # Calibration trains models of its own on the same rows.
        {"monotone_constraints": {"a": 1}, "objective": "quantile", "quantile_alpha": [0.1, 0.9]},
    ],
)
def test_rules_for_columns_speak_of_the_names_that_stay(rule: dict[str, Any]) -> None:
    named = Dataset(pd.DataFrame(X, columns=list("abcde")), Y)
    some = run(2, named, **rule)
    more = run(2, dataset(), init_model=some, **rule)
    assert more.fingerprint() == run(4, named, **rule).fingerprint()
    assert ceiba.refit(more, named, decay_rate=0.5).schema.names == tuple("abcde")
    assert ceiba.refit(more, dataset(), decay_rate=0.5).schema.names == tuple("abcde")


def test_eval_sets_are_matched_by_the_names_that_stay() -> None:
    frame = pd.DataFrame(X, columns=list("abcde"))
    held = {"held": Dataset(frame[list("ecabd")], Y)}
    some = run(2, Dataset(frame, Y), eval_sets=held)
    more = run(2, dataset(), init_model=some, eval_sets=held)
    assert more.history == run(4, Dataset(frame, Y), eval_sets=held).history


def test_bins_are_kept_where_names_stay() -> None:
    some = run(2, Dataset(pd.DataFrame(X, columns=list("abcde")), Y))
    rows = dataset()
    run(1, rows, init_model=some)
    kept = rows._bins._kept
    assert kept is not None
    run(1, rows, init_model=some)
    assert rows._bins._kept is kept
    assert not rows.schema.named


def test_history_of_rounds_that_nobody_watched_is_not_known() -> None:
    more = run(2, init_model=run(2), eval_sets={"held": dataset()})
    values = more.history["held"]["rmse"]
    assert [math.isnan(value) for value in values] == [True, True, False, False]


def test_early_stopping_starts_afresh() -> None:
    half = np.arange(400) < 200
    rows, held = Dataset(X[half], Y[half]), [Dataset(X[~half], Y[~half])]
    given = {"learning_rate": 0.5, "early_stopping_rounds": 3}
    some = run(200, rows, eval_sets=held, **given)
    early = EarlyStopping(3)
    more = run(50, rows, eval_sets=held, init_model=some, learning_rate=0.5, callbacks=[early])
    assert early.best_iteration is not None
    assert more.best_iteration == early.best_iteration >= some.n_iterations
    assert more.n_iterations == more.best_iteration + 1


def test_callbacks_go_on_counting() -> None:
    seen: list[tuple[int, int]] = []

    def watch(round: Round) -> None:
        seen.append((round.iteration, round.n_rounds))

    run(2, init_model=run(3), callbacks=[watch])
    assert seen == [(3, 5), (4, 5)]


def test_rates_of_both_trainings_are_recorded() -> None:
    more = run(2, init_model=run(2, learning_rate=0.5), learning_rate=0.1)
    assert more.parameters["learning_rate"] == [0.5, 0.5, 0.1, 0.1]
    again = run(1, init_model=more, learning_rate=[9, 9, 9, 9, 0.2])
    assert again.parameters["learning_rate"] == [0.5, 0.5, 0.1, 0.1, 0.2]


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: run(1, init_model=3), InvalidTypeError, "init_model must be a ceiba.Model"),
        (lambda: run(1, init_model="nowhere.ceiba"), LoadError, "no model file"),
        (
            lambda: run(1, dataset("logistic"), init_model=run(1), objective="logistic"),
            InvalidInputError,
            "objective squared_error. Got objective logistic",
        ),
        (
            lambda: run(1, Dataset(X[:, :3], Y), init_model=run(1)),
            InvalidInputError,
            "5 columns .* Got 3",
        ),
        (
            lambda: run(
                1,
                Dataset(X, Y, feature_names=list("edcba")),
                init_model=run(1, Dataset(X, Y, feature_names=list("abcde"))),
            ),
            InvalidInputError,
            "same columns in the same order",
        ),
        (
            lambda: run(
                1,
                Dataset(X, TARGETS["logistic"]),
                objective="softmax",
                init_model=run(1, dataset("softmax"), objective="softmax"),
            ),
            InvalidInputError,
            "3 outputs. These rows need 2",
        ),
        (
            lambda: run(1, init_model=run(1), base_score=3.0),
            InvalidParameterError,
            "base_score=3.0 is not",
        ),
        (
            lambda: run(1, init_model=run(1), resume_from="there"),
            InvalidParameterError,
            "Give one of them",
        ),
    ],
)
def test_what_does_not_fit(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_nothing_to_go_on_from() -> None:
    assert find_earlier() == Earlier()
    assert Earlier().n_rounds == 0


# ---- resume_from ---------------------------------------------------------------------------------


class Cut(Exception):
    """Stands for a crash."""


def cut_off(after: int) -> Any:
    def crash(round: Round) -> None:
        if round.iteration == after:
            raise Cut

    return crash


@pytest.mark.parametrize("objective", TARGETS)
@pytest.mark.parametrize("options", OPTIONS)
def test_a_resumed_training_ends_as_it_would_have(
    objective: str, options: str, tmp_path: Path
) -> None:
    half = np.arange(400) < 200
    target = TARGETS[objective]
    rows, held = Dataset(X[half], target[half]), {"held": Dataset(X[~half], target[~half])}
    given = {"objective": objective, "early_stopping_rounds": 4, "learning_rate": 0.4}
    given |= OPTIONS[options] | {"eval_sets": held}
    expected = run(40, rows, **given)
    path = tmp_path / "training.ceiba"
    saving = Checkpoint(path, every=3)
    for after in (4, 7, 8, 11):
        again = {"resume_from": path} if path.exists() else {}
        try:
            model = run(40, rows, callbacks=[cut_off(after), saving], **again, **given)
        except Cut:
            assert load_model(path).n_iterations == after // 3 * 3
            continue
        break
    else:
        model = run(40, rows, callbacks=[cut_off(99), saving], resume_from=path, **given)
    assert model.fingerprint() == expected.fingerprint()
    assert model.history == expected.history
    assert model.best_iteration == expected.best_iteration
    assert model.parameters == expected.parameters


def test_a_training_that_had_ended_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "training.ceiba"

    def stop(round: Round) -> bool:
        return round.iteration == 4

    model = run(10, callbacks=[stop, Checkpoint(path, every=3)])
    assert model.n_iterations == 5
    again = run(10, callbacks=[stop], resume_from=path)
    assert again.fingerprint() == model.fingerprint()
    whole = run(6, callbacks=[Checkpoint(path, every=4)])
    assert run(6, resume_from=path).fingerprint() == whole.fingerprint()
    assert run(8, resume_from=path).fingerprint() == run(8).fingerprint()


def test_early_stopping_of_a_training_that_had_ended(tmp_path: Path) -> None:
    half = np.arange(400) < 200
    rows, held = Dataset(X[half], Y[half]), [Dataset(X[~half], Y[~half])]
    given = {"learning_rate": 0.5, "early_stopping_rounds": 3, "eval_sets": held}
    path = tmp_path / "training.ceiba"
    expected = run(200, rows, callbacks=[Checkpoint(path, every=7)], **given)
    assert load_model(path).n_iterations == expected.n_iterations + 3
    resumed = run(200, rows, resume_from=path, **given)
    assert resumed.fingerprint() == expected.fingerprint()
    assert resumed.history == expected.history


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"max_depth": 2}, InvalidParameterError, "other values of max_depth"),
        ({"learning_rate": 0.2}, InvalidParameterError, "other values of learning_rate"),
        (
            {"n_estimators": 2},
            InvalidParameterError,
            "n_estimators=2 must be larger",
        ),
        ({"rows": (X[::-1], Y[::-1])}, InvalidInputError, "rows are not those"),
        ({"rows": (X, Y + 1e-9)}, InvalidInputError, "rows are not those"),
        ({"eval_sets": [Dataset(X, Y)]}, InvalidInputError, "eval sets"),
        (
            {"callbacks": [EarlyStopping(3)]},
            InvalidInputError,
            "no callback with a state. Got EarlyStopping",
        ),
    ],
)
def test_another_training_is_not_resumed(
    given: dict[str, Any], kind: type[Exception], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "training.ceiba"
    run(4, callbacks=[Checkpoint(path)])
    if "rows" in given:
        given = {"rows": Dataset(*given["rows"])}
    with pytest.raises(kind, match=message):
        run(**{"n_estimators": 8, "resume_from": path, **given})


QUERIES = np.repeat(np.arange(40), 10)
RELEVANCE = np.digitize(Y, [-0.5, 0.5]).astype(float)


@pytest.mark.parametrize(
    "other",
    [
        Dataset(X[::-1], RELEVANCE, qid=QUERIES),
        Dataset(X, RELEVANCE[::-1], qid=QUERIES),
        Dataset(X, RELEVANCE, qid=QUERIES // 2),
        Dataset(X, RELEVANCE, qid=QUERIES, weight=np.arange(1.0, 401.0)),
        Dataset(X[:-10], RELEVANCE[:-10], qid=QUERIES[:-10]),
    ],
    ids=["values", "target", "queries", "weights", "fewer rows"],
)
def test_other_eval_sets_are_not_resumed(other: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "training.ceiba"
    rows = Dataset(X, RELEVANCE, qid=QUERIES)
    given: dict[str, Any] = {"objective": "lambdarank_ndcg", "early_stopping_rounds": 20}
    sets = {"learned": rows, "held": rows}
    run(4, rows, eval_sets=sets, callbacks=[Checkpoint(path)], **given)
    with pytest.raises(InvalidInputError, match="rows of eval set 'held' are not those"):
        run(8, rows, eval_sets={**sets, "held": other}, resume_from=path, **given)
    resumed = run(8, rows, eval_sets=sets, resume_from=path, **given)
    assert resumed.history == run(8, rows, eval_sets=sets, **given).history


def test_metrics_that_were_not_there_are_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "training.ceiba"
    sets = {"held": dataset()}
    run(4, eval_sets=sets, callbacks=[Checkpoint(path)], eval_metric=["mae", "rmse"])
    for other in ("mse", ["mae", "r2"]):
        with pytest.raises(InvalidInputError, match=r"(?s)eval_metric|metrics"):
            run(8, eval_sets=sets, resume_from=path, eval_metric=other)


@pytest.mark.parametrize("split_method", ["hist", "exact"])
@pytest.mark.parametrize("objective", TARGETS)
def test_the_same_eval_sets_are_known_again(
    objective: str, split_method: str, tmp_path: Path
) -> None:
    path = tmp_path / "training.ceiba"
    start = RANDOM.normal(size=(400, 3 if objective == "softmax" else 1))
    rows = dataset(objective, init_score=start)
    held = [Dataset(X[::-1], TARGETS[objective], init_score=start, weight=np.arange(1.0, 401.0))]
    given = {"objective": objective, "split_method": split_method, "eval_sets": held}
    run(4, rows, callbacks=[Checkpoint(path)], **given)
    resumed = run(8, rows, resume_from=path, **given)
    assert resumed.history == run(8, rows, **given).history


def test_a_checkpoint_that_tells_nothing_of_its_eval_sets(tmp_path: Path) -> None:
    path = tmp_path / "training.ceiba"
    run(4, eval_sets=[dataset()], callbacks=[Checkpoint(path)])
    model, state = load_checkpoint(path)
    older = {name: value for name, value in state.items() if name != "evals"}
    assert older.keys() < state.keys()
    save_checkpoint(path, model, older)
    resumed = run(8, eval_sets=[dataset()], resume_from=path)
    assert resumed.history == run(8, eval_sets=[dataset()]).history


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"rows": "", "watching": []},
        {"rows": "", "watching": {}},
        {"rows": "", "watching": {"callbacks": [], "stopped_by": None}, "evals": 3},
        {"watching": {"callbacks": [], "stopped_by": None}},
        {"rows": "", "watching": {"callbacks": [["EarlyStopping", {}]], "stopped_by": None}},
        {"rows": "", "watching": {"callbacks": [["EarlyStopping", 3]], "stopped_by": None}},
        {"rows": "", "watching": {"callbacks": 3, "stopped_by": None}},
        {"rows": "", "watching": {"callbacks": [], "stopped_by": "someone"}},
    ],
)
def test_a_state_that_makes_no_sense(state: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "training.ceiba"
    save_checkpoint(path, run(4), state)
    with pytest.raises(CeibaError, match="checkpoint"):
        run(8, resume_from=path, callbacks=[EarlyStopping(3)])


def test_a_model_is_no_checkpoint(tmp_path: Path) -> None:
    run(1).save(tmp_path / "model.ceiba")
    with pytest.raises(LoadError, match="is a model file, not a checkpoint"):
        run(2, resume_from=tmp_path / "model.ceiba")
    with pytest.raises(LoadError, match="no model file"):
        run(2, resume_from=tmp_path / "nothing")
    with pytest.raises(InvalidTypeError, match="path must be"):
        run(2, resume_from=3)
