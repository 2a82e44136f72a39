"""The command that runs experiments."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...parser.commands.options import positive
from ...parser.commands.progress import add_quiet, progress_of
from ...parser.drawing.report_page import Chart, Heading, Part, markdown_parts, report_page
from ...parser.errors import CrossarcError, choices
from .registry import EXPERIMENTS, load_experiment
from .tables import write_text

__all__ = ["describe_experiment", "gather_report", "run_experiment"]


def describe_experiment(parser: argparse.ArgumentParser) -> None:
    """Run an experiment: a published comparison, or one of our own."""
    parser.add_argument("name", help="e.g. kuhlmann-nivre-2010; an unknown one lists all")
    parser.add_argument("--config", help="YAML whose keys win over those of the experiment's own")
    parser.add_argument("--out", help="folder for the results, kept and not computed again (NAME.out)")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="worker processes (1)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="e.g. learner=poly")
    parser.add_argument("--only", action="append", default=[], metavar="TREEBANK", help="run on this treebank only")
    add_quiet(parser)


def run_experiment(options: argparse.Namespace) -> int:
    if options.name not in EXPERIMENTS:
        raise CrossarcError(f"experiment {choices(options.name, EXPERIMENTS)}")
    options.out = options.out or f"{options.name}.out"
    with progress_of(options) as options.progress:
        status = load_experiment(options.name)(options)
    gather_report(options.name, Path(options.out))
    return status


def gather_report(name: str, folder: Path) -> None:
    """Put ``report.md`` and the charts of a folder on one page, ``report.html``, if there is a report."""
    report = folder / "report.md"
    if not report.is_file():
        return
    charts = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.svg"))}
    text = report.read_text("utf-8")
    shown = [Chart(svg, chart.removesuffix(".svg")) for chart, svg in charts.items() if f"({chart})" not in text]
    more: list[Part] = [Heading(2, "Further charts"), *shown] if shown else []
    write_text(folder, "report.html", report_page(name, [*markdown_parts(text, charts), *more]))
