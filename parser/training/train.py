"""Training a parser from a config: treebank, transforms, oracle, instances, guide."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy
import sklearn

from ...features.extractor import Extractor
from ...features.template import FeatureModel, TemplateError
from ...oracles.oracle import Gold
from ...oracles.registry import make_oracle
from ...transitions.configuration import NONE, Ints
from ...transitions.registry import make_system
from ...transitions.system import TransitionSystem
from ...transitions.trees import cycles, roots
from ...version import __version__
from ..config.config import AUTO, Config
from ..config.feature_files import feature_columns, load_features, nameable_columns
from ..errors import CrossarcError
from ..evaluate import Scores, score_sentences
from ..learners.learner import Instances
from ..learners.registry import make_learner
from ..models.archive import check_writable
from ..models.greedy_parser import GreedyParser
from ..models.transition_model import ParserModel, build_tables
from ..search.greedy import Fallback, derive
from ..search.stage import Stage, column_sizes
from ..transforms import fit_all, parse_transform
from ..transforms.projectivize import projectivize
from ..treebank import Sentence, Table, checksum, encode_columns, read_sentences, read_treebank
from ..treebank.batches import batches_by_length
from ..treebank.tree import Tree
from .instances import InstanceRecorder, merge_instances
from .passes import PassData, anchored, load_pass_features, train_passes

__all__ = ["Progress", "TrainingData", "feature_choice", "score_on", "train", "train_stage"]

Progress = Callable[[str], None]
KERNEL_LEARNERS = ("knn",)


@dataclass(frozen=True, slots=True)
class TrainingData:
    """What a stage is trained on: trees with their columns, names for messages, label names, and symbol tables."""

    trees: Sequence[Tree]
    names: Sequence[str]
    labels: tuple[str, ...]
    tables: Mapping[str, Table]


def train(config: Config, progress: Progress = lambda line: None) -> ParserModel:
    """The parser that a config describes. Equal configs and treebanks give equal models.

    progress: is told what happens, a line at a time. Raises CrossarcError for whatever the config or the treebank has
    wrong: nothing is written.
    """
    if not config.treebank.train:
        raise CrossarcError("treebank.train names no file; give one in the config or with --train")
    if config.model:
        check_writable(config.model)
    checksums = {name: checksum(path) for name, path in _files(config).items()}
    guide = make_learner(config.guide)
    transforms = [parse_transform(spec) for spec in config.transforms]
    file_format = None if config.treebank.format == AUTO else config.treebank.format
    treebank = read_treebank(config.treebank.train, file_format, config.treebank.columns)
    nameable = nameable_columns(treebank.format.index)
    features = load_features(feature_choice(config), config.first_system, nameable)
    pass_features = load_pass_features(config, nameable)
    columns = sorted({name for model in (features, *pass_features.values()) for name in model.columns})
    if config.treebank.dev:
        _check_dev(config, columns)
    given = (config.anchors.heads, config.anchors.deprels) if config.anchors.heads else ()
    trees, names = _valid_trees(treebank.sentences, [*columns, *given], config.treebank.faulty, progress)
    progress(f"{config.treebank.train}: {len(trees)} sentences, {sum(len(t.heads) - 1 for t in trees)} words")
    single_root = config.root.single
    if single_root == AUTO:
        single_root = all(len(roots(tree.heads)) == 1 for tree in trees)
    trees = fit_all(transforms, trees) if transforms else trees
    tables = build_tables({name: [tree.columns[name] for tree in trees] for name in columns})
    first = [anchored(*own, given or None) for own in zip(trees, names, strict=True)] if config.passes else trees
    labels = tuple(sorted({label for tree in (*trees, *first) for label in tree.deprels[1:]}))
    data = TrainingData(first, names, labels, tables)
    system = make_system(config.first_system, single_root=bool(single_root))
    stages = [train_stage(config, system, features, guide, data, progress)]
    if config.passes:
        batches = list(batches_by_length([len(tree.heads) - 1 for tree in trees], config.sentences))
        passes = PassData(trees, first, labels, tables, batches)
        stages += train_passes(config, pass_features, passes, stages[0], progress)
    provenance = {
        "crossarc": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "train": {
            "sha256": checksums["train"],
            "sentences": len(trees),
            "words": sum(len(tree.heads) - 1 for tree in trees),
        },
    }
    return ParserModel(config.to_json(), tuple(stages), tables, labels, tuple(transforms), provenance)


def score_on(model: ParserModel, config: Config, path: str) -> tuple[ParserModel, Scores]:
    """(the model with its scores on the development treebank ``path`` in its provenance, the scores)."""
    file_format = None if config.treebank.format == AUTO else config.treebank.format
    gold = list(read_sentences(path, file_format, config.treebank.columns))
    scores = score_sentences(gold, GreedyParser(model).parse(gold))
    figures = {name: getattr(scores, name) for name in ("las", "uas", "la", "lem", "uem")}
    dev = {"sha256": checksum(path), **figures}
    return replace(model, provenance={**model.provenance, "dev": dev}), scores


def train_stage(
    config: Config,
    system: TransitionSystem,
    features: FeatureModel,
    guide: Any,
    data: TrainingData,
    progress: Progress,
) -> Stage:
    """Derive the training trees with the config's oracle, and fit the guide to what it decided."""
    sizes = column_sizes(data.tables, features.columns)
    try:
        extractor = Extractor(features, sizes, len(data.labels))
    except TemplateError as error:
        raise CrossarcError(str(error)) from error
    fallback = _fallback(config, data)
    trees, skip = _derivable(config, system, fallback, data, progress)
    instances, inventory = _instances(config, system, fallback, extractor, data, trees, skip)
    progress(
        f"{len(instances.target)} instances, {len(instances.slots)} feature slots, {len(inventory)} transitions; "
        f"training {guide.name}"
    )
    guide.fit(instances)
    return Stage(system, features, sizes, len(data.labels), inventory, fallback, guide, extractor)


