"""
Ranking
=======

`CeibaRanker` sorts the documents of a query. Rows of one query share a value of `qid`. NDCG
compares the order with the ideal one; 1 is perfect.
"""

import matplotlib.pyplot as plt
import numpy as np

from ceiba import CeibaRanker


def draw(n_queries: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ten documents for each query; two of the five columns decide the relevance (0 to 3)."""
    random = np.random.default_rng(seed)
    query = np.repeat(np.arange(n_queries), 10)
    X = random.normal(size=(len(query), 5))
    value = X[:, 0] + np.sin(2 * X[:, 1]) + 0.5 * random.normal(size=len(query))
    return X, np.digitize(value, [0.5, 1.5, 2.5]), query


X, y, query = draw(300, 0)
X_valid, y_valid, query_valid = draw(100, 1)
X_test, y_test, query_test = draw(500, 2)

ranker = CeibaRanker(n_estimators=300, early_stopping_rounds=30, eval_metric="ndcg@5")
ranker.fit(X, y, qid=query, eval_set=[(X_valid, y_valid)], eval_qid=[query_valid])
print(f"{ranker.n_iter_} trees, test NDCG {ranker.score(X_test, y_test, qid=query_test):.3f}")

# %%
# The mean relevance by position in the predicted order, against a random and the ideal order:

scores = ranker.predict(X_test).reshape(-1, 10)
relevance = y_test.reshape(-1, 10)
orders = {
    "ideal": np.argsort(-relevance, axis=1, kind="stable"),
    "predicted": np.argsort(-scores, axis=1, kind="stable"),
    "random": np.tile(np.arange(10), (len(scores), 1)),
}
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
for name, order in orders.items():
    ax.plot(
        np.arange(1, 11),
        np.take_along_axis(relevance, order, axis=1).mean(axis=0),
        "o-",
        label=name,
    )
ax.set(xlabel="position", ylabel="mean relevance", xticks=range(1, 11))
ax.legend(title="order")
plt.show()
