"""Callbacks: early stopping, history, progress, user code."""

from __future__ import annotations

import builtins
import math
from typing import Any

import pytest

from ceiba.callbacks import (
    Callback,
    CallbackList,
    EarlyStopping,
    ProgressBar,
    RecordHistory,
    Round,
    check_callbacks,
)
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError


def rounds(values: list[float], metric: str = "rmse", better: bool = False) -> list[Round]:
    return [
        Round(i, len(values), {"valid": {metric: value}}, {metric: better}, lambda: None)  # type: ignore[arg-type, return-value]
        for i, value in enumerate(values)
    ]


def stopped_after(callback: Callback, seen: list[Round]) -> int | None:
    callback.before_training(len(seen))
    for round in seen:
        if callback.after_round(round):
            return round.iteration
    return None


def test_stops_after_patience_rounds_without_a_better_value() -> None:
    early = EarlyStopping(2)
    assert stopped_after(early, rounds([5, 4, 3, 3.5, 3.0, 2])) == 4
    assert (early.best_iteration, early.best_value) == (2, 3)


def test_more_can_be_better() -> None:
    early = EarlyStopping(2)
    assert stopped_after(early, rounds([0.5, 0.7, 0.6, 0.6], "auc", better=True)) == 3
    assert early.best_iteration == 1


def test_a_step_within_the_tolerance_is_no_step() -> None:
    values = [1.0, 0.95, 0.91, 0.87]
    assert stopped_after(EarlyStopping(3, 0.2), rounds(values)) == 3
    assert stopped_after(EarlyStopping(3, 0.01), rounds(values)) is None


def test_nan_is_never_better_and_anything_beats_it() -> None:
    early = EarlyStopping(2)
    assert stopped_after(early, rounds([math.nan, 1.0, math.nan, math.nan])) == 3
    assert early.best_iteration == 1


def test_forgets_an_earlier_training() -> None:
    early = EarlyStopping(1)
    stopped_after(early, rounds([1.0, 2.0]))
    assert stopped_after(early, rounds([9.0, 8.0, 7.0])) is None
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


def test_history_keeps_every_round() -> None:
    record = RecordHistory()
    stopped_after(record, rounds([3.0, 2.0]))
    stopped_after(record, rounds([3.0, 2.0, 1.0]))
    assert record.history == {"valid": {"rmse": [3.0, 2.0, 1.0]}}


def test_a_callback_that_stops_does_not_hide_the_round_from_others() -> None:
    record = RecordHistory()
    both = CallbackList([*check_callbacks([lambda round: True]), record])
    assert stopped_after(both, rounds([1.0, 2.0])) == 0
    assert record.history == {"valid": {"rmse": [1.0]}}
    assert both.kept_iteration() is None


def test_functions_and_objects_are_callbacks() -> None:
    assert check_callbacks(None) == []
    early = EarlyStopping(3)
    assert check_callbacks(early) == [early]
    assert len(check_callbacks([early, print])) == 2
    for wrong in ([3], 3, [EarlyStopping]):
        with pytest.raises(InvalidTypeError, match="callback"):
            check_callbacks(wrong)  # type: ignore[arg-type]


def test_progress_with_rich(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rich")
    bar = ProgressBar()
    assert stopped_after(bar, rounds([3.0, 2.0])) is None
    bar.after_training()
    assert "2/2" in capsys.readouterr().out


def test_progress_without_rich(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real_import = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.startswith("rich"):
            raise ImportError(name)
        return real_import(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    bar = ProgressBar()
    stopped_after(bar, rounds([float(value) for value in range(20)]))
    bar.after_training()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[-1] == "ceiba 20/20  valid rmse 19"
