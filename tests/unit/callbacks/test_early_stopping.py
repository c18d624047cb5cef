"""Early stopping on one metric or on several."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ceiba.callbacks import CallbackList, EarlyStopping, Round
from ceiba.errors import CeibaError, InvalidInputError, InvalidParameterError

from .pretend import make_rounds, stopped_after


def test_stops_after_patience_rounds_without_a_better_value() -> None:
    early = EarlyStopping(2)
    assert stopped_after(early, make_rounds([5, 4, 3, 3.5, 3.0, 2])) == 4
    assert (early.best_iteration, early.best_value) == (2, 3)


def test_more_can_be_better() -> None:
    early = EarlyStopping(2)
    assert stopped_after(early, make_rounds([0.5, 0.7, 0.6, 0.6], "auc", better=True)) == 3
    assert early.best_iteration == 1


def test_a_step_within_the_tolerance_is_no_step() -> None:
    values = [1.0, 0.95, 0.91, 0.87]
    assert stopped_after(EarlyStopping(3, 0.2), make_rounds(values)) == 3
    assert stopped_after(EarlyStopping(3, 0.01), make_rounds(values)) is None


def test_nan_is_never_better_and_anything_beats_it() -> None:
    early = EarlyStopping(2)
    assert stopped_after(early, make_rounds([math.nan, 1.0, math.nan, math.nan])) == 3
    assert early.best_iteration == 1


def test_a_metric_that_has_no_value_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match=r"Got NaN for .* in all 3 rounds. Use"):
        stopped_after(EarlyStopping(2), make_rounds([math.nan] * 5))


def test_forgets_an_earlier_training() -> None:
    early = EarlyStopping(1)
    stopped_after(early, make_rounds([1.0, 2.0]))
    assert stopped_after(early, make_rounds([9.0, 8.0, 7.0])) is None
    assert early.best_iteration == 2


def test_looks_at_the_last_set_and_metric_unless_told() -> None:
    round = Round(
        0,
        1,
        {"a": {"rmse": 1.0, "mae": 2.0}, "b": {"rmse": 3.0, "mae": 4.0}},
        {"rmse": False, "mae": False},
        lambda: None,  # type: ignore[arg-type, return-value]
    )
    last, named = EarlyStopping(1), EarlyStopping(1, eval_set="a", metric="rmse")
    last.after_round(round)
    named.after_round(round)
    assert (last.best_value, named.best_value) == (4.0, 1.0)
    with pytest.raises(InvalidInputError, match=r"eval set 'c'.*'a', 'b'"):
        EarlyStopping(1, eval_set="c").after_round(round)
    with pytest.raises(InvalidInputError, match="metric 'auc'"):
        EarlyStopping(1, metric="auc").after_round(round)


def test_needs_an_eval_set() -> None:
    with pytest.raises(InvalidInputError, match="needs an eval set"):
        EarlyStopping(1).after_round(Round(0, 1, {}, {}, lambda: None))  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("arguments", [{"rounds": 0}, {"rounds": 1, "tolerance": -1.0}])
def test_bad_arguments(arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameterError, match="must be"):
        EarlyStopping(**arguments)


def several(**values: list[float]) -> list[Round]:
    """Return rounds of eval sets a and b; a_rmse=[...] and so on, auc being better when higher."""
    found = []
    for number, row in enumerate(zip(*values.values(), strict=True)):
        evals: dict[str, dict[str, float]] = {}
        for name, value in zip(values, row, strict=True):
            set_name, metric = name.split("_")
            evals.setdefault(set_name, {})[metric] = value
        better = {"rmse": False, "auc": True}
        found.append(Round(number, 9, evals, better, lambda: None))  # type: ignore[arg-type, return-value]
    return found


SEEN = several(
    a_rmse=[5.0, 4.0, 4.1, 4.2, 4.3, 4.4],
    a_auc=[0.5, 0.6, 0.7, 0.6, 0.6, 0.6],
    b_rmse=[9.0, 8.0, 7.0, 6.0, 6.5, 6.5],
    b_auc=[0.5, 0.6, 0.7, 0.8, 0.9, 0.95],
)


@pytest.mark.parametrize(
    ("given", "stopped", "best"),
    [
        ({}, None, 5),
        ({"eval_set": "a"}, 4, 2),
        ({"metric": "rmse"}, 5, 3),
        ({"eval_set": ["a", "b"], "metric": "rmse"}, 3, 1),
        ({"eval_set": ["b", "a"], "metric": "rmse"}, 3, 1),
        ({"eval_set": ["a", "b"], "metric": "rmse", "stop": "all"}, 5, 3),
        ({"eval_set": ["b", "a"], "metric": "rmse", "stop": "all"}, 5, 1),
        ({"eval_set": "a", "metric": ["rmse", "auc"]}, 3, 1),
        ({"eval_set": "a", "metric": ("rmse", "auc"), "stop": "all"}, 4, 2),
        ({"eval_set": ["a", "b"], "metric": ["rmse", "auc"], "stop": "all"}, None, 5),
    ],
)
def test_several_sets_and_metrics(given: dict[str, Any], stopped: int | None, best: int) -> None:
    early = EarlyStopping(2, **given)
    assert stopped_after(early, SEEN) == stopped
    assert early.best_iteration == early.kept_iteration() == best


def test_every_tree_may_be_kept() -> None:
    early = EarlyStopping(2, eval_set="a", keep_best=False)
    assert stopped_after(early, SEEN) == 4
    assert early.best_iteration == 2
    assert early.kept_iteration() is None


def test_metrics_that_are_functions_or_objects() -> None:
    def auc(target: Any, prediction: Any) -> float:
        return 0.0

    early = EarlyStopping(2, eval_set="a", metric=auc)
    assert stopped_after(early, SEEN) == 4


@pytest.mark.parametrize(
    "given",
    [
        {"eval_set": 3},
        {"eval_set": []},
        {"metric": [""]},
        {"metric": 0.5},
        {"stop": "some"},
        {"keep_best": "yes"},
    ],
)
def test_more_bad_arguments(given: dict[str, Any]) -> None:
    with pytest.raises(CeibaError, match=f"{next(iter(given))} must be"):
        EarlyStopping(1, **given)


def test_a_model_that_is_left_whole_may_still_be_cut_by_another() -> None:
    whole, cutting = EarlyStopping(2, keep_best=False), EarlyStopping(5)
    both = CallbackList([whole, cutting])
    assert stopped_after(both, make_rounds([3.0, 2.0, 4.0, 5.0, 6.0])) == 3
    assert whole.kept_iteration() is None
    assert both.kept_iteration() == cutting.best_iteration == 1
