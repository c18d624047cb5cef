"""Lines in leaves: slopes with few trees, and what they say."""

import numpy as np

import ceiba


def make_rows(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rents: so much for a square metre, more of it in the centre, less in old houses."""
    random = np.random.default_rng(seed)
    area, distance = random.uniform(20, 150, n_rows), random.exponential(5, n_rows)
    age = random.uniform(0, 100, n_rows)
    by_metre = np.where(distance < 3, 14.0, 9.0) - 0.03 * age
    return np.column_stack([area, distance, age]), area * by_metre + random.normal(0, 20, n_rows)


def main() -> None:
    names = ["area", "distance", "age"]
    X, y = make_rows(4000, 0)
    X_new, y_new = make_rows(1000, 1)
    rows = ceiba.Dataset(X, y, feature_names=names)

    for leaf_model in ("constant", "linear"):
        model = ceiba.train({"n_estimators": 40, "leaf_model": leaf_model}, rows)
        error = np.sqrt(np.mean((model.predict(X_new) - y_new) ** 2))
        print(f"40 trees of {leaf_model} leaves: RMSE {error:.1f}")

    # Splits can be chosen for lines, and not only fitted with them afterwards.
    chosen = ceiba.train({"recipe": "plgb", "n_estimators": 40}, rows)
    error = np.sqrt(np.mean((chosen.predict(X_new) - y_new) ** 2))
    print(f"40 trees whose splits lines choose: RMSE {error:.1f}")

    # A leaf adds value + slope * (x - mean) for each of its columns.
    leaves = [line for line in model.trees_to_frame()["line"] if line]
    for column, slope, mean, low, high in leaves[0]:
        print(f"{column}: {slope:+.3f} from {mean:.0f} on, fitted between {low:.0f} and {high:.0f}")

    # SHAP values are exact, and sum up to the prediction.
    explained = model.explain(X_new[:5])
    total = explained.base_values + explained.values.sum(axis=1)
    assert np.allclose(total, model.predict(X_new[:5]))

    # Beyond the rows that were seen lines stay where these ended, unless they are asked to go on.
    large = [[300.0, 1.0, 10.0]]
    goes_on = ceiba.train(
        {"n_estimators": 40, "leaf_model": "linear", "extrapolate": "linear"}, rows
    )
    found = model.predict(large)[0], goes_on.predict(large)[0]
    print(f"300 m2: {found[0]:.0f} with clip, {found[1]:.0f} with linear")


if __name__ == "__main__":
    main()
