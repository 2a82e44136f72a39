"""Further treebanks in training: from the config key ``also`` to sentences that name their treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import ClassVar

from ...base.errors import CrossarcError
from ...config.config import AUTO, KEEP
from ...models.inputs import columns_text, has_values
from ...models.words import SentenceWords
from ...training.partial import decided_words, only_decided
from ...training.prepare import Preparation, StepTrainer, licence_of, read_part, refuse_untagged, warn_of_training_data
from ...treebank import TAGGED, Sentence
from ...treebank.overlap import sample_of
from .step import COLUMN, TreebankName


class AlsoTrainer(StepTrainer):
    """Adds the sentences of further treebanks, and the column that tells the treebanks apart.

    The tokenizer is trained before, on the treebank to parse like alone.
    """

    supplies: ClassVar[tuple[str, ...]] = (COLUMN,)

    def train(self, data: Preparation) -> None:
        names = treebank_names(data.treebank.name, [data.treebank.train, *self.value])
        others = [read_part(data.treebank, file, data.read) for file in self.value]
        every = [data.sentences]
        for treebank in others:
            choice = AUTO if data.treebank.decided == KEEP else data.treebank.decided  # KEEP says it of the first one
            which = decided_words(choice, treebank.sentences)
            every.append(only_decided(treebank.sentences, which))
            data.decided += [which] * len(treebank)
        for file, sentences in zip([data.treebank.train, *self.value], every, strict=True):
            if not sentences:
                raise CrossarcError(f"also: {file}: no sentences")
            if any(COLUMN in sentence.format.index for sentence in sentences):
                raise CrossarcError(f"also: {file}: has a column {COLUMN}, which several treebanks need; rename it")
        if self.wanted["tags"] == AUTO:
            every[1:] = [
                _like(every[0], sentences, file, data) for file, sentences in zip(self.value, every[1:], strict=True)
            ]
        for treebank in others:
            refuse_untagged(treebank.sentences, data.needed, data.some_untagged)
            if data.dev:
                warn_of_training_data(data.dev, treebank.sha256, sample_of(treebank.sentences))
        data.provenance["train"]["sample"] = sample_of(chain.from_iterable(every))
        licences = [licence_of(sentences) for sentences in every[1:]]
        if known := list(filter(None, [data.provenance.get("licence", ""), *licences])):
            data.provenance["licence"] = ", ".join(dict.fromkeys(known))
        data.sentences = []
        for name, sentences in zip(names, every, strict=True):
            words = SentenceWords(sentences)
            for step in (*data.steps, TreebankName(names, name)):
                step.annotate(words)
            data.sentences += words.with_supplied()
            data.progress(f"treebank {name}: {len(sentences)} sentences, {sum(map(len, sentences))} words")
        data.provenance["treebanks"] = names
        data.steps.append(TreebankName(names, names[0]))


def _like(first: Sequence[Sentence], others: list[Sentence], file: str, data: Preparation) -> list[Sentence]:
    """The sentences of another treebank without the tags of columns that the first one does not have.

    No tagger predicts these, so that the parser would learn from gold values what it never gets.
    """
    columns = [name for name in TAGGED if not has_values(first, name) and has_values(others, name)]
    if not columns:
        return others
    data.progress(f"{file}: {columns_text(columns)} set aside, which the first treebank does not have")
    return [
        sentence.with_columns({name: ("_",) * len(sentence) for name in columns if name in sentence.format.index})
        for sentence in others
    ]


def treebank_names(first: str, files: Sequence[str]) -> list[str]:
    """The names of treebanks: those of their folders; of their files where folders are equal; else also numbers.

    first: name that is given to the first one, or "".

    >>> treebank_names("", ["UD_French-ParTUT/train.conllu", "UD_French-GSD/train.conllu.xz"])
    ['UD_French-ParTUT', 'UD_French-GSD']
    >>> treebank_names("mine", ["a/x.conllu", "a/y.conllu"]), treebank_names("", ["a/x/t.conllu", "b/x/t.conllu"])
    (['mine', 'y'], ['1 t', '2 t'])
    """
    folders = [Path(file).absolute().parent.name for file in files]
    stems = [Path(file).name.partition(".")[0] for file in files]
    counts = Counter(folders)
    names = [folder if counts[folder] == 1 else stem for folder, stem in zip(folders, stems, strict=True)]
    names[0] = first or names[0] or "treebank"
    return names if len({*names}) == len(names) else [f"{number} {name}" for number, name in enumerate(names, 1)]
