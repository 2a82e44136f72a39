"""Display of sentences, treebanks and parsers in notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice

from ...base.errors import CrossarcError
from ...treebank import Sentence, Treebank
from ...treebank.pairs import pair_sentences, read_tree
from ..drawing.arcs import arcs_against, arcs_of
from ..drawing.tree_svg import tree_svg, trees_svg
from ..drawing.word_line import word_line

SHOWN = 5
"""Number of sentences of a treebank that are drawn."""


def sentence_svg(sentence: Sentence) -> str:
    """Draw the words with their parts of speech and the arcs above them; words only if there is no valid tree."""
    try:
        arcs = arcs_of(read_tree(sentence, partial=True))
    except CrossarcError:
        arcs = []
    return tree_svg(word_line(sentence), arcs, sentence.id)


def sentence_html(sentence: Sentence) -> str:
    """Return the drawing in a frame that scrolls if the drawing is wider than the page."""
    return f'<div style="overflow-x: auto">{sentence_svg(sentence)}</div>'


def treebank_html(treebank: Treebank) -> str:
    """Return the size of a treebank and its first sentences."""
    facts = f"<p>{escape(treebank.path)}: {len(treebank)} sentences, {treebank.words} words</p>"
    drawn: Sequence[str] = [sentence_html(sentence) for sentence in islice(treebank, SHOWN)]
    rest = len(treebank) - len(drawn)
    return "".join([facts, *drawn, f"<p>and {rest} more</p>" if rest > 0 else ""])


@dataclass(frozen=True)
class Beside:
    """A gold tree and parsed trees of the same words, one below the other; wrong arcs are marked. Notebooks draw it."""

    gold: Sentence
    parsed: tuple[Sentence, ...]

    def _repr_svg_(self) -> str:
        line = word_line(self.gold)
        right = read_tree(self.gold)
        trees = [("gold", line, arcs_of(right))]
        trees += [("parsed", word_line(sentence), arcs_against(right, read_tree(sentence))) for sentence in self.parsed]
        return trees_svg(trees, self.gold.id)

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{self._repr_svg_()}</div>'


def beside(gold: Sentence, *parsed: Sentence) -> Beside:
    """The trees of the same sentence for a notebook. Raises CrossarcError for different words and invalid trees.

    >>> import crossarc
    >>> sentence = next(iter(crossarc.read_sentences("test.conllu")))
    >>> crossarc.beside(sentence, sentence)._repr_svg_().startswith("<svg")
    True
    """
    for sentence in parsed:
        for _ in pair_sentences([gold], [sentence]):
            read_tree(sentence)
    read_tree(gold)
    return Beside(gold, parsed)
