"""What is parsed and trained on to measure: files of any number of tokens, with sentences of any length, and any number
of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, cycle, islice
from pathlib import Path

from ...parser.models.blend_model import BlendModel
from ...parser.models.files import load_model, save_model
from ...parser.models.transition_model import TransitionModel
from ...parser.treebank import Sentence, atomic_output, conll_text

__all__ = ["parts_of", "relabelled", "repeated", "with_batch_size", "with_length", "write_conllx"]

CONLLX = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")
"""The columns of CoNLL-X from the second on, but for the last two, which are empty."""


def repeated(sentences: Sequence[Sentence], tokens: int, path: Path) -> int:
    """Write the sentences, again and again, until so many tokens are written; how many they are."""
    words = sum(map(len, sentences))
    whole = "".join(map(conll_text, sentences)).encode()
    done = tokens // words * words
    with atomic_output(path) as out:
        for _ in range(tokens // words):
            out.write(whole)
        for sentence in sentences:
            if done >= tokens:
                break
            out.write(conll_text(sentence).encode())
            done += len(sentence)
    return done


def with_length(sentences: Sequence[Sentence], length: int, tokens: int) -> list[Sentence]:
    """About so many tokens in sentences of ``length`` words each: the words of the treebank one after another."""
    count = max(1, tokens // length)
    words = cycle(chain.from_iterable(zip(*sentence.columns[1:], strict=True) for sentence in sentences))
    ids = tuple(str(word) for word in range(1, length + 1))
    return [
        Sentence(sentences[0].format, (ids, *zip(*islice(words, length), strict=True)), line=number)
        for number in range(1, count + 1)
    ]


def relabelled(sentences: Iterable[Sentence], labels: int) -> list[Sentence]:
    """The sentences with so many labels: the most frequent ones and one for the others; where there are fewer, labels
    are told apart by the part of speech of their words."""
    own = list(sentences)
    counts = Counter(chain.from_iterable(sentence.column("deprel") for sentence in own))
    if labels > len(counts):
        fine = [tuple(map("+".join, zip(s.column("deprel"), s.column("upos"), strict=True))) for s in own]
        counts = Counter(chain.from_iterable(fine))
    else:
        fine = [sentence.column("deprel") for sentence in own]
    kept = {label for label, _ in counts.most_common(labels - 1)}
    return [
        sentence.with_columns({"deprel": tuple(label if label in kept else "other" for label in column)})
        for sentence, column in zip(own, fine, strict=True)
    ]


def write_conllx(sentences: Iterable[Sentence], path: Path) -> None:
    """Write the words of the sentences, and nothing else of them, in CoNLL-X."""
    with atomic_output(path) as out:
        for sentence in sentences:
            columns = [
                sentence.column(name) if name in sentence.format.index else ["_"] * len(sentence) for name in CONLLX
            ]
            rows = enumerate(zip(*columns, strict=True), 1)
            text = "".join("\t".join([str(number), *row, "_", "_"]) + "\n" for number, row in rows)
            out.write(f"{text}\n".encode())


def parts_of(blend: Path, folder: Path) -> dict[str, Path]:
    """Write the components of a blend as models of their own, which are given by their names."""
    model = load_model(blend)
    assert isinstance(model, BlendModel)
    paths = {name: folder / f"part {number}" for number, name in enumerate(model.components)}
    for name, path in paths.items():
        save_model(model.components[name], path)
    return paths


def with_batch_size(model: str, size: int, path: Path) -> None:
    """Write the model in a file as one that advances so many sentences in lockstep."""
    parser = load_model(model)
    assert isinstance(parser, TransitionModel)
    save_model(replace(parser, config={**parser.config, "batch_size": size}), path)
