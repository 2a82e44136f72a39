"""Sentences for tests of drawings: written by hand, with hostile text, and random."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from crossarc.parser.plugins.drawing.derivation import DrawnDerivation, DrawnStep, Option, Snapshot
from crossarc.parser.plugins.drawing.view import View
from crossarc.parser.treebank import Sentence
from crossarc.parser.treebank.formats import format_of
from crossarc.parser.treebank.tree import Tree
from handmade import any_heads
from hypothesis import strategies as st

__all__ = ["HOSTILE", "Elements", "hearing", "hostile", "parsed_sentences", "sentence", "view", "wrong_derivation"]

HOSTILE = (
    "</script><script>document.title='taken'</script>",
    "<!--<script>",
    "]]>&amp;&lt;",
    "\"'`${1+1}",
    "<img src=x onerror=alert(1)>",
    "\u2028\u0000\ufffe",
    "$title",
    "__proto__",
)
LABELS = ("nsubj", "obj", "root")


class Elements(HTMLParser):
    """Start tags and script contents of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag == "script"
        if self._inside:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts[-1] += data


def sentence(
    forms: Sequence[str],
    heads: Sequence[int],
    deprels: Sequence[str],
    *,
    name: str = "s1",
    extras: Sequence[tuple[int, str]] = (),
) -> Sentence:
    """A CoNLL-U sentence.

    forms, heads, deprels: one value per word.
    name: sentence ID.
    extras: lines of multiword tokens and empty nodes, each with the number of words before it.
    """
    n = len(forms)
    blank = ("_",) * n
    numbers = tuple(str(word) for word in range(1, n + 1))
    tags = tuple("NOUN" if word % 2 else "VERB" for word in range(n))
    columns = (numbers, tuple(forms), blank, tags, blank, blank, tuple(map(str, heads)), tuple(deprels), blank, blank)
    return Sentence(format_of("conllu"), columns, (f"# sent_id = {name}",), tuple(extras), "<test>")


def hostile(extras: Sequence[tuple[int, str]] = ()) -> Sentence:
    """A sentence whose words, labels and name are hostile. extras: see :func:`sentence`."""
    return sentence(HOSTILE, [0, *[1] * (len(HOSTILE) - 1)], HOSTILE, name=HOSTILE[0], extras=extras)


def hearing() -> View:
    """A sentence with a crossing arc, a multiword token and an empty node; its parse has an error of each kind.

    The arc from word 2 to word 4 spans word 3, which does not depend on word 2. Errors: word 4 has head 3 (wrong head),
    word 2 has label obj (wrong label), the full stop has head 5 and label obj (both).
    """
    forms = ["A", "hearing", "is", "scheduled", "today", "."]
    extras = ((1, "2-3\thearing's" + "\t_" * 8), (3, "3.1\tbeing" + "\t_" * 8))
    gold = sentence(forms, [2, 3, 0, 2, 3, 3], ["det", "nsubj", "root", "acl", "advmod", "punct"], extras=extras)
    found = sentence(forms, [2, 3, 0, 3, 3, 5], ["det", "obj", "root", "acl", "advmod", "obj"], extras=extras)
    return View(gold, (found,))


def view(heads: Sequence[int], *parses: Sequence[int], name: str = "s1", number: int = 1) -> View:
    """A view of words w1 to wn.

    heads: gold heads (n + 1).
    parses: heads of each parse (n + 1). All deprels are "x".
    """
    forms = [f"w{word}" for word in range(1, len(heads))]
    made = [sentence(forms, own[1:], ["x"] * len(forms), name=name) for own in (heads, *parses)]
    return View(made[0], tuple(made[1:]), number)


def wrong_derivation() -> DrawnDerivation:
    """A derivation of two words whose second transition is an error."""
    none, one = Tree([-1, -1, -1], ["", "", ""]), Tree([-1, 2, -1], ["", "x", ""])
    steps = (
        DrawnStep("arc-standard", Snapshot((0,), (1, 2), none), "SHIFT", oracle="SHIFT", cost=0),
        DrawnStep(
            "arc-standard",
            Snapshot((0, 1), (2,), none),
            "LEFT-ARC(x)",
            options=(Option("LEFT-ARC(x)", 1.25, 0.75, 2), Option("SHIFT", 1.0, 0.25, 0)),
            reasons=((0.5, "upos(Stack[0]) = <X>"),),
            oracle="SHIFT",
            cost=2,
        ),
        DrawnStep("arc-standard", Snapshot((0,), (2,), one), "SHIFT", by_default=True),
    )
    return DrawnDerivation("model", ["a", "b"], steps, Snapshot((0, 2), (), one), Tree([-1, 0, 1], ["", "root", "x"]))


@st.composite
def parsed_sentences(draw: Any, words: int = 12) -> View:
    """Random trees of up to ``words`` words, each with another random tree as its parse."""
    n = draw(st.integers(1, words))
    forms = [f"w{word}" for word in range(1, n + 1)]
    labels = st.lists(st.sampled_from(LABELS), min_size=n, max_size=n)
    heads = st.integers(0, 10**9).map(lambda seed: any_heads(n, seed)[1:])
    made = [sentence(forms, draw(heads), draw(labels)) for _ in range(2)]
    return View(made[0], (made[1],))
