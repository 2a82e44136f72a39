"""Scores of predicted against gold trees, counted on the parallel arrays of a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import compress
from typing import TypeVar

import numpy as np

from ..base.errors import check_names
from ..treebank.statistics import DEPTHS, LENGTHS
from .comparison import Comparison, Ints, Mask, TreeColumns
from .scores import (
    Accuracy,
    ArcScores,
    ColumnAccuracy,
    Confusion,
    CrossingScores,
    DeprelScores,
    ErrorRate,
    PrecisionRecall,
    Propagation,
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


def score_comparison(comparison: Comparison, *, breakdowns: str = "all") -> Scores:
    """Score an aligned corpus.

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
    - ``propagation``: :class:`.scores.Propagation` for las, uas and la, over all tokens.
    - ``columns``: number of tokens with the gold UPOS, XPOS, FEATS and LEMMA, if both corpora have values.

    The ``by_…`` tables leave out classes without any arc or token; undefined percentages are None. Raises CrossarcError
    for other values of ``breakdowns``.
    """
    check_names("breakdowns:", [breakdowns], ["all", "no_punct"])
    c = comparison
    everything = np.ones(len(c.sentence), dtype=np.bool_)
    here = everything if breakdowns == "all" else ~c.punctuation
    by_class = partial(_by_class, _arcs, c, here, here)
    return Scores(
        all=_totals(c, everything),
        no_punct=_totals(c, ~c.punctuation),
        punctuation=c.punctuation_rule,
        breakdowns=breakdowns,
        projective=_by_sentence_class(c, here, lambda tree: ~tree.nonprojective),
        nonprojective=_by_sentence_class(c, here, lambda tree: tree.nonprojective),
        gold_arcs=_gold_arcs(c, here),
        root=_arcs(c, here & (c.predicted.heads == 0), here & (c.gold.heads == 0)),
        nonroot=_arcs(c, here & (c.predicted.heads != 0), here & (c.gold.heads != 0)),
        by_deprel=dict(sorted(_by_class(_deprel_scores, c, here, here, lambda tree: tree.labels, c.labels).items())),
        by_upos=_by_group(_accuracy, c, here, c.upos, c.tags) if any(c.tags) else {},
        by_arc_length=by_class(lambda tree: _signed_length(tree, c.position), _signed_names()),
        by_arc_length_bin=by_class(lambda tree: _length_bin(tree, c.position), LENGTH_BINS),
        by_depth=by_class(lambda tree: np.minimum(tree.depths, DEEPEST + 1) - 1, _names_up_to(DEEPEST)),
        crossing=_crossing_scores(c, here),
        by_position=_by_group(
            _accuracy, c, here, np.minimum(c.position - 1, LAST_POSITION), _names_up_to(LAST_POSITION)
        ),
        by_sentence_length=_by_group(
            _totals, c, here, _class_numbers(c.lengths, SENTENCE_BINS)[c.sentence], SENTENCE_BINS
        ),
        confusions=_confusions(c, here),
        propagation={score: propagation(c.token_right(score), c.lengths) for score in ("las", "uas", "la")},
        columns={name: ColumnAccuracy(*_counts(here, here & right)) for name, right in c.columns.items()},
    )


def _accuracy(c: Comparison, where: Mask) -> Accuracy:
    return Accuracy(*_token_counts(c, where))


def _totals(c: Comparison, where: Mask) -> Totals:
    labelled = c.sentence_right("lem", where)
    unlabelled = c.sentence_right("uem", where)
    return Totals(*[*_token_counts(c, where), len(labelled), *_counts(labelled, unlabelled)])


def _counts(*masks: Mask) -> list[int]:
    return [int(np.count_nonzero(mask)) for mask in masks]


def _token_counts(c: Comparison, where: Mask) -> list[int]:
    return _counts(where, *(c.token_right(score) & where for score in ("las", "uas", "la")))


def _by_group(
    scores: Callable[[Comparison, Mask], T], c: Comparison, here: Mask, group: Ints, names: Sequence[str]
) -> dict[str, T]:
    """Return the scores of every class that has a token. group: the number of each token's class in ``names``."""
    masks = ((name, here & (group == number)) for number, name in enumerate(names))
    return {name: scores(c, mask) for name, mask in masks if mask.any()}


def _by_class(
    scores: Callable[[Comparison, Mask, Mask], T],
    c: Comparison,
    predicted: Mask,
    gold: Mask,
    group: Callable[[TreeColumns], Ints],
    names: Sequence[str],
) -> dict[str, T]:
    """Return the scores of every class that has an arc.

    predicted, gold: the tokens whose arcs count in the predicted and in the gold tree.
    group: returns the number of each token's class in one of the trees.
    """
    groups = group(c.predicted), group(c.gold)
    masks = ((name, predicted & (groups[0] == kind), gold & (groups[1] == kind)) for kind, name in enumerate(names))
    return {name: scores(c, *sides) for name, *sides in masks if sides[0].any() or sides[1].any()}


