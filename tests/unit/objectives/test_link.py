"""Links: formulas from raw scores to predictions."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.objectives import OBJECTIVES, find_objective
from ceiba.objectives.link import Link
from ceiba.objectives.several import Several

RAW = np.array([[-800.0, 0.0, 1.0], [0.25, 0.25, 0.5], [3.0, 2.0, -1.0], [-2.0, -1.0, -3.0]])


def test_every_objective_declares_a_link() -> None:
    found = {kind.name: find_objective(kind.name).link.name for kind in OBJECTIVES}
    assert found["squared_error"] == found["huber"] == found["pairwise"] == "identity"
    assert found["logistic"] == found["cross_entropy"] == found["exponential"] == "logit"
    assert found["poisson"] == found["gamma"] == found["tweedie"] == "log"
    assert found["squared_log_error"] == "log1p"
    assert found["gini"] == "shares"
    assert found["softmax"] == "softmax"
    assert found["one_against_rest"] == "one_against_rest"
    assert find_objective("exponential").link.scale == 2.0
    assert find_objective("quantile").link.is_identity
    assert find_objective("quantile", quantile=[0.1, 0.9]).link.name == "sorted"
    plain = find_objective("squared_log_error", curvature_rule="plain").link
    assert (plain.name, plain.lowest, plain.is_identity) == ("identity", -1.0 + 1e-6, False)
    assert Several(find_objective("poisson"), 2).link.name == "log"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        (Link("identity"), lambda r: r),
        (Link("identity", lowest=0.5), lambda r: np.maximum(r, 0.5)),
        (Link("log"), lambda r: np.exp(np.clip(r, -300, 300))),
        (Link("log1p", lowest=-1.0), lambda r: np.exp(np.clip(r, -300, 300)) - 1.0),
        (Link("logit", scale=2.0), lambda r: 1.0 / (1.0 + np.exp(-2.0 * r.clip(-300)))),
        (Link("sorted"), lambda r: np.sort(r, axis=1)),
        (
            Link("softmax"),
            lambda r: np.exp(r - r.max(1)[:, None]) / np.exp(r - r.max(1)[:, None]).sum(1)[:, None],
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Link) else "",
)
def test_formulas(link: Link, expected: object) -> None:
    before = RAW.copy()
    np.testing.assert_allclose(link.predict(RAW), expected(RAW), rtol=1e-12, atol=1e-250)  # type: ignore[operator]
    assert link.predict(RAW[:, :1]).shape == (4,)
    np.testing.assert_array_equal(RAW, before)


def test_links_that_divide_by_sums() -> None:
    shares = Link("shares").predict(RAW)
    np.testing.assert_allclose(shares[:3], [[0, 0, 1], [0.25, 0.25, 0.5], [0.5, 0.5, 0]])
    np.testing.assert_allclose(shares[3], 1 / 3)  # no share at all
    ova = Link("one_against_rest").predict(RAW)
    np.testing.assert_allclose(ova.sum(axis=1), 1.0)
    nothing = Link("one_against_rest").predict(np.full((1, 4), -1e9))
    np.testing.assert_array_equal(nothing, 0.25)
