"""Metrics of ranked queries, against scikit-learn and against every order of tied documents."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, ndcg_score

from ceiba import _core
from ceiba.data.queries import Queries
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.metrics import METRICS, find_metric
from ceiba.metrics._ranking import RankingMetric
from ceiba.objectives import find_objective

Floats = np.ndarray[Any, np.dtype[np.float64]]
KINDS = [kind for kind in METRICS if issubclass(kind, RankingMetric)]
# More positions than any query here has.
NAMES = [kind.name + ("@99" if kind.needs_cutoff else "") for kind in KINDS]
each_name = pytest.mark.parametrize("name", NAMES)
#: Those whose best value is 1.
each_normalized = pytest.mark.parametrize("name", [n for n in NAMES if "precision" not in n])


def value(
    name: str,
    target: Floats,
    scores: Floats,
    qid: Any = None,
    weights: Floats | None = None,
    **options: Any,
) -> float:
    numbers = np.zeros(len(target)) if qid is None else qid
    metric = find_metric(name, **options).for_queries(Queries.of_numbers(numbers))
    return metric(target, scores[:, None], scores, weights)


def slow_ndcg(gains: Floats, k: int) -> float:
    discounts = 1.0 / np.log2(np.arange(len(gains)) + 2.0)
    discounts[k:] = 0.0
    return float((gains * discounts).sum() / (np.sort(gains)[::-1] * discounts).sum())


def slow_precision(labels: Floats, k: int) -> float:
    relevant = labels > 0
    hits = [relevant[: i + 1].mean() for i in range(min(k, len(labels))) if relevant[i]]
    return float(sum(hits) / min(relevant.sum(), k))


def slow_reciprocal(labels: Floats, k: int) -> float:
    first = int(np.argmax(labels > 0))
    return 1.0 / (first + 1) if first < k else 0.0


def slow_share(labels: Floats, k: int) -> float:
    return float((labels[:k] > 0).mean())


SLOW: dict[str, Callable[[Floats, int], float]] = {
    "ndcg": lambda labels, k: slow_ndcg(2.0**labels - 1.0, k),
    "map": slow_precision,
    "mrr": slow_reciprocal,
    "precision": slow_share,
}


@each_name
@pytest.mark.parametrize("cutoff", [None, 1, 2, 3, 10])
def test_tied_documents_have_no_order(name: str, cutoff: int | None) -> None:
    random = np.random.default_rng(0)
    for _ in range(20):
        n = int(random.integers(1, 7))
        target = random.integers(0, 4, n).astype(np.float64)
        target[0] = 1.0
        scores = random.integers(0, 3, n).astype(np.float64)
        groups = [np.flatnonzero(scores == score) for score in sorted(set(scores), reverse=True)]
        orders = [np.concatenate(p) for p in product(*(list(permutations(g)) for g in groups))]
        plain = name.split("@")[0]
        expected = np.mean([SLOW[plain](target[order], cutoff or n) for order in orders])
        full_name = name if cutoff is None else f"{plain}@{cutoff}"
        assert value(full_name, target, scores) == pytest.approx(expected, rel=1e-12)


def test_equals_scikit_learn() -> None:
    random = np.random.default_rng(1)
    target = random.integers(0, 5, 50).astype(np.float64)
    scores = np.round(random.normal(size=50), 1)
    gains = 2.0**target - 1.0
    for k in (1, 5, 10, 50):
        expected = ndcg_score([gains], [scores], k=k)
        assert value(f"ndcg@{k}", target, scores) == pytest.approx(expected, rel=1e-12)
        linear = ndcg_score([target], [scores], k=k)
        found = value(f"ndcg@{k}", target, scores, ndcg_exp_gain=False)
        assert found == pytest.approx(linear, rel=1e-12)
    distinct = random.permutation(50).astype(np.float64)
    expected = average_precision_score(target > 2, distinct)
    assert value("map", (target > 2).astype(np.float64), distinct) == pytest.approx(expected)


@each_name
def test_is_the_weighted_mean_over_queries(name: str) -> None:
    random = np.random.default_rng(2)
    qid = random.integers(0, 30, 400)
    target = random.integers(0, 3, 400).astype(np.float64)
    scores = np.round(random.normal(size=400), 1)
    alone = np.array([value(name, target[qid == q], scores[qid == q]) for q in range(30)])
    assert value(name, target, scores, qid) == pytest.approx(alone.mean(), rel=1e-13)
    weights = random.gamma(1.0, size=400)
    of_query = np.array([weights[qid == q].mean() for q in range(30)])
    expected = (alone * of_query).sum() / of_query.sum()
    assert value(name, target, scores, qid, weights) == pytest.approx(expected, rel=1e-13)


@each_name
@pytest.mark.threads
def test_has_the_same_bits_in_any_order(name: str) -> None:
    random = np.random.default_rng(3)
    qid = random.integers(0, 300, 5000)
    target = random.integers(0, 3, 5000).astype(np.float64)
    scores = np.round(random.normal(size=5000), 2)
    weights = random.gamma(1.0, size=5000)
    expected = value(name, target, scores, qid, weights)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(5000)
        moved = value(name, target[order], scores[order], qid[order], weights[order])
        assert moved == expected
    queries = Queries.of_numbers(qid)
    of_queries = getattr(_core, f"{type(find_metric(name)).kernel}_of_queries")
    one = of_queries(queries.rows, queries.offsets, target, scores, 0, 1.0)
    _core.change_settings(serial_below=0)
    for n_threads in (2, 7):
        several = of_queries(
            queries.rows, queries.offsets, target, scores, 0, 1.0, n_threads=n_threads
        )
        assert several.tobytes() == one.tobytes()


@each_normalized
def test_the_best_and_the_worst_order(name: str) -> None:
    target = np.array([0.0, 0.0, 0.0, 1.0, 2.0])
    assert value(name, target, target) == 1.0
    assert value(name, target, -target) < 0.6
    assert value(f"{name}@2", target, -target) == 0.0


@each_normalized
def test_a_query_without_relevant_documents_counts_as_one(name: str) -> None:
    target, scores = np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0, 0.0])
    qid = np.array([0, 0, 1, 1])
    rest = value(name, target[2:], scores[2:])
    assert value(name, target, scores, qid) == (1.0 + rest) / 2
    assert value(f"{name}-", target, scores, qid) == rest / 2
    assert value(f"{name}@1-", np.zeros(2), np.zeros(2)) == 0.0
    assert value(name, np.zeros(1), np.zeros(1)) == 1.0


def test_precision_is_the_share_of_relevant_documents() -> None:
    target = np.array([0.0, 3.0, 1.0, 0.0, 2.0])
    scores = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    for k, expected in [(1, 0.0), (2, 1 / 2), (3, 2 / 3), (4, 2 / 4), (5, 3 / 5), (9, 3 / 5)]:
        assert value(f"precision@{k}", target, scores) == expected
    # No relevant document: nothing relevant was found, as XGBoost has it.
    qid = np.repeat([0, 1], 5)
    both = np.concatenate([target, np.zeros(5)]), np.tile(scores, 2), qid
    for name in ("precision@2", "pre@2-"):
        assert value(name, *both) == 1 / 4


def test_precision_needs_its_positions() -> None:
    assert find_metric("pre@3").name == "precision@3"
    for wrong in ("pre", "precision-"):
        with pytest.raises(InvalidParameterError, match=r"needs a cutoff .*: precision@10"):
            find_metric(wrong)
    of_classes = find_metric("precision")  # of scikit-learn
    with pytest.raises(InvalidParameterError, match=r"Use precision@k, ndcg, map or mrr"):
        of_classes.bound_to(find_objective("pairwise"), None)


def test_names() -> None:
    assert find_metric("NDCG@10").name == "ndcg@10"
    assert find_metric("ndcg@10-").name == "ndcg@10-"
    assert find_metric("ndcg").name == "ndcg"
    assert find_metric("mean_average_precision@3").name == "map@3"
    for wrong in ("ndcg@", "ndcg@0", "ndcg@x", "ndcg@-1", "map@1.5", "ndcg--", "ndcg@5@6"):
        with pytest.raises(InvalidParameterError, match="allows a cutoff"):
            find_metric(wrong)
    for wrong in ("rmse@10", "rmse-", "ndgc@10"):
        with pytest.raises(InvalidParameterError, match="metric must be the name of a metric"):
            find_metric(wrong)


@each_name
def test_refuses_what_has_no_queries_or_no_relevance(name: str) -> None:
    with pytest.raises(InvalidInputError, match="Pass qid"):
        find_metric(name)(np.zeros(2), np.zeros((2, 1)), np.zeros(2), None)
    metric = find_metric(name).for_queries(Queries.of_numbers(np.zeros(2)))
    with pytest.raises(InvalidInputError, match="one prediction per row"):
        metric(np.zeros(2), np.zeros((2, 3)), np.zeros((2, 3)), None)
    with pytest.raises(InvalidInputError, match="Got -1"):
        value(name, np.array([0.0, -1.0]), np.zeros(2))


def test_gains_beyond_their_range() -> None:
    with pytest.raises(InvalidInputError, match=r"from 0 to 31\. Got 32.*ndcg_exp_gain=False"):
        value("ndcg", np.array([0.0, 32.0]), np.zeros(2))
    assert value("ndcg", np.array([0.0, 32.0]), np.zeros(2), ndcg_exp_gain=False) < 1.0
