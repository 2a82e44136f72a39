"""Time and memory that a training will need, from the size of the treebank and the config."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..base.errors import CrossarcError
from ..base.progress import Progress
from ..config.blend_config import BlendConfig
from ..config.config import GOLD, Config
from ..config.feature_files import load_stage_features
from ..config.kinds import GRAPH
from ..learners.linear.svm import LinearSVM
from ..learners.memory import LONG, free_memory
from ..treebank import Sentence

BASE_MEMORY = 0.35e9
"""Bytes of a process that has read a treebank and compiled its code."""
SLOT_MEMORY = 12
"""Bytes of an instance and a feature slot while a learner is fitted."""
WEIGHT_MEMORY = 20
"""Bytes of weights for a word and a transition."""
EXPLORED = 1.6
"""Instances with one round of exploration for an instance without."""
ROW, FEW = 64, 100
"""With fewer than the first number of transitions, the solver takes half of the time. From the second on, more
transitions take longer."""

LIFTED = 3
"""Factor by which labels of lifted arcs multiply the transitions, about."""


class Size(NamedTuple):
    """The size of a treebank.

    labels, xpos, feats: number of different values of DEPREL, XPOS and FEATS.
    attributes: the largest number of attributes of a word in FEATS.
    """

    words: int
    labels: int
    xpos: int
    feats: int
    attributes: int

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> Size:
        """The size of sentences."""
        has = sentences[0].format.index if sentences else {}
        values = {
            name: {value for own in sentences for value in own.column(name)} if name in has else set()
            for name in ("deprel", "xpos", "feats")
        }
        attributes = max((value.count("|") + 1 for value in values["feats"]), default=1)
        words = sum(map(len, sentences))
        labels, xpos, feats = map(len, values.values())
        return cls(words, labels, xpos, feats, attributes)


class Cost(NamedTuple):
    """CPU seconds and bytes of memory."""

    seconds: float
    memory: float


def expected_cost(config: Config | BlendConfig, sentences: Sequence[Sentence]) -> Cost | None:
    """The cost of training on sentences; None for learners whose time was not measured.

    Measured on one core with numba; without it, and on slower processors, training takes longer.
    """
    size = Size.of(sentences)
    parsers = parsers_of(config)
    own = [_parser_cost(parser, size) for parser in parsers]
    if None in own:
        return None
    known = [cost for cost in own if cost]
    tags = Cost(0, 0)
    if parsers[0].input != GOLD or parsers[0].tags:
        tags = Cost(size.words * (3e-4 + 2e-6 * (size.xpos + size.feats)), size.words * (5000 + 25 * size.xpos))
    seconds, memory = zip(*known, strict=True)
    return Cost(2 + tags.seconds + sum(seconds), BASE_MEMORY + tags.memory + max(memory))


def parsers_of(config: Config | BlendConfig) -> list[Config]:
    """The parsers that a config describes: the components of a blend, or one."""
    return list(config.components.values()) if isinstance(config, BlendConfig) else [config]


def _parser_cost(config: Config, size: Size) -> Cost | None:
    if config.system == GRAPH:
        return Cost(size.words * (0.45e-3 + 1e-5 * size.labels), 0.35e9)
    learner = config.learner()
    if not isinstance(learner, LinearSVM):
        return None
    models = load_stage_features(config, None)
    slots = sum(
        size.attributes if any(part.column == "feats" for part in template.parts) else 1
        for model in models.values()
        for template in model.templates
    )
    classes = 2 * size.labels * (LIFTED if config.transforms else 1)
    many = 0.5 if classes < ROW else max(1.0, classes / FEW) ** 0.7
    instances = 2 * size.words
    final = instances * (EXPLORED if config.explore else 1)
    solver = learner.solver_seconds(int(final + (instances if config.explore else 0)), slots) * many
    deriving = size.words * (2.5e-5 + 3e-7 * slots) * (1 + config.explore)
    compared = size.words * 1.2e-4 if config.techniques else 0
    return Cost(solver + deriving + compared, SLOT_MEMORY * final * slots + WEIGHT_MEMORY * size.words * classes)


def announce(
    config: Config | BlendConfig,
    sentences: Sequence[Sentence],
    progress: Progress,
    jobs: int | str = 1,
    memory: int | None = None,
) -> float | None:
    """Report the expected cost of a long training; return its seconds, None if it is short or unknown.

    jobs: number of components that train in parallel, or the address of a Dask scheduler.
    memory: GB that may be used; None: the free memory of the machine.

    Raises CrossarcError if training is expected to need more memory.
    """
    cost = expected_cost(config, sentences)
    if cost is None:
        return None
    parallel = min(jobs, len(parsers_of(config))) if isinstance(jobs, int) else 1
    needed, free = parallel * cost.memory, free_memory() if memory is None else 1e9 * memory
    if free is not None and needed > free:
        raise CrossarcError(
            f"training needs about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are "
            f"{'free' if memory is None else 'allowed'}; the level fast, features=small and fewer sentences need less"
        )
    if cost.seconds < LONG:
        return None
    progress(f"training takes about {cost.seconds:.0f} CPU s and {needed / 1e9:.1f} GB of memory")
    return cost.seconds / parallel
