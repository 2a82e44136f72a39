"""Common cells: train and run a parser, run an oracle parser, count a treebank."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any, TypeVar

from ...parser.base.errors import CrossarcError
from ...parser.config.config import AUTO, THREE_STEP, Config, ParserConfig, chosen
from ...parser.config.feature_files import load_stage_features
from ...parser.evaluate.percent import Json
from ...parser.models.model import ParserModel
from ...parser.models.trained import TrainedParser
from ...parser.models.transition_model import TransitionModel
from ...parser.plugins.analysis.oracle_report import derived_batches, tree_report
from ...parser.search.greedy import Fallback
from ...parser.training.prepare import training_key
from ...parser.training.train import train
from ...parser.transforms.distortion import distortion
from ...parser.transforms.lifting.projectivize import projectivized
from ...parser.transforms.registry import parse_transform
from ...parser.transforms.transform import fit_all, invert_all
from ...parser.treebank import Sentence, read_sentences
from ...parser.treebank.statistics import statistics
from ...parser.treebank.symbols import nameable_columns
from ...parser.treebank.tree import Tree, trees_of, usual_labels
from ...transitions.registry import PASSES, make_system
from ...transitions.trees import roots
from .runner import Cell, once_warm

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TreebankPart:
    """The sentences of a file, or some of them.

    format, columns: as in a config's treebank section.
    limit: number of sentences, from the first (0: all).
    folds: number of folds (0: no division). Sentences with the same number modulo ``folds`` are one fold; the first
        sentence is number 1 (Nilsson 2009, section 3.3).
    fold: the fold or folds of this part.
    outside: whether the part is all other folds.
    """

    path: str
    format: str = AUTO
    columns: str = "gold"
    limit: int = 0
    folds: int = 0
    fold: int | tuple[int, ...] = 0
    outside: bool = False

    def sentences(self) -> Iterator[Sentence]:
        """The sentences, in their order."""
        wanted = (self.fold,) if isinstance(self.fold, int) else self.fold
        numbered = enumerate(read_sentences(self.path, self.format, self.columns), 1)
        for number, sentence in islice(numbered, self.limit or None):
            if not self.folds or (number % self.folds in wanted) != self.outside:
                yield sentence

    def key(self) -> dict[str, Any]:
        """The choice of sentences, which together with the contents of the file identifies them."""
        return {
            "format": self.format,
            "columns": self.columns,
            "limit": self.limit,
            "folds": [self.folds, self.fold, self.outside] if self.folds else None,
        }


def make_cell(name: str, compute: Callable[..., Json], *arguments: Any, key: Json = None) -> Cell:
    """The cell of a call ``compute(*arguments)``; files of parts among the arguments become files of the cell.

    key: JSON value that determines the result (default: the arguments; a config includes its feature templates).
    """
    parts = list(_parts(arguments))
    decides = (
        [_described(argument, parts) for argument in arguments]
        if key is None
        else [key, *(part.key() for part in parts)]
    )
    files = tuple(part.path for part in parts)
    return Cell(name, compute, arguments, {"arguments": decides}, files)


def coverage_cell(name: str, config: ParserConfig, test: TreebankPart) -> Cell:
    """The cell of :func:`coverage`, whose result does not depend on the features of the guide."""
    deciding = ("system", "oracle", "transforms", "underivable", "root")
    deciding_values: Json = {name: value for name, value in config.to_json().items() if name in deciding}
    return make_cell(name, coverage, config, test, key=deciding_values)


def parses(config: ParserConfig, train_part: TreebankPart, tests: Mapping[str, TreebankPart]) -> Json:
    """Train on one part and parse others.

    The result has the keys ``parts``, the trees of each (see :func:`pack`); ``single_root``, whether node 0 gets one
    dependent; and ``cost``: CPU seconds of training (``train_cpu``) and of parsing each part (``parse_cpu``), words of
    each part and of the training set, and the number of labels.
    """
    return trained_and_run(config, train_part, tests)[1]


def parses_both_ways(config: ParserConfig, train_part: TreebankPart, tests: Mapping[str, TreebankPart]) -> Json:
    """As :func:`parses`, the trees with and without inverse transforms (Nilsson 2009, section 9.3.2)."""
    return trained_and_run(config, train_part, tests, ("inverted", "uninverted"))[1]


def trained_and_run(
    config: ParserConfig, train_part: TreebankPart, tests: Mapping[str, TreebankPart], forms: Sequence[str] = ("",)
) -> tuple[TrainedParser, dict[str, Any]]:
    """(the model, the result of :func:`parses`).

    forms: of the trees of each part, added to its name; those that are ``uninverted`` lack the inverse transforms.
    """
    once_warm()
    model, trained = timed(trained_on, config, train_part)
    trees: dict[str, Json] = {}
    seconds: dict[str, Json] = {}
    words: dict[str, Json] = {}
    for part, form in product(tests, forms):
        name, sentences = f"{part} {form}".rstrip(), list(tests[part].sentences())
        changed = replace(model, transforms=()) if form == "uninverted" else model
        parsed, seconds[name] = timed(parse_all, changed, sentences)
        words[name] = sum(map(len, parsed))
        trees[name] = pack(trees_of(parsed))
    cost: dict[str, Json] = {
        "train_cpu": trained,
        "train_words": model.provenance["train"]["words"],
        "train_sentences": model.provenance["train"]["sentences"],
        "parse_cpu": seconds,
        "words": words,
        "labels": len(model.labels),
    }
    return model, {"parts": trees, "single_root": model.single_root, "cost": cost}


def timed(compute: Callable[..., T], *arguments: Any) -> tuple[T, float]:
    """The result of a call, and its CPU seconds."""
    start = time.process_time()
    result = compute(*arguments)
    return result, time.process_time() - start


def split_off(train_part: TreebankPart, dev: TreebankPart | None) -> tuple[list[Sentence], list[Sentence]]:
    """(training sentences, development sentences); without a development set, the last tenth of the training sentences.

    So do the models of UDPipe 1 for Universal Dependencies.
    """
    sentences = list(train_part.sentences())
    if dev:
        return sentences, list(dev.sentences())
    return sentences[: -(len(sentences) // 10)], sentences[-(len(sentences) // 10) :]


def parse_all(model: ParserModel, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences, parsed."""
    return list(model.parse(sentences))


