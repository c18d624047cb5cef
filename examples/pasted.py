"""Settings and calls of four other libraries, pasted: what they mean here, and what is refused."""

import numpy as np

import ceiba
from ceiba import CeibaClassifier, CeibaError


def main() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 8))
    y = (X[:, 0] + X[:, 1] ** 2 + random.normal(size=2000) > 1).astype(int)
    X_train, y_train, X_test, y_test = X[:1500], y[:1500], X[1500:], y[1500:]

    settings = {
        "XGBoost": {"n_estimators": 100, "max_depth": 4, "tree_method": "hist", "device": "cpu"},
        "LightGBM": {"num_leaves": 15, "max_depth": -1, "is_unbalance": True, "verbose": -1},
        "CatBoost": {"iterations": 100, "depth": 4, "random_seed": 1, "logging_level": "Silent"},
        "scikit-learn": {"max_iter": 100, "max_leaf_nodes": 15, "early_stopping": False},
    }
    for library, pasted in settings.items():
        classifier = CeibaClassifier(**pasted).fit(X_train, y_train)
        print(f"{library:<13} AUC {classifier.evaluate(X_test, y_test, 'auc'):.3f}")

    # The plain way, as XGBoost and LightGBM write it.
    train, valid = ceiba.Dataset(X_train, label=y_train), ceiba.Dataset(X_test, label=y_test)
    params = {"objective": "binary:logistic", "eta": 0.1, "eval_metric": ["auc", "logloss"]}
    ceiba.train(params, train, num_boost_round=40, evals=[(valid, "valid")], verbose_eval=20)
    params = {"objective": "binary", "metric": "auc", "num_leaves": 15}
    model = ceiba.train(
        params, train, 200, valid_sets=[valid], callbacks=[ceiba.EarlyStopping(stopping_rounds=10)]
    )
    print("best", model.best_score, "after", model.n_iterations, "rounds")

    # What is chosen by you, by the recipe and by the data.
    table = CeibaClassifier(recipe="lightgbm", eta=0.2).fit(X_train, y_train).resolved()
    print(table[table["source"] != "recipe"].to_string(index=False))

    for wrong in ({"device": "cuda"}, {"boosting_type": "dart"}, {"learning_rat": 0.1}):
        try:
            CeibaClassifier(**wrong).fit(X_train, y_train)
        except CeibaError as error:
            print("refused:", error)


if __name__ == "__main__":
    main()
