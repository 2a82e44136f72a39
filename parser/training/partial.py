"""Partly annotated treebanks: the words that a person has decided, and trees in which a parser completes the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress

from ..base.data_warnings import warn
from ..base.errors import CrossarcError
from ..base.progress import Progress, nothing
from ..config.config import AUTO, KEEP, ParserConfig
from ..config.loading import load_config
from ..models.inputs import is_marked
from ..models.model import ParserModel
from ..models.words import KEEPERS
from ..treebank import Sentence

GIVEN, MARKED = "given", "marked"
"""What is decided, as in :data:`~..models.words.KEEPERS`."""
HELPER = "arc-standard-small"
"""Config of the parser that completes trees."""
LEAST = 10
"""Minimum number of complete trees from which this parser is trained."""
Train = Callable[[ParserConfig, Progress, list[Sentence]], ParserModel]


def decided_words(choice: str, sentences: Sequence[Sentence]) -> str | None:
    """What a person has decided in a treebank: :data:`MARKED` or :data:`GIVEN` words; None if all words are.

    choice: value of the key ``treebank.decided``.
    """
    marked = choice == KEEP or (choice == AUTO and any(map(is_marked, sentences)))
    if marked or any("_" in sentence.column("head") for sentence in sentences):
        which = MARKED if marked else GIVEN
        if which not in KEEPERS:
            raise CrossarcError("the treebank is annotated in part, but the plugin annotation is not installed")
        return which
    return None


def require_decided(sentences: Sequence[Sentence]) -> None:
    """Raise CrossarcError if some words have marks and others have not, for scores that need whole trees."""
    for sentence, kept in zip(sentences, decided_by_marks(sentences), strict=True):
        if kept.column("head") != sentence.column("head"):
            fault = "in a file with Keep= in MISC, words without it are undecided, and these scores need whole trees"
            raise CrossarcError(f"{sentence.source}:{sentence.line}: {fault}; mark all words, or remove the marks")


def decided_by_marks(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences; if any word has a mark, without HEAD and DEPREL of words that have none.

    Those who count or score what a person has decided begin with it. Raises CrossarcError for marks that cannot be
    read, and without the plugin annotation for any.
    """
    return only_decided(sentences, decided_words(KEEP, sentences) if any(map(is_marked, sentences)) else None)


def only_decided(sentences: Sequence[Sentence], which: str | None) -> list[Sentence]:
    """The sentences, in which words with an undecided head or label have the HEAD, DEPREL and DEPS ``_``.

    which: of :func:`decided_words`. Raises CrossarcError for marks that cannot be read.
    """
    if which != MARKED:
        return list(sentences)
    result = []
    halves = 0
    for sentence in sentences:
        kept = KEEPERS[which]([sentence])
        decided = ((kept.heads >= 0) & kept.labelled).tolist()
        halves += int(((kept.heads >= 0) != kept.labelled).sum())
        columns = {
            name: tuple(value if known else "_" for value, known in zip(sentence.column(name), decided, strict=True))
            for name in ("head", "deprel", "deps")
            if name in sentence.format.index
        }
        result.append(sentence.with_columns(columns))
    if halves:
        warn(f"{halves} words have Keep= for HEAD or DEPREL alone: they count as undecided, since arcs are whole")
    return result


def completed(sentences: list[Sentence], train: Train, progress: Progress, faulty: str = "refuse") -> list[Sentence]:
    """The sentences, in which a parser that learned from the complete trees completes the others.

    train: trains this parser.
    faulty: value of the key ``treebank.faulty``; "skip" leaves partial trees for the caller to leave out.

    Sentences without any decided head are left out.

    This is for parsers that cannot learn from partial trees. Those that can gain more from them as they are
    (parser/plugins/annotation/README.md). Raises CrossarcError with fewer than :data:`LEAST` complete trees.
    """
    partial = ["_" in sentence.column("head") for sentence in sentences]
    if faulty == "skip" or not any(partial):
        return sentences
    whole = list(compress(sentences, [not lacks for lacks in partial]))
    open_sentences = list(compress(sentences, partial))
    begun = [sentence for sentence in open_sentences if set(sentence.column("head")) != {"_"}]
    if len(whole) < LEAST:
        first = open_sentences[0]
        place = f"{first.source}:{first.line_of(first.column('head').index('_') + 1)}"
        few = f"{len(whole)} sentences have a HEAD for each word, too few to complete the others"
        remedy = f"annotate {LEAST} or more completely, or use the config arc-eager with explore=1"
        raise CrossarcError(f"{place}: HEAD '_', and {few}; {remedy}")
    if untouched := len(open_sentences) - len(begun):
        first = next(sentence for sentence in open_sentences if set(sentence.column("head")) == {"_"})
        told = f"left out {untouched} of {len(sentences)} sentences without any decided head"
        warn(f"{told}, the first: {first.source}:{first.line}")
    trees = {id(sentence): sentence for sentence in whole}
    if begun:
        words = sum(sentence.column("head").count("_") for sentence in begun)
        helper = train(load_config(HELPER), nothing, whole)
        trees |= zip(map(id, begun), helper.parse_chunk(begun, keep=GIVEN), strict=True)
        progress(
            f"{words} words of {len(begun)} sentences have no decided head; a parser that learned from the "
            f"{len(whole)} complete sentences attaches them"
        )
    return [trees[id(sentence)] for sentence in sentences if id(sentence) in trees]
