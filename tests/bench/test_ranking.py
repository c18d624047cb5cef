"""The arithmetic of the ranking benchmark."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.ranking import Figures, Fold, best_peer, ndcg_of_queries, reached, table


def figures(mean: float, error: float) -> Figures:
    return Figures([mean - 0.01, mean + 0.01], [error, error])


def test_ndcg_of_queries_is_that_of_the_metric() -> None:
    from ceiba.data.queries import Queries
    from ceiba.metrics import find_metric

    random = np.random.default_rng(0)
    fold = Fold(np.empty((300, 0)), random.integers(0, 3, 300), random.integers(0, 40, 300))
    fold.y[fold.qid < 3] = 0
    scores = np.round(random.normal(size=300), 1)
    metric = find_metric("ndcg@10").for_queries(Queries.of_numbers(fold.qid))
    expected = metric(fold.y.astype(np.float64), scores[:, None], scores, None)
    assert ndcg_of_queries(fold, scores).mean() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("ours", "error", "verdict"),
    [(0.796, 0.001, True), (0.794, 0.001, False), (0.785, 0.02, True), (0.775, 0.02, False)],
)
def test_tolerance(ours: float, error: float, verdict: bool) -> None:
    measured = {
        "ceiba": figures(ours, 0.001),
        "ceiba pairwise": figures(0.9, 0.001),
        "lightgbm": figures(0.7, 0.001),
        "xgboost": figures(0.8, error),
    }
    assert best_peer(measured) == "xgboost"
    assert reached(measured) is verdict
    words = table({"some data": measured})
    assert ("reached" if verdict else "missed") in words
    assert reached({"ceiba": figures(ours, 0.001)}) is None
