"""Random forests: out-of-bag scores instead of held-out rows, importances, and going on."""

import numpy as np

from ceiba import CeibaForestClassifier, CeibaForestRegressor


def main() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 8))
    X[random.random(X.shape) < 0.05] = np.nan  # missing values are taken as they are
    signal = np.nan_to_num(X[:, 0]) * np.nan_to_num(X[:, 1]) + np.nan_to_num(X[:, 2])
    kind = np.where(signal + 0.3 * random.normal(size=2000) > 0, "sold", "kept")

    # Every row is scored by the trees that were not grown on it: no rows need to be held out.
    forest = CeibaForestClassifier(n_estimators=100, oob_score=True, random_state=1)
    forest.fit(X, kind)
    print(f"out-of-bag accuracy {forest.oob_score_:.3f}")
    print("probabilities of the first row", np.round(forest.predict_proba(X[:1])[0], 2))

    # What shuffling a column costs, on rows that the trees do not know.
    table = forest.oob_importances(X, kind, n_repeats=3)
    print("columns by importance", list(table["feature"][:3]))

    # Two targets share their trees; further trees are added to those that are there.
    both = np.column_stack([signal, -signal])
    numbers = CeibaForestRegressor(n_estimators=30, min_samples_leaf=3, warm_start=True)
    numbers.fit(X, both)
    numbers.set_params(n_estimators=60).fit(X, both)
    print("trees", numbers.model_.n_iterations, "predictions", numbers.predict(X[:2]).shape)


if __name__ == "__main__":
    main()
