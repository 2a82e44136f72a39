"""The table of ``parse --scores -o FILE.tsv``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...models.model import ParserModel
from ...models.words import SentenceWords
from ...treebank import Sentence
from ...treebank.tree import trees_in

HEADING = "sent_id\tword\tform\thead\tdeprel\tconf\tconf_head\n"


def score_rows(model: ParserModel, retag: bool, keep: str | None, sentences: Sequence[Sentence]) -> Iterator[str]:
    """The lines of the table, after :data:`HEADING`, one per word. retag, keep: see :meth:`ParserModel.parse`."""
    trees, probabilities = model.scored(SentenceWords(sentences, retag, keep=keep))
    scores = zip(*probabilities.tolist(), strict=True)
    for sentence, tree in zip(sentences, trees_in(trees), strict=True):
        words = zip(sentence.column("form"), tree.heads[1:], tree.deprels[1:], strict=True)
        for number, (form, head, deprel) in enumerate(words, 1):
            arc, alone = next(scores)
            yield f"{sentence.id}\t{number}\t{form}\t{head}\t{deprel}\t{arc:.4f}\t{alone:.4f}\n"
