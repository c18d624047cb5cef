"""Lines, logs and bars."""

from __future__ import annotations

import builtins
import logging
from typing import Any

import pytest

from ceiba.callbacks import LogRounds, ProgressBar
from ceiba.errors import InvalidParameterError, InvalidTypeError

from .pretend import make_rounds, stopped_after


def test_progress_with_rich(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rich")
    bar = ProgressBar()
    assert stopped_after(bar, make_rounds([3.0, 2.0])) is None
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
    stopped_after(bar, make_rounds([float(value) for value in range(20)]))
    bar.after_training()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[-1] == "ceiba 20/20  valid rmse 19"


def test_lines_of_some_rounds_and_of_the_last(capsys: pytest.CaptureFixture[str]) -> None:
    log = LogRounds(every=3)
    stopped_after(log, make_rounds([5.0, 4.0, 3.0, 2.0, 1.5]))
    log.after_training()
    assert capsys.readouterr().out.splitlines() == [
        "ceiba 3/5  valid rmse 3",
        "ceiba 5/5  valid rmse 1.5",
    ]
    stopped_after(LogRounds(), make_rounds([1.0, 2.0]))
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize("logger", ["my.training", logging.getLogger("my.training")])
def test_lines_in_a_log(logger: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="my.training"):
        stopped_after(LogRounds(logger=logger), make_rounds([5.0, 4.0]))
    assert caplog.messages == ["ceiba 1/2  valid rmse 5", "ceiba 2/2  valid rmse 4"]


def test_bad_arguments() -> None:
    with pytest.raises(InvalidParameterError, match="every must be"):
        LogRounds(0)
    with pytest.raises(InvalidTypeError, match="logger must be"):
        LogRounds(logger=3)  # type: ignore[arg-type]
