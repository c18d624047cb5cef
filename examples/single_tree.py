"""A single tree: grown, pruned, read as rules."""

import numpy as np
from sklearn.model_selection import cross_val_score

from ceiba import CeibaTreeClassifier
from ceiba.demo import load_heart_failure


def main() -> None:
    records = load_heart_failure()
    X, y = records.features, np.where(records.target == 1, "died", "lived")
    whole = CeibaTreeClassifier(min_samples_leaf=3).fit(X, y)
    print(f"a tree without limits: {whole.get_n_leaves()} leaves, depth {whole.get_depth()}")

    # Prices of a leaf at which branches go; the best one by cross-validation.
    path = whole.cost_complexity_pruning_path(X, y)
    prices = np.unique(np.round(path.ccp_alphas[:-1], 4))[::3]
    scores = [
        cross_val_score(whole.set_params(ccp_alpha=price), X, y, scoring="roc_auc").mean()
        for price in prices
    ]
    price = float(prices[int(np.argmax(scores))])
    tree = CeibaTreeClassifier(min_samples_leaf=3, ccp_alpha=price).fit(X, y)
    print(f"pruned at {price}: {tree.get_n_leaves()} leaves, AUC {max(scores):.3f}")
    print(tree.export_text(decimals=1))
    for name, share in zip(records.feature_names, tree.feature_importances_, strict=True):
        if share > 0.05:
            print(f"{name:25} {share:.2f}")


if __name__ == "__main__":
    main()
