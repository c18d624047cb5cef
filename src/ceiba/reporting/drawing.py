"""Pictures of a report: matplotlib figures as SVG in data URIs.

Figures are made without pyplot, so that a report opens no window and leaves no figure behind.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from typing import Any

from ceiba.plot.style import pyplot
from ceiba.reporting.blocks import Picture

__all__ = ["drawn"]

#: Inches. A picture of this width fills half of a wide page, and a phone without shrinking much.
WIDE, HIGH = 4.6, 3.3
#: Dots per inch of the points in a picture; its lines and texts are vectors.
_DPI = 150
_PIXELS_PER_INCH = 96


def drawn(
    draw: Callable[..., Any], alt: str, caption: str, size: tuple[float, float] = (WIDE, HIGH)
) -> Picture:
    """Return the picture that ``draw(ax=axes)`` makes."""
    pyplot()  # a missing matplotlib is reported in the words of the plots
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained", facecolor="white")
    draw(ax=figure.subplots())
    file = io.BytesIO()
    # With a fixed salt, equal figures are equal files.
    with rc_context({"svg.hashsalt": "ceiba", "svg.fonttype": "path"}):
        figure.savefig(file, format="svg", dpi=_DPI, metadata={"Date": None, "Creator": None})
    source = base64.b64encode(file.getvalue()).decode("ascii")
    width, height = (round(side * _PIXELS_PER_INCH) for side in size)
    return Picture(f"data:image/svg+xml;base64,{source}", alt, caption, width, height)
