"""Tables from a function that returns an iterator of frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ceiba.data.sources.source import Source
from ceiba.errors import InvalidTypeError
from ceiba.messages import shown

__all__ = ["FunctionSource"]


class FunctionSource(Source):
    """A function without arguments that starts a pass over all rows."""

    def __init__(self, function: Callable[[], Iterable[Any]]) -> None:
        self._function = function

    def frames(self) -> Iterator[Any]:
        returned = self._function()
        if isinstance(returned, str | bytes | dict) or not isinstance(returned, Iterable):
            raise InvalidTypeError(
                f"{self} must return an iterator of tables: pandas, polars, arrow, numpy or scipy "
                f"sparse, or tuples of (data, target). It returned {shown(returned)}. Use `yield` "
                "in the function."
            )
        yield from returned

    def __str__(self) -> str:
        return f"The function {getattr(self._function, '__name__', repr(self._function))!r}"
