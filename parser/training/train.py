"""Training of a parser from a config: treebank, transforms, oracle, instances, learner."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.metadata import version
from typing import Any, TypeAlias, TypeVar

import numpy as np

from ...features.template import FeatureModel
from ...transitions.trees import roots
from ..annotation.calibration import Calibration
from ..base import __version__
from ..base.errors import CrossarcError
from ..base.progress import Progress, nothing, task
from ..config.config import RAW, Config, TreebankOptions
from ..config.feature_files import load_features
from ..conversion.samples import as_sentences
from ..evaluate.align import score_sentences
from ..evaluate.scores import Scores
from ..learners.registry import make_learner
from ..models.files import check_writable
from ..models.inputs import InputCheck, tagged_by
from ..models.model import ParserModel
from ..models.trained import TrainedParser, build_tables
from ..models.words import SentenceWords
from ..search.greedy import Fallback
from ..tokenizer import Tokenizer
from ..tokenizer.raw_text import gold_text
from ..transforms import fit_all, parse_transform
from ..transforms.lifting.projectivize import projectivized
from ..treebank import Sentence, checksum, conll_text, read_treebank, require_file
from ..treebank.limits import LABELS, above
from ..treebank.pairs import read_tree
from ..treebank.symbols import feature_columns, nameable_columns, treebank_column
from ..treebank.tree import Tree, flat_trees, trees_of, usual_labels
from .derivations import TrainingData
from .empty import fallback_columns, report_empty_columns, require_tags
from .graph import train_graph
from .passes import load_pass_features
from .stage import train_stages
from .taggers import tagged_columns, train_taggers

M = TypeVar("M", bound=ParserModel)

Trainer: TypeAlias = Callable[
    [Config, Mapping[str, FeatureModel], TrainingData, Mapping[str, Any], Progress], TrainedParser
]
TRAINERS: Mapping[str, Trainer] = {"transitions": train_stages, "graph": train_graph}
"""Training functions of each kind of parser, see :mod:`..config.kinds`."""


def train(
    config: Config, progress: Progress = nothing, sentences: Any = None, features: FeatureModel | None = None
) -> TrainedParser:
    """Train the parser that a config describes. Equal configs and treebanks give equal models.

    progress: receives reports, one line at a time (:mod:`~crossarc.parser.base.progress`).
    sentences: sentences to train on, as :func:`crossarc.as_sentences` reads them, instead of those of the file
        ``treebank.train``.
    features: feature model, instead of the one that the config names.

    Raises CrossarcError for errors in the config or the treebank.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"])
    >>> model = crossarc.train(config, sentences=crossarc.read_sentences("dev.conllu"))
    >>> model.provenance["train"]["sentences"]
    20
    """
    if config.model:
        check_writable(config.model)
    learner = make_learner(config.guide)
    transforms = [parse_transform(spec) for spec in config.transforms]
    treebank, sha256 = _treebank(config.treebank, sentences)
    nameable = nameable_columns(treebank[0].format.index if treebank else ())
    if features is None:
        features = load_features(config.features_name, config.first_system, nameable)
    learner.check_templates(features.lines())
    models = {config.first_system: features, **load_pass_features(config, nameable)}
    columns = sorted({name for model in models.values() for name in model.columns} | config.kind.columns)
    reads = fallback_columns(treebank, columns)
    looked_at = {treebank_column(name, reads) for name in columns}
    tagged = tagged_columns(config.tags, looked_at, treebank)
    if config.treebank.dev:
        _check_dev(config.treebank, treebank, sha256, columns, looked_at.difference(tagged), progress)
    tokenizer = train_tokenizer(config, treebank, progress)
    provenance: dict[str, Any] = {**versions(), **tagged_by(treebank)}
    source = {"sha256": sha256, "sentences": len(treebank), "words": sum(map(len, treebank))}
    told = {**provenance, "train": source}
    taggers, treebank, right = train_taggers(tagged, treebank, told, progress)
    if right:
        provenance["tags"] = right
    trees, names = _valid_trees(treebank, columns, reads, config.treebank.faulty, progress)
    del treebank
    words = sum(len(tree.heads) - 1 for tree in trees)
    progress(f"{config.treebank.train or 'training treebank'}: {len(trees)} sentences, {words} words")
    several = sum(len(roots(tree.heads)) > 1 for tree in trees)
    if config.root.single is True and several:
        progress(
            f"{several} of {len(trees)} training trees have several roots, which the parser cannot build with "
            "root.single=true"
        )
    trees = fit_all(transforms, trees) if transforms else trees
    tables = build_tables({name: [tree.columns[name] for tree in trees] for name in columns})
    report_empty_columns(reads, list(models.values()), tables, progress)
    first = list(map(projectivized, trees)) if config.pass_features else trees
    labels = tuple(sorted({label for tree in (*trees, *first) for label in tree.deprels[1:]}))
    if len(labels) > LABELS:
        where = config.treebank.train or "training treebank"
        raise CrossarcError(f"{where}: {above(f'{len(labels)} labels', LABELS)}")
    common: dict[str, Any] = {
        "config": config.to_json(),
        "tables": tables,
        "labels": labels,
        "transforms": tuple(transforms),
        "provenance": {**provenance, "train": {"sha256": sha256, "sentences": len(trees), "words": words}},
        "reads": reads,
        "taggers": taggers,
        "tokenizer": tokenizer,
    }
    root_label, orphan_label = usual_labels(first)
    config = config.resolved(single_root=not several, root_label=root_label)
    if config.root.label not in labels:
        raise CrossarcError(f"root.label: {config.root.label!r} is not a label of the training treebank")
    fallback = Fallback(labels.index(config.root.label), labels.index(orphan_label))
    data = TrainingData(trees, first, names, labels, tables, fallback)
    del trees, first, names
    return TRAINERS[config.kind.name](config, models, data, common, progress)


def train_tokenizer(config: Config, sentences: Sequence[Sentence], progress: Progress) -> Tokenizer | None:
    """The tokenizer of a parser of raw text, learned from the training treebank; None for other parsers.

    The development treebank, if the config names one, balances precision and recall.
    """
    if config.input != RAW:
        return None
    dev = read_part(config.treebank, config.treebank.dev) if config.treebank.dev else []
    gold = gold_text(sentences)
    if not gold.spaced:
        progress(
            "warning: no word of the training treebank is marked SpaceAfter=No: the tokenizer only splits at spaces"
        )
    tokenizer = Tokenizer.fit(sentences, dev)
    tokens = f"{len(gold.tokens)} tokens, {len(gold.last)} sentences"
    progress(f"tokenizer: learned from {tokens}{'' if dev else '; without a development treebank'}")
    return tokenizer


def score_on(model: M, options: TreebankOptions, progress: Progress = nothing) -> tuple[M, Scores]:
    """Score a model on a development treebank, and calibrate the scores of its arcs.

    options: its key ``dev`` names the treebank.
    progress: receives reports, one line at a time.

    Returns the calibrated model with the scores in its provenance, and the scores.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> model, scores = crossarc.score_on(model, crossarc.TreebankOptions(dev="dev.conllu"))
    >>> model.provenance["dev"]["las"] == scores.las
    True
    """
    gold = read_part(options, options.dev)
    with task(progress, "parsing the development treebank", "words", sum(map(len, gold))) as advance:
        checked = InputCheck(model, True, progress, retag=True).sentences(gold)
        words = SentenceWords(checked, retag=True)
        margins = np.zeros(int(words.lengths.sum()))
        trees = model.trees(words, advance, margins)
    scores = score_sentences(gold, words.with_trees(trees))
    if len(margins):
        model = model.with_calibration(Calibration.fit(margins, trees, flat_trees(trees_of(gold))))
    figures = {name: getattr(scores, name) for name in ("las", "uas", "la", "lem", "uem")}
    return model.with_provenance(dev={"sha256": checksum(options.dev), **figures}), scores


def read_part(options: TreebankOptions, path: str) -> list[Sentence]:
    """Read the sentences of one of a config's treebanks, which must be a file because its checksum is computed too."""
    require_file(path)
    return read_treebank(path, options.format, options.columns).sentences


