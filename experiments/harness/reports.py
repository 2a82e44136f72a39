"""The report of a run: a template whose tables have the figures of the run.

    {{ section("Table 4: performance", "table-4", "{treebank}/performance/{parser}/{score}", ..., note="All tokens.") }}
    {{ chart("{treebank}-las", "{treebank}/{parser}/las", ..., x="LAS on {treebank}") }}

A section has a heading, a note, and a table as on a page (:mod:`.tables`), which is also written as CSV and for LaTeX.
Sections and charts without figures are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .charts import Chart, charts_of
from .results import explained, write_text
from .tables import Table, TableMaker
from .templates import rendered


@dataclass(frozen=True, slots=True)
class Report:
    """Writes the tables and charts of a report.

    folder: of the run's output.
    maker: makes tables from the figures of the run.
    tables: of the sections.
    empty: titles of the sections that are left out.
    """

    folder: Path
    maker: TableMaker
    tables: list[Table] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)

    def render(self, template: Path) -> str:
        """The text of the report behind its beginning; "" without a template.

        Raises CrossarcError for an invalid template.
        """
        if not template.is_file():
            return ""
        text = rendered(template, {"section": self.section, "chart": self.chart})
        return re.sub(r"\n{3,}", "\n\n", text).strip()

    def section(self, title: str, name: str, *arguments: Any, note: str = "", **more: Any) -> str:
        """A heading, a note, and a table. arguments, more: of :meth:`.TableMaker.make`."""
        table = self.maker.make(*arguments, **more)
        if not table.rows:
            self.empty.append(title)
            return ""
        self.tables.append(table)
        for suffix, text in (("csv", table.csv()), ("tex", table.latex(title))):
            write_text(self.folder / "tables", f"{name}.{suffix}", text)
        return "\n\n".join(filter(None, [f"## {title}", note, table.markdown().rstrip("\n")]))

    def chart(self, name: str, *arguments: Any, **more: Any) -> str:
        """Links to the charts of a table. more: also arguments of :class:`.Chart`."""
        chart = Chart(**{key: more.pop(key) for key in Chart.__slots__ if key in more})
        charts = charts_of(name, self.maker.make(*arguments, **more, whole=True), chart)
        for file, svg in charts.items():
            write_text(self.folder, file, svg)
        return "\n\n".join(f"![{file.removesuffix('.svg')}]({file})" for file in charts)

    def meanings(self) -> str:
        """The section that explains the headings of the tables."""
        return explained(heading for table in self.tables for heading in (*table.left, *table.columns.values()))