def coverage(config: Config, test: TreebankPart) -> Json:
    """Scores of the oracle parser of a config (see :func:`oracle_trees`)."""
    return {"parts": {"coverage": pack(oracle_trees(config, trees_of(test.sentences())))}}


def count_part(part: TreebankPart) -> Json:
    """The figures of table 1 of Kuhlmann & Nivre (2010), see :func:`~crossarc.parser.treebank.statistics`."""
    return statistics(part.sentences())


def cost_row(costs: Sequence[Mapping[str, Any]], name: str) -> dict[str, Json]:
    """The cost of a parser, from the costs of its cells (see :func:`parses`). name: of the parsed part."""
    seconds, words = (sum(cost[key][name] for cost in costs) for key in ("parse_cpu", "words"))
    return {
        "train_words": sum(cost["train_words"] for cost in costs),
        "train_cpu": sum(cost["train_cpu"] for cost in costs),
        "speed": round(words / seconds) if seconds else 0,
        "labels": max(cost["labels"] for cost in costs),
    }


def lost_by(transforms: Sequence[Any], *parts: TreebankPart) -> Json:
    """The loss of transforms and their inverses, see :func:`~crossarc.parser.transforms.distortion`."""
    trees = [tree for part in parts for tree in trees_of(part.sentences())]
    return distortion(trees, [parse_transform(spec) for spec in transforms])


def oracle_trees(config: Config, trees: Sequence[Tree]) -> list[Tree]:
    """The output of the oracle parser (Kuhlmann & Nivre 2010, section 2.4), which is the upper bound for a guide.

    The trees are transformed as for training and derived by the oracle; then the transforms are inverted. The config's
    ``underivable`` decides about trees that the oracle cannot derive: they are projectivized first, or derived as far
    as possible and completed by default transitions.
    """
    transforms = [parse_transform(spec) for spec in config.transforms]
    wanted = fit_all(transforms, trees)
    single = chosen(config.root.single, lambda: all(len(roots(tree.heads)) == 1 for tree in wanted))
    if config.projectivizes:
        report = tree_report(THREE_STEP, wanted, [str(number) for number in range(1, len(wanted) + 1)])
        derived = [
            tree._replace(heads=list(sentence.tree)) for tree, sentence in zip(wanted, report.final, strict=True)
        ]
    else:
        derived = _derived(config, wanted, single)
        if config.underivable == "projectivize":
            lost = [n for n, tree in enumerate(wanted) if derived[n].heads != tree.heads]
            nearest = [projectivized(wanted[n]) for n in lost]
            for number, tree in zip(lost, _derived(config, nearest, single), strict=True):
                derived[number] = tree
    return [invert_all(transforms, tree) for tree in derived]


