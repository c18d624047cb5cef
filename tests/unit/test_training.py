"""The training loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import CeibaClassifier, Dataset, EarlyStopping, Round, train
from ceiba.boosting.prepare import settle_early_stopping
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.parameters.resolving import resolve

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(400, 5))
NOISE = RANDOM.normal(size=400)
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * NOISE
BINARY = (Y > 0).astype(float)
THREE = np.digitize(Y, [-0.5, 0.5]).astype(float)
TARGETS = {"squared_error": Y, "logistic": BINARY, "softmax": THREE}
HALF = np.arange(400) < 200


def run(**given: Any) -> Any:
    return train({"n_estimators": 10, "n_jobs": 1, **given}, Dataset(X, Y))


@pytest.mark.parametrize("objective", TARGETS)
@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_the_loss_falls(objective: str, policy: str) -> None:
    dataset = Dataset(X, TARGETS[objective])
    params = {"objective": objective, "grow_policy": policy, "n_estimators": 20, "n_jobs": 1}
    history = train(params, dataset, eval_sets={"train": dataset}).history["train"]
    (values,) = history.values()
    assert len(values) == 20
    assert (np.diff(values) < 0).all()


@pytest.mark.parametrize("objective", TARGETS)
def test_the_first_tree_is_friedmans(objective: str) -> None:
    """One round by hand: the start, the gradients there, one Newton step in every leaf."""
    target = TARGETS[objective]
    params = {"objective": objective, "n_estimators": 1, "hessian_factor": 1.0, "reg_lambda": 0.0}
    model = train(params, Dataset(X, target))
    leaves = model.apply(X)
    for k in range(model.n_outputs):
        if objective == "squared_error":
            gradient, hessian = Y.mean() - Y, np.ones(400)
        else:
            share = np.mean(target == (k if objective == "softmax" else 1))
            gradient = share - (target == (k if objective == "softmax" else 1))
            hessian = np.full(400, share * (1 - share))
        raw = model.predict_raw(X).reshape(400, -1)[:, k] - model.start_scores[k]
        for leaf in np.unique(leaves[:, k]):
            rows = leaves[:, k] == leaf
            step = -0.1 * gradient[rows].sum() / hessian[rows].sum()
            np.testing.assert_allclose(raw[rows], step, rtol=1e-9)


def test_a_recipe_is_a_starting_point() -> None:
    assert run(recipe="xgboost").parameters["learning_rate"] == 0.3
    assert run(recipe="xgboost", eta=0.2).parameters["learning_rate"] == 0.2


def test_rounds_are_counted_and_recorded() -> None:
    model = run()
    assert model.forest.n_iterations == 10
    assert model.best_iteration == 9
    assert model.history == {}


def test_the_same_call_gives_the_same_model() -> None:
    sampled = {"subsample": 0.5, "colsample_bytree": 0.6, "colsample_bynode": 0.6}
    assert run(**sampled).fingerprint() == run(**sampled).fingerprint()
    assert run(**sampled).fingerprint() == run(**sampled, n_jobs=2, verbose=0).fingerprint()
    assert run(**sampled).fingerprint() != run(**sampled, seed=1).fingerprint()
    assert run().fingerprint() == run(seed=1).fingerprint()


def test_a_weight_is_a_number_of_rows() -> None:
    weights = RANDOM.integers(0, 4, size=400).astype(float)
    rows = np.repeat(np.arange(400), weights.astype(int))
    params = {"n_estimators": 10, "n_jobs": 1}
    weighted = train(params, Dataset(X, Y, weight=weights))
    repeated = train(params, Dataset(X[rows], Y[rows]))
    assert weighted.fingerprint() == repeated.fingerprint()


def test_scale_pos_weight_is_a_weight() -> None:
    params = {"objective": "binary", "n_estimators": 5, "n_jobs": 1}
    scaled = train({**params, "scale_pos_weight": 3}, Dataset(X, BINARY))
    weights = np.where(BINARY == 1, 3.0, 1.0)
    # Bin edges follow the weights of the rows too, so these are made the same first.
    np.testing.assert_allclose(
        scaled.start_scores, train(params, Dataset(X, BINARY, weight=weights)).start_scores
    )
    assert scaled.predict(X).mean() > BINARY.mean() + 0.1


def test_early_stopping_keeps_the_best_iteration() -> None:
    params = {"n_estimators": 500, "learning_rate": 0.5, "early_stopping_rounds": 5, "n_jobs": 1}
    training, held = Dataset(X[HALF], Y[HALF]), Dataset(X[~HALF], Y[~HALF])
    model = train(params, training, eval_sets=[held])
    values = model.history["validation_0"]["rmse"]
    assert model.best_iteration == int(np.argmin(values))
    assert len(values) == model.best_iteration + 1 + 5 < 500
    assert model.forest.n_iterations == model.best_iteration + 1
    rmse = np.sqrt(np.mean((model.predict(X[~HALF]) - Y[~HALF]) ** 2))
    np.testing.assert_allclose(rmse, min(values), rtol=1e-12)


def test_the_best_iteration_is_kept_even_if_nothing_stops() -> None:
    params = {"n_estimators": 60, "learning_rate": 0.5, "n_jobs": 1}
    evals = [Dataset(X[~HALF], Y[~HALF])]
    training = Dataset(X[HALF], Y[HALF])
    model = train({**params, "early_stopping_rounds": 1000}, training, eval_sets=evals)
    assert model.best_iteration < 59
    assert model.forest.n_iterations == model.best_iteration + 1
    assert len(model.history["validation_0"]["rmse"]) == 60
    everything = train(params, training, eval_sets=evals)
    assert everything.best_iteration == 59


def test_patience() -> None:
    def patience(n_rows: int, **given: Any) -> Any:
        return settle_early_stopping(resolve(given), n_rows).early_stopping_rounds

    assert patience(10**6) == 0
    assert patience(10, od_wait=7) == 7
    assert patience(10_000, recipe="histgb") == 0
    assert patience(10_001, recipe="histgb") == 10


def test_callbacks_see_rounds_and_can_stop() -> None:
    seen: list[Round] = []

    def watch(round: Round) -> bool:
        seen.append(round)
        return round.iteration == 3

    data = Dataset(X, Y)
    params = {"n_estimators": 10, "n_jobs": 1}
    model = train(params, data, eval_sets={"train": data}, callbacks=[watch])
    assert [round.iteration for round in seen] == [0, 1, 2, 3]
    assert model.forest.n_iterations == 4
    assert seen[0].n_rounds == 10
    assert seen[-1].evals["train"]["rmse"] == model.history["train"]["rmse"][-1]
    assert seen[-1].make_model().fingerprint() == model.fingerprint()


def test_early_stopping_as_a_callback() -> None:
    early = EarlyStopping(3)
    training, held = Dataset(X[HALF], Y[HALF]), Dataset(X[~HALF], Y[~HALF])
    params = {"n_estimators": 300, "learning_rate": 0.5, "n_jobs": 1}
    model = train(params, training, eval_sets=[held], callbacks=[early])
    assert model.best_iteration == early.best_iteration
    assert model.forest.n_iterations == model.best_iteration + 1


def test_callbacks_are_told_the_end_of_a_training_that_fails() -> None:
    from ceiba import Callback

    class Failing(Callback):
        ended = False

        def after_round(self, round: Round) -> bool | None:
            raise RuntimeError("on purpose")

        def after_training(self) -> None:
            self.ended = True

    failing = Failing()
    with pytest.raises(RuntimeError, match="on purpose"):
        train({"n_jobs": 1}, Dataset(X, Y), callbacks=[failing])
    assert failing.ended


def test_base_score_and_init_score() -> None:
    assert run(base_score=7.0).start_scores.tolist() == [7.0]
    params = {"n_estimators": 10, "n_jobs": 1}
    shift = 3.0 * X[:, 2]
    shifted = train(params, Dataset(X, Y + shift, init_score=shift))
    assert shifted.start_scores.tolist() == [0.0]
    np.testing.assert_allclose(shifted.predict(X), run(base_score=0.0).predict(X), atol=1e-6)


@pytest.mark.parametrize("name", ["class_weight", "importance_type"])
def test_parameters_of_estimators_are_refused(name: str) -> None:
    value = {"class_weight": "balanced", "importance_type": "gain"}
    with pytest.raises(InvalidParameterError, match=f"{name} belongs to the estimators"):
        run(**{name: value[name]})


def test_early_stopping_needs_an_eval_set() -> None:
    with pytest.raises(InvalidInputError, match="needs an eval set"):
        run(early_stopping_rounds=5)


def test_data_must_be_a_dataset() -> None:
    with pytest.raises(InvalidTypeError, match=r"Make one with ceiba\.Dataset"):
        train({}, X)  # type: ignore[arg-type]


def test_verbose_shows_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rich")
    run(verbose=True)
    assert "10/10" in capsys.readouterr().out


@pytest.mark.parametrize("policy", ["leafwise", "symmetric"])
def test_scale_pos_weight_is_a_weight_for_the_bins_too(policy: str) -> None:
    params = {"objective": "logistic", "grow_policy": policy, "n_estimators": 8, "n_jobs": 1}
    params |= {"max_bins": 24, "min_samples_leaf": 8}
    positive = BINARY == 1
    weights = np.where(positive, 3.0, 1.0)
    repeated = np.repeat(np.arange(400), weights.astype(int))
    scaled = {**params, "scale_pos_weight": 3.0}
    # The first training leaves bins in the dataset that the second must not use.
    shared = Dataset(X, BINARY)
    plain = train(params, shared)
    models = [
        train(scaled, shared),
        train(scaled, Dataset(X, BINARY)),
        train(params, Dataset(X, BINARY, weight=weights)),
        train(params, Dataset(X[repeated], BINARY[repeated])),
        train({**params, "scale_pos_weight": 1.5}, Dataset(X, BINARY, weight=positive + 1.0)),
    ]
    assert len({model.fingerprint() for model in models}) == 1
    assert train(params, shared).fingerprint() == plain.fingerprint() != models[0].fingerprint()


def test_scale_pos_weight_without_effect() -> None:
    params = {"objective": "logistic", "n_estimators": 5, "n_jobs": 1}
    halves = Dataset(X, BINARY, weight=np.where(BINARY == 1, 0.5, 1.0))
    undone = train({**params, "scale_pos_weight": 2.0}, halves)
    assert undone.fingerprint() == train(params, Dataset(X, BINARY)).fingerprint()


def test_scale_pos_weight_that_is_too_much() -> None:
    heavy = Dataset(X, BINARY, weight=np.full(400, 1e10))
    with pytest.raises(InvalidParameterError, match="gives 0 or infinity"):
        train({"objective": "logistic", "scale_pos_weight": 1e300}, heavy)


def test_scale_pos_weight_leaves_eval_sets_alone() -> None:
    rows = Dataset(X, BINARY)
    params = {"objective": "logistic", "n_estimators": 3, "n_jobs": 1, "scale_pos_weight": 4.0}
    model = train(params, rows, eval_sets=[rows])
    p = model.predict(X)
    expected = -np.mean(np.log(np.where(BINARY == 1, p, 1 - p)))
    assert model.history["validation_0"]["logloss"][-1] == pytest.approx(expected)


def test_the_objective_that_was_used_is_recorded() -> None:
    assert run().parameters["objective"] == "squared_error"
    model = train({"objective": "binary", "n_estimators": 1}, Dataset(X, BINARY))
    assert model.parameters["objective"] == "logistic"


def test_n_classes_is_for_softmax() -> None:
    for given in ({}, {"objective": "logistic"}):
        with pytest.raises(InvalidParameterError, match="num_class belongs to objective softmax"):
            train({**given, "num_class": 2}, Dataset(X, BINARY))


def test_early_stopping_takes_aliases_of_metrics() -> None:
    watch = EarlyStopping(3, metric="root_mean_squared_error")
    model = train({"n_estimators": 5}, Dataset(X, Y), eval_sets=[Dataset(X, Y)], callbacks=[watch])
    assert model.best_iteration == watch.best_iteration == 4


def test_an_eval_set_is_named_in_every_error() -> None:
    params = {"objective": "logistic", "n_estimators": 1}
    with pytest.raises(InvalidInputError, match=r"Eval set 'held'.*no target"):
        train(params, Dataset(X, BINARY), eval_sets={"held": Dataset(X)})


def test_labels_of_the_earlier_model_stay() -> None:
    labels = np.where(BINARY > 0, "yes", "no")
    fitted = CeibaClassifier(n_estimators=3, n_jobs=1).fit(X, labels)
    on = train(
        {"n_estimators": 2, "n_jobs": 1, "objective": "logistic"},
        Dataset(X, BINARY),
        init_model=fitted,
    )
    assert on.classes is not None
    assert on.classes.tolist() == ["no", "yes"]
    same = CeibaClassifier(n_estimators=2, n_jobs=1).fit(X, labels, init_model=fitted)
    assert on.fingerprint() == same.model_.fingerprint()
