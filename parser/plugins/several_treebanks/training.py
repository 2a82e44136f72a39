"""Further treebanks in training: from the config key ``also`` to sentences that name their treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from ...base.errors import CrossarcError
from ...models.words import SentenceWords
from ...training.prepare import Preparation, StepTrainer, read_part
from .step import COLUMN, TreebankName


class AlsoTrainer(StepTrainer):
    """Adds the sentences of further treebanks, and the column that tells the treebanks apart.

    The tokenizer is trained before, on the treebank to parse like alone.
    """

    supplies: ClassVar[tuple[str, ...]] = (COLUMN,)

    def train(self, data: Preparation) -> None:
        names = treebank_names([data.treebank.train, *self.value])
        names[0] = data.treebank.name or names[0]
        every = [data.sentences]
        for file in self.value:
            every.append(read_part(data.treebank, file))
            if not every[-1]:
                raise CrossarcError(f"also: {file}: no sentences")
        data.sentences = []
        for name, sentences in zip(names, every, strict=True):
            words = SentenceWords(sentences)
            for step in (*data.steps, TreebankName(names, name)):
                step.annotate(words)
            data.sentences += words.with_supplied()
            data.progress(f"treebank {name}: {len(sentences)} sentences, {sum(map(len, sentences))} words")
        data.constant[COLUMN] = names[0]
        data.provenance["treebanks"] = names
        data.steps.append(TreebankName(names, names[0]))


def treebank_names(files: Sequence[str]) -> list[str]:
    """The names of treebanks: those of their folders, or their files where two have the same folder or none.

    >>> treebank_names(["UD_French-ParTUT/train.conllu", "UD_French-GSD/train.conllu.xz"])
    ['UD_French-ParTUT', 'UD_French-GSD']
    >>> treebank_names(["", "german.conllu", "other/german.conllu"])
    ['treebank', 'german', 'other/german']
    """
    folders = [Path(file).resolve().parent.name if file else "treebank" for file in files]
    stems = [Path(file).name.partition(".")[0] if file else "treebank" for file in files]
    counts = Counter(folders)
    names = [folder if counts[folder] == 1 else stem for folder, stem in zip(folders, stems, strict=True)]
    return names if len({*names}) == len(names) else [f"{number} {name}" for number, name in enumerate(names, 1)]