def _treebank(options: TreebankOptions, sentences: Any) -> tuple[list[Sentence], str]:
    """(the training sentences, the checksum of their file or, without a file, of the sentences)."""
    if sentences is None:
        if not options.train:
            raise CrossarcError("treebank.train is empty; name a file in the config or with --train")
        return read_part(options, options.train), checksum(options.train)
    given = as_sentences(sentences)
    if not given:
        raise CrossarcError("sentences: found none, expected one or more to train on")
    if options.train:
        return given, checksum(options.train)
    return given, hashlib.sha256("".join(map(conll_text, given)).encode()).hexdigest()


def _valid_trees(
    sentences: Sequence[Sentence], columns: Sequence[str], reads: Mapping[str, str], faulty: str, progress: Progress
) -> tuple[list[Tree], list[str]]:
    """The trees with the named columns, and their names for messages.

    reads: fallback columns that are read in place of empty ones.
    faulty: "refuse" raises CrossarcError at the first sentence with an invalid tree, "skip" leaves such sentences out.
    """
    trees, names = [], []
    for sentence in sentences:
        try:
            tree = read_tree(sentence)
        except CrossarcError as error:
            if faulty == "refuse":
                raise CrossarcError(f"{error}; treebank.faulty=skip leaves such sentences out") from error
            progress(f"skipped: {error}")
            continue
        trees.append(tree._replace(columns=feature_columns(sentence, columns, reads)))
        names.append(sentence.id)
    if not trees:
        raise CrossarcError("the training treebank has no usable sentence")
    return trees, names


def _check_dev(
    options: TreebankOptions,
    train: Sequence[Sentence],
    sha256: str,
    columns: Sequence[str],
    tags: Collection[str],
    progress: Progress,
) -> None:
    """Raise CrossarcError, before training, for a development treebank that could not be scored afterwards."""
    warn_of_equal(options, sha256, progress)
    dev = read_part(options, options.dev)
    for sentence in dev:
        read_tree(sentence)
        feature_columns(sentence, columns)
    require_tags(options.dev, dev, train, tags)


def warn_of_equal(options: TreebankOptions, sha256: str, progress: Progress) -> None:
    """Warn if the development treebank is the training treebank.

    sha256: checksum of the training treebank
    """
    if checksum(options.dev) == sha256:
        progress(f"warning: {options.dev} is the training treebank: scores on it say nothing about other text")


def versions() -> dict[str, str]:
    """The versions of the libraries that affect training, by name, as stored in models."""
    return {
        "crossarc": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": version("scipy"),
        "scikit-learn": version("scikit-learn"),
    }
