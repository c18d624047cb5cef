"""Trees and linear models joined: slopes that change, residuals, and rules that can be read."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from ceiba import BoostedLinearRegressor, EnhancedForestRegressor, LinearTreeRegressor


def make_rents(n: int = 2000) -> tuple[pd.DataFrame, np.ndarray]:
    """Rents grow with the size of a flat, faster in the centre; old cold flats are cheap."""
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "size": random.uniform(20, 140, size=n).round(),
            "distance": random.gamma(2.0, 3.0, size=n).round(1),
            "age": random.integers(0, 120, size=n).astype(float),
            "heating": random.choice(["gas", "district", "none"], size=n),
        }
    )
    table.loc[random.random(n) < 0.1, "age"] = np.nan
    slope = np.where(table.distance < 4, 22.0, 12.0)
    cold = (table.heating == "none") & (table.age > 60)
    rent = 150 + slope * table["size"] - 200 * cold + random.normal(scale=60, size=n)
    return table, rent.to_numpy()


def main() -> None:
    table, rent = make_rents()
    train, test = slice(0, 1500), slice(1500, None)

    tree = LinearTreeRegressor(max_depth=1).fit(table[train], rent[train])
    print("a linear tree, R2", round(tree.score(table[test], rent[test]), 3))
    print(tree.summary())

    forest = EnhancedForestRegressor(
        alpha=[0.1, 10.0], n_estimators=30, max_depth=[4, 8], n_folds=3
    )
    forest.fit(table[train], rent[train])
    print("an enhanced forest, R2", round(forest.score(table[test], rent[test]), 3))
    print("chosen:", forest.best_params_["alpha"], "and depth", forest.best_params_["max_depth"])
    large = table[test].assign(size=400.0)
    print("flats of 400 square metres:", forest.predict(large).mean().round())

    rules = BoostedLinearRegressor(n_estimators=3, max_depth=2, min_samples_leaf=30)
    rules.fit(table[train], rent[train])
    print("a boosted linear model, R2", round(rules.score(table[test], rent[test]), 3))
    print(rules.summary())

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rules.ceiba"
        rules.save_model(path)
        again = BoostedLinearRegressor().load_model(path)
        print("loaded:", again.fingerprint() == rules.fingerprint())


if __name__ == "__main__":
    main()
