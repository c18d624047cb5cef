"""Why a model predicts what it predicts: SHAP values of one row, of all rows, and of pairs."""

import numpy as np

from ceiba import CeibaRegressor

NAMES = ["area", "rooms", "age", "distance"]


def main() -> None:
    random = np.random.default_rng(0)
    X = random.uniform([30, 1, 0, 0], [200, 6, 80, 30], size=(2000, 4))
    area, _, age, distance = X.T
    price = 2.0 * area - 0.5 * age - 0.1 * area * (distance > 10) + random.normal(0, 5, 2000)
    model = CeibaRegressor(n_estimators=200).fit(X, price)

    # What each column adds to the price of the first house; together they are the prediction.
    explanation = model.explain(X)
    print(f"a house of these: {explanation.base_values[0]:.1f}")
    for name, given, share in zip(NAMES, X[0], explanation.values[0], strict=True):
        print(f"  {name:9}{given:7.1f}  {share:+7.1f}")
    print(f"this house:      {explanation.base_values[0] + explanation.values[0].sum():.1f}")

    # Over all houses.
    for name, size in zip(NAMES, np.abs(explanation.values).mean(axis=0), strict=True):
        print(f"{name:9} changes the price by {size:.1f} on average")

    # Compared with old houses only: absent columns take the values of a background.
    old = model.explain(X[:1], background=X[age > 60][:200])
    print(f"next to an old house, its age adds {old.values[0, 2]:+.1f}")

    # What two columns add together: far away, a square metre is worth less.
    pairs = model.explain(X[:500], interactions=True)
    together = 2 * np.abs(pairs.values[:, 0, 3]).mean()
    print(f"area and distance together: {together:.1f} on average")


if __name__ == "__main__":
    main()
