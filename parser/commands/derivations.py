"""Derivations drawn step by step, for the command ``show``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

from ..analysis.derivation import Deriver, deriver
from ..base.errors import CrossarcError
from ..console.options import refuse_overwriting
from ..console.outputs import file_name, plain, short_names, terminal_width, write_text
from ..console.streams import warn
from ..drawing.derivation import DrawnDerivation
from ..drawing.derivation_page import derivation_page
from ..drawing.derivation_svg import derivation_svgs
from ..drawing.derivation_text import derivation_text
from ..drawing.tikz import tikz_derivation, tikz_document
from ..drawing.view import View

MOST_SENTENCES = 200
"""Maximum number of sentences in one file; each takes tens of kilobytes if it contains the reasons of a model."""


def derivers(options: argparse.Namespace) -> list[Deriver]:
    """Return the derivers that ``--derivation`` names; CoNLL-2009 input is read with the columns of the first model."""
    found = [deriver(name, warn=cache(warn)) for name in options.derivation]
    options.columns = options.columns or next((own.columns for own in found if own.columns), None)
    return found


def show_derivations(
    shown: Iterator[View], derive: Sequence[Deriver], files: Sequence[str], options: argparse.Namespace
) -> None:
    """Draw derivations as an HTML page, as LaTeX, as one SVG file per step, or as text."""
    if len(files) > 1:
        raise CrossarcError(f"show: --derivation: found {len(files)} files; allowed: one")
    derivations = ((view, [own(view.sentence) for own in derive]) for view in shown)
    if output := options.html or options.tikz:
        refuse_overwriting(output, *files)
        first = list(islice(derivations, MOST_SENTENCES))
        if next(shown, None) is not None:
            raise CrossarcError(
                f"show: --derivation: more than {MOST_SENTENCES} sentences for one file; choose some, e.g. with --id"
            )
        if options.html:
            write_text(output, derivation_page(first, " · ".join(short_names(options.derivation))))
        else:
            steps = [step for _, drawn in first for derivation in drawn for step in tikz_derivation(derivation)]
            write_text(output, tikz_document(steps))
        return
    for view, drawn in derivations:
        if not options.svg:
            print(f"# {view.sentence.id}")
        for derivation in drawn:
            if options.svg:
                _write_steps(options.svg, view, derivation, files)
            else:
                print(derivation_text(derivation, terminal_width()), end="\n\n")


def _write_steps(folder: str, view: View, derivation: DrawnDerivation, files: Sequence[str]) -> None:
    """Write one file per configuration of a derivation.

    files: input files, which must not be overwritten.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    for step, picture in enumerate(derivation_svgs(derivation)):
        output = Path(folder) / f"{file_name(view.number, view.sentence.id)}-{plain(derivation.name)}-{step:03}.svg"
        refuse_overwriting(output, *files)
        write_text(output, picture)
