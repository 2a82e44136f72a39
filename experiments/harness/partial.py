"""The report of an interrupted experiment, with its finished parts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ...parser.base.errors import CrossarcError
from .experiment import run_declared
from .results import write_report
from .runner import UnfinishedError
from .settings import load_settings
from .tables import markdown_table

FIGURES = 6
"""Of a result, how many figures a report shows where no treebank is complete."""


def write_partial_report(name: str, options: argparse.Namespace, stopped: UnfinishedError) -> None:
    """Write the report of the treebanks whose cells are all finished; without any, of the finished cells.

    options: those of the run. Nothing is computed: the experiment runs again on what is kept.
    """
    settings = load_settings(name, options.config, options.set, options.only, options.out)
    count = f"{len(stopped.finished)} of {len(stopped.finished) + len(stopped.waiting)} cells"
    finished = f"**Interrupted**: {count} are finished."
    rest = f"The rest is computed by `{settings.command}`."
    listed = [entry.name for entry in settings.treebanks]
    complete = _without(listed, stopped.waiting)
    while complete:
        missing = [entry for entry in listed if entry not in complete]
        left = f"The tables are of {', '.join(complete)}, whose cells are all finished; missing: {', '.join(missing)}."
        again = {**vars(options), "only": complete, "jobs": 0, "progress": lambda line: None}
        try:
            run_declared(name, argparse.Namespace(**again), f"{finished} {left} {rest}")
            return
        except UnfinishedError as later:  # cells that depend on the results of others
            fewer = _without(complete, later.waiting)
            complete = fewer if len(fewer) < len(complete) else []
        except CrossarcError:
            break
    note = f"{finished} No treebank is complete. {rest}"
    write_report(Path(options.out), name, [f"# {name}", "", note, "", _finished_table(stopped).rstrip("\n")])


def _without(listed: Sequence[str], waiting: Sequence[str]) -> list[str]:
    """The treebanks that no waiting cell is about."""
    return [name for name in listed if not any(name in cell for cell in waiting)]


def _finished_table(stopped: UnfinishedError) -> str:
    """The finished cells with the first figures of their results."""
    rows = []
    for name, result in stopped.finished.items():
        numbers = result.items() if isinstance(result, dict) else ()
        shown = [
            f"{key} {own:.2f}" if isinstance(own, float) else f"{key} {own}"
            for key, own in numbers
            if isinstance(own, int | float) and not isinstance(own, bool)
        ]
        rows.append([name, ", ".join(shown[:FIGURES])])
    return markdown_table(["finished cell", "figures"], rows, left=2)
