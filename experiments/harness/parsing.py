"""The cells that most experiments are made of: a parser trained and run, an oracle parser run, a treebank counted."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from ...parser.analysis.oracle_report import derived_batches
from ...parser.analysis.three_step_report import three_step_trees
from ...parser.base.errors import CrossarcError
from ...parser.config.config import AUTO, Config
from ...parser.config.feature_files import load_features
from ...parser.evaluate import Comparison, compare, scored_tree
from ...parser.evaluate.percent import Json
from ...parser.models.graph_model import GraphModel
from ...parser.models.transition_model import TransitionModel
from ...parser.search.greedy import Fallback
from ...parser.training.passes import load_pass_features
from ...parser.training.train import feature_choice, train
from ...parser.transforms import fit_all, invert_all, parse_transform
from ...parser.transforms.lifting.projectivize import projectivized
from ...parser.treebank import Sentence, read_sentences
from ...parser.treebank.statistics import statistics
from ...parser.treebank.symbols import nameable_columns
from ...parser.treebank.tree import Tree, trees_of, usual_labels
from ...transitions.registry import make_system
from ...transitions.trees import roots
from .runner import Cell, missing_reason

__all__ = [
    "Part",
    "compared",
    "count_part",
    "coverage",
    "coverage_cell",
    "oracle_trees",
    "pack",
    "performance",
    "performance_cell",
    "performances_cell",
    "resolved",
    "statistics_cell",
    "trained_and_run",
    "trained_on",
    "trained_stages",
    "unpack",
]


@dataclass(frozen=True, slots=True)
class Part:
    """The sentences of a file, or some of them.

    format, columns: as in a config's treebank section. limit: the first so many only (0: all). folds: sentences with
    the same number modulo ``folds`` are one fold, the first sentence being number 1 (Nilsson 2009, section 3.3); of
    them, the part is fold ``fold``, or several, or with ``outside`` all others (0 folds: no division).
    """

    path: str
    format: str = AUTO
    columns: str = "gold"
    limit: int = 0
    folds: int = 0
    fold: int | tuple[int, ...] = 0
    outside: bool = False

    @property
    def whole(self) -> bool:
        """Whether it is all sentences of the file."""
        return not self.limit and not self.folds

    def sentences(self) -> Iterator[Sentence]:
        """The sentences, in their order."""
        wanted = (self.fold,) if isinstance(self.fold, int) else self.fold
        numbered = enumerate(read_sentences(self.path, self.format, self.columns), 1)
        for number, sentence in islice(numbered, self.limit or None):
            if not self.folds or (number % self.folds in wanted) != self.outside:
                yield sentence

    def key(self) -> dict[str, Any]:
        """What decides, with the contents of the file, which sentences these are."""
        return {
            "format": self.format,
            "columns": self.columns,
            "limit": self.limit,
            "folds": [self.folds, self.fold, self.outside] if self.folds else None,
        }


def performance_cell(name: str, config: Config, train_part: Part, test: Part) -> Cell:
    """The cell of :func:`performance`; the templates of the feature model are part of its key."""
    key = {"config": resolved(config, train_part), "train": train_part.key(), "test": test.key()}
    return Cell(name, performance, (config, train_part, test), key, (train_part.path, test.path))


def performances_cell(name: str, config: Config, train_part: Part, tests: Sequence[Part]) -> Cell:
    """The cell of :func:`performances`."""
    key = {"config": resolved(config, train_part), "train": train_part.key(), "parts": [part.key() for part in tests]}
    files = (train_part.path, *(part.path for part in tests))
    return Cell(name, performances, (config, train_part, tests), key, files)


def coverage_cell(name: str, config: Config, test: Part) -> Cell:
    """The cell of :func:`coverage`; what the guide looks at does not matter to it."""
    deciding = ("system", "oracle", "transforms", "underivable", "root")
    own = {name: value for name, value in config.to_json().items() if name in deciding}
    return Cell(name, coverage, (config, test), {"config": own, "test": test.key()}, (test.path,))


def statistics_cell(name: str, part: Part) -> Cell:
    """The cell of :func:`count_part`."""
    return Cell(name, count_part, (part,), {"part": part.key()}, (part.path,))


def performance(config: Config, train_part: Part, test: Part) -> Json:
    """Train on one part, parse another: the parsed trees (see :func:`pack`), and what it cost in seconds of CPU."""
    return trained_and_run(config, train_part, test)[1]


def performances(config: Config, train_part: Part, tests: Sequence[Part]) -> Json:
    """Train once, parse several parts.

    ``parsed``: the trees of each (see :func:`pack`). ``single_root``: whether node 0 gets one dependent. ``cost``: what
    training and parsing the first of them took.
    """
    model, first = trained_and_run(config, train_part, tests[0])
    cost = first.pop("cost")
    parsed: list[Json] = [first, *(pack(trees_of(model.parse(part.sentences()))) for part in tests[1:])]
    return {"parsed": parsed, "single_root": model.single_root, "cost": cost}


def trained_and_run(
    config: Config, train_part: Part, test: Part
) -> tuple[TransitionModel | GraphModel, dict[str, Json]]:
    """(the model, the result of :func:`performance`)."""
    cpu = time.process_time()
    model = trained_on(config, train_part)
    trained = time.process_time()
    parsed = list(model.parse(test.sentences()))
    cost: dict[str, Json] = {
        "train_cpu": trained - cpu,
        "parse_cpu": time.process_time() - trained,
        "words": sum(map(len, parsed)),
        "train": {name: model.provenance["train"][name] for name in ("sentences", "words")},
        "labels": len(model.labels),
    }
    return model, {**pack(trees_of(parsed)), "cost": cost}


def coverage(config: Config, test: Part) -> Json:
    """What the oracle parser of a config makes of the trees (see :func:`oracle_trees`)."""
    return pack(oracle_trees(config, trees_of(test.sentences())))


def count_part(part: Part) -> Json:
    """The figures of table 1 of Kuhlmann & Nivre (2010), see :func:`~crossarc.parser.treebank.statistics`."""
    return statistics(part.sentences())


def oracle_trees(config: Config, trees: Sequence[Tree]) -> list[Tree]:
    """The output of the oracle parser (Kuhlmann & Nivre 2010, section 2.4): the upper bound of a guide's.

    The trees are transformed as for training, derived by the oracle, and the transforms are inverted. What the oracle
    cannot derive is treated as the config's ``underivable`` says: projectivized first, or else derived as far as the
    oracle goes and completed by default transitions.
    """
    transforms = [parse_transform(spec) for spec in config.transforms]
    wanted = fit_all(transforms, trees) if transforms else list(trees)
    single = config.root.single
    if single == AUTO:
        single = all(len(roots(tree.heads)) == 1 for tree in wanted)
    if config.passes:
        heads = three_step_trees([tree.heads for tree in wanted], [tree.deprels for tree in wanted])
        derived = [tree._replace(heads=own) for tree, own in zip(wanted, heads, strict=True)]
        return [invert_all(transforms, tree) for tree in derived] if transforms else derived
    derived = _derived(config, wanted, bool(single))
    if config.underivable == "projectivize":
        lost = [n for n, tree in enumerate(wanted) if derived[n].heads != tree.heads]
        nearest = [projectivized(wanted[n]) for n in lost]
        for number, tree in zip(lost, _derived(config, nearest, bool(single)), strict=True):
            derived[number] = tree
    return [invert_all(transforms, tree) for tree in derived] if transforms else derived


def compared(test: Part, result: Json) -> Comparison:
    """The parsed trees of a cell against the gold trees of the part they are of."""
    assert isinstance(result, dict)
    gold = [scored_tree(sentence) for sentence in test.sentences()]
    return compare(gold, list(unpack(result)))


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


def trained_stages(config: Config, part: Part) -> TransitionModel:
    """The transition-based parser that a config describes, trained on a part."""
    model = trained_on(config, part)
    if not isinstance(model, TransitionModel):
        raise CrossarcError(f"system: found {config.system!r}, expected a transition system")
    return model


def trained_on(config: Config, part: Part) -> TransitionModel | GraphModel:
    """The parser that a config describes, trained on a part."""
    options = replace(config.treebank, train=part.path, format=part.format, columns=part.columns)
    if part.whole:
        return train(replace(config, treebank=options))
    sentences = list(part.sentences())
    if not sentences:
        raise CrossarcError(f"{part.path}: the part to train on has no sentences")
    return train(replace(config, treebank=options), sentences=sentences)


def resolved(config: Config, part: Part) -> dict[str, Any]:
    """The config as JSON, with its feature model written out where the treebank is there to say what columns it has."""
    values = config.to_json()
    if missing_reason(part.path) is None:
        first = next(replace(part, folds=0, limit=1).sentences(), None)
        if first is not None:
            names = nameable_columns(first.format.index)
            values["features"] = load_features(feature_choice(config), config.first_system, names).lines()
            for name, model in load_pass_features(config, names).items():
                values[f"{name} features"] = model.lines()
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
