"""Lines in leaves through trainings of every kind: one model, however it is cut or read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sloped_targets import sloped_score, targets_of

from ceiba import Dataset, Model, load_model, refit, train
from ceiba.errors import InvalidInputError, InvalidParameterError

N_ROWS = 500
RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(N_ROWS, 5))
X[:, 4] = RANDOM.integers(0, 6, N_ROWS)
X[RANDOM.random(X.shape) < 0.05] = np.nan
SCORE = sloped_score(X, RANDOM)
WEIGHT = RANDOM.integers(1, 4, N_ROWS).astype(float)
TARGETS = targets_of(SCORE)
SETTINGS: dict[str, dict[str, Any]] = {
    "leafwise": {},
    "symmetric": {"grow_policy": "symmetric", "max_depth": 3},
    "exact": {"split_method": "exact"},
    "approx": {"split_method": "approx", "grow_policy": "depthwise", "max_depth": 3},
    "categories": {"categorical_features": [4]},
    "statistics": {"categorical_features": [4], "categorical": "target"},
    "samples": {"subsample": 0.6},
    "goss": {"sampling": "goss"},
    "all rows": {"subsample": 0.6, "leaf_rows": "all"},
    "dart": {"boosting": "dart", "drop_rate": 0.5, "skip_drop": 0.0},
    "forest": {"boosting": "forest", "subsample": 0.6, "learning_rate": 1.0},
    "parallel": {"num_parallel_tree": 2, "subsample": 0.6},
    "extrapolate": {"extrapolate": "linear"},
    "tree": {"linear_features": "tree", "max_linear_features": 2},
    "given": {"linear_features": [1, 2]},
}


def params_of(objective: str, **given: Any) -> dict[str, Any]:
    params: dict[str, Any] = {
        "objective": objective,
        "n_estimators": 6,
        "min_samples_leaf": 15,
        "max_leaves": 8,
        "leaf_model": "linear",
        "linear_lambda": 0.1,
        "n_jobs": 1,
    }
    if objective == "quantile":
        params |= {"quantile": [0.2, 0.5, 0.8], "calibration_folds": 0}
    return params | given


def rows_of(
    objective: str, order: Any = slice(None), weighted: bool = True, **given: Any
) -> Dataset:
    qid = (np.arange(N_ROWS) // 10)[order] if objective.startswith("lambda") else None
    weight = WEIGHT[order] if weighted else None
    return Dataset(X[order], TARGETS[objective][order], weight=weight, qid=qid, **given)


def run(objective: str, name: str = "leafwise", **given: Any) -> Model:
    more = {key: given.pop(key) for key in ("init_model", "eval_sets") if key in given}
    return train(params_of(objective, **{**SETTINGS[name], **given}), rows_of(objective), **more)


CASES = (
    [("squared_error", name) for name in SETTINGS]
    + [(objective, "leafwise") for objective in TARGETS if objective != "squared_error"]
    + [("softmax", "dart"), ("quantile", "samples")]
)


@pytest.mark.parametrize(("objective", "name"), CASES)
def test_one_model_of_lines(objective: str, name: str, tmp_path: Path) -> None:
    """Cut, saved, watched, staged: what was trained is what is predicted."""
    model = run(objective, name)
    assert "linear_offsets" in model.forest.arrays()
    assert run(objective, name, n_jobs=2).fingerprint() == model.fingerprint()
    model.save(tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    assert loaded.fingerprint() == model.fingerprint()
    raw = model.predict_raw(X)
    np.testing.assert_array_equal(loaded.predict_raw(X), raw)
    np.testing.assert_array_equal(model.predict_raw(X[:2]), raw[:2])
    *_, last = model.staged_predict(X)
    np.testing.assert_array_equal(last, model.predict(X))
    # Scores are rebuilt by predicting: a training in two parts shows whether they have their bits.
    first = run(objective, name, n_estimators=3)
    both = run(objective, name, n_estimators=3, init_model=first)
    assert both.fingerprint() == model.fingerprint()
    if objective not in ("quantile", "lambdarank_ndcg"):
        rows = Dataset(X, TARGETS[objective])
        watched = run(objective, name, eval_sets={"rows": rows})
        assert watched.fingerprint() == model.fingerprint()
        (metric,) = watched.history["rows"]
        cut = run(objective, name, n_estimators=3, eval_sets={"rows": rows})
        assert cut.history["rows"][metric] == watched.history["rows"][metric][:3]


@pytest.mark.parametrize("objective", ["squared_error", "logistic", "absolute_error"])
def test_the_order_of_rows_and_what_weights_mean(objective: str) -> None:
    model = run(objective)
    order = np.random.default_rng(2).permutation(N_ROWS)
    mixed = train(params_of(objective), rows_of(objective, order))
    assert mixed.fingerprint() == model.fingerprint()
    often = np.repeat(np.arange(N_ROWS), WEIGHT.astype(int))
    repeated = train(params_of(objective), rows_of(objective, often, weighted=False))
    assert repeated.fingerprint() == model.fingerprint()
    blocks = np.array_split(np.arange(N_ROWS), 3)
    parts = [(X[own], TARGETS[objective][own], WEIGHT[own]) for own in blocks]
    joined = train(params_of(objective), Dataset.from_blocks(parts))
    assert joined.fingerprint() == model.fingerprint()


def test_zeros_of_sparse_tables_are_values() -> None:
    dense = np.where(np.random.default_rng(3).random(X.shape) < 0.5, 0.0, np.nan_to_num(X))
    params = params_of("squared_error", linear_features=[0, 1])
    one = train(params, Dataset(dense, SCORE))
    other = train(params, Dataset(scipy.sparse.csr_matrix(dense), SCORE))
    assert one.fingerprint() == other.fingerprint()
    sparse = scipy.sparse.csr_matrix(dense)
    np.testing.assert_array_equal(one.predict(dense), one.predict(sparse))


def test_categories_and_their_statistics_are_no_regressors() -> None:
    for name in ("categories", "statistics"):
        model = run("squared_error", name)
        names = {term[0] for line in model.trees_to_frame()["line"] if line for term in line}
        assert names
        assert "f4" not in " ".join(names)


def test_refits_keep_slopes_and_move_constants() -> None:
    model = run("squared_error")
    moved = refit(model, Dataset(X, TARGETS["squared_error"] + 5.0), decay_rate=0.0)
    before, after = model.forest.arrays(), moved.forest.arrays()
    np.testing.assert_array_equal(before["linear_slope"], after["linear_slope"])
    shift = np.mean(moved.predict(X)) - np.mean(model.predict(X))
    assert 1.0 < shift < 6.0
    again = refit(model, rows_of("squared_error"), decay_rate=1.0)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    for name in ("dart", "forest", "parallel"):
        refit(run("squared_error", name), rows_of("squared_error"))


def test_lines_are_told() -> None:
    frame = run("squared_error").trees_to_frame()
    leaf = next(line for line in frame["line"] if line)
    name, slope, mean, low, high = leaf[0]
    assert name in ("f0", "f1", "f2", "f3", "f4")
    assert low <= mean <= high
    assert np.isfinite(slope)
    assert "line" not in run("squared_error", leaf_model="constant").trees_to_frame()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"linear_features": ["nobody"]}, "linear_features must name columns of the table"),
        ({"linear_features": []}, "linear_features must name at least one column"),
        ({"linear_features": [4], "categorical_features": [4]}, "'f4', which is a category"),
        ({"linear_features": [True, False]}, "one entry for each of the 5 columns"),
        (
            {"linear_features": [0], "interaction_constraints": [[0, 1], [2]]},
            "limits which columns may occur together",
        ),
        ({"monotone_constraints": {"f0": 1}}, "does not support monotone_constraints"),
        ({"boosting": "ordered"}, "does not support boosting='ordered'"),
        ({"linear_lambda": -1.0}, "linear_lambda must be"),
        ({"max_linear_features": 0}, "max_linear_features must be"),
        ({"extrapolate": "flat"}, "extrapolate must be"),
    ],
)
def test_what_cannot_be(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        run("squared_error", **given)


def test_lines_that_extrapolate_go_on_alone() -> None:
    first = run("squared_error", "extrapolate", n_estimators=2)
    with pytest.raises(InvalidInputError, match=r"extrapolate='linear'\. Got extrapolate='clip'"):
        run("squared_error", init_model=first)
    constants = run("squared_error", init_model=first, leaf_model="constant")
    assert constants.forest.n_trees == 8
