"""Calibration: levels that hold for new rows, by folds that only the rows themselves decide."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba import CeibaRegressor, Checkpoint, Dataset, load_model, refit, train
from ceiba.boosting.calibration import calibrated, count_folds
from ceiba.boosting.loop import train_trees
from ceiba.errors import TrainingInterrupted
from ceiba.metrics import find_metric
from ceiba.model.correction import NO_CORRECTION
from ceiba.objectives import find_objective
from ceiba.parameters.resolving import resolve

LEVELS = [0.1, 0.5, 0.9]
FEW = {"objective": "quantile", "quantile": LEVELS, "n_estimators": 20, "n_jobs": 1}


def make_rows(n_rows: int, seed: int = 0) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 6)).astype(np.float32).astype(np.float64)
    return X, X[:, 0] + random.normal(size=n_rows)


def asked(parameters: Any, objective: Any, dataset: Dataset) -> Any:
    """Return what calibration asks of a training."""
    return SimpleNamespace(
        parameters=parameters,
        objective=objective,
        dataset=dataset,
        n_outputs=objective.n_outputs(dataset.target),
        n_rounds=parameters.n_estimators,
        n_folds=count_folds(parameters, objective, dataset),
    )


def test_new_rows_are_covered_at_the_level() -> None:
    X, y = make_rows(1000)
    new_X, new_y = make_rows(20_000, seed=1)
    params = {**FEW, "n_estimators": 100}
    covered = {}
    for folds in (0, "auto"):
        model = train({**params, "calibration_folds": folds}, Dataset(X, y))
        covered[folds] = (new_y[:, None] <= model.predict(new_X)).mean(axis=0)
    error = np.abs(covered["auto"] - LEVELS)
    # 1,000 rows say where a level lies to about two standard errors of their own.
    assert (error <= 2 * np.sqrt(np.multiply(LEVELS, np.subtract(1.0, LEVELS)) / 1000)).all()
    assert np.abs(covered[0] - LEVELS)[[0, 2]].min() > 2 * error[[0, 2]].max()


def test_the_trees_are_those_of_a_model_without_it() -> None:
    X, y = make_rows(300)
    plain = train({**FEW, "calibration_folds": 0}, Dataset(X, y))
    moved = train(FEW, Dataset(X, y), eval_sets={"train": Dataset(X, y)})
    np.testing.assert_array_equal(plain.predict_raw(X), moved.predict_raw(X))
    shift = moved.correction.shifts[-1]
    np.testing.assert_array_equal(moved.predict(X), np.sort(plain.predict_raw(X) + shift, axis=1))
    difference = np.abs(y[:, None] - moved.predict(X))
    above = y[:, None] > moved.predict(X)
    loss = np.mean(difference * np.where(above, LEVELS, np.subtract(1.0, LEVELS)))
    assert moved.history["train"]["quantile"][-1] == pytest.approx(loss, rel=1e-12)


@pytest.mark.parametrize(
    ("params", "is_done"),
    [
        ({}, True),
        ({"calibration_folds": 3}, True),
        ({"calibration_folds": 0}, False),
        ({"early_stopping_rounds": 5}, False),
        ({"recipe": "lightgbm"}, False),
        ({"objective": "absolute_error"}, False),
    ],
)
def test_when_it_is_done(params: dict[str, Any], is_done: bool) -> None:
    X, y = make_rows(100)
    parameters = resolve({**FEW, **params})
    objective = find_objective(parameters.objective, **parameters.of_stage("objective"))
    trained: list[int] = []

    def record(given: Any, dataset: Dataset) -> Any:
        trained.append(dataset.n_rows)
        return train_trees(resolve({**FEW, "n_estimators": 1, "calibration_folds": 0}), dataset)

    n_outputs = objective.n_outputs(y)
    what = asked(parameters, objective, Dataset(X, y))
    found = calibrated(record, what).after(1)
    assert bool(trained) == is_done == (found != NO_CORRECTION)
    if is_done:
        assert np.shape(found.shifts) == (1, n_outputs)
        n_folds = params.get("calibration_folds", 5)
        assert len(trained) == n_folds
        assert sum(trained) == (n_folds - 1) * 100


def test_rows_that_are_all_the_same_are_left_alone() -> None:
    model = train(FEW, Dataset(np.ones((50, 2)), np.full(50, 3.0)))
    assert (model.predict(np.ones((2, 2))) == 3.0).all()


def test_many_rows_need_none() -> None:
    X, y = make_rows(600)
    weights = np.full(600, 20.0)
    params = {**FEW, "n_estimators": 2}
    plain = train({**params, "calibration_folds": 0}, Dataset(X, y, weight=weights))
    assert train(params, Dataset(X, y, weight=weights)).fingerprint() == plain.fingerprint()


def test_initial_scores_are_part_of_the_scores() -> None:
    X, y = make_rows(300)
    params = {**FEW, "quantile": 0.9, "n_estimators": 30}
    given = np.full(300, 100.0)
    far = train(params, Dataset(X, y + 100.0, init_score=given))
    near = train(params, Dataset(X, y, init_score=np.zeros(300)))
    # Another target is in another fold, so the shifts are not quite the same.
    np.testing.assert_allclose(far.predict(X), near.predict(X), atol=0.5)


def test_estimators_calibrate() -> None:
    X, y = make_rows(300)
    model = CeibaRegressor(**FEW).fit(X, y)
    assert model.predict(X).shape == (300, 3)
    assert model.model_.fingerprint() == train(FEW, Dataset(X, y)).fingerprint()


def test_going_on_is_one_training() -> None:
    X, y = make_rows(200)
    whole = train({**FEW, "n_estimators": 9}, Dataset(X, y))
    part = train({**FEW, "n_estimators": 4}, Dataset(X, y))
    rest = train({**FEW, "n_estimators": 5}, Dataset(X, y), init_model=part)
    assert part.correction != whole.correction
    assert rest.fingerprint() == whole.fingerprint()


def test_every_round_has_its_own_shift() -> None:
    X, y = make_rows(200)
    rows = Dataset(X, y)
    shifts: dict[int, Any] = {}

    def look(round: Any) -> None:
        shifts[round.iteration] = round.make_model(None).correction
        shifts[-1] = round.make_model(0).correction  # back to the first round

    whole = train(FEW, rows, eval_sets={"train": rows}, callbacks=[look])
    for n_rounds in (1, 7, 20):
        short = train({**FEW, "n_estimators": n_rounds}, rows, eval_sets={"train": rows})
        assert short.correction == shifts[n_rounds - 1]
        assert short.history["train"]["quantile"] == whole.history["train"]["quantile"][:n_rounds]
    assert shifts[-1] == shifts[0] != shifts[1] != shifts[19] == whole.correction
    without = train(FEW, rows, callbacks=[look])
    assert without.fingerprint() == whole.fingerprint()
    assert shifts[-1] == shifts[0] != whole.correction


def test_fewer_rounds_are_a_model_of_fewer_rounds(tmp_path: Path) -> None:
    X, y = make_rows(200)
    whole = train(FEW, Dataset(X, y), eval_sets={"train": Dataset(X, y)})
    whole.save(tmp_path / "model.ceiba")
    for model in (whole, load_model(tmp_path / "model.ceiba")):
        stages = list(model.staged_predict(X))
        for n_rounds in (1, 7, 20):
            short = train({**FEW, "n_estimators": n_rounds}, Dataset(X, y))
            assert model.truncate(n_rounds).fingerprint() == short.fingerprint()
            predicted = short.predict(X)
            np.testing.assert_array_equal(stages[n_rounds - 1], predicted)
            part = model.predict(X, iteration_range=(0, n_rounds))
            np.testing.assert_array_equal(part, predicted)
            value = find_metric("quantile", quantile=LEVELS)(y, predicted, predicted, None)
            assert value == model.history["train"]["quantile"][n_rounds - 1]
        nothing = model.truncate(0)
        np.testing.assert_array_equal(nothing.predict(X)[0], model.start_scores)
    fitted = CeibaRegressor(**FEW).fit(X, y)
    for stage, expected in zip(fitted.staged_predict(X), whole.staged_predict(X), strict=True):
        np.testing.assert_array_equal(stage, expected)


def test_a_refit_is_calibrated_on_the_new_rows() -> None:
    X, y = make_rows(800)
    model = train(FEW, Dataset(X, y))
    calm_X, calm_y = make_rows(800, seed=1)
    calm_y = calm_X[:, 0] + 0.1 * (calm_y - calm_X[:, 0])
    test_X, test_y = make_rows(5000, seed=2)
    test_y = test_X[:, 0] + 0.1 * (test_y - test_X[:, 0])
    rows = Dataset(calm_X, calm_y)
    for decay_rate in (0.0, 0.5, 0.9):  # the shift is that of the mixed trees
        refitted = refit(model, rows, decay_rate=decay_rate, n_jobs=1)
        covered = (test_y[:, None] <= refitted.predict(test_X)).mean(axis=0)
        np.testing.assert_allclose(covered, LEVELS, atol=0.04)
        assert len(refitted.correction.shifts) == 20
    assert refit(model, rows, decay_rate=1.0).fingerprint() != model.fingerprint()  # its counts
    assert refit(model, rows, decay_rate=1.0).correction == model.correction


def test_a_refit_does_not_depend_on_the_order_of_columns() -> None:
    X, y = make_rows(300)
    names = list("abcdef")
    frame = pd.DataFrame(X, columns=names)
    model = train(FEW, Dataset(frame, y))
    one, other = (refit(model, Dataset(frame[order], y + 1.0)) for order in (names, names[::-1]))
    assert one.fingerprint() == other.fingerprint() != model.fingerprint()


def test_rows_of_a_refit_that_are_few_or_many() -> None:
    """Too few for folds: what was found before stays. Many, under "auto": nothing is added."""
    X, y = make_rows(300)
    model = train({**FEW, "n_estimators": 3}, Dataset(X, y))
    assert refit(model, Dataset(X[:1], y[:1]), decay_rate=0.0).correction == model.correction
    many = refit(model, Dataset(*make_rows(10_001, seed=1)), decay_rate=0.5)
    assert many.correction == NO_CORRECTION != model.correction


def test_folds_without_rows_are_left_out() -> None:
    X, y = make_rows(60)
    for folds in (60, 1000):
        model = train({**FEW, "n_estimators": 2, "calibration_folds": folds}, Dataset(X, y))
        assert len(model.correction.shifts) == 2


def test_metrics_that_are_functions_are_no_business_of_the_folds() -> None:
    X, y = make_rows(200)

    def coverage(y_true: Any, y_pred: Any) -> float:
        return float(abs(np.mean(y_true <= y_pred[:, 1]) - 0.5))

    params = {**FEW, "n_estimators": 3, "eval_metric": ["quantile", coverage]}
    model = train(params, Dataset(X, y), eval_sets={"train": Dataset(X, y)})
    covered = np.mean(y <= model.predict(X)[:, 1])
    assert model.history["train"]["coverage"][-1] == pytest.approx(abs(covered - 0.5))


def test_a_resumed_training_ends_as_it_would_have(tmp_path: Path) -> None:
    X, y = make_rows(300)
    rows, held = Dataset(X[:200], y[:200]), {"held": Dataset(X[200:], y[200:])}
    params = {**FEW, "n_estimators": 60, "learning_rate": 0.4, "calibration_folds": 3}
    params["early_stopping_rounds"] = 4
    path = tmp_path / "training.ceiba"
    saving = Checkpoint(path, every=1)
    expected = train(params, rows, eval_sets=held, callbacks=[saving])
    n_rounds = load_model(path).n_iterations
    assert expected.n_iterations == n_rounds - 4  # stopped early, and cut to the best
    assert expected.fingerprint() == train(params, rows, eval_sets=held).fingerprint()
    ended = train(params, rows, eval_sets=held, callbacks=[saving], resume_from=path)
    resumed = [ended]
    # Cut off before the best round, behind it, and in the last round.
    for after in (1, n_rounds - 3, n_rounds - 1):

        def crash(round: Any, after: int = after) -> None:
            if round.iteration == after:
                raise RuntimeError

        with pytest.raises(RuntimeError):
            train(params, rows, eval_sets=held, callbacks=[crash, saving])
        assert load_model(path).n_iterations == after
        again = [lambda round: None, saving]
        resumed.append(train(params, rows, eval_sets=held, callbacks=again, resume_from=path))
    for model in resumed:
        assert model.fingerprint() == expected.fingerprint()
        assert model.history == expected.history
        assert model.best_iteration == expected.best_iteration
        np.testing.assert_array_equal(model.predict(X), expected.predict(X))


def test_an_interrupt_does_not_hand_out_the_model_of_a_fold() -> None:
    X, y = make_rows(200)
    parameters = resolve(FEW)
    objective = find_objective("quantile", quantile=LEVELS)

    def interrupted(given: Any, dataset: Dataset) -> Any:
        raise TrainingInterrupted("stop", train({**FEW, "calibration_folds": 0}, dataset))

    with pytest.raises(KeyboardInterrupt) as caught:
        calibrated(interrupted, asked(parameters, objective, Dataset(X, y)))
    assert type(caught.value) is KeyboardInterrupt
