"""Content of a report page: sections of texts, tables and pictures.

The sections (``sections/``) make these values, and the template renders them. None of them holds
HTML: the template escapes every text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Bar", "Block", "Cell", "Finding", "Grid", "Picture", "Pictures", "Section", "Words"]


@dataclass(frozen=True)
class Bar:
    """A number of a table with a bar of this share of the cell, 0 to 1."""

    text: str
    share: float


Cell = str | Bar


@dataclass(frozen=True)
class Words:
    """A paragraph."""

    text: str
    kind: Literal["words"] = "words"


@dataclass(frozen=True)
class Grid:
    """A table. The first cell of each row is its heading."""

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    #: Positions of the columns that hold text; the others hold numbers, aligned to the right.
    texts: frozenset[int] = frozenset({0})
    note: str = ""
    kind: Literal["grid"] = "grid"


@dataclass(frozen=True)
class Picture:
    """An image as a data URI, with the text for screen readers and a caption."""

    source: str
    alt: str
    caption: str
    #: Size in CSS pixels.
    width: int
    height: int


@dataclass(frozen=True)
class Pictures:
    """Pictures side by side where the page is wide enough."""

    pictures: Sequence[Picture]
    kind: Literal["pictures"] = "pictures"


Block = Words | Grid | Pictures


@dataclass(frozen=True)
class Finding:
    """A sentence of the summary, linked to its section."""

    text: str
    #: "warning": something to look at; "note": a plain fact.
    level: Literal["warning", "note"] = "note"


@dataclass(frozen=True)
class Section:
    """A section of the page."""

    name: str
    title: str
    blocks: Sequence[Block]
    findings: Sequence[Finding] = field(default_factory=tuple)
