"""Scores of predicted against gold trees, counted on the parallel arrays of a comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np

from ..base.errors import check_names
from ..treebank.statistics import DEPTHS, LENGTHS
from ..treebank.tree import Tree
from .comparison import Comparison, Ints, Mask, TreeColumns, compare
from .propagation import propagation
from .scores import (
    Accuracy,
    ArcScores,
    ColumnAccuracy,
    Confusion,
    CrossingScores,
    DeprelScores,
    PrecisionRecall,
    Scores,
    SentenceClasses,
    Totals,
)

T = TypeVar("T")
LONGEST_ARC = 15
DEEPEST = 15
LAST_POSITION = 40
SENTENCE_BINS = ("1-10", "11-20", "21-30", "31-40", "41-50", "51-")
LENGTH_BINS = ("root", "1", "2", "3-6", "7-")
CONFUSIONS = 20


def evaluate(
    gold: Sequence[Tree], predicted: Sequence[Tree], *, punctuation: str = "unicode", breakdowns: str = "all"
) -> Scores:
    """Score two parallel corpora.

    punctuation: definition of the tokens that ``no_punct`` leaves out: ``unicode``, ``upos:TAG,…`` or
        ``deprel:LABEL,…``.
    breakdowns: ``all`` or ``no_punct``: the tokens that all tables except the two totals count. Projectivity, depths
        and lengths always come from whole sentences.

    - ``las uas la``: attachment scores; ``lem uem``: exact match of the sentences that have a counted token.
    - ``projective``, ``nonprojective``: precision over arcs of that kind in the predicted tree, recall over those in
      the gold tree (Kuhlmann & Nivre 2010, section 4.3); sentence classes as in :class:`.scores.SentenceClasses`.
    - ``gold_arcs``: accuracy by the projectivity and direction of the gold arc; ``…_left`` has the dependent left of
      its head, arcs from node 0 have no direction (Lacroix & Béchet 2014, section 5.3); ``root``, ``nonroot`` words.
    - ``root``, ``nonroot``: precision and recall of arcs from node 0, and of other arcs (Nilsson 2009, table 7.5).
    - ``by_deprel``, ``by_arc_length`` (position of the dependent minus that of the head: negative is leftwards),
      ``by_arc_length_bin`` (unsigned, the bins of the CoNLL-X scorer) and ``by_depth``: precision by the class of the
      predicted arc, recall by that of the gold arc (Nilsson 2009, section 3.1).
    - ``crossing``: non-projective arcs by deprel, length and depth, with examples; see :class:`.scores.CrossingScores`.
    - ``by_upos`` (gold tags, empty if there are none), ``by_position``, ``by_sentence_length`` (in words).
    - ``confusions``: the most frequent pairs of a gold deprel and a wrong predicted deprel.
    - ``propagation``: :class:`.propagation.Propagation` for las, uas and la, over all tokens.
    - ``columns``: number of tokens with the gold UPOS, XPOS, FEATS and LEMMA, if both corpora have values.

    The ``by_…`` tables leave out classes without any arc or token; undefined percentages are None. Raises CrossarcError
    as :func:`.comparison.compare` does, and for unknown option values.
    """
    return score_comparison(compare(gold, predicted, punctuation), breakdowns=breakdowns)


def score_comparison(comparison: Comparison, *, breakdowns: str = "all") -> Scores:
    """Score an aligned corpus. breakdowns: as in :func:`evaluate`."""
    check_names("breakdowns:", [breakdowns], ["all", "no_punct"])
    c = comparison
    everything = np.ones(len(c.sentence), dtype=np.bool_)
    here = everything if breakdowns == "all" else ~c.punctuation
    labelled = c.token_right("las")
    by_class = partial(_by_class, ArcScores, (c.head_right, labelled), c, here, here)
    by_deprel = partial(_by_class, DeprelScores, (c.head_right, labelled, c.label_right), c, here, here)
    return Scores(
        all=totals(c, everything),
        no_punct=totals(c, ~c.punctuation),
        punctuation=c.punctuation_rule,
        breakdowns=breakdowns,
        projective=_by_sentence_class(c, here, lambda tree: ~tree.nonprojective),
        nonprojective=_by_sentence_class(c, here, lambda tree: tree.nonprojective),
        gold_arcs=_gold_arcs(c, here),
        root=_arcs(c, here & (c.predicted.heads == 0), here & (c.gold.heads == 0)),
        nonroot=_arcs(c, here & (c.predicted.heads != 0), here & (c.gold.heads != 0)),
        by_deprel=dict(sorted(by_deprel(lambda tree: tree.labels, c.labels).items())),
        by_upos=_accuracies(c, here, c.upos, c.tags) if any(c.tags) else {},
        by_arc_length=by_class(lambda tree: _signed_length(tree, c.position), _signed_names()),
        by_arc_length_bin=by_class(lambda tree: _length_bin(tree, c.position), LENGTH_BINS),
        by_depth=by_class(lambda tree: np.minimum(tree.depths, DEEPEST + 1) - 1, _names_up_to(DEEPEST)),
        crossing=_crossing_scores(c, here),
        by_position=_accuracies(c, here, np.minimum(c.position, LAST_POSITION + 1) - 1, _names_up_to(LAST_POSITION)),
        by_sentence_length=_by_sentence_length(c, here),
        confusions=_confusions(c, here),
        propagation={score: propagation(c.token_right(score), c.lengths) for score in ("las", "uas", "la")},
        columns={name: ColumnAccuracy(*_counts(here, here & right)) for name, right in c.columns.items()},
    )


def accuracy(c: Comparison, where: Mask) -> Accuracy:
    """Return the attachment scores of the tokens under the mask, bool[N]."""
    return Accuracy(*_token_counts(c, where))


def totals(c: Comparison, where: Mask) -> Totals:
    """Return attachment scores of the tokens under the mask, bool[N], and exact match of sentences with such tokens."""
    labelled = c.sentence_right("lem", where)
    unlabelled = c.sentence_right("uem", where)
    return Totals(*[*_token_counts(c, where), len(labelled), *_counts(labelled, unlabelled)])


def _counts(*masks: Mask) -> list[int]:
    return [int(np.count_nonzero(mask)) for mask in masks]


def _token_counts(c: Comparison, where: Mask) -> list[int]:
    return _counts(where, *(c.token_right(score) & where for score in ("las", "uas", "la")))


def _arcs(c: Comparison, predicted: Mask, gold: Mask) -> ArcScores:
    unlabelled, labelled = (
        PrecisionRecall(*_counts(predicted, predicted & right, gold, gold & right))
        for right in (c.head_right, c.head_right & c.label_right)
    )
    return ArcScores(unlabelled, labelled)


def _by_sentence_class(c: Comparison, here: Mask, kind: Callable[[TreeColumns], Mask]) -> SentenceClasses:
    crossing = c.sentence_nonprojective()
    predicted, gold = kind(c.predicted) & here, kind(c.gold) & here
    return SentenceClasses(
        all=_arcs(c, predicted, gold),
        projective_sentences=_arcs(c, predicted & ~crossing, gold & ~crossing),
        nonprojective_sentences=_arcs(c, predicted & crossing, gold & crossing),
    )


def _gold_arcs(c: Comparison, here: Mask) -> dict[str, Accuracy]:
    crossing, root = c.gold.nonprojective, c.gold.heads == 0
    left, right = ~root & (c.position < c.gold.heads), ~root & (c.position > c.gold.heads)
    classes = {
        "projective": ~crossing,
        "projective_left": ~crossing & left,
        "projective_right": ~crossing & right,
        "nonprojective": crossing,
        "nonprojective_left": crossing & left,
        "nonprojective_right": crossing & right,
        "root": root,
        "nonroot": ~root,
    }
    return {name: accuracy(c, mask & here) for name, mask in classes.items()}


def _by_class(
    kind: Callable[..., T],
    rights: Sequence[Mask],
    c: Comparison,
    predicted: Mask,
    gold: Mask,
    group: Callable[[TreeColumns], Ints],
    names: Sequence[str],
) -> dict[str, T]:
    """Return the scores of every class that has a token.

    kind: makes the scores of a class from its precision and recall by each of ``rights``.
    predicted, gold: the tokens that count in the predicted and in the gold tree.
    group: returns the number of each token's class in the predicted or in the gold tree.
    """
    sides = ((group(c.predicted), predicted), (group(c.gold), gold))
    columns = []
    for right in rights:
        masks = [(classes, own) for classes, mask in sides for own in (mask, mask & right)]
        counts = [np.bincount(classes[mask], minlength=len(names)) for classes, mask in masks]
        columns.append([PrecisionRecall(*row) for row in np.stack(counts, axis=1).tolist()])
    rows = zip(names, *columns, strict=True)
    return {name: kind(*own) for name, *own in rows if own[0].gold or own[0].predicted}


def _crossing_scores(c: Comparison, here: Mask) -> dict[str, dict[str, CrossingScores]]:
    """Return for "deprel", "length" and "depth" the scores of each class with non-projective arcs, with examples."""
    kinds: dict[str, tuple[Sequence[str], Callable[[TreeColumns], Ints]]] = {
        "deprel": (c.labels, lambda tree: tree.labels),
        "length": (LENGTHS, lambda tree: _class_numbers(np.abs(c.position - tree.heads), LENGTHS)),
        "depth": (DEPTHS, lambda tree: _class_numbers(tree.depths, DEPTHS)),
    }
    predicted, gold = here & c.predicted.nonprojective, here & c.gold.nonprojective
    arcs = partial(_by_class, ArcScores, (c.head_right, c.token_right("las")), c, predicted, gold)
    found = {}
    for kind, (names, group) in kinds.items():
        sides = [(mask & ~c.head_right, group(tree)) for mask, tree in ((gold, c.gold), (predicted, c.predicted))]
        found[kind] = {
            name: CrossingScores(
                own.unlabelled,
                own.labelled,
                *(_first(c, wrong & (own_class == names.index(name))) for wrong, own_class in sides),
            )
            for name, own in arcs(group, names).items()
        }
    found["deprel"] = dict(sorted(found["deprel"].items(), key=lambda item: (-item[1].unlabelled.gold, item[0])))
    return found


def _first(c: Comparison, where: Mask) -> str:
    """Return the first token under the mask as SENTENCE:WORD, or "" if there is none."""
    token = int(np.argmax(where)) if where.any() else None
    return "" if token is None else f"{int(c.sentence[token]) + 1}:{int(c.position[token])}"


def _class_numbers(values: Ints, names: Sequence[str]) -> Ints:
    """Return the number of each value's class; -1 below the first class.

    names: of the classes in rising order: the value, "3-6" for a range, or "7-" for 7 and more.
    """
    least = [int(name.split("-")[0]) for name in names]
    return np.searchsorted(least, values, side="right") - 1


def _accuracies(c: Comparison, here: Mask, group: Ints, names: Sequence[str]) -> dict[str, Accuracy]:
    counts = [
        np.bincount(group[mask & here], minlength=len(names))
        for mask in (here, c.token_right("las"), c.head_right, c.label_right)
    ]
    rows = zip(names, np.stack(counts, axis=1).tolist(), strict=True)
    return {name: Accuracy(*row) for name, row in rows if row[0]}


def _by_sentence_length(c: Comparison, here: Mask) -> dict[str, Totals]:
    bins = _class_numbers(c.lengths, SENTENCE_BINS)[c.sentence]
    rows = ((name, totals(c, here & (bins == number))) for number, name in enumerate(SENTENCE_BINS))
    return {name: row for name, row in rows if row.sentences}


def _confusions(c: Comparison, here: Mask) -> tuple[Confusion, ...]:
    wrong = here & ~c.label_right
    groups = max(len(c.labels), 1)
    pairs, inverse = np.unique(c.gold.labels[wrong] * groups + c.predicted.labels[wrong], return_inverse=True)
    tokens = np.bincount(inverse, minlength=len(pairs))
    heads = np.bincount(inverse[c.head_right[wrong]], minlength=len(pairs))
    rows = [
        Confusion(c.labels[pair // groups], c.labels[pair % groups], number, right)
        for pair, number, right in zip(pairs.tolist(), tokens.tolist(), heads.tolist(), strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: (-row.tokens, row.gold, row.predicted))[:CONFUSIONS])


def _signed_length(tree: TreeColumns, position: Ints) -> Ints:
    """Return the index of each token's arc in :func:`_signed_names`."""
    length = np.clip(position - tree.heads, -LONGEST_ARC - 1, LONGEST_ARC + 1)
    return np.where(tree.heads == 0, 2 * LONGEST_ARC + 3, length + LONGEST_ARC + 1)


def _signed_names() -> list[str]:
    return [f"<-{LONGEST_ARC}", *map(str, range(-LONGEST_ARC, LONGEST_ARC + 1)), f">{LONGEST_ARC}", "root"]


def _length_bin(tree: TreeColumns, position: Ints) -> Ints:
    """Return the index of each token's arc in LENGTH_BINS."""
    return np.where(tree.heads == 0, 0, _class_numbers(np.abs(position - tree.heads), LENGTH_BINS[1:]) + 1)


def _names_up_to(last: int) -> list[str]:
    return [*map(str, range(1, last + 1)), f">{last}"]