def feature_choice(config: Config) -> str:
    if config.features != AUTO:
        return config.features
    kernel = config.guide.get("kernel") == "poly" or config.guide["learner"] in KERNEL_LEARNERS
    return "plain" if kernel else "rich"


def _valid_trees(
    sentences: Sequence[Sentence], columns: Sequence[str], faulty: str, progress: Progress
) -> tuple[list[Tree], list[str]]:
    trees, names = [], []
    for sentence in sentences:
        try:
            heads = _tree_heads(sentence)
        except CrossarcError as error:
            if faulty == "refuse":
                raise CrossarcError(f"{error}; treebank.faulty=skip leaves such sentences out") from error
            progress(f"skipped: {error}")
            continue
        trees.append(Tree(heads, sentence.deprels(), feature_columns(sentence, columns)))
        names.append(sentence.id)
    if not trees:
        raise CrossarcError("the training treebank has no usable sentence")
    return trees, names


def _tree_heads(sentence: Sentence) -> list[int]:
    heads = sentence.heads()
    if found := cycles(heads):
        words = " ".join(map(str, found[0]))
        raise CrossarcError(f"{sentence.source}:{sentence.line}: sentence {sentence.id}: cycle of words {words}")
    return heads


def _check_dev(config: Config, columns: Sequence[str]) -> None:
    """Refuse before training what could not be scored after it."""
    file_format = None if config.treebank.format == AUTO else config.treebank.format
    for sentence in read_sentences(config.treebank.dev, file_format, config.treebank.columns):
        _tree_heads(sentence)
        feature_columns(sentence, columns)


def _fallback(config: Config, data: TrainingData) -> Fallback:
    """Labels for arcs that no guide labels: the most frequent ones from node 0 and from the words that hang there."""
    from_root: Counter[str] = Counter()
    orphans: Counter[str] = Counter()
    for tree in data.trees:
        for head, label in zip(tree.heads[1:], tree.deprels[1:], strict=True):
            if head == 0:
                from_root[label] += 1
            elif tree.heads[head] == 0:
                orphans[label] += 1
    root = config.root.label
    if root == AUTO:
        root = max(sorted(from_root), key=from_root.__getitem__)
    elif root not in data.labels:
        raise CrossarcError(f"root.label: {root!r} is no label of the training treebank")
    orphan = max(sorted(orphans), key=orphans.__getitem__) if orphans else root
    return Fallback(data.labels.index(root), data.labels.index(orphan))