def _rates(predicted: Mask, gold: Mask, right: Mask) -> PrecisionRecall:
    return PrecisionRecall(*_counts(predicted, predicted & right, gold, gold & right))


def _arcs(c: Comparison, predicted: Mask, gold: Mask) -> ArcScores:
    return ArcScores(_rates(predicted, gold, c.head_right), _rates(predicted, gold, c.token_right("las")))


def _deprel_scores(c: Comparison, predicted: Mask, gold: Mask) -> DeprelScores:
    return DeprelScores(*(_rates(predicted, gold, c.token_right(score)) for score in ("uas", "las", "la")))


def _crossing_arcs(c: Comparison, predicted: Mask, gold: Mask) -> CrossingScores:
    arcs = _arcs(c, predicted, gold)
    examples = (_first(c, side & ~c.head_right) for side in (gold, predicted))
    return CrossingScores(arcs.unlabelled, arcs.labelled, *examples)


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
    return {name: _accuracy(c, mask & here) for name, mask in classes.items()}


def _crossing_scores(c: Comparison, here: Mask) -> dict[str, dict[str, CrossingScores]]:
    """Return for "deprel", "length" and "depth" the scores of each class with non-projective arcs, with examples."""
    by_class = partial(_by_class, _crossing_arcs, c, here & c.predicted.nonprojective, here & c.gold.nonprojective)
    deprels = by_class(lambda tree: tree.labels, c.labels)
    return {
        "deprel": dict(sorted(deprels.items(), key=lambda item: (-item[1].unlabelled.gold, item[0]))),
        "length": by_class(lambda tree: _class_numbers(np.abs(c.position - tree.heads), LENGTHS), LENGTHS),
        "depth": by_class(lambda tree: _class_numbers(tree.depths, DEPTHS), DEPTHS),
    }


def _first(c: Comparison, where: Mask) -> str:
    """Return the first token under the mask as SENTENCE:WORD, or "" if there is none."""
    token = int(np.argmax(where)) if where.any() else None
    if token is None:
        return ""
    return f"{int(c.sentence[token]) % (c.in_file or len(c.lengths)) + 1}:{int(c.position[token])}"


def _class_numbers(values: Ints, names: Sequence[str]) -> Ints:
    """Return the number of each value's class; -1 below the first class.

    names: of the classes in rising order: the value, "3-6" for a range, or "7-" for 7 and more.
    """
    least = [int(name.split("-")[0]) for name in names]
    return np.searchsorted(least, values, side="right") - 1


def _confusions(c: Comparison, here: Mask) -> tuple[Confusion, ...]:
    wrong = here & ~c.label_right
    pairs = list(zip(c.gold.labels[wrong].tolist(), c.predicted.labels[wrong].tolist(), strict=True))
    heads = Counter(compress(pairs, c.head_right[wrong].tolist()))
    rows = [
        Confusion(c.labels[pair[0]], c.labels[pair[1]], number, heads[pair]) for pair, number in Counter(pairs).items()
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


def propagation(right: Mask, lengths: Ints, steps: int = 7) -> Propagation:
    """Compute Pre, Post and error clustering of a corpus.

    right: bool[N], whether each token is parsed correctly.
    lengths: int64[S], number of words of each sentence; their sum is N.
    steps: number of clusters before the last one, ``>steps`` (default: 7, as in the thesis).
    """
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    index = np.arange(len(right), dtype=np.int64)
    latest = np.maximum.accumulate(np.where(right, -1, index), dtype=np.int64)
    before = np.concatenate(([-1], latest[:-1])) if len(right) else latest
    clean = before < starts
    distance = np.minimum(index - np.maximum(before, starts - 1), steps + 1)
    tokens = np.bincount(distance, minlength=steps + 2)
    errors = np.bincount(distance[~right], minlength=steps + 2)
    return Propagation(
        total=_rate(~right, np.ones(len(right), dtype=np.bool_)),
        pre=_rate(~right, clean),
        post=_rate(~right, ~clean),
        clusters=tuple(ErrorRate(int(errors[k]), int(tokens[k])) for k in range(1, steps + 2)),
    )


def _rate(wrong: Mask, where: Mask) -> ErrorRate:
    return ErrorRate(int(np.count_nonzero(wrong & where)), int(np.count_nonzero(where)))
