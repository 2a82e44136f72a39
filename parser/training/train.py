"""Training of a parser from a config: treebank, transforms, oracle, instances, learner."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...features.template import FeatureModel
from ...transitions.trees import roots
from ..base.data_warnings import warn
from ..base.errors import CrossarcError
from ..base.lazy import Lazy
from ..base.progress import Progress, nothing
from ..config.config import MINIMAL_COST, AnyConfig, Config, LabelledRoot, ParserConfig
from ..config.feature_files import load_stage_features
from ..models.files import check_writable
from ..models.model import ParserModel
from ..models.steps import Segmenter
from ..models.trained import TrainedParser
from ..search.greedy import Fallback
from ..transforms.lifting.projectivize import projectivized
from ..transforms.registry import parse_transform
from ..transforms.transform import fit_all
from ..treebank import ReadTreebank, Sentence, SymbolTable, read_treebank
from ..treebank.limits import LABELS, above
from ..treebank.pairs import read_tree
from ..treebank.symbols import build_tables, feature_columns, nameable_columns, treebank_column
from ..treebank.tree import Tree, usual_labels
from .derivations import TrainingData
from .partial import completed
from .prepare import STEP_KEYS, STEP_OPTIONS, fallback_columns, prepare, read_train, report_empty_columns, step_trainers

FITTED: Mapping[str, Callable[..., TrainedParser]] = Lazy(
    __package__, {"transitions": "stage:train_stages"}, "TRAINERS"
)
"""Functions that make a parser of each kind from the config, its feature models and the training data."""


def train(
    config: ParserConfig,
    progress: Progress = nothing,
    sentences: Any = None,
    features: FeatureModel | None = None,
    read: ReadTreebank = read_treebank,
) -> TrainedParser:
    """Train the parser that a config describes. Equal configs and treebanks give equal models.

    progress: receives reports, one line at a time (:mod:`~crossarc.parser.base.progress`).
    sentences: sentences to train on, as :func:`crossarc.as_sentences` reads them, instead of those of the file
        ``treebank.train``.
    features: feature model, instead of the one that the config names.
    read: reads treebanks; a caller that needs them, too, may keep what it read.

    Raises CrossarcError for errors in the config or the treebank.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"])
    >>> model = crossarc.train(config, sentences=crossarc.read_sentences("dev.conllu"))
    >>> model.provenance["train"]["sentences"]
    20
    """
    if config.model:
        check_writable(config.model)
    transforms = [parse_transform(spec) for spec in config.transforms]
    treebank = read_train(config.treebank, sentences, read)
    trainers = step_trainers({key: getattr(config, key) for key in (*STEP_KEYS, *STEP_OPTIONS)})
    supplied = {column for trainer in trainers for column in trainer.supplies}
    nameable = nameable_columns([*treebank.format.index, *sorted(supplied)])
    models = _feature_models(config, features, nameable)
    columns = sorted({name for model in models.values() for name in model.columns} | config.columns)
    reads = fallback_columns(treebank.sentences, columns)
    looked_at = {treebank_column(name, reads) for name in columns} - supplied
    prepared = prepare(config.treebank, trainers, looked_at, treebank, progress, looked_at, read)
    steps, provenance = tuple(prepared.steps), prepared.provenance
    unread = supplied.difference(columns, *(step.reads for step in steps))
    if unread and not any(isinstance(step, Segmenter) for step in steps):  # which learns from word groups
        warn(f"no feature model reads {', '.join(sorted(unread))}, which has no effect; feature files may name it")
    learned = prepared.sentences
    if not config.learns_from_partial_trees:
        learned = completed(learned, train, progress, config.treebank.faulty)
    valid = valid_trees(learned, config.treebank.faulty, config.learns_from_partial_trees)
    headless = sum(head < 0 for _, tree in valid for head in tree.heads[1:])
    if isinstance(config, Config) and headless:
        progress(f"{headless} words have no head: training uses the transitions that the other arcs determine")
        if config.underivable not in ("refuse", "skip", MINIMAL_COST):
            progress(f"underivable: {MINIMAL_COST} instead of {config.underivable}, since words have no head")
            config = replace(config, underivable=MINIMAL_COST)
    del treebank, prepared, learned
    names = [sentence.id for sentence, _ in valid]
    trees = [tree._replace(columns=feature_columns(sentence, columns, reads)) for sentence, tree in valid]
    del valid
    words = sum(len(tree.heads) - 1 for tree in trees)
    progress(f"{config.treebank.train or 'training treebank'}: {len(trees)} sentences, {words} words")
    several = _several_roots(config, trees, progress)
    trees = fit_all(transforms, trees) if transforms else trees
    tables = build_tables(columns, [tree.columns for tree in trees])
    report_empty_columns(reads, list(models.values()), tables, progress)
    resolved, data = _training_data(config, trees, names, tables, several)
    del trees
    common: dict[str, Any] = {
        "config": config.to_json(),
        "tables": tables,
        "labels": data.labels,
        "transforms": tuple(transforms),
        "provenance": provenance | {"train": {**provenance["train"], "sentences": len(data.trees), "words": words}},
        "reads": reads,
        "steps": steps,
    }
    return FITTED[config.kind](resolved, models, data, common, progress)


COMPOSITES: Mapping[str, Callable[..., ParserModel]] = Lazy(__package__, {}, "COMPOSITES")
"""Functions that train several parsers as one model, by the kind of their config; plugins declare them."""


def train_any(
    config: AnyConfig,
    progress: Progress = nothing,
    keep: Path | None = None,
    sentences: Any = None,
    jobs: int = 1,
    read: ReadTreebank = read_treebank,
) -> ParserModel:
    """Train what a config describes: a parser with :func:`train`, or several parsers as one model.

    keep: folder for finished parts of several parsers, from which a training that was stopped continues.
    jobs: number of parsers that are trained in parallel.
    read: as in :func:`train`.
    """
    if isinstance(config, ParserConfig):
        return train(config, progress, sentences, read=read)
    return COMPOSITES[config.kind](config, progress, keep, sentences, jobs, read)


def _feature_models(
    config: ParserConfig, first: FeatureModel | None, columns: Sequence[str]
) -> dict[str, FeatureModel]:
    """The feature model of each stage.

    first: that of the first stage, instead of the one that the config names.
    columns: columns that features may name.
    """
    models = load_stage_features(config, columns)
    if first is not None:
        models[next(iter(models))] = first
    for model in models.values():
        config.check_templates(model.lines())
    return models


def _several_roots(config: ParserConfig, trees: Sequence[Tree], progress: Progress) -> bool:
    """Whether a training tree has several roots, which is reported if the parser cannot build them."""
    several = sum(len(roots(tree.heads)) > 1 for tree in trees)
    if config.root.single is True and several:
        progress(
            f"{several} of {len(trees)} training trees have several roots, which the parser cannot build with "
            "root.single=true"
        )
    return several > 0


def _training_data(
    config: ParserConfig, trees: Sequence[Tree], names: Sequence[str], tables: Mapping[str, SymbolTable], several: bool
) -> tuple[ParserConfig, TrainingData]:
    """(the config without "auto", the data to train on). several: whether a tree has several roots."""
    first = list(map(projectivized, trees)) if config.projectivizes else trees
    arcs = ((head, label) for tree in (*trees, *first) for head, label in zip(tree.heads, tree.deprels, strict=True))
    labels = tuple(sorted({label for head, label in arcs if head >= 0}))
    if len(labels) > LABELS:
        where = config.treebank.train or "training treebank"
        raise CrossarcError(f"{where}: {above(f'{len(labels)} labels', LABELS)}")
    root_label, orphan_label = usual_labels(first)
    config = config.resolved(single_root=not several, root_label=root_label)
    if isinstance(config.root, LabelledRoot):
        root_label = config.root.label
    if root_label not in labels:
        raise CrossarcError(f"root.label: {root_label!r} is not a label of the training treebank")
    fallback = Fallback(labels.index(root_label), labels.index(orphan_label))
    return config, TrainingData(trees, first, names, labels, tables, fallback)


def valid_trees(sentences: Sequence[Sentence], faulty: str, partial: bool) -> list[tuple[Sentence, Tree]]:
    """The sentences with valid trees, and these trees without columns. Sentences without any arc are left out.

    faulty: value of the key ``treebank.faulty``.
    partial: whether words may lack a head.

    Raises CrossarcError at the first sentence with an invalid tree, unless ``faulty`` is "skip".
    """
    valid, faults, without = [], [], []
    for sentence in sentences:
        try:
            tree = read_tree(sentence, partial=partial)
            if not len(sentence) or max(tree.heads) >= 0:
                valid.append((sentence, tree))
            else:
                without.append(f"{sentence.source}:{sentence.line}")
        except CrossarcError as error:
            if faulty == "refuse":
                raise CrossarcError(f"{error}; treebank.faulty=skip leaves such sentences out") from error
            faults.append(str(error))
    if without:
        warn(f"left out {len(without)} of {len(sentences)} sentences without any head, the first: {without[0]}")
    if faults:
        warn(f"left out {len(faults)} of {len(sentences)} sentences with invalid trees, the first: {faults[0]}")
    if not valid:
        raise CrossarcError("the training treebank has no usable sentence")
    return valid
