"""Render the sections of a report as one HTML page (jinja2)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from ceiba.errors import MissingDependencyError
from ceiba.reporting.blocks import Section

__all__ = ["check_jinja", "rendered"]


def check_jinja() -> None:
    """Raise MissingDependencyError without jinja2."""
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError(
            "A report needs jinja2, which is not installed. Install it with: "
            "pip install 'ceiba[report]'"
        ) from error


def rendered(title: str, lead: str, sections: Sequence[Section]) -> str:
    """Return the page. It loads nothing: style and pictures are inside."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("ceiba.reporting"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    style = resources.files("ceiba.reporting").joinpath("templates/style.css").read_text("utf-8")
    findings = [
        (finding, section)
        for level in ("warning", "note")
        for section in sections
        for finding in section.findings
        if finding.level == level
    ]
    page = environment.get_template("page.html")
    return page.render(title=title, lead=lead, sections=sections, findings=findings, style=style)
