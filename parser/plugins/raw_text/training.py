"""Training of the tokenizer of a model."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from ...base.data_warnings import warn
from ...base.errors import CrossarcError
from ...config.config import RAW
from ...evaluate.conll18 import evaluate_conll18
from ...training.prepare import Preparation, StepTrainer
from ...treebank import Sentence, read_sentences
from .groups import WordGroups
from .raw_text import gold_text, tokens_of
from .reading import conllu_of, sentences_of
from .step import TokenizerStep
from .tokenizer import Tokenizer

LOW: Mapping[str, tuple[float, str]] = {
    "Words": (80, "divide the text into words by another tool, and parse it with --format words or as CoNLL-U"),
    "Sentences": (60, "write each sentence on a line of its own, and parse the text with --format lines"),
}
"""By unit, the F1 below which training warns, and what to do."""
HARDLY_ANY = 50
"""F1 of tokens below which a tokenizer is of no use."""
MOST_WORDS = 1_000_000
"""Number of words from which on a tokenizer learns from a part of a treebank, of about so many words: that takes 3.4
GB. With a third of a million words of English novels, F1 was lower by 0.05 to 0.45 for words, and by 0.8 to 1.7 for
sentences."""
BLOCK = 100
"""Number of sentences that stay together in that part: where sentences end depends on their neighbours."""


class TokenizerTrainer(StepTrainer):
    """Trains a tokenizer if the config key ``input`` says that the model starts from raw text."""

    _sentences: Sequence[Sentence] = ()
    """The sentences to learn from again, see :meth:`revise`."""

    def train(self, data: Preparation) -> None:
        """Learn from the training treebank; the development treebank balances precision and recall.

        Reports how well the text of the development treebank is segmented, and warns if it is not.
        """
        if self.value != RAW:
            return
        words = [word for step in data.steps for word in step.vocabulary]
        sentences = spread(data.sentences, MOST_WORDS)
        tokenizer = Tokenizer.fit(sentences, data.dev.sentences, words)
        data.steps.append(TokenizerStep(tokenizer))
        if self.wanted["classes"] or self.wanted["raw"]:
            self._sentences = sentences
        else:
            _report(data, tokenizer, sentences)

    def revise(self, data: Preparation) -> None:
        """Learn ends of sentences again with word classes: raw text may need the tokenizer before it has classes."""
        sentences, self._sentences = self._sentences, ()  # training goes on without them
        groups = WordGroups.among(data.steps)
        for number, step in enumerate(data.steps if sentences else ()):
            if isinstance(step, TokenizerStep):
                tokenizer = step.tokenizer
                if groups:
                    tokenizer = tokenizer.with_groups(sentences, data.dev.sentences, groups)
                data.steps[number] = TokenizerStep(tokenizer)
                _report(data, tokenizer, sentences)


def spread(sentences: Sequence[Sentence], most: int) -> Sequence[Sentence]:
    """Blocks of :data:`BLOCK` sentences from all over a treebank, with about ``most`` words; all if there are fewer.

    There may be one block more.
    """
    total = sum(map(len, sentences))
    if total <= most:
        return sentences
    chosen: list[Sentence] = []
    passed = taken = 0
    for start in range(0, len(sentences), BLOCK):
        block = sentences[start : start + BLOCK]
        words = sum(map(len, block))
        if taken * total <= passed * most:  # no more than the share of the blocks before
            chosen += block
            taken += words
        passed += words
    return chosen


def _report(data: Preparation, tokenizer: Tokenizer, sentences: Sequence[Sentence]) -> None:
    learned = f"{sum(len(tokens_of(sentence)) for sentence in sentences)} tokens, {len(sentences)} sentences"
    result = "without a development treebank"
    if data.dev:
        try:
            f1 = segmentation(tokenizer, data.dev.sentences)
        except CrossarcError as error:  # forms that no text has as they are, such as a byte order mark
            warn(f"{data.dev.path}: the tokenizer cannot be scored on this text: {error}")
            f1 = {}
    if data.dev and f1:
        data.provenance["segmentation"] = {unit.lower(): round(f1[unit], 2) for unit in ("Tokens", *LOW)}
        result = f"F1 on the development treebank: {', '.join(f'{unit.lower()} {f1[unit]:.2f}' for unit in LOW)}"
        warn_of_segmentation(f1)
    data.progress(f"tokenizer: learned from {learned}; {result}")


def segmentation(tokenizer: Tokenizer, gold: Sequence[Sentence]) -> Mapping[str, float]:
    """F1 of tokens, words and sentences (CoNLL 2018) of the text of some sentences, by the names of these metrics."""
    conllu = "".join(conllu_of(sentences_of(tokenizer, [gold_text(gold).text])))
    return evaluate_conll18(_in_chains(gold), _in_chains(list(read_sentences(io.StringIO(conllu))))).f1


def warn_of_segmentation(f1: Mapping[str, float]) -> None:
    """Warn of a low F1. f1: see :func:`segmentation`."""
    if f1["Tokens"] < HARDLY_ANY:
        warn(
            f"the tokenizer finds hardly any token of the development treebank (F1 {f1['Tokens']:.1f}): THE MODEL "
            "CANNOT PARSE RAW TEXT; check SpaceAfter=No in MISC of the training treebank"
        )
        return
    for unit, (least, remedy) in LOW.items():
        if f1[unit] < least:
            warn(f"the tokenizer finds few {unit.lower()} of the development treebank (F1 {f1[unit]:.1f}): {remedy}")


def _in_chains(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences with trees in which each word depends on the one before, since scores need some tree."""
    return [
        sentence.with_columns({"head": tuple(map(str, range(len(sentence)))), "deprel": ("dep",) * len(sentence)})
        for sentence in sentences
    ]
