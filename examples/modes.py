"""How trees are put together: a sum, a sum with dropped trees, a mean, and boosted forests."""

import ceiba
from ceiba.demo import load_heart_failure

MODES = {
    "plain": {"learning_rate": 0.05},
    "dart": {"recipe": "dart", "learning_rate": 0.2, "drop_rate": 0.2},
    "forest": {"boosting": "forest", "sampling": "bootstrap", "colsample_bynode": 0.5},
    "extra trees": {"boosting": "forest", "extra_trees": True, "subsample": 0.7},
    "boosted forests": {"num_parallel_tree": 4, "subsample": 0.6, "learning_rate": 0.05},
}


def main() -> None:
    records = load_heart_failure()
    dataset = ceiba.Dataset(records.features, records.target, feature_names=records.feature_names)
    shared = {"objective": "logistic", "n_estimators": 60, "max_leaves": 8, "min_samples_leaf": 5}
    for name, params in MODES.items():
        table = ceiba.cv({**shared, **params}, dataset, metrics=["auc", "logloss"])
        auc, loss = (list(table[f"test-{metric}-mean"])[-1] for metric in ("auc", "logloss"))
        print(f"{name:16} AUC {auc:.3f}  log loss {loss:.3f}")

    # A round of DART changes what earlier trees count, and the model knows it for every round.
    model = ceiba.train({**shared, **MODES["dart"]}, dataset)
    for n_rounds in (20, 40, 60):
        first = model.tree_weights.as_of(n_rounds)[:3]
        print(f"after {n_rounds} rounds the first trees count {first.round(2)}")

    # Rounds a to b of a forest are the mean of their trees.
    forest = ceiba.train({**shared, **MODES["forest"]}, dataset)
    halves = [forest.predict(records.features[:3], iteration_range=r) for r in ((0, 30), (30, 60))]
    print(f"two halves of a forest: {halves[0].round(3)} and {halves[1].round(3)}")


if __name__ == "__main__":
    main()
