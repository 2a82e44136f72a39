"""Three-step parsers (Lacroix & Béchet 2014): passes that follow a projective parser, trained and run in sequence."""

from __future__ import annotations

from collections.abc import Mapping

from ...features.template import FeatureModel
from ...oracles.oracle import Gold
from ...oracles.three_step import ValencyOracle
from ...transitions.configuration import Ints
from ...transitions.registry import make_system
from ...transitions.three_step import as_pass
from ..base.progress import Progress, counted
from ..config.config import Config
from ..learners.memory import fit, say_memory
from ..search.greedy import derive
from ..search.stage import Stage
from ..treebank import encode_columns
from ..treebank.symbols import batches_by_length
from .derivations import TrainingData
from .instances import InstanceRecorder, Recorded, merge_instances


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
    batches = list(batches_by_length([len(tree.heads) - 1 for tree in data.trees]))
    for name, model in features.items():
        system = make_system(name, single_root=first.system.single_root)
        extractor = data.extractor(model)
        recorded: list[Recorded] = []
        watched = counted(batches, progress, f"deriving, {name}", "sentences", len(data.trees), size=len)
        for number, rows in enumerate(watched):
            gold, anchors = (Gold.of([own[row] for row in rows], data.labels) for own in (data.trees, data.first))
            start = anchors.heads, anchors.deprels
            tables = {column: data.tables[column] for column in model.columns}
            ids = encode_columns([data.trees[row].columns for row in rows], tables)
            recorder = InstanceRecorder(extractor, ids, len(rows))
            c = as_pass(system).over(gold.lengths, start, found.get(number, start), len(data.labels))
            derived = derive(system, ValencyOracle(system, gold, start), c, first.fallback, recorder)
            found[number] = derived.heads, derived.deprels
            recorded.append(recorder.recorded())
        instances, inventory, _ = merge_instances(recorded, extractor)
        del recorded
        learner = config.learner()
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
