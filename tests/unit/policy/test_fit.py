"""Recipe auto from rows to one model: entry points, row order, and all that composes with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.model_selection import TimeSeriesSplit

import ceiba
from ceiba import CeibaClassifier, CeibaRanker, CeibaRegressor, Dataset, Round, TrainingInterrupted
from ceiba.errors import InvalidParameterError

SHORT: dict[str, Any] = {"early_stopping_rounds": 3, "learning_rate": 0.3, "max_leaves": 6}


def numbers(n_rows: int = 300, seed: int = 0) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 4))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * random.normal(size=n_rows)


def frame(n_rows: int = 300) -> tuple[Any, Any]:
    X, y = numbers(n_rows)
    levels = np.random.default_rng(1).integers(0, 80, n_rows)
    table = pd.DataFrame(X, columns=list("abcd")).assign(city=[f"c{k}" for k in levels])
    return table, y + (levels % 3)


def test_estimators_and_train_give_one_model() -> None:
    X, y = numbers()
    trained = ceiba.train(dict(SHORT), Dataset(X, y))
    assert CeibaRegressor(**SHORT).fit(X, y).fingerprint() == trained.fingerprint()
    labels = (y > 0).astype(int)
    trained = ceiba.train({"objective": "logistic", **SHORT}, Dataset(X, labels))
    assert CeibaClassifier(**SHORT).fit(X, labels).fingerprint() == trained.fingerprint()


def test_neither_row_order_nor_threads_change_the_model() -> None:
    X, y = numbers()
    weight = np.random.default_rng(2).integers(1, 4, len(y))
    order = np.random.default_rng(3).permutation(len(y))
    model = CeibaRegressor(**SHORT, n_jobs=2).fit(X, y, weight)
    other = CeibaRegressor(**SHORT, n_jobs=1).fit(X[order], y[order], weight[order])
    copies = CeibaRegressor(**SHORT).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert model.fingerprint() == other.fingerprint() == copies.fingerprint()


def test_one_fold_refits_the_leaves_to_all_rows_and_adds_a_quarter_of_the_rounds() -> None:
    X, y = numbers(10_400)
    model = CeibaRegressor(**SHORT).fit(X, y).model_
    assert "a fifth" not in str(model.decisions()[0])
    chosen = [int(d.chosen) for d in model.decisions() if d.question.startswith("Rounds")]
    assert model.n_iterations == max(round(n / 0.8) for n in chosen)
    assert model.forest.n_parallel == 2
    order = np.random.default_rng(3).permutation(len(y))
    assert CeibaRegressor(**SHORT).fit(X[order], y[order]).fingerprint() == model.fingerprint()


def test_target_statistics_train_again_because_those_of_a_row_contain_its_target() -> None:
    X, y = frame(10_400)
    model = CeibaRegressor(**SHORT).fit(X, y)
    assert "trained again" in str(model.decisions()[-1])
    plain = CeibaRegressor(**SHORT).fit(X.drop(columns="city"), y)
    assert "fitted again" in str(plain.decisions()[-1])
    noise = np.random.default_rng(5).normal(size=len(y))
    new = frame(20_800)[0].iloc[10_400:]
    assert CeibaRegressor(**SHORT).fit(X[["city"]], noise).predict(new[["city"]]).std() < 0.2


@pytest.mark.parametrize("quality", ["balanced", "best"])
@pytest.mark.parametrize("leaves", ["constant", "linear"])
def test_a_mixed_table_predicts_explains_and_saves(
    leaves: str, quality: str, tmp_path: Any
) -> None:
    X, y = frame()
    model = CeibaRegressor(**SHORT, leaf_model=leaves, quality=quality).fit(X, y)
    values = model.explain(X[:20])
    raw = model.model_.predict_raw(X[:20])
    np.testing.assert_allclose(values.values.sum(axis=1) + values.base_values, raw, rtol=1e-9)
    model.save_model(tmp_path / "m.ceiba")
    loaded = ceiba.load_model(tmp_path / "m.ceiba")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert loaded.decisions() == model.decisions()
    assert loaded.decisions()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes(n_classes: int) -> None:
    X, y = numbers()
    labels = np.array(["low", "middle", "high"])[np.digitize(y, [0.0, 1.0][: n_classes - 1])]
    model = CeibaClassifier(**SHORT, class_weight="balanced").fit(X, labels)
    assert model.score(X, labels) > 0.8
    assert list(model.classes_) == sorted(set(labels))


def test_several_targets_and_labels() -> None:
    X, y = numbers()
    targets = np.column_stack([y, -y])
    assert CeibaRegressor(**SHORT).fit(X, targets).score(X, targets) > 0.8
    vector = CeibaRegressor(**SHORT, multi_strategy="vector_leaf").fit(X, targets)
    assert vector.score(X, targets) > 0.8
    assert CeibaClassifier(**SHORT).fit(X, targets > 0).predict_proba(X).shape == (300, 2)


def test_queries_are_held_out_whole() -> None:
    X, y = numbers(600)
    relevance, queries = np.clip(np.round(y), 0, 4), np.repeat(np.arange(60), 10)
    model = CeibaRanker(**SHORT).fit(X, relevance, qid=queries)
    assert "each held out once" in str(model.decisions())
    assert model.score(X, relevance, qid=queries) > 0.8


def test_sparse_rows_and_initial_scores() -> None:
    X, y = numbers()
    X = np.where(X > 0, X, 0.0)
    dense = CeibaRegressor(**SHORT).fit(X, y, init_score=X[:, 0])
    thin = CeibaRegressor(**SHORT).fit(sparse.csr_matrix(X), y, init_score=X[:, 0])
    assert dense.fingerprint() == thin.fingerprint()


def test_constraints_hold_in_the_mean() -> None:
    X, y = numbers()
    model = CeibaRegressor(**SHORT, monotone_constraints=[1, 0, 0, 0]).fit(X, y)
    line = np.zeros((200, 4))
    line[:, 0] = np.linspace(-3, 3, 200)
    assert (np.diff(model.predict(line)) >= 0).all()


def test_the_history_of_an_eval_set_is_the_metric_of_staged_predictions() -> None:
    X, y = numbers()
    model = CeibaRegressor(**SHORT).fit(
        X, y, eval_set=[(X[:50], y[:50])], early_stopping_rounds=None
    )
    history = model.evals_result_["validation_0"]["rmse"]
    stages = [np.sqrt(np.mean((p - y[:50]) ** 2)) for p in model.staged_predict(X[:50])]
    np.testing.assert_allclose(history, stages, rtol=1e-12)


def test_an_eval_set_with_early_stopping_decides() -> None:
    X, y = numbers()
    model = CeibaRegressor(**SHORT).fit(X[:200], y[:200], eval_set=[(X[200:], y[200:])])
    assert "eval set 'validation_0'" in str(model.decisions()[0])
    assert "none was held out" in str(model.decisions()[-1])


def test_callbacks_see_the_race_and_change_nothing() -> None:
    X, y = numbers()
    seen: list[Round] = []
    model = CeibaRegressor(**SHORT).fit(X, y, callbacks=[seen.append])
    assert [round.iteration for round in seen] == list(range(len(seen)))
    assert "validation" in seen[0].evals
    assert model.fingerprint() == CeibaRegressor(**SHORT).fit(X, y).fingerprint()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_leaves_a_fitted_model(n_jobs: int) -> None:
    def interrupt(round: Round) -> None:
        if round.iteration == 4:
            raise KeyboardInterrupt

    X, y = numbers()
    model = CeibaRegressor(learning_rate=0.3, n_jobs=n_jobs)
    with pytest.raises(TrainingInterrupted, match="has not seen the held-out rows"):
        model.fit(X, y, callbacks=[interrupt])
    assert model.model_.n_iterations == 5
    assert model.score(X, y) > 0.5


def test_folds_and_groups_of_the_user() -> None:
    X, y = numbers()
    ordered = CeibaRegressor(**SHORT).fit(X, y, folds=TimeSeriesSplit(3))
    assert "225 held-out rows in 3 folds" in str(ordered.decisions()[0])
    assert "trained again" in str(ordered.decisions()[-1])
    grouped = CeibaRegressor(**SHORT).fit(X, y, groups=np.repeat(np.arange(30), 10))
    assert "whole groups together" in str(grouped.decisions()[0])
    with pytest.raises(InvalidParameterError, match="folds chooses the rows"):
        CeibaRegressor(n_estimators=3).fit(X, y, folds=3)
    with pytest.raises(InvalidParameterError, match="groups chooses the rows"):
        CeibaRegressor(recipe="lightgbm").fit(X, y, groups=np.zeros(300))


def test_a_number_of_rounds_means_one_training_with_recipe_single() -> None:
    X, y = numbers()
    auto = CeibaRegressor(n_estimators=7).fit(X, y)
    assert auto.model_.n_iterations == 7
    single = CeibaRegressor(n_estimators=7, recipe="single").fit(X, y)
    np.testing.assert_array_equal(auto.predict(X), single.predict(X))


def test_a_model_of_the_race_trains_on_and_refits() -> None:
    X, y = numbers()
    model = CeibaRegressor(**SHORT).fit(X, y)
    further = CeibaRegressor(n_estimators=4).fit(X, y, init_model=model)
    assert further.model_.n_iterations == model.model_.n_iterations + 4
    refitted = ceiba.refit(model.model_, Dataset(X, y + 1.0))
    assert np.mean(refitted.predict(X) - y) > 0.5


def test_heats_of_large_tables_train_on_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ceiba.policy.plan.HEAT_ROWS", 2000)
    X, y = numbers(12_000)
    model = CeibaRegressor(**SHORT).fit(X, y)
    assert "on 17 % of the rows" in str(model.decisions())
    assert model.model_.forest.n_parallel == 2
    order = np.random.default_rng(3).permutation(len(y))
    assert CeibaRegressor(**SHORT).fit(X[order], y[order]).fingerprint() == model.fingerprint()
