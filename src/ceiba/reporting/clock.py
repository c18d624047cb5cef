"""Time budget and progress bar of a report.

The life of a clock:

1. ``write.py`` starts it with the seconds of the budget and the number of steps.
2. A step asks :meth:`Clock.rows` how many rows it may use, and long loops ask :meth:`Clock.seconds`
   when to stop.
3. :meth:`Clock.step` moves the bar. It is drawn on stderr, if that is a terminal and rich is
   installed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Clock"]


class Clock:
    """Divides the time budget among the steps of a report."""

    def __init__(self, budget: float | None, n_steps: int, *, bar: bool) -> None:
        self._budget = math.inf if budget is None else budget
        self._begin = time.perf_counter()
        self._n_steps = n_steps
        self._wants_bar = bar
        self._bar: Any = None
        self._task: Any = None

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._begin

    def seconds(self, share: float) -> float:
        """Return the seconds that a step may take: a share of the budget, while some is left."""
        return max(0.0, min(share * self._budget, self._budget - self.spent))

    def rows(self, seconds_per_row: float, share: float, least: int, most: int) -> int:
        """Return how many rows a step may use, between ``least`` and ``most``."""
        if math.isinf(self._budget):
            return most
        affordable = self.seconds(share) / max(seconds_per_row, 1e-12)
        return int(min(most, max(least, affordable)))

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the progress bar within the context."""
        self._bar = _progress_bar() if self._wants_bar else None
        if self._bar is None:
            yield
            return
        with self._bar:
            self._task = self._bar.add_task("report", total=self._n_steps)
            yield

    def step(self, text: str) -> None:
        """Announce the next step."""
        if self._bar is not None:
            self._bar.update(self._task, advance=1, description=text)


def _progress_bar() -> Any:
    """Return a bar of rich on stderr, or None if there is no terminal or no rich."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed
    except ImportError:
        return None
    console = Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        return None
    words = TextColumn("{task.description}")
    return Progress(words, BarColumn(), MofNCompleteColumn(), Elapsed(), console=console)
