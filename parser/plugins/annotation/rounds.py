"""Rounds of annotation: what a person has decided, what the parser had proposed, and what was learned from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ...config.config import AUTO
from ...evaluate.align import score_decided
from ...training.partial import decided_words, only_decided
from ...treebank import TAGGED, Sentence
from ...treebank.sentence import misc_entries, without_scores
from ...treebank.symbols import nfc
from .keep import EMPTY, YES


class Round(NamedTuple):
    """One batch, as it was proposed and as it was corrected.

    sentences, words: of the batch.
    decided: number of words that a person has decided.
    compared: those in sentences with the same words as in the proposal; those with split or joined words are left out.
    corrections: number of compared words with another head or deprel than proposed.
    las: percentage of compared words that were proposed with the right head and deprel, None without any: the accuracy
        of the parser on text that it has not learned from.
    all_words: decided words of all rounds so far.
    held: LAS on sentences that are never learned from, of a parser of all rounds so far; None without them.
    """

    sentences: int
    words: int
    decided: int
    compared: int
    corrections: int
    las: float | None
    all_words: int
    held: float | None


def rounds(
    batches: Sequence[tuple[Sequence[Sentence], Sequence[Sentence]]],
    first: Sequence[Sentence] = (),
    score: Callable[[Sequence[Sentence]], float | None] = lambda sentences: None,
) -> Iterator[Round]:
    """The figures of each round.

    batches: for each round, the parsed text and the corrected sentences, which are some of it.
    first: sentences that were annotated before the first round.
    score: LAS on held-out sentences of a parser that learns from these sentences.
    """
    learned = settled(first)
    seen = decided(learned)
    for parsed, corrected in batches:
        gold = settled(corrected)
        pairs = list(_proposals(gold, parsed))
        scores = score_decided([right for right, _ in pairs], [sentence for _, sentence in pairs])
        decided_now = decided(gold)
        seen += decided_now
        learned += gold
        wrong = scores.words - round(scores.words * (scores.las or 0) / 100)
        words = sum(map(len, corrected))
        yield Round(len(corrected), words, decided_now, scores.words, wrong, scores.las, seen, score(learned))


def _proposals(corrected: Sequence[Sentence], parsed: Sequence[Sentence]) -> Iterator[tuple[Sentence, Sentence]]:
    """Each corrected sentence with the parsed one of the same words, if there is one.

    Of several with these words, it is the one with the same name, or else the first that has not been taken.
    """
    left: dict[tuple[str, ...], list[Sentence]] = {}
    for sentence in parsed:
        left.setdefault(_words(sentence), []).append(sentence)
    named: list[Sentence | None] = []
    for sentence in corrected:
        candidates, name = left.get(_words(sentence), []), sentence.comment("sent_id")
        same = (place for place, one in enumerate(candidates) if one.comment("sent_id") == name)
        place = next(same, None) if name is not None else None
        named.append(None if place is None else candidates.pop(place))
    for sentence, proposal in zip(corrected, named, strict=True):
        if proposal is not None:
            yield sentence, proposal
        elif candidates := left.get(_words(sentence), []):
            yield sentence, candidates.pop(0)


def _words(sentence: Sentence) -> tuple[str, ...]:
    return tuple(map(nfc, sentence.column("form")))


def settled(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences without ``Keep`` and ``Conf``; if words are marked, the others lose HEAD and DEPREL.

    The decided words are then those with a head, also beside sentences that never had marks.
    """
    return [
        sentence.with_columns({"misc": tuple(without_scores(entry, "Keep") for entry in sentence.column("misc"))})
        if "misc" in sentence.format.index
        else sentence
        for sentence in only_decided(sentences, decided_words(AUTO, sentences))
    ]


def open_tags(sentences: Iterable[Sentence]) -> int:
    """The number of words of which a mark decides the arc but leaves tags or lemma open."""
    number = 0
    for sentence in sentences:
        tags = {name: sentence.column(name) for name in TAGGED if name in sentence.format.index}
        for word, misc in enumerate(sentence.column("misc") if "misc" in sentence.format.index else ()):
            mark = misc_entries(misc).get("Keep", YES).split(",")
            with_values = {name for name, column in tags.items() if column[word] != EMPTY}
            number += mark != [YES] and "head" in mark and not with_values <= {*mark}
    return number


def decided(sentences: Sequence[Sentence]) -> int:
    """The number of words with a head."""
    return sum(head != "_" for sentence in sentences for head in sentence.column("head"))
