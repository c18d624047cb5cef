"""What recipe auto decided, in words: :meth:`ceiba.Model.decisions`.

The policy (``policy/``) makes a :class:`Decision` for each choice. The model file stores them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any, overload

from ceiba.data.frames import make_frame

__all__ = ["NO_DECISIONS", "Decision", "Decisions"]


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice of recipe auto.

    Attributes
    ----------
    question : str
        What was to be decided.
    chosen : str
        What was chosen.
    against : str
        The alternatives; empty if there was none.
    evidence : str
        The numbers or facts that decided.
    cost : str
        Rounds and rows that were spent on the choice; empty for none.
    """

    question: str
    chosen: str
    against: str = ""
    evidence: str = ""
    cost: str = ""

    def __str__(self) -> str:
        text = f"{self.question}: {self.chosen}"
        text += f" (not {self.against})" if self.against else ""
        text += f", because {self.evidence}" if self.evidence else ""
        return f"{text}. Cost: {self.cost}." if self.cost else f"{text}."


class Decisions(Sequence[Decision]):
    """The decisions of recipe auto: a sequence that prints as one line per decision."""

    def __init__(self, entries: Iterable[Decision] = ()) -> None:
        self._entries = tuple(entries)

    @overload
    def __getitem__(self, index: int) -> Decision: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Decision]: ...

    def __getitem__(self, index: int | slice) -> Decision | Sequence[Decision]:
        return self._entries[index]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Decision]:
        return iter(self._entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decisions) and self._entries == other._entries

    def __hash__(self) -> int:
        return hash(self._entries)

    def __str__(self) -> str:
        return "\n".join(map(str, self._entries)) or "Recipe auto decided nothing."

    __repr__ = __str__

    def to_frame(self) -> Any:
        """Return a table with one row per decision."""
        columns = {f.name: [getattr(own, f.name) for own in self] for f in fields(Decision)}
        return make_frame(columns)

    def to_json(self) -> list[list[str]]:
        """Return the decisions as plain values."""
        return [list(astuple(own)) for own in self]

    @classmethod
    def from_json(cls, values: Any) -> Decisions:
        """Return the inverse of :meth:`to_json`; raise TypeError for anything else."""
        n_fields = len(fields(Decision))
        sound = isinstance(values, list) and all(
            isinstance(own, list)
            and len(own) == n_fields
            and all(isinstance(text, str) for text in own)
            for own in values
        )
        if not sound:
            raise TypeError("its decisions have the wrong type")
        return cls(Decision(*own) for own in values)


#: Of models that no policy trained.
NO_DECISIONS = Decisions()
