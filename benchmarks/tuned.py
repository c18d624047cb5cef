"""Default models of ceiba beside LightGBM and CatBoost tuned with Optuna.

    python -m benchmarks.tuned --trials 30

Four tables, one split of the scoreboard each. A trial trains on four fifths of the training rows
and stops early on the rest; its score there is what Optuna minimizes. The best trial is trained
again on all training rows with its number of rounds. Scores are those of the scoreboard, on its
test rows.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from sklearn.model_selection import train_test_split

from benchmarks.scoreboard.models import fit, predict
from benchmarks.scoreboard.tables import scoring

TABLES = ("california_housing", "higgs_7k", "telco_churn", "titanic")
OUT = Path(__file__).parent / "results" / "tuned.json"
MOST_ROUNDS, PATIENCE = 2000, 50


def lightgbm_space(trial: optuna.Trial) -> dict[str, Any]:
    return {
        "learning_rate": trial.suggest_float("learning_rate", 0.01, 0.3, log=True),
        "num_leaves": trial.suggest_int("num_leaves", 4, 256, log=True),
        "min_child_samples": trial.suggest_int("min_child_samples", 2, 100, log=True),
        "reg_lambda": trial.suggest_float("reg_lambda", 1e-3, 30.0, log=True),
        "colsample_bytree": trial.suggest_float("colsample_bytree", 0.3, 1.0),
        "subsample": trial.suggest_float("subsample", 0.4, 1.0),
        "subsample_freq": 1,
    }


def catboost_space(trial: optuna.Trial) -> dict[str, Any]:
    return {
        "learning_rate": trial.suggest_float("learning_rate", 0.01, 0.3, log=True),
        "depth": trial.suggest_int("depth", 3, 9),
        "l2_leaf_reg": trial.suggest_float("l2_leaf_reg", 0.3, 30.0, log=True),
        "random_strength": trial.suggest_float("random_strength", 0.0, 4.0),
        "bagging_temperature": trial.suggest_float("bagging_temperature", 0.0, 2.0),
    }


def lightgbm_model(task: str, given: dict[str, Any], rounds: int) -> Any:
    import lightgbm

    kind = lightgbm.LGBMRegressor if task == "regression" else lightgbm.LGBMClassifier
    return kind(n_estimators=rounds, n_jobs=2, verbose=-1, **given)


def catboost_model(task: str, given: dict[str, Any], rounds: int) -> Any:
    import catboost

    kind = catboost.CatBoostRegressor if task == "regression" else catboost.CatBoostClassifier
    return kind(iterations=rounds, thread_count=2, verbose=0, allow_writing_files=False, **given)


def prepared(name: str, X: Any) -> Any:
    """Return a table that the library reads, with its categories."""
    if name == "lightgbm":
        return X.set_axis([f"f{i}" for i in range(X.shape[1])], axis=1)
    columns = [c for c in X.columns if str(X[c].dtype) == "category"]
    return X.assign(**{c: X[c].astype(object).where(X[c].notna(), "").astype(str) for c in columns})


def tuned(name: str, task: str, X: Any, y: Any, X_test: Any, trials: int) -> Any:
    """Tune a library, and return its predictions for the test rows."""
    categories = [c for c in X.columns if str(X[c].dtype) == "category"]
    stratify = None if task == "regression" else y
    X, X_test = prepared(name, X), prepared(name, X_test)
    A, B, a, b = train_test_split(X, y, test_size=0.2, random_state=0, stratify=stratify)
    space = lightgbm_space if name == "lightgbm" else catboost_space
    make = lightgbm_model if name == "lightgbm" else catboost_model
    always = {} if name == "lightgbm" else {"cat_features": categories}

    def loss(trial: optuna.Trial) -> float:
        model = make(task, space(trial), MOST_ROUNDS)
        if name == "lightgbm":
            import lightgbm

            stop = lightgbm.early_stopping(PATIENCE, verbose=False)
            model.fit(A, a, eval_set=[(B, b)], callbacks=[stop])
            trial.set_user_attr("rounds", max(model.best_iteration_, 1))
        else:
            model.fit(A, a, eval_set=[(B, b)], early_stopping_rounds=PATIENCE, **always)
            trial.set_user_attr("rounds", model.get_best_iteration() + 1)
        return float(scoring().metric(task, b, output(model, task, B), None))

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0))
    study.optimize(loss, n_trials=trials)
    best = study.best_trial
    fixed = space(optuna.trial.FixedTrial(best.params))
    final = make(task, fixed, round(best.user_attrs["rounds"] / 0.8)).fit(X, y, **always)
    return output(final, task, X_test)


def output(model: Any, task: str, X: Any) -> Any:
    """Return what the metric of a task reads."""
    if task == "regression":
        return np.asarray(model.predict(X)).ravel()
    return np.asarray(model.predict_proba(X))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    rows = []
    for table in scoring().tables():
        if table["name"] not in TABLES:
            continue
        task = table["task"]
        X, y, X_test, y_test, _, _ = scoring().load(table, 0)
        for name in ("ceiba:quality=best", "ceiba", "lightgbm", "catboost"):
            start = time.perf_counter()
            if name.startswith("ceiba"):
                predicted = predict(name, task, fit(name, task, X, y, None), X_test)
            else:
                predicted = tuned(name, task, X, y, X_test, given.trials)
            score = float(scoring().metric(task, y_test, predicted, None))
            seconds = time.perf_counter() - start
            rows.append({"data": table["name"], "model": name, "score": score, "fit": seconds})
            print(rows[-1], flush=True)
            given.out.write_text(json.dumps(rows, indent=0) + "\n")


if __name__ == "__main__":
    main()
