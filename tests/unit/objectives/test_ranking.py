"""Tests generated from the objectives of the list that need queries: being listed is being tested.

The weights of pairs have a slow definition here: every order of tied documents is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from ceiba import Dataset, _core, train
from ceiba.data.queries import Queries
from ceiba.errors import InvalidInputError, InvalidParameterError, ModelFileError
from ceiba.metrics import find_metric
from ceiba.objectives import OBJECTIVES, find_objective, objective_from_state
from ceiba.objectives._ranking import RankingObjective
from ceiba.objectives.lambdarank_map import LambdarankMap
from ceiba.objectives.lambdarank_ndcg import LambdarankNdcg
from ceiba.objectives.pairwise import Pairwise

Floats = np.ndarray[Any, np.dtype[np.float64]]

RANKING: list[Any] = [kind for kind in OBJECTIVES if kind.needs_queries]
each_kind = pytest.mark.parametrize("kind", RANKING, ids=[kind.name for kind in RANKING])
each_norm = pytest.mark.parametrize("norm", [True, False])


class Ranked:
    """Documents of queries with labels and scores, many of them tied."""

    def __init__(self, n_rows: int = 200, n_queries: int = 20, seed: int = 0, step: float = 0.25):
        random = np.random.default_rng(seed)
        self.queries = Queries.of_numbers(random.integers(0, n_queries, n_rows))
        self.target = random.choice([0.0, 1.0, 2.0, 3.0], p=[0.5, 0.25, 0.15, 0.1], size=n_rows)
        self.scores = np.round(random.normal(size=n_rows) / step) * step

    def permuted(self, order: Any) -> Ranked:
        other = Ranked.__new__(Ranked)
        other.queries = Queries.of_numbers(self.queries.numbers[order])
        other.target, other.scores = self.target[order], self.scores[order]
        return other


def derivatives(
    objective: RankingObjective, rows: Ranked, n_threads: int = 1
) -> tuple[Floats, Floats]:
    gradients, hessians = np.full((2, 1, len(rows.target)), np.nan)
    bound = objective.for_queries(rows.queries)
    bound.gradients(rows.scores[None, :], rows.target, gradients, hessians, n_threads)
    return gradients[0], hessians[0]


# ---- against slow definitions --------------------------------------------------------------------


def tie_orders(scores: Floats) -> Iterator[list[int]]:
    """Every order of the documents, best score first, tied ones in all their orders."""
    groups = [np.flatnonzero(scores == value) for value in sorted(set(scores), reverse=True)]
    for parts in product(*(permutations(group) for group in groups)):
        yield [int(document) for part in parts for document in part]


def dcg(gains: Floats) -> float:
    return float((gains / np.log2(np.arange(len(gains)) + 2.0)).sum())


def average_precision(relevant: Floats) -> float:
    positions = np.flatnonzero(relevant)
    return float((np.cumsum(relevant)[positions] / (positions + 1.0)).mean())


def slow_forces(objective: RankingObjective, scores: Floats, target: Floats) -> Floats:
    """Gradients and hessians of one query, as the mean over all orders of tied documents."""
    n = len(scores)
    is_map = objective.measure == "map"
    worth = (target > 0).astype(float) if is_map else 2.0**target - 1.0
    if not objective.exponential_gains() and not is_map:
        worth = target
    truncation = objective.truncation() or n
    changes = np.zeros((n, n))
    orders = list(tie_orders(scores))
    for order in orders:
        ranked = worth[order]
        for i in range(min(n, truncation)):
            for j in range(i + 1, n):
                swapped = ranked.copy()
                swapped[[i, j]] = swapped[[j, i]]
                if ranked[i] == ranked[j]:
                    continue
                if is_map:
                    change = average_precision(swapped) - average_precision(ranked)
                else:
                    change = (dcg(swapped) - dcg(ranked)) / dcg(np.sort(worth)[::-1])
                changes[order[i], order[j]] += abs(change) / len(orders)
                changes[order[j], order[i]] += abs(change) / len(orders)
    if objective.normalizes_scores() and len(set(scores)) > 1:
        changes /= np.abs(scores[:, None] - scores[None, :]) + 0.01
    result = np.zeros((2, n))
    total = 0.0
    for a in range(n):
        for b in range(n):
            if worth[a] > worth[b]:
                p = 1.0 / (1.0 + np.exp(scores[a] - scores[b]))
                total += 2.0 * changes[a, b] * p
                result[:, a] += changes[a, b] * np.array([-p, p * (1 - p)])
                result[:, b] += changes[a, b] * np.array([p, p * (1 - p)])
    damped = objective.lambdarank_norm and total > 0.0
    return result * (np.log2(1.0 + total) / total if damped else 1.0)


@pytest.mark.parametrize("truncation", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("exponential", [True, False])
@pytest.mark.parametrize("kind", [LambdarankNdcg, LambdarankMap])
@pytest.mark.parametrize("close", [None, True, False])
@each_norm
def test_pairs_weigh_what_a_swap_changes(
    kind: Any, exponential: bool, truncation: int, norm: bool, close: bool | None
) -> None:
    options: dict[str, Any] = {
        "lambdarank_truncation_level": truncation,
        "lambdarank_norm": norm,
        "lambdarank_score_normalization": close,
    }
    if kind is LambdarankNdcg:
        options["ndcg_exp_gain"] = exponential
    objective = kind(**options)
    for seed in range(6):
        random = np.random.default_rng(seed)
        rows = Ranked(int(random.integers(2, 7)), 1, seed=seed, step=[0.01, 0.7, 3.0][seed % 3])
        found = np.array(derivatives(objective, rows))
        np.testing.assert_allclose(
            found, slow_forces(objective, rows.scores, rows.target), rtol=1e-10, atol=1e-13
        )


@each_kind
@each_norm
def test_gradients_are_the_slope_of_the_loss_where_declared(kind: Any, norm: bool) -> None:
    if kind.slope != "exact":
        pytest.skip("the gradients are declared to stand in for a slope")
    rows, step = Ranked(40, 4, step=0.01), 1e-5
    objective = kind(lambdarank_norm=norm)
    bound = objective.for_queries(rows.queries)
    gradients, hessians = derivatives(objective, rows)
    for row in range(40):
        above, below = rows.permuted(np.arange(40)), rows.permuted(np.arange(40))
        above.scores[row] += step
        below.scores[row] -= step
        losses = [bound.losses(each.scores[None, :], rows.target) for each in (above, below)]
        slope = (losses[0] - losses[1]).sum() / (2 * step)
        assert gradients[row] == pytest.approx(slope, rel=1e-6, abs=1e-8)
        if objective.curvature == "exact":
            rise = derivatives(objective, above)[0][row] - derivatives(objective, below)[0][row]
            assert hessians[row] == pytest.approx(rise / (2 * step), rel=1e-6, abs=1e-8)


@each_kind
@each_norm
def test_following_the_gradients_makes_the_loss_small(kind: Any, norm: bool) -> None:
    """Also where they stand in for a slope: that is the promise."""
    objective = kind(lambdarank_norm=norm)
    rows = Ranked()
    rows.scores[:] = 0.0
    bound = objective.for_queries(rows.queries)
    before = bound.losses(rows.scores[None, :], rows.target).sum()
    for _ in range(100):
        gradients, hessians = derivatives(objective, rows)
        rows.scores -= 0.5 * gradients / (hessians + 1e-3)
    after = bound.losses(rows.scores[None, :], rows.target).sum()
    assert after < 0.2 * before


# ---- one model -----------------------------------------------------------------------------------


@each_kind
@each_norm
def test_the_order_of_rows_changes_no_bit(kind: Any, norm: bool) -> None:
    rows, objective = Ranked(600, 15), kind(lambdarank_norm=norm)
    expected = derivatives(objective, rows)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(600)
        found = derivatives(objective, rows.permuted(order))
        for one, other in zip(found, expected, strict=True):
            assert one.tobytes() == other[order].tobytes()


@each_kind
def test_equal_documents_get_equal_forces(kind: Any) -> None:
    rows = Ranked(300, 5)
    gradients, hessians = derivatives(kind(), rows)
    keys = np.stack([rows.queries.numbers, rows.scores, rows.target], axis=1)
    distinct, which = np.unique(keys, axis=0, return_inverse=True)
    assert len(distinct) < 300
    both = np.stack([which, gradients, hessians], axis=1)
    assert len(np.unique(both, axis=0)) == len(distinct)


@each_kind
@pytest.mark.threads
def test_gradients_have_the_same_bits_however_they_are_computed(kind: Any) -> None:
    rows, objective = Ranked(2003, 150, step=0.001), kind()
    expected = [part.tobytes() for part in derivatives(objective, rows)]
    _core.set_avx2(not _core.uses_avx2())
    assert [part.tobytes() for part in derivatives(objective, rows)] == expected
    _core.change_settings(chunk_rows=64, serial_below=0)
    for n_threads in (1, 2, 3, 7):
        assert [part.tobytes() for part in derivatives(objective, rows, n_threads)] == expected


@each_kind
def test_a_query_does_not_see_the_others(kind: Any) -> None:
    rows, objective = Ranked(), kind()
    gradients, _ = derivatives(objective, rows)
    alone = rows.permuted(rows.queries.numbers == 3)
    expected = gradients[rows.queries.numbers == 3]
    assert derivatives(objective, alone)[0].tobytes() == expected.tobytes()


# ---- corners -------------------------------------------------------------------------------------


@each_kind
@each_norm
def test_the_forces_of_a_query_cancel(kind: Any, norm: bool) -> None:
    rows = Ranked()
    gradients, hessians = derivatives(kind(lambdarank_norm=norm), rows)
    for query in range(rows.queries.n_queries):
        assert gradients[rows.queries.numbers == query].sum() == pytest.approx(0.0, abs=1e-12)
    assert (hessians >= 0.0).all()


@each_kind
def test_nothing_to_order_is_no_force(kind: Any) -> None:
    for labels in ([2.0], [1.0, 1.0, 1.0], [0.0, 0.0]):
        rows = Ranked(len(labels), 1)
        rows.target = np.array(labels)
        gradients, hessians = derivatives(kind(), rows)
        assert not gradients.any()
        assert not hessians.any()


@each_kind
@each_norm
def test_tied_documents_are_pushed_apart(kind: Any, norm: bool) -> None:
    """The first round of every training: all scores are equal."""
    rows = Ranked(5, 1)
    rows.scores, rows.target = np.zeros(5), np.array([0.0, 3.0, 0.0, 1.0, 2.0])
    gradients, hessians = derivatives(kind(lambdarank_norm=norm), rows)
    assert gradients[0] == gradients[2] > 0.0 > gradients[1]
    assert (hessians > 0.0).all()


@each_kind
@each_norm
def test_extreme_scores_keep_finite_gradients_and_usable_hessians(kind: Any, norm: bool) -> None:
    rows = Ranked(64, 4)
    rows.scores *= 600.0 / np.abs(rows.scores).max()
    gradients, hessians = derivatives(kind(lambdarank_norm=norm), rows)
    assert np.isfinite(gradients).all()
    assert np.isfinite(hessians).all()
    assert (hessians[np.abs(gradients) > 1e-200] > 0.0).all()


@each_kind
def test_without_queries_there_is_an_error(kind: Any) -> None:
    with pytest.raises(InvalidInputError, match=f"{kind.name} ranks .* Give qid"):
        kind().for_queries(None)
    with pytest.raises(InvalidInputError, match="Give qid"):
        kind().losses(np.zeros((1, 3)), np.zeros(3))


@each_kind
def test_labels_that_are_no_relevance(kind: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"relevance .* Got also -1\."):
        kind().check_target(np.array([0.0, -1.0]))


def test_exponential_gains_need_small_whole_labels() -> None:
    objective = LambdarankNdcg()
    objective.check_target(np.array([0.0, 31.0]))
    for wrong in (32.0, 0.5):
        with pytest.raises(InvalidInputError, match=f"from 0 to 31.* {wrong:g}.*ndcg_exp_gain"):
            objective.check_target(np.array([0.0, wrong]))
        LambdarankNdcg(ndcg_exp_gain=False).check_target(np.array([0.0, wrong]))
        with pytest.raises(InvalidInputError, match="whole numbers from 0 to 31"):
            derivatives(objective, with_label(wrong))


def with_label(label: float) -> Ranked:
    rows = Ranked(5, 1)
    rows.target[2] = label
    return rows


def test_the_core_reads_no_row_that_is_not_there() -> None:
    rows, offsets = np.array([0, 1, 2]), np.array([0, 3])
    scores, target = np.zeros(3), np.zeros(3)
    out = np.zeros(3), np.zeros(3)

    def call(rows: Any, offsets: Any, scores: Any = scores) -> None:
        _core.ranking_gradients(
            "ndcg", 30, True, True, True, rows, offsets, scores, target, out[0], out[1], 1
        )

    call(rows, offsets)
    for wrong in ([0, 1, 3], [0, 1, -1], [0, 1, 1]):
        with pytest.raises(InvalidInputError, match="exactly once"):
            call(np.array(wrong), offsets)
    for wrong_offsets in ([0, 4], [1, 3], [0, 2], [0, 3, 2, 3], [0, -1, 3]):
        with pytest.raises(InvalidInputError, match="exactly once"):
            call(rows, np.array(wrong_offsets))
    with pytest.raises(InvalidInputError, match="must not be NaN"):
        call(rows, offsets, np.array([0.0, np.nan, 0.0]))
    with pytest.raises(InvalidInputError, match="pairwise, ndcg or map"):
        _core.ranking_gradients(
            "auc", 30, True, True, True, rows, offsets, scores, target, out[0], out[1], 1
        )


# ---- as the other objectives ---------------------------------------------------------------------


@each_kind
def test_names_state_metric_and_base_score(kind: Any) -> None:
    objective = kind(lambdarank_norm=False)
    bound = objective.for_queries(Ranked().queries)
    assert bound.state() == objective.state()
    assert objective_from_state(bound.state()) == objective
    with pytest.raises(ModelFileError, match="options"):
        objective_from_state({**objective.state(), "queries": None})
    assert find_metric(objective.default_metric).name == objective.default_metric
    assert objective.to_raw(0.25, 1).tolist() == [0.25]
    assert objective.predict(np.array([[0.25], [1.0]])).tolist() == [0.25, 1.0]
    with pytest.raises(InvalidParameterError, match="base_score must be"):
        objective.to_raw(np.nan, 1)


@pytest.mark.parametrize(
    ("alias", "kind"),
    [
        ("rank:pairwise", Pairwise),
        ("PairLogit", Pairwise),
        ("lambdarank", LambdarankNdcg),
        ("rank:ndcg", LambdarankNdcg),
        ("ndcg", LambdarankNdcg),
        ("rank:map", LambdarankMap),
    ],
)
def test_names_of_peers_are_known(alias: str, kind: type) -> None:
    assert type(find_objective(alias)) is kind


@pytest.mark.parametrize("kind", [LambdarankNdcg, LambdarankMap])
@each_norm
def test_a_switch_that_changes_nothing_leaves_the_state_alone(kind: Any, norm: bool) -> None:
    plain = kind(lambdarank_norm=norm)
    same = kind(lambdarank_norm=norm, lambdarank_score_normalization=norm)
    other = kind(lambdarank_norm=norm, lambdarank_score_normalization=not norm)
    assert same.state() == plain.state() != other.state()
    assert objective_from_state(other.state()) == other


def test_score_normalization_belongs_to_lambdarank() -> None:
    options = {"objective": "pairwise", "lambdarank_score_normalization": False}
    rows = Ranked()
    data = Dataset(
        np.arange(float(len(rows.target)))[:, None], rows.target, qid=rows.queries.numbers
    )
    with pytest.raises(InvalidParameterError, match="lambdarank_ndcg or lambdarank_map"):
        train(options, data)
