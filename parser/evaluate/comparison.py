"""Aligned gold and predicted trees of a corpus, as parallel arrays over all tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...transitions.trees import nonprojective_arcs
from ..base.data_warnings import warn
from ..base.errors import CrossarcError, check_names, choices
from ..treebank.sentence import is_punctuation
from ..treebank.symbols import EMPTY, nfc
from ..treebank.tree import Tree, flat_trees, numbered

Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]

SCORES = ("las", "uas", "la", "lem", "uem")
COLUMNS = ("upos", "xpos", "feats", "lemma")
"""Columns whose values are compared if both files have them."""
EVERY_WORD = ("upos", "xpos", "lemma")
"""Those of which every word of an annotated sentence has a value."""


@dataclass(frozen=True, slots=True)
class TreeColumns:
    """The gold or the predicted trees of a comparison, as arrays over N tokens.

    heads: int64.
    labels: int64 indices into ``Comparison.labels``.
    nonprojective: bool, whether the token's incoming arc is non-projective (Kuhlmann & Nivre 2010, section 2.1).
    depths: int64, number of arcs from node 0.
    """

    heads: Ints
    labels: Ints
    nonprojective: Mask
    depths: Ints


@dataclass(frozen=True, slots=True)
class Comparison:
    """An aligned gold and predicted corpus: N tokens in S sentences.

    lengths: int64[S], number of words.
    sentence: int64[N], number of the token's sentence, from 0.
    position: int64[N], number of the token in its sentence, from 1.
    upos: int64[N] indices into ``tags``, the gold tags.
    punctuation: bool[N], by ``punctuation_rule``, the definition that :func:`compare` was given.
    head_right, label_right: bool[N], whether the predicted head and label are right.
    columns: for each of :data:`COLUMNS` with values in both corpora, bool[N]: whether the predicted value is right.
    in_file: number of sentences of the gold file, which repeat if several runs are compared (0: they do not).
    """

    lengths: Ints
    sentence: Ints
    position: Ints
    labels: tuple[str, ...]
    tags: tuple[str, ...]
    upos: Ints
    punctuation_rule: str
    punctuation: Mask
    gold: TreeColumns
    predicted: TreeColumns
    head_right: Mask
    label_right: Mask
    columns: Mapping[str, Mask]
    in_file: int = 0

    def token_right(self, score: str) -> Mask:
        """Return bool[N]: whether each token is right.

        score: ``las`` (head and label), ``uas`` (head) or ``la`` (label).
        """
        check_names("token score", [score], ["las", "uas", "la"])
        masks = {"las": self.head_right & self.label_right, "uas": self.head_right, "la": self.label_right}
        return masks[score]

    def sentence_right(self, score: str, counted: Mask | None = None) -> Mask:
        """Return for each sentence with a counted token whether all its counted tokens are right.

        score: ``lem`` (heads and labels) or ``uem`` (heads).
        counted: bool[N], the counted tokens (default: all).

        Sentences without a counted token are left out, so that the result may be shorter than S.
        """
        check_names("sentence score", [score], ["lem", "uem"])
        wrong = ~self.token_right("las" if score == "lem" else "uas")
        here = np.ones_like(wrong) if counted is None else counted
        tokens = np.bincount(self.sentence[here], minlength=len(self.lengths))
        errors = np.bincount(self.sentence[here & wrong], minlength=len(self.lengths))
        return (errors == 0)[tokens > 0]

    def sentence_nonprojective(self) -> Mask:
        """Return bool[N]: whether the gold tree of the token's sentence is non-projective."""
        crossing = np.bincount(self.sentence[self.gold.nonprojective], minlength=len(self.lengths)) > 0
        return crossing[self.sentence]


