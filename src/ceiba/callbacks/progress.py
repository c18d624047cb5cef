"""Show training progress as printed lines, log records or a progress bar."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ceiba.callbacks._base import Callback, Round
from ceiba.errors import InvalidTypeError
from ceiba.parameters.constraints import Integer, check_value
from ceiba.parameters.keywords import LOG

if TYPE_CHECKING:
    from typing import Unpack

    from ceiba.parameters.typed import LogKeywords

__all__ = ["LogRounds", "ProgressBar"]


class LogRounds(Callback):
    """Print or log the metrics of every n-th round and of the last round.

    Parameters
    ----------
    every : int, default=1
        Number of rounds between lines.
    logger : logging.Logger or str, optional
        A logger or its name, which receives the lines with level INFO. By default they are printed.
    **other_names
        Arguments of the callbacks of XGBoost and LightGBM, such as period.

    Examples
    --------
    >>> import ceiba
    >>> rows = ceiba.Dataset([[1.0], [2.0]], [1.0, 2.0])
    >>> log = ceiba.LogRounds(every=5)
    >>> model = ceiba.train({"n_estimators": 10}, rows, eval_sets=[rows], callbacks=[log])
    ceiba 5/10  validation_0 rmse 0.5
    ceiba 10/10  validation_0 rmse 0.5
    """

    def __init__(
        self,
        every: int | None = None,
        *,
        logger: logging.Logger | str | None = None,
        **other_names: Unpack[LogKeywords],
    ) -> None:
        given = {"every": every}
        given |= LOG.read(other_names, given)
        number = 1 if given["every"] is None else given["every"]
        with LOG.naming(other_names):
            self.every: int = check_value("every", Integer(1), number)
        self._write: Callable[[str], object] = print
        if logger is not None:
            found = logging.getLogger(logger) if isinstance(logger, str) else logger
            if not callable(getattr(found, "info", None)):
                raise InvalidTypeError(
                    f"logger must be a logging.Logger or the name of one. Got {logger!r}."
                )
            self._write = found.info
        self._unwritten: Round | None = None

    def before_training(self, n_rounds: int) -> None:
        self._unwritten = None

    def after_round(self, round: Round) -> None:
        is_due = (round.iteration + 1) % self.every == 0
        if is_due:
            self._write(_line(round))
        self._unwritten = None if is_due else round

    def after_training(self) -> None:
        if self._unwritten is not None:
            self._write(_line(self._unwritten))
        self._unwritten = None


class ProgressBar(Callback):
    """Show a progress bar with the latest metrics.

    Requires rich. Without it, the callback prints about ten lines.

    Examples
    --------
    >>> from ceiba import Dataset, train
    >>> from ceiba.callbacks import ProgressBar
    >>> data = Dataset([[0.0], [1.0], [2.0]] * 20, [0.0, 1.0, 2.0] * 20)
    >>> model = train({"n_estimators": 3}, data, callbacks=[ProgressBar()])  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._exits = ExitStack()
        self._show: Callable[[Round], None] = _print_some_rounds

    def before_training(self, n_rounds: int) -> None:
        try:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
            from rich.progress import TimeElapsedColumn as Elapsed
        except ImportError:
            return
        words = TextColumn("{task.description}")
        last = TextColumn("{task.fields[metrics]}")
        bar = Progress(words, BarColumn(), MofNCompleteColumn(), Elapsed(), last)
        self._exits.enter_context(bar)
        task = bar.add_task("ceiba", total=n_rounds, metrics="")

        def show(round: Round) -> None:
            bar.update(task, completed=round.iteration + 1, metrics=_in_words(round))

        self._show = show

    def after_round(self, round: Round) -> None:
        self._show(round)

    def after_training(self) -> None:
        self._exits.close()
        self._show = _print_some_rounds


def _in_words(round: Round) -> str:
    return "  ".join(
        f"{set_name} {metric} {value:.5g}"
        for set_name, metrics in round.evals.items()
        for metric, value in metrics.items()
    )


def _line(round: Round) -> str:
    return f"ceiba {round.iteration + 1}/{round.n_rounds}  {_in_words(round)}".rstrip()


def _print_some_rounds(round: Round) -> None:
    """Print about ten lines per training."""
    step = max(1, round.n_rounds // 10)
    if (round.iteration + 1) % step == 0:
        print(_line(round), file=sys.stderr)
