"""The next sentences to annotate: at random, or by rules that a study compares with random choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ...base.errors import check_names
from ...evaluate.reliability import probabilities_of
from ...treebank import Sentence
from ...treebank.symbols import nfc

ALIKE = 0.8
"""Share of the words of a sentence that another one has, from which on the sentences are nearly the same."""
USUAL_LENGTHS = 5, 95
"""Percentiles of the lengths of sentences between which a sentence is usual."""
ONCE = 2
"""Minimum number of occurrences of a word in the text that the rule ``words`` wants to see annotated."""


def choose(
    sentences: Sequence[Sentence], words: int, rule: str = "random", annotated: Sequence[Sentence] = (), seed: int = 1
) -> list[Sentence]:
    """The next batch to annotate, in the order of the text.

    sentences: the text, parsed with scores for the rules ``uncertain`` and ``varied``.
    words: number of words of the batch; it ends with the sentence that reaches it.
    rule: a key of :data:`RULES`.
    annotated: sentences that are annotated already; sentences with the same words are left out, as are repetitions.
    seed: of the random choice, and of the order among equals.

    Raises CrossarcError for an unknown rule, and for one that needs scores that the sentences lack.
    """
    check_names("rule: found", [rule], RULES)
    known = {_forms(sentence) for sentence in annotated}
    free = []
    for number, sentence in enumerate(sentences):
        if len(sentence) and (forms := _forms(sentence)) not in known:
            known.add(forms)
            free.append(number)
    order = [free[place] for place in np.random.default_rng(seed).permutation(len(free)).tolist()]
    shuffled = [sentences[number] for number in order]
    chosen, total = [], 0
    for place in RULES[rule](shuffled, annotated):
        if total >= words:
            break
        chosen.append(order[place])
        total += len(shuffled[place])
    return [sentences[number] for number in sorted(chosen)]


def _forms(sentence: Sentence) -> tuple[str, ...]:
    return tuple(map(nfc, sentence.column("form")))


def _random(sentences: Sequence[Sentence], annotated: Sequence[Sentence]) -> list[int]:
    return list(range(len(sentences)))


def _uncertain(sentences: Sequence[Sentence], annotated: Sequence[Sentence]) -> list[int]:
    means = [float(np.mean(probabilities_of(sentence))) for sentence in sentences]
    return sorted(range(len(sentences)), key=means.__getitem__)


def _varied(sentences: Sequence[Sentence], annotated: Sequence[Sentence]) -> list[int]:
    """The least certain sentences of usual length, without those that are nearly the same as one chosen before."""
    low, high = np.percentile([len(sentence) for sentence in sentences], USUAL_LENGTHS) if sentences else (0, 0)
    chosen: list[int] = []
    seen: list[set[str]] = []
    late: list[int] = []
    for place in _uncertain(sentences, annotated):
        forms = set(_forms(sentences[place]))
        alike = any(len(forms & other) > ALIKE * len(forms) for other in seen)
        if alike or not low <= len(sentences[place]) <= high:
            late.append(place)
        else:
            chosen.append(place)
            seen.append(forms)
    return chosen + late


def _words(sentences: Sequence[Sentence], annotated: Sequence[Sentence]) -> list[int]:
    """The sentences with the most repeated words of the text, per word, that are not annotated yet; one by one."""
    counts = Counter(form for sentence in sentences for form in _forms(sentence))
    known = {form for sentence in annotated for form in _forms(sentence)}
    wanted = {form: count for form, count in counts.items() if count >= ONCE and form not in known}
    places: dict[str, list[int]] = {form: [] for form in wanted}
    gains = np.zeros(len(sentences))
    lengths = np.array([len(sentence) for sentence in sentences])
    for place, sentence in enumerate(sentences):
        for form in set(_forms(sentence)) & wanted.keys():
            places[form].append(place)
            gains[place] += wanted[form]
    order = []
    for _ in sentences:
        place = int(np.argmax(gains / lengths))
        order.append(place)
        for form in set(_forms(sentences[place])) & wanted.keys():
            gains[places.pop(form)] -= wanted.pop(form)
        gains[place] = -np.inf
    return order


RULES: Mapping[str, Callable[[Sequence[Sentence], Sequence[Sentence]], list[int]]] = {
    "random": _random,
    "uncertain": _uncertain,
    "varied": _varied,
    "words": _words,
}
"""Functions that give the order in which shuffled sentences are taken, from them and those annotated already."""
