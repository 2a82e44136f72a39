"""Reports of experiments: the tables that ``tables.yaml`` promises."""

from __future__ import annotations

from crossarc.experiments.harness.registry import tables_folder
from crossarc.experiments.harness.tables import load_specs


def missing_tables(experiment: str, report: str) -> list[str]:
    """The tables of an experiment that a report does not have: figures that are missing leave a table out."""
    specs = load_specs(tables_folder(experiment)).values()
    titles = [spec["title"] for spec in specs if spec.get("report") == experiment]
    assert titles
    return [title for title in titles if f"\n## {title}\n" not in report]
