"""Reports of experiments: the tables that ``tables.yaml`` declares."""

from __future__ import annotations

from crossarc.experiments.harness.registry import tables_folder
from crossarc.experiments.harness.tables import load_specs


def missing_tables(experiment: str, report: str) -> list[str]:
    """The titles of declared tables that a report lacks; a table without figures is left out of the report."""
    specs = load_specs(tables_folder(experiment)).values()
    titles = [spec["title"] for spec in specs if spec.get("report") == experiment]
    assert titles
    return [title for title in titles if f"\n## {title}\n" not in report]
