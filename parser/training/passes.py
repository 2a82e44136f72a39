"""Three-step parsers (Lacroix & Béchet 2014): passes that follow a projective parser, trained and run in sequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...features.template import FeatureModel
from ...oracles.oracle import Gold
from ...oracles.three_step import ValencyOracle
from ...transitions.configuration import NONE, Ints
from ...transitions.registry import make_system
from ...transitions.three_step import as_pass
from ...transitions.trees import cycles
from ..base.errors import CrossarcError
from ..base.progress import Progress, counted
from ..config.config import Config, chosen
from ..config.feature_files import load_features
from ..learners.memory import fit, say_memory
from ..learners.registry import make_learner
from ..search.greedy import derive
from ..search.stage import Stage
from ..transforms.lifting.projectivize import projectivized
from ..treebank import encode_columns
from ..treebank.symbols import batches_by_length
from ..treebank.tree import Tree
from .derivations import TrainingData
from .instances import InstanceRecorder, Recorded, merge_instances


def projective_target(tree: Tree, name: str, columns: tuple[str, str] | None) -> Tree:
    """The projective tree that the first step learns: ``tree`` with anchors in place of non-projective arcs.

    columns: names of the columns that hold this tree, which is projectivized if necessary. Without columns, it is
        ``tree`` projectivized with unchanged labels (the paper's CDG Treebank 2).

    Raises CrossarcError, with the name of the sentence, for columns without a valid tree.
    """
    if columns is None:
        return projectivized(tree)
    heads, deprels = columns
    n = len(tree.heads) - 1
    numbers = [NONE]
    for word, text in enumerate(tree.columns[heads], 1):
        if not (text.isascii() and text.isdecimal() and int(text) <= n):
            raise CrossarcError(f"{name}: word {word}: anchor head {text!r} in column {heads}; allowed: 0 to {n}")
        numbers.append(int(text))
    if found := cycles(numbers):
        raise CrossarcError(f"{name}: column {heads}: cycle of words {' '.join(map(str, found[0]))}")
    return projectivized(tree._replace(heads=numbers, deprels=["", *tree.columns[deprels]]))


def check_pass_guides(config: Config) -> None:
    """Raise CrossarcError for an invalid guide of a pass, before the first step is trained."""
    for side, options in (("left", config.left), ("right", config.right)):
        if config.passes and options.guide:
            make_learner(options.guide, f"{side}.guide")


def load_pass_features(config: Config, columns: Sequence[str] | None) -> dict[str, FeatureModel]:
    """Load the feature model of each pass of a config.

    columns: names of the treebank's columns; None allows all names
    """
    found = {}
    for side, (name, options) in zip(("left", "right"), config.passes.items(), strict=False):
        found[name] = load_features(chosen(options.features, lambda: "plain"), name, columns)
        where = f"{side}.guide" if options.guide else "guide"
        make_learner(options.guide or config.guide, where).check_templates(found[name].lines(), where)
    return found


def train_passes(
    config: Config, features: Mapping[str, FeatureModel], data: TrainingData, first: Stage, progress: Progress
) -> list[Stage]:
    """Train the passes of a config, each on the gold trees as the earlier passes change them.

    features: feature model of each pass
    first: the first step

    Raises CrossarcError for features that cannot be used.
    """
    found: dict[int, tuple[Ints, Ints]] = {}
    stages: list[Stage] = []
    batches = list(batches_by_length([len(tree.heads) - 1 for tree in data.trees], config.batch_size))
    for name, model in features.items():
        system = make_system(name, single_root=first.system.single_root)
        extractor = data.extractor(model)
        recorded: list[Recorded] = []
        watched = counted(batches, progress, f"deriving, {name}", "sentences", len(data.trees), size=len)
        for number, rows in enumerate(watched):
            gold, anchors = (Gold.of([own[row] for row in rows], data.labels) for own in (data.trees, data.first))
            start = anchors.heads, anchors.deprels
            by_name = {column: [data.trees[row].columns[column] for row in rows] for column in model.columns}
            tables = {column: data.tables[column] for column in model.columns}
            recorder = InstanceRecorder(extractor, encode_columns(by_name, tables), len(rows))
            c = as_pass(system).over(gold.lengths, start, found.get(number, start), len(data.labels))
            derived = derive(system, ValencyOracle(system, gold, start), c, first.fallback, recorder)
            found[number] = derived.heads, derived.deprels
            recorded.append(recorder.recorded())
        instances, inventory, _ = merge_instances(recorded, extractor)
        del recorded
        learner = make_learner(config.passes[name].guide or config.guide)
        (pair,) = system.label_dependent
        pairs = int((inventory[instances.target, 0] == system.moves.index(pair)).sum())
        progress(
            f"{name}: {pairs} valencies, {len(instances.target)} instances, {len(instances.slots)} feature slots, "
            f"{len(inventory)} transitions; training {learner.name}"
        )
        say_memory(learner, instances, progress)
        fit(learner, instances, progress)
        stages.append(Stage(system, extractor, inventory, first.fallback, learner))
    return stages
