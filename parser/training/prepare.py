"""What precedes the training of parsers and blends: treebanks are read and checked, steps of the model are trained."""

from __future__ import annotations

import hashlib
import platform
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ...features.piece import column_and_key
from ...features.template import FeatureModel
from ..base import __version__
from ..base.data_warnings import warn
from ..base.errors import CrossarcError
from ..base.lazy import Lazy
from ..base.parameters import shown
from ..base.progress import Progress
from ..config.config import AUTO, FACTS, GOLD, HEADS, ParserConfig, TreebankOptions
from ..config.feature_files import load_features
from ..models.inputs import PARTS_OF_SPEECH, Untagged, has_values, tagged_by
from ..models.steps import Step
from ..models.words import SentenceWords
from ..transforms.registry import parse_transform
from ..treebank import ReadTreebank, Sentence, SymbolTable, Treebank, checksum, conll_text, read_treebank, require_file
from ..treebank.overlap import SHARE, overlap, sample_of
from ..treebank.pairs import read_tree
from ..treebank.samples import as_sentences
from ..treebank.symbols import treebank_column
from .partial import decided_words, only_decided, require_decided

TAGGING = "tagging"
"""The system of taggers."""

STAND_INS: Mapping[str, str] = {"xpos": "upos", "upos": "xpos"}
"""Columns of nearly the same meaning: one is read where the other has no value."""
MOST_NAMED = 3


@dataclass
class Preparation:
    """What precedes the training of a parser, as steps are trained one after the other.

    sentences: the training sentences; later steps and the parser learn from what earlier steps write into them.
    dev: the development treebank, possibly without sentences.
    progress: receives reports, one line at a time.
    provenance: facts that the model states.
    treebank: the options of the treebank.
    decided: what a person has decided of each sentence, see :func:`~.partial.decided_words`.
    needed: the parts of speech that the parser reads, the training treebank has and no step predicts.
    some_untagged: whether training sentences lack them.
    read: reads further treebanks.
    steps: the steps that are trained so far.
    """

    sentences: list[Sentence]
    dev: Treebank
    progress: Progress
    provenance: dict[str, Any]
    treebank: TreebankOptions
    decided: list[str | None]
    needed: Collection[str] = ()
    some_untagged: bool = False
    read: ReadTreebank = read_treebank
    steps: list[Step] = field(default_factory=list)

    def spelled_forms(self) -> list[str]:
        """The forms with letters of the training sentences."""
        forms = (form for sentence in self.sentences for form in sentence.column("form"))
        return [form for form in forms if any(map(str.isalpha, form))]

    def supply(self, step: Step) -> None:
        """Append a step, and give the training sentences the columns that it supplies to features."""
        self.steps.append(step)
        words = SentenceWords(self.sentences)
        step.annotate(words)
        self.sentences = words.with_supplied()


class StepTrainer(ABC):
    """Trains the steps that a key of the config asks for.

    value: value of the key.
    wanted: values of all keys that concern steps, see :data:`STEP_KEYS` and :data:`STEP_OPTIONS`.
    supplies: columns that its steps supply to features, and that stand in no file; :meth:`train` adds them to the
        training sentences.
    """

    supplies: ClassVar[tuple[str, ...]] = ()

    def __init__(self, value: Any, wanted: Mapping[str, Any]) -> None:
        self.value = value
        self.wanted = wanted

    def fills(self, read: Collection[str], sentences: Sequence[Sentence]) -> tuple[str, ...]:
        """The columns that its steps will fill. Raises CrossarcError for columns that cannot be learned.

        read: the columns that the parser reads.
        """
        return ()

    @abstractmethod
    def train(self, data: Preparation) -> None:
        """Train the steps and append them. Called after :meth:`fills`."""

    def revise(self, data: Preparation) -> None:
        """Train steps again that can use what later steps have learned. Called when all steps are trained."""
        return


STEP_TRAINERS: Mapping[str, Callable[[Any, Mapping[str, Any]], StepTrainer]] = Lazy(__package__, {}, "STEP_TRAINERS")
"""The classes that train steps, by the key of the config that asks for them; plugins declare them."""
STEP_FEATURES = ("tag_features", "lemma_features")
"""The keys that name feature models of taggers."""
STEP_KEYS: Mapping[str, Any] = {
    "classes": "", "input": GOLD, "also": (), "raw": (), "lexicon": "", "tags": (), "constraints": "none",
}  # fmt: skip
"""The keys of configs that ask for steps, in the order of training, with the values that ask for none.

A tokenizer may use the words of a file with classes, and raw text may need the tokenizer. Further treebanks come after
the tokenizer, which learns the conventions of one.
"""
NO_STEPS = {key: none for key, none in STEP_KEYS.items() if key != "constraints"} | dict.fromkeys(STEP_FEATURES, AUTO)
"""Values of these keys for a parser that is trained after the steps, but for constraints, which repair its trees."""
STEP_OPTIONS = (*STEP_FEATURES, "tag_directions", "tag_candidates")
"""The keys of configs that say how steps are trained."""