def compare(gold: Sequence[Tree], predicted: Sequence[Tree], punctuation: str = "unicode") -> Comparison:
    """Align the words of gold and predicted trees.

    gold: trees with the column ``form``, and with ``upos`` where the tags are known, as from
        :func:`~.align.scored_tree`.
    predicted: trees of the same words, in the same order.
    punctuation: which words are punctuation, as in :func:`punctuation_mask`.

    Raises CrossarcError if the gold trees lack the tags that define punctuation.
    """
    both = flat_trees([*gold, *predicted])
    lengths, _ = np.split(both.lengths, 2)
    heads, labels = np.split(both.heads, 2), np.split(both.labels, 2)
    sentence = np.repeat(np.arange(len(gold), dtype=np.int64), lengths)
    position = np.arange(len(sentence), dtype=np.int64) - (np.cumsum(lengths) - lengths)[sentence] + 1
    forms = list(chain.from_iterable(tree.columns["form"] for tree in gold))
    tags = list(chain.from_iterable(tree.columns.get("upos") or [""] * (len(tree.heads) - 1) for tree in gold))
    deprels = list(chain.from_iterable(tree.deprels[1:] for tree in gold))
    marks = punctuation_mask(punctuation, forms, tags, deprels)
    untagged = [EMPTY.issuperset(tree.columns.get("upos", ())) and len(tree.heads) > 1 for tree in gold]
    if punctuation.startswith("upos:") and any(untagged):
        which = "the gold sentences have" if all(untagged) else f"gold sentence {untagged.index(True) + 1} has"
        raise CrossarcError(f"punctuation {punctuation!r} needs tags, and {which} none")
    if punctuation != "unicode" and forms and not any(marks):
        warn(f"no gold word is punctuation by {punctuation!r}")
    upos, tag_names = numbered(tags)
    left = _columns(gold, heads[0], labels[0], position)
    right = _columns(predicted, heads[1], labels[1], position)
    return Comparison(
        lengths=lengths,
        sentence=sentence,
        position=position,
        labels=tuple(both.names),
        tags=tag_names,
        upos=upos,
        punctuation_rule=punctuation,
        punctuation=np.array(marks, dtype=np.bool_),
        gold=left,
        predicted=right,
        head_right=left.heads == right.heads,
        label_right=left.labels == right.labels,
        columns=_compared_columns(gold, predicted),
    )


def _compared_columns(gold: Sequence[Tree], predicted: Sequence[Tree]) -> dict[str, Mask]:
    same_columns = {}
    for name in COLUMNS:
        if all(name in tree.columns for side in (gold, predicted) for tree in side):
            left, right = (list(chain.from_iterable(tree.columns[name] for tree in side)) for side in (gold, predicted))
            if len(left) == len(right) and all(any(value != "_" for value in side) for side in (left, right)):
                same = _same_features if name == "feats" else _same_text
                same_columns[name] = np.fromiter(map(same, left, right), np.bool_, len(left))
                if name in EVERY_WORD:
                    _warn_of_open_sentences(name, gold, predicted)
    return same_columns


def _warn_of_open_sentences(name: str, gold: Sequence[Tree], predicted: Sequence[Tree]) -> None:
    """Warn of gold sentences without any value in a column, although the predicted ones have some."""
    is_open = [len(tree.columns[name]) and set(tree.columns[name]) == {"_"} for tree in gold]
    number = sum(set(tree.columns[name]) != {"_"} for tree in compress(predicted, is_open))
    if number:
        told = f"{number} gold sentence{'s have' if number > 1 else ' has'} no {name.upper()}"
        warn(f"{told}: the predicted values count as wrong")


def _same_text(value: str, other: str) -> bool:
    """Whether two texts are equal, composed or decomposed (Unicode NFC)."""
    return value == other or nfc(value) == nfc(other)


def _same_features(value: str, other: str) -> bool:
    """Return whether two values of FEATS are equal, ignoring the order of features."""
    return value == other or ("|" in value and sorted(value.split("|")) == sorted(other.split("|")))


def _columns(trees: Sequence[Tree], heads: Ints, labels: Ints, position: Ints) -> TreeColumns:
    crossing = list(chain.from_iterable(nonprojective_arcs(tree.heads)[1:] for tree in trees))
    return TreeColumns(heads, labels, np.array(crossing, dtype=np.bool_), _depths(heads, position))


def _depths(heads: Ints, position: Ints) -> Ints:
    """Return the depth of each token.

    Each round doubles the number of ancestors followed, so that log n rounds suffice.
    """
    positions = np.arange(1, len(heads) + 1, dtype=np.int64)
    top = np.concatenate(([0], np.where(heads == 0, 0, positions - position + heads)))
    distance = np.minimum(np.arange(len(heads) + 1), 1)
    longest = int(position.max(initial=0))
    for _ in range(longest.bit_length()):
        distance = distance + distance[top]
        top = top[top]
    return distance[1:]


def punctuation_mask(definition: str, forms: Sequence[str], upos: Sequence[str], deprels: Sequence[str]) -> list[bool]:
    """Return for each token whether it is punctuation.

    definition: ``unicode`` (see :func:`is_punctuation`), ``upos:TAG,TAG…`` or ``deprel:LABEL,LABEL…``.
    forms, upos, deprels: forms, gold tags and gold labels of the tokens, of equal length.

    Raises CrossarcError for any other definition.
    """
    if not isinstance(definition, str):
        raise CrossarcError(f"punctuation: found {type(definition).__name__}, expected text")
    kind, colon, listed = definition.partition(":")
    values = frozenset(filter(None, listed.split(",")))
    if kind == "unicode" and not colon:
        verdicts = {form: is_punctuation(form) for form in set(forms)}
        return [verdicts[form] for form in forms]
    if kind in ("upos", "deprel") and values:
        return [value in values for value in (upos if kind == "upos" else deprels)]
    raise CrossarcError(f"punctuation: {choices(definition, ['unicode', 'upos:TAG,...', 'deprel:LABEL,...'])}")
