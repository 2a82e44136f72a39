"""Derivations drawn step by step, for the command that draws trees."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from ..analysis.derivation import deriver
from ..base.errors import CrossarcError
from ..console.options import refuse_overwriting
from ..console.outputs import file_name, plain, short_names, terminal_width, write_text
from ..drawing.derivation import DrawnDerivation
from ..drawing.derivation_page import derivation_page
from ..drawing.derivation_svg import derivation_svgs
from ..drawing.derivation_text import derivation_text
from ..drawing.view import View

__all__ = ["show_derivations"]

MOST_SENTENCES = 200
"""On one page: with a model's reasons each takes some tens of kilobytes."""


def show_derivations(shown: Iterator[View], files: Sequence[str], options: argparse.Namespace) -> None:
    """What ``--derivation`` asks for, as a page, as an SVG file for each step, or as text."""
    if len(files) > 1 or options.tikz:
        found = "--tikz" if options.tikz else f"{len(files)} files"
        raise CrossarcError(f"show: --derivation: found {found}; allowed: one file, as text, --svg or --html")
    derive = [deriver(name) for name in options.derivation]
    derivations = ((view, [own(view.sentence) for own in derive]) for view in shown)
    if options.html:
        refuse_overwriting(options.html, *files)
        named = [(view.sentence.id, own) for view, own in islice(derivations, MOST_SENTENCES)]
        if next(shown, None) is not None:
            raise CrossarcError(
                f"show: --derivation: more than {MOST_SENTENCES} sentences for one page; choose some, e.g. with --id"
            )
        write_text(options.html, derivation_page(named, " · ".join(short_names(options.derivation))))
        return
    for view, drawn in derivations:
        if not options.svg:
            print(f"# {view.sentence.id}")
        for derivation in drawn:
            if options.svg:
                _write_steps(options.svg, view, derivation, files)
            else:
                print(derivation_text(derivation, options.width or terminal_width()), end="\n\n")


def _write_steps(folder: str, view: View, derivation: DrawnDerivation, files: Sequence[str]) -> None:
    """A file for each configuration of a derivation. files: what is read."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for step, picture in enumerate(derivation_svgs(derivation)):
        output = Path(folder) / f"{file_name(view)}-{plain(derivation.name)}-{step:03}.svg"
        refuse_overwriting(output, *files)
        write_text(output, picture)