def step_trainers(wanted: Mapping[str, Any]) -> list[StepTrainer]:
    """The trainers of the steps that a config asks for, in the order of training.

    wanted: values of the config by the keys of :data:`STEP_KEYS` and :data:`STEP_OPTIONS`.

    Raises CrossarcError for a key whose plugin is missing.
    """
    trainers = []
    for key in STEP_FEATURES:
        if wanted[key] != AUTO and not wanted["tags"]:
            raise CrossarcError(f"{key}: only taggers read it; set tags, or another input than gold tags")
    for key, none in STEP_KEYS.items():
        if wanted[key] != none:
            if key not in STEP_TRAINERS:
                raise CrossarcError(f"{key}: found {shown(wanted[key])}, but the plugin for it is not installed")
            trainers.append(STEP_TRAINERS[key](wanted[key], wanted))
    return trainers


def prepare(
    options: TreebankOptions,
    trainers: Sequence[StepTrainer],
    read: Collection[str],
    treebank: Treebank,
    progress: Progress,
    required: Iterable[str] = (),
    read_file: ReadTreebank = read_treebank,
) -> Preparation:
    """Train the steps that a config asks for.

    trainers: see :func:`step_trainers`.
    read: the columns of the treebank that the parser reads.
    treebank: the training treebank, see :func:`read_train`.
    required: columns that a development treebank must have.
    read_file: reads the development treebank.

    The provenance is that of the parser: versions, the treebank, percentages of right tags. Raises CrossarcError for
    steps that cannot be trained, and for a development treebank that could not be scored.
    """
    sentences = treebank.sentences
    filled = {column for trainer in trainers for column in trainer.fills(read, sentences)}
    needed = PARTS_OF_SPEECH.intersection(name for name in set(read) - filled if has_values(sentences, name))
    some_untagged = Untagged.among(sentences, needed) is not None
    dev = read_dev(options, treebank, needed, some_untagged, read_file)
    for sentence in dev:
        for name in required:
            sentence.column(name)
    source: dict[str, Any] = {"sha256": treebank.sha256, "sentences": len(sentences), "words": treebank.words}
    source["sample"] = sample_of(sentences)
    provenance: dict[str, Any] = {**versions(), **tagged_by(sentences), "train": source}
    facts = {name: getattr(options, name) for name in FACTS}
    facts["licence"] = facts["licence"] or licence_of(sentences)
    provenance |= {name: fact for name, fact in facts.items() if fact}
    which = decided_words(options.decided, sentences)
    learned = only_decided(sentences, which)
    data = Preparation(
        learned,
        dev,
        progress,
        provenance,
        options,
        [which] * len(learned),
        needed=needed,
        some_untagged=some_untagged,
        read=read_file,
    )
    for trainer in trainers:
        trainer.train(data)
    for trainer in trainers:
        trainer.revise(data)
    return data


def licence_of(sentences: Sequence[Sentence]) -> str:
    """The licence that a comment on the first sentence states, or ""."""
    return (sentences[0].comment("license") or sentences[0].comment("licence") or "") if sentences else ""


def read_part(options: TreebankOptions, path: str, read_file: ReadTreebank = read_treebank) -> Treebank:
    """Read one of a config's treebanks: a file and no pipe, since it may be read again."""
    require_file(path)
    return read_file(path, options.format, options.columns)


def read_train(options: TreebankOptions, sentences: Any = None, read_file: ReadTreebank = read_treebank) -> Treebank:
    """The training treebank. sentences: sentences that replace those of the file; the checksum is of their text."""
    if sentences is None:
        if not options.train:
            raise CrossarcError("treebank.train is empty; name a file in the config or with --train")
        return read_part(options, options.train, read_file)
    read = as_sentences(sentences)
    if not read:
        raise CrossarcError("sentences: found none, expected one or more to train on")
    return Treebank(read, read[0].format, options.train, text_checksum(read))


def text_checksum(sentences: Iterable[Sentence]) -> str:
    """The SHA-256 of sentences as a file would have them, in hexadecimal."""
    digest = hashlib.sha256()
    for sentence in sentences:
        digest.update(conll_text(sentence).encode())
    return digest.hexdigest()


def read_gold(options: TreebankOptions, read_file: ReadTreebank = read_treebank) -> Treebank:
    """The development treebank. Raises CrossarcError if only some of its words are marked as decided."""
    treebank = read_part(options, options.dev, read_file)
    if options.decided != HEADS:
        require_decided(treebank.sentences)
    return treebank