def _derivable(
    config: Config, system: TransitionSystem, fallback: Fallback, data: TrainingData, progress: Progress
) -> tuple[list[list[int]], np.ndarray]:
    """(heads of every tree as the oracle is to derive them, bool (trees,): which to leave out)."""
    heads = [tree.heads for tree in data.trees]
    skip = np.zeros(len(heads), dtype=np.bool_)
    reached = _reached(config, system, fallback, data, heads, range(len(heads)))
    lost = [number for number, ok in reached.items() if not ok]
    if not lost:
        return heads, skip
    share = f"{len(lost)} of {len(heads)} trees ({100 * len(lost) / len(heads):.1f} %)"
    if config.underivable == "refuse":
        raise CrossarcError(f"the {system.name} oracle cannot derive {share}, the first is {data.names[lost[0]]}")
    progress(f"the {system.name} oracle cannot derive {share}: {config.underivable}")
    if config.underivable == "skip":
        skip[lost] = True
        if skip.all():
            raise CrossarcError(f"the {system.name} oracle can derive no tree of the training treebank")
    elif config.underivable == "projectivize":
        heads = _projectivized(config, system, fallback, data, heads, lost, progress)
    return heads, skip


def _projectivized(
    config: Config,
    system: TransitionSystem,
    fallback: Fallback,
    data: TrainingData,
    heads: Sequence[list[int]],
    lost: Sequence[int],
    progress: Progress,
) -> list[list[int]]:
    """The trees with the lost ones made projective; where that does not help a system that is not projective, as they
    were."""
    result = list(heads)
    for number in lost:
        result[number] = projectivize(heads[number])[0]
    still = [number for number, ok in _reached(config, system, fallback, data, result, lost).items() if not ok]
    if still:
        progress(f"{len(still)} of them cannot be derived as projective trees either, and are as far as possible")
    if not system.projective:
        for number in still:
            result[number] = heads[number]
    return result


def _gold(data: TrainingData, heads: Sequence[list[int]], numbers: Sequence[int]) -> Gold:
    label_number = {label: number for number, label in enumerate(data.labels)}
    deprels = [[NONE, *map(label_number.__getitem__, data.trees[number].deprels[1:])] for number in numbers]
    return Gold([heads[number] for number in numbers], deprels)


def _oracle_name(config: Config) -> str | None:
    return None if config.oracle == AUTO else config.oracle


def _reached(
    config: Config,
    system: TransitionSystem,
    fallback: Fallback,
    data: TrainingData,
    heads: Sequence[list[int]],
    numbers: Sequence[int],
) -> dict[int, bool]:
    """For each tree of those numbers, in ascending order, whether the oracle derives it."""
    reached: dict[int, bool] = {}
    for places in batches_by_length([len(heads[number]) - 1 for number in numbers], config.sentences):
        batch = [numbers[place] for place in places]
        gold = _gold(data, heads, batch)
        oracle = make_oracle(system, gold, _oracle_name(config))
        derivation = derive(system, oracle, system.initial(gold.lengths), fallback)
        reached.update(zip(batch, (derivation.heads == gold.heads).all(axis=1).tolist(), strict=True))
    return {number: reached[number] for number in numbers}


def _instances(
    config: Config,
    system: TransitionSystem,
    fallback: Fallback,
    extractor: Extractor,
    data: TrainingData,
    heads: Sequence[list[int]],
    skip: np.ndarray,
) -> tuple[Instances, Ints]:
    recorded = []
    for numbers in batches_by_length([len(tree) - 1 for tree in heads], config.sentences):
        gold = _gold(data, heads, numbers)
        oracle = make_oracle(system, gold, _oracle_name(config))
        by_name = {name: [data.trees[number].columns[name] for number in numbers] for name in data.tables}
        recorder = InstanceRecorder(extractor, encode_columns(by_name, data.tables), skip[numbers])
        derive(system, oracle, system.initial(gold.lengths), fallback, recorder)
        recorded.append(recorder.recorded())
    return merge_instances(recorded, extractor)


def _files(config: Config) -> dict[str, str]:
    named = {"train": config.treebank.train, "dev": config.treebank.dev}
    return {name: path for name, path in named.items() if path}
