"""Templates of pages and of reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from traceback import extract_tb
from typing import Any

from ...parser.base.errors import CrossarcError
from ...parser.base.lazy import needed
from .tables import column, each


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
    except (jinja2.TemplateError, CrossarcError, TypeError) as error:
        places = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == "<template>"]
        line = getattr(error, "lineno", None) or places[-1]
        raise CrossarcError(f"line {line}: {error}") from error
