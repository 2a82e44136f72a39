"""Templates of pages and of reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from traceback import extract_tb
from typing import Any

from ...parser.base.errors import CrossarcError
from ...parser.base.lazy import needed
from .tables import column, each

FAULTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What expressions of templates may raise beside their own errors."""


def check_template(template: Path) -> None:
    """Raise CrossarcError if a template, which may be missing, cannot be read, or if Jinja is not installed."""
    jinja2 = needed("jinja2", "experiment", extra="experiments")
    try:
        jinja2.Environment().parse(template.read_text("utf-8") if template.is_file() else "")
    except jinja2.TemplateSyntaxError as error:
        raise CrossarcError(f"{template}: line {error.lineno}: {error}") from error


def rendered(template: Path, functions: Mapping[str, Callable[..., Any]]) -> str:
    """The text of a template of Jinja.

    functions: those of its expressions, besides ``column`` and ``each`` of :mod:`.tables` and the filter ``digits``.

    Raises CrossarcError with the line of an error.
    """
    jinja2 = needed("jinja2", "experiment", extra="experiments")
    loader = jinja2.FileSystemLoader(template.parent)
    jinja = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, loader=loader)
    jinja.filters["digits"] = lambda value, places=2, sign="": f"{value:{sign}.{places}f}"
    jinja.globals |= {"column": column, "each": each, **functions}
    try:
        return jinja.from_string(template.read_text("utf-8")).render()
    except (jinja2.TemplateError, CrossarcError, *FAULTS) as error:
        places = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == "<template>"]
        line = getattr(error, "lineno", None) or places[-1]
        raise CrossarcError(f"line {line}: {error}") from error
