"""Learning to rank in one minute: queries, early stopping on NDCG, scores of new documents."""

import numpy as np

import ceiba


def make_documents(n_queries: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ten documents a query; relevance depends on two of the five columns, and on luck."""
    random = np.random.default_rng(seed)
    query = np.repeat(np.arange(n_queries), 10)
    table = random.normal(size=(len(query), 5))
    worth = table[:, 0] + np.sin(2 * table[:, 1]) + 0.5 * random.normal(size=len(query))
    return table, np.digitize(worth, [0.5, 1.5, 2.5]), query


def main() -> None:
    train_x, train_y, train_query = make_documents(300, seed=0)
    valid_x, valid_y, valid_query = make_documents(100, seed=1)
    test_x, test_y, test_query = make_documents(100, seed=2)

    ranker = ceiba.CeibaRanker(n_estimators=500, early_stopping_rounds=20, eval_metric="ndcg@5")
    ranker.fit(
        train_x,
        train_y,
        qid=train_query,
        eval_set=[(valid_x, valid_y)],
        eval_qid=[valid_query],
    )
    print(f"kept {ranker.n_iter_} trees")
    print(f"NDCG of new queries: {ranker.score(test_x, test_y, qid=test_query):.3f}")

    scores = ranker.predict(test_x[:10])
    print("relevance of the first query, best score first:", test_y[:10][np.argsort(-scores)])


if __name__ == "__main__":
    main()