def read_dev(
    options: TreebankOptions,
    train: Treebank,
    needed: Collection[str],
    some_untagged: bool = False,
    read_file: ReadTreebank = read_treebank,
) -> Treebank:
    """The development treebank, without sentences if a config names none. train: the training treebank.

    needed: the parts of speech that the parser reads, the training treebank has and no step predicts.
    some_untagged: whether training sentences lack them.
    read_file: reads the file.

    Warns if both treebanks are the same. Raises CrossarcError for invalid trees, and for missing tags
    that the training treebank has.
    """
    if not options.dev:
        return Treebank([], train.format, "")
    dev = read_gold(options, read_file)
    warn_of_training_data(dev, train.sha256, sample_of(train.sentences))
    if not [read_tree(sentence) for sentence in dev]:
        raise CrossarcError(f"{options.dev}: no sentences")
    refuse_untagged(dev.sentences, needed, some_untagged)
    return dev


def refuse_untagged(sentences: Sequence[Sentence], needed: Collection[str], some_untagged: bool) -> None:
    """Raise CrossarcError for sentences of another treebank without the tags that the parser needs.

    some_untagged: whether the training treebank has such sentences, too. Then only all of them are too many.
    """
    untagged = Untagged.among(sentences, needed)
    if untagged and not (some_untagged and untagged.number < len(sentences)):
        raise CrossarcError(
            f"{untagged.fault(needed)}; tag it with the tagger of the training treebank, or train without it"
        )


def warn_of_training_data(dev: Treebank, sha256: str, sample: Collection[int]) -> None:
    """Warn if development data are the training treebank, or share sentences with it.

    sha256, sample: checksum of the training treebank, and a sample of its sentences.
    """
    if dev.sha256 == sha256:
        warn(f"{dev.path} is the training treebank: scores on it say nothing about other text")
    elif (share := overlap(dev.sentences, sample)) >= SHARE:
        share_known = f"about {100 * share:.0f} % of the sentences of {dev.path} stand in the training treebank"
        warn(f"{share_known}: scores on them say nothing about other text")


def versions() -> dict[str, str]:
    """The versions of the libraries that affect training, by name, as stored in models."""
    return {
        "crossarc": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": version("scipy"),
        "scikit-learn": version("scikit-learn"),
    }


def training_key(config: ParserConfig) -> dict[str, Any]:
    """All that decides what is learned from given sentences, as JSON: the config, with contents in place of files.

    The feature models of the parser itself are left out; :func:`~..config.feature_files.load_stage_features` has them.
    """
    values = config.to_json() | {"decided": config.treebank.decided}
    for name in ("features", "passes"):
        values.pop(name, None)
    values["transforms"] = [parse_transform(spec).to_json() for spec in config.transforms]
    for name in ("tag_features", "lemma_features"):
        if (model := getattr(config, name)).endswith(".yaml"):
            values[name] = load_features(model, TAGGING, None).lines()
    if config.constraints.endswith(".yaml"):
        values["constraints"] = checksum(config.constraints)
    named = {"classes": [config.classes], "lexicon": [config.lexicon], "raw": config.raw, "also": config.also}
    contents = {name: [[Path(file).name, checksum(file)] for file in files if file] for name, files in named.items()}
    return values | {name: pairs for name, pairs in contents.items() if pairs}


def fallback_columns(sentences: Sequence[Sentence], names: Collection[str]) -> dict[str, str]:
    """For each empty column among ``names``, the column to read instead.

    names: names of columns as in features, possibly pieces of columns
    """
    wanted = {column_and_key(name)[0] for name in names}
    return {
        name: other
        for name, other in STAND_INS.items()
        if name in wanted and not has_values(sentences, name) and has_values(sentences, other)
    }


def report_empty_columns(
    reads: Mapping[str, str], models: Sequence[FeatureModel], tables: Mapping[str, SymbolTable], progress: Progress
) -> None:
    """Report the fallback columns in use, and the templates that never have a value.

    A template never has a value if all its parts are empty columns.
    """
    for name, other in reads.items():
        progress(f"the training treebank has no {name.upper()}: templates read {other.upper()} in its place")
    empty = {name for name, table in tables.items() if table.blank}
    lines = [
        str(template)
        for model in models
        for template in model.templates
        if all(part.kind == "column" and part.column in empty for part in template.parts)
    ]
    if lines:
        columns = ", ".join(sorted(set(map(_said, empty))))
        more = ", ..." if len(lines) > MOST_NAMED else ""
        progress(
            f"the training treebank has no {columns}: {len(lines)} templates never have a value: "
            f"{', '.join(lines[:MOST_NAMED])}{more}"
        )


def _said(name: str) -> str:
    """The name of a column as users know it."""
    column = treebank_column(name).upper()
    _, key = column_and_key(name)
    if not key or key.endswith(")"):
        return column
    return f"character {key} in {column}" if key.isdecimal() else f"{key} in {column}"
