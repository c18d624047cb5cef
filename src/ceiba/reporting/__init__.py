"""Report pages: :func:`ceiba.report` writes what a model does and how well as one HTML file.

The life of a report:

1. ``rows.py`` checks the arguments and reads the rows; ``subject.py`` predicts them.
2. Every module of ``sections/`` makes one section of the page: texts, tables and pictures
   (``blocks.py``). It asks the clock (``clock.py``) how many rows the time budget allows.
3. ``page.py`` renders the sections, and ``write.py`` replaces the file in one step.
"""

from __future__ import annotations

from ceiba.reporting.write import report

__all__ = ["report"]
