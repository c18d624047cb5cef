"""Several callbacks as one, functions as callbacks, and what they keep for a resumed training."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ceiba.callbacks import (
    Callback,
    CallbackList,
    EarlyStopping,
    LogRounds,
    RecordHistory,
    Round,
    check_callbacks,
)
from ceiba.errors import InvalidInputError, InvalidTypeError

from .pretend import make_rounds, stopped_after


def test_history_keeps_every_round() -> None:
    record = RecordHistory()
    stopped_after(record, make_rounds([3.0, 2.0]))
    stopped_after(record, make_rounds([3.0, 2.0, 1.0]))
    assert record.history == {"valid": {"rmse": [3.0, 2.0, 1.0]}}


def test_a_callback_that_stops_does_not_hide_the_round_from_others() -> None:
    record = RecordHistory()
    both = CallbackList([*check_callbacks([lambda round: True]), record])
    assert stopped_after(both, make_rounds([1.0, 2.0])) == 0
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


class Counting(Callback):
    """Counts rounds and says when it did so."""

    def __init__(self, log: list[str], name: str, last: bool = False) -> None:
        self.log, self.name, self.comes_last = log, name, last
        self.seen = 0

    def after_round(self, round: Round) -> None:
        self.seen += 1
        self.log.append(f"{self.name}{round.iteration}{'!' if round.is_last else ''}")

    def state(self) -> Any:
        return self.seen

    def restore(self, state: Any) -> None:
        self.seen = state


def test_some_come_last_and_know_the_last_round() -> None:
    log: list[str] = []
    several = CallbackList([Counting(log, "z", last=True), Counting(log, "a")])
    stopped_after(several, make_rounds([3.0, 2.0]))
    assert log == ["a0", "z0", "a1", "z1!"]
    log.clear()
    stop = check_callbacks([lambda round: round.iteration == 1])
    stopped_after(CallbackList([Counting(log, "z", last=True), *stop]), make_rounds([3.0] * 9))
    assert log == ["z0", "z1!"]


def make_list() -> CallbackList:
    counting = [Counting([], "a"), Counting([], "b")]
    return CallbackList([EarlyStopping(2), *counting, LogRounds(1000), RecordHistory()])


def test_states_come_back() -> None:
    values = [5.0, 4.0, 6.0, 4.5, 1.0]
    one, other = make_list(), make_list()
    one.before_training(5)
    for round in make_rounds(values)[:3]:
        one.after_round(round)
    state = json.loads(json.dumps(one.state()))
    other.before_training(5)
    other.restore(state)
    assert other.state() == one.state()
    last = make_rounds(values)[3]
    assert one.after_round(last)
    assert other.after_round(last)
    assert other.kept_iteration() == one.kept_iteration() == 1
    # One that had stopped has stopped.
    again = make_list()
    again.before_training(5)
    again.restore(json.loads(json.dumps(other.state())))
    assert again.stopped
    assert again.kept_iteration() == 1


def test_a_state_needs_its_callback() -> None:
    state = make_list().state()
    with pytest.raises(InvalidInputError, match=r"checkpoint: EarlyStopping.*Got no callb"):
        CallbackList([]).restore(state)


def test_the_one_that_stops_says_what_is_kept() -> None:
    slow, fast = EarlyStopping(50), EarlyStopping(1, 0.5)
    several = CallbackList([slow, fast])
    assert stopped_after(several, make_rounds([5.0, 4.9, 4.8])) == 1
    assert slow.best_iteration == 1
    assert several.kept_iteration() == fast.best_iteration == 0


class Closing(Callback):
    """Notes that it was told the end, and may fail then."""

    def __init__(self, log: list[str], name: str, error: BaseException | None = None) -> None:
        self.log, self.name, self.error = log, name, error

    def after_training(self) -> None:
        self.log.append(self.name)
        if self.error is not None:
            raise self.error


@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt])
def test_a_callback_that_fails_at_the_end_does_not_keep_it_from_others(
    kind: type[BaseException],
) -> None:
    log: list[str] = []
    first, second = kind("first"), OSError("second")
    several = [Closing(log, "a"), Closing(log, "b", first), Closing(log, "c", second)]
    with pytest.raises(kind, match="first") as caught:
        CallbackList([*several, Closing(log, "d")]).after_training()
    assert log == ["a", "b", "c", "d"]
    assert caught.value is first
    assert caught.value.__notes__[-1] == "Another callback failed at the end too: OSError('second')"


def test_an_interrupt_at_the_end_is_heard_before_what_went_wrong() -> None:
    failing = [Closing([], "a", OSError("first")), Closing([], "b", KeyboardInterrupt("second"))]
    with pytest.raises(KeyboardInterrupt, match="second") as caught:
        CallbackList(failing).after_training()
    assert caught.value.__notes__ == ["Another callback failed at the end too: OSError('first')"]
