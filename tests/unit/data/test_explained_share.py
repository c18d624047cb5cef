"""Share of variance that columns explain beyond others: compared with least squares."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.testing.target_statistics import explained_share

UNIT = 2.0**-20


def shares(
    targets: np.ndarray,
    weights: np.ndarray | None,
    own: list[np.ndarray],
    others: list[list[np.ndarray]],
    are_classes: bool = False,
) -> list[float]:
    """Return the shares that the core computes; columns are [targets x priors + 1, rows]."""
    whole = targets if weights is None else targets * weights
    return _core.explained_shares(
        own,
        others,
        np.rint(whole / UNIT).astype(np.int64),
        None if weights is None else weights.astype(np.int64),
        [UNIT] * len(targets),
        1.0,
        max(1, (len(own[0]) - 1) // len(targets)),
        are_classes,
        2,
    )


@pytest.mark.parametrize("n_rows", [20, 1500])
@pytest.mark.parametrize("n_targets", [1, 3])
@pytest.mark.parametrize("n_priors", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("are_classes", [False, True])
def test_against_least_squares(
    n_rows: int, n_targets: int, n_priors: int, weighted: bool, are_classes: bool
) -> None:
    random = np.random.default_rng(n_rows + n_targets)
    targets = random.integers(-50, 50, (n_targets, n_rows)) / 8
    weights = random.integers(1, 5, n_rows) if weighted else None

    def columns() -> np.ndarray:
        near = np.repeat(0.3 * targets, n_priors, axis=0)
        statistics = near + random.normal(size=near.shape)
        return np.vstack([statistics, random.integers(1, 9, n_rows)])

    own, known = [columns() for _ in range(3)], columns()
    others = [[], [known], [known, columns()]]
    found = shares(targets, weights, own, others, are_classes)
    for share, one, rest in zip(found, own, others, strict=True):
        expected = explained_share(targets, weights, one, rest, are_classes=are_classes)
        assert share == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_targets_of_any_scale_count_alike() -> None:
    random = np.random.default_rng(0)
    targets = random.integers(-50, 50, (2, 500)) / 8
    column = np.vstack([targets + random.normal(size=targets.shape), np.ones((1, 500))])
    column[1] = random.normal(size=500)  # explains the first target only
    (share,) = shares(targets, None, [column], [[]])
    assert 0.45 < share < 0.5
    for scale in (2.0**-10, 2.0**10):
        scaled = targets * np.array([[scale], [1.0]])
        assert shares(scaled, None, [column], [[]]) == [pytest.approx(share, rel=1e-4)]


def test_a_sample_of_rows_approximates_the_share() -> None:
    random = np.random.default_rng(0)
    targets = random.integers(-50, 50, (1, 200_000)) / 8
    own = np.vstack([targets + 20.0 * random.normal(size=targets.shape), np.ones(200_000)])
    (found,) = shares(targets, None, [own], [[]])
    assert found == pytest.approx(explained_share(targets, None, own, []), rel=0.1)


def test_columns_that_repeat_others_have_no_share() -> None:
    random = np.random.default_rng(0)
    targets = random.normal(size=(1, 300)).round(3)
    rows = random.integers(1, 9, (1, 300)).astype(float)
    known = np.vstack([random.normal(size=(1, 300)) + targets, rows])
    own = [known.copy(), np.full_like(known, 7.0), np.vstack([3.0 * known[:1] - 1.0, rows])]
    assert shares(targets, None, own, [[known]] * 3) == [0.0] * 3
    assert shares(np.ones((1, 300)), None, [known], [[]]) == [0.0]


def test_mismatched_shapes_raise() -> None:
    targets, column = np.ones((1, 5)), np.ones((2, 4))
    with pytest.raises(InvalidInputError, match="fit the targets"):
        shares(targets, None, [column], [[]])
    with pytest.raises(InvalidInputError, match="each have"):
        shares(targets, None, [np.ones((2, 5))], [])
