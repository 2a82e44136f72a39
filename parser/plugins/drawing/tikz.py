"""Trees as TikZ for papers, with the LaTeX package tikz-dependency."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...base.latex import SPECIAL
from .arcs import Arc, ArcFault, arcs_of, levels
from .derivation import DrawnDerivation
from .layout import GAP, SIZE, lay_out
from .word_line import MultiwordToken, WordLine, right_to_left

PRINTED = {
    **SPECIAL,
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "↘": r"$\searrow$",
    "↙": r"$\swarrow$",
}
SYMBOLS = {"λ": r"$\lambda$", "θ": r"$\theta$"}
"""Letters in the names of lists of nodes."""
LIGATURE = re.compile(r"([-,'])(?=\1)")
"""The first of two signs that fonts would print as another sign."""
LAST_LATIN = 0x17F
"""Last letter of the block Latin Extended-A; pdflatex has these with T1 fonts."""
LEAST_SPACE = 0.05
"""Minimum further space between two words, in em."""
LEVEL = 4
"""Height of an arc next to the words, in ex."""
STYLES = (
    r"\depstyle{crossing}{edge style={blue!70!black, densely dashed}, label style={text=blue!70!black}}",
    r"\depstyle{wrong head}{edge style={red!80!black, very thick}, label style={text=red!80!black}}",
    r"\depstyle{wrong label}{label style={draw=red!80!black, text=red!80!black}}",
    r"\depstyle{wrong both}{edge style={red!80!black, very thick}, label style={draw=red!80!black, text=red!80!black}}",
)


def tikz_tree(line: WordLine, arcs: Sequence[Arc], notes: Sequence[str] = ()) -> str:
    """Return one ``dependency`` environment, with the styles of :func:`tikz_document`.

    notes: lines below the tree, in LaTeX.

    The first word is on the right in scripts that run from right to left. Empty nodes are left out; multiword tokens
    are groups.
    """
    if line.right_to_left:
        line, arcs = _mirrored(line, arcs)
    first, *below_words = [list(map(_cell, row)) for row in (line.forms, *line.below)]
    spaced = "".join(f" {between} {cell}" for between, cell in zip(_separators(line, arcs), first[1:], strict=True))
    rows = [f"{first[0]}{spaced}" if first else "", *(r" \& ".join(row) for row in below_words)]
    cells = [f"  {row} " + r"\\" for row in rows]
    edges = [_edge(arc, level) for arc, level in zip(arcs, levels(arcs, len(line.forms)), strict=True)]
    groups = [
        rf"\wordgroup{{1}}{{{token.first}}}{{{token.last}}}{{token{token.first}}} % {_one_line(token.form)}"
        for token in line.multiword
    ]
    lines = r" \\ ".join(notes)
    below = [rf"\node [anchor=north west, align=left] at (\matrixref.south west) {{{lines}}};"] if notes else []
    return "\n".join(
        [
            r"\begin{dependency}",
            r"\begin{deptext}[column sep=1em]",
            *cells,
            r"\end{deptext}",
            *edges,
            *groups,
            *below,
            r"\end{dependency}",
        ]
    )


def tikz_derivation(derivation: DrawnDerivation) -> list[str]:
    """Return one tree per configuration: its arcs, and below them the last transition and the lists of nodes."""
    trees = []
    for count in range(len(derivation.steps) + 1):
        snapshot = derivation.snapshot(count)
        lists = [(name, list(map(derivation.form, nodes))) for name, nodes in snapshot.lists()]
        if snapshot.waiting:
            lists.append(("θ", [f"{derivation.form(node)}:{label}" for node, label in snapshot.waiting]))
        notes = [_cell(derivation.heading(count))]
        for name, words in lists:
            printed = "".join(SYMBOLS.get(letter, letter) for letter in name)
            notes.append(f"{printed}: {_escaped(' '.join(words))}")
        line = WordLine(derivation.forms, right_to_left=right_to_left(derivation.forms))
        trees.append(tikz_tree(line, arcs_of(snapshot.tree), notes))
    return trees


def tikz_document(trees: Sequence[str]) -> str:
    """Return a complete LaTeX file with one page per tree. Papers can copy its preamble.

    pdflatex has no letters beyond Latin ones. A comment then names lualatex, with a font that has the script.
    """
    fonts = [r"\usepackage[T1]{fontenc}"]
    if any(ord(character) > LAST_LATIN and character.isalpha() for tree in trees for character in tree):
        fonts = [
            "% compile with lualatex; replace the font by one that has the letters of this script",
            r"\usepackage{fontspec}",
            r"\setmainfont{Noto Serif}",
        ]
    head = [r"\documentclass[tikz]{standalone}", *fonts, r"\usepackage{tikz-dependency}", *STYLES]
    return "\n".join([*head, r"\begin{document}", *trees, r"\end{document}", ""])


def _mirrored(line: WordLine, arcs: Sequence[Arc]) -> tuple[WordLine, list[Arc]]:
    """Words and arcs in reverse order."""
    after = len(line.forms) + 1
    multiword = [MultiwordToken(after - token.last, after - token.first, token.form) for token in line.multiword]
    words = replace(line, forms=line.forms[::-1], below=[row[::-1] for row in line.below], multiword=multiword)
    return words, [arc._replace(head=arc.head and after - arc.head, dependent=after - arc.dependent) for arc in arcs]


def _separators(line: WordLine, arcs: Sequence[Arc]) -> list[str]:
    """Return the separators of the words, with further space where the labels of arcs need it."""
    layout = lay_out(replace(line, empty=(), right_to_left=False), arcs)
    right = [middle + half for middle, half in zip(layout.middles, layout.halves, strict=True)]
    left = [middle - half for middle, half in zip(layout.middles, layout.halves, strict=True)]
    more = [(start - end - GAP) / SIZE for end, start in zip(right, left[1:], strict=False)]
    return [rf"\&[{space:.1f}em]" if space > LEAST_SPACE else r"\&" for space in more]


def _edge(arc: Arc, level: int) -> str:
    names = [f"edge height={LEVEL * level}ex", *["crossing"] * arc.crossing]
    names += [arc.fault.value.replace("-", " ")] * (arc.fault is not ArcFault.NONE)
    options, label = ", ".join(names), _escaped(arc.deprel)
    if arc.head == 0:
        return rf"\deproot[{options}]{{{arc.dependent}}}{{{label}}}"
    return rf"\depedge[{options}]{{{arc.head}}}{{{arc.dependent}}}{{{label}}}"


def _escaped(content: str) -> str:
    printed = "".join(PRINTED.get(character, character) for character in _one_line(content))
    return LIGATURE.sub(r"\1{}", printed)


def _cell(content: str) -> str:
    """A text that follows ``\\&`` or two backslashes, to which a star or bracket at its beginning would belong."""
    return ("{}" if content.startswith(("*", "[")) else "") + _escaped(content)


def _one_line(content: str) -> str:
    return " ".join(content.split())