def unpack(result: Mapping[str, Any]) -> Iterator[Tree]:
    """The tree of each sentence of a cell's result."""
    names = result["labels"]
    for heads, deprels in zip(result["heads"], result["deprels"], strict=True):
        yield Tree([-1, *heads], ["", *(names[number] for number in deprels)])


def pack(trees: Iterable[Tree]) -> dict[str, Json]:
    """Trees as JSON: heads and numbers of deprels of the words of each sentence, and the deprels by number."""
    numbers: dict[str, int] = {}
    heads: list[Json] = []
    deprels: list[Json] = []
    for tree in trees:
        heads.append(list(tree.heads[1:]))
        deprels.append([numbers.setdefault(label, len(numbers)) for label in tree.deprels[1:]])
    return {"heads": heads, "deprels": deprels, "labels": list(numbers)}


def transition_based(model: TrainedParser, config: ParserConfig) -> TransitionModel:
    """The model of a config, if it is transition-based. Raises CrossarcError for others."""
    return TransitionModel.of(model, f"system: found {config.system!r}, expected a transition system")


def seeded(config: ParserConfig, seed: int) -> ParserConfig:
    """The config with another random seed of the learner, which divides the treebank for exploration, too.

    Raises CrossarcError for a parser without a seed, whose runs would be equal.
    """
    if not isinstance(config, Config):
        raise CrossarcError(f"seeds: the system {config.system} has no seed; leave out the parser, or set seeds=[]")
    return replace(config, guide={**config.guide, "seed": seed})


def trained_on(config: ParserConfig, part: TreebankPart) -> TrainedParser:
    """The parser that a config describes, trained on a part."""
    options = replace(config.treebank, train=part.path, format=part.format, columns=part.columns)
    if not part.limit and not part.folds:
        return train(replace(config, treebank=options))
    sentences = list(part.sentences())
    if not sentences:
        raise CrossarcError(f"{part.path}: the part to train on has no sentences")
    return train(replace(config, treebank=options), sentences=sentences)


def resolved(config: ParserConfig, part: TreebankPart) -> dict[str, Any]:
    """The config as JSON, with its feature model written out, for the columns that the treebank has."""
    values = training_key(config)
    first = next(replace(part, folds=0, limit=1).sentences(), None)
    if first is not None:
        names = nameable_columns(first.format.index)
        for name, model in load_stage_features(config, names).items():
            values[f"{name} features" if name in PASSES else "features"] = model.lines()
    return values


def _derived(config: Config, trees: Sequence[Tree], single_root: bool) -> list[Tree]:
    names = sorted({label for tree in trees for label in tree.deprels[1:]} or {""})
    fallback = Fallback(*map(names.index, usual_labels(trees)))
    system = make_system(config.system, single_root=single_root)
    derived: dict[int, Tree] = {}
    batches = derived_batches(system, config.oracle_name, trees, names, fallback, lambda *_: None)
    for rows, _, outcome, _ in batches:
        for row, heads, labels in zip(rows, outcome.heads.tolist(), outcome.deprels.tolist(), strict=True):
            n = len(trees[row].heads)
            derived[row] = Tree(heads[:n], ["", *(names[label] for label in labels[1:n])], trees[row].columns)
    return [derived[row] for row in range(len(trees))]


def _parts(value: Any) -> Iterator[TreebankPart]:
    """The parts among arguments, also inside lists and mappings."""
    if isinstance(value, TreebankPart):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _parts(inner)


def _described(value: Any, parts: Sequence[TreebankPart]) -> Json:
    if isinstance(value, TreebankPart):
        return value.key()
    if isinstance(value, ParserConfig):
        return resolved(value, parts[0])
    if isinstance(value, Mapping):
        return {name: _described(inner, parts) for name, inner in value.items()}
    return [_described(inner, parts) for inner in value] if isinstance(value, list | tuple) else value
