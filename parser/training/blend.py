"""Training a blend: its components and the weights of their votes, all given or chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from joblib import Parallel, delayed

from ..base.errors import CrossarcError
from ..base.progress import Progress, counted, nothing
from ..blending.choice import CrossValidated, select_blend
from ..blending.vote_weights import Weights, learn_weights
from ..config.blend_config import BlendConfig
from ..config.config import AUTO, GOLD, Config, chosen
from ..models.blend_model import BlendModel
from ..models.inputs import TAGS
from ..models.model import ParserModel
from ..models.trained import TrainedParser
from ..treebank import TAGGED, Sentence
from ..treebank.tree import Tree, trees_of
from .exploration import folds_of
from .kept import Kept
from .prepare import prepare, read_train
from .train import train

T = TypeVar("T")

Component: TypeAlias = TrainedParser
Configs: TypeAlias = Mapping[str, Config]
Made: TypeAlias = tuple[dict[str, Component], Weights, dict[str, Any]]
"""Components by name, the weights of their votes, and facts about their selection."""


class Task(NamedTuple):
    """A component to train.

    part: description of the sentences to train on.
    held_out: sentences that the component parses afterwards.
    """

    name: str
    config: Config
    part: str
    sentences: Sequence[Sentence]
    held_out: Sequence[Sentence] = ()


TrainAll: TypeAlias = Callable[[Callable[..., Any], Sequence[Task]], list[Any]]
"""Function that trains components and returns the results in their order."""
ALL = "all sentences"
HELD_OUT = 10
"""Weights are learned on every tenth sentence, which the components do not learn from (Nilsson 2009, section 8.2)."""
FOLDS, SEED = 3, 1
"""Number of folds of the cross-validation, and seed of the division."""
CHOSEN_WEIGHTINGS = ("pos", "accuracy", "deprel", "equal", "pos+deprel")
"""Weightings to choose from; components are chosen with the first one."""


def train_any(config: Config | BlendConfig, progress: Progress = nothing, keep: Path | None = None) -> ParserModel:
    """Train the parser or the blend that a config describes; see :func:`train_blend`."""
    return train_blend(config, progress, keep) if isinstance(config, BlendConfig) else train(config, progress)


def train_blend(config: BlendConfig, progress: Progress = nothing, keep: Path | None = None) -> BlendModel:
    """Train the blend that a config describes; ``jobs`` components train in parallel.

    progress: receives reports, one line at a time.
    keep: folder that finished components are kept in, so that a run that was stopped can continue. The caller removes
        it after writing the model. None keeps nothing.

    Equal configs and treebanks give equal models, with any number of jobs.

    >>> import crossarc
    >>> with open("own.yaml", "w") as file:
    ...     _ = file.write("components: [arc-standard-small, swap-small]")
    >>> config = crossarc.load_blend_config("own.yaml", [], {"treebank.train": "dev.conllu", "weights": "equal"})
    >>> crossarc.train_blend(config).kind
    'blend'
    """
    options = config.treebank
    treebank = read_train(options)
    tags, input = _shared(config.components)
    sentences, told, taggers, tokenizer = prepare(options, input, tags, TAGS.union(TAGGED), treebank, progress)
    no_dev = replace(options, dev="")
    configs = {name: replace(own, treebank=no_dev, tags=(), input=GOLD) for name, own in config.components.items()}
    kept = Kept(keep, {**told, "treebank": [options.format, options.columns]})
    if found := kept.found():
        progress(f"{keep}: {found} components of a run that was stopped are used if config and treebank are the same")
    with Parallel(n_jobs=config.jobs, return_as="generator") as parallel:
        train_all = partial(_all, parallel, progress, kept, progress if config.jobs == 1 else nothing)
        make = _chosen if config.choose else _weighted
        models, weights, said = make(config, configs, sentences, train_all, progress)
    single = chosen(config.single_root, lambda: all(model.single_root for model in models.values()))
    for name, weight in zip(models, weights.overall, strict=True):
        progress(f"{name}: weight {weight:.4f}")
    return BlendModel(models, weights, single, provenance={**told, **said}, taggers=taggers, tokenizer=tokenizer)


def _shared(components: Configs) -> tuple[tuple[str, ...] | str, str]:
    """(tags, input) of all components. Raises CrossarcError if the components' settings differ."""
    first, *others = ((own.tags, own.input) for own in components.values())
    if any(own != first for own in others):
        raise CrossarcError(
            "components: found different values of tags or input; give one value, in the section shared"
        )
    return first


def _all(
    parallel: Parallel, progress: Progress, kept: Kept, inside: Progress, make: Callable[..., T], tasks: Sequence[Task]
) -> list[T]:
    """Train components and return what ``make`` makes of each, in their order.

    inside: receives the progress of each component.
    """
    done: Iterable[T] = parallel(delayed(make)(kept, inside, task) for task in tasks)
    return list(counted(done, progress, "training components", "components", len(tasks)))


def _model(kept: Kept, progress: Progress, task: Task) -> Component:
    return kept.component(task.name, task.config, task.part, task.sentences, progress)


def _with_trees(kept: Kept, progress: Progress, task: Task) -> tuple[Component, list[Tree]]:
    """Return the component and its trees of the held-out sentences."""
    model = _model(kept, progress, task)
    return model, trees_of(model.parse_chunk(task.held_out))


def _votes(kept: Kept, progress: Progress, task: Task) -> tuple[bool, list[Tree]]:
    """Return (whether the component guarantees a single root, its trees of the held-out sentences)."""
    model, trees = _with_trees(kept, progress, task)
    return model.single_root, trees


def _weighted(
    config: BlendConfig, configs: Configs, sentences: Sequence[Sentence], train_all: TrainAll, progress: Progress
) -> Made:
    """Return all components, with weights learned on held-out sentences."""
    held_out = sentences[HELD_OUT - 1 :: HELD_OUT] if config.weights != "equal" else []
    rest = [own for number, own in enumerate(sentences, 1) if number % HELD_OUT] if held_out else sentences
    progress(f"{len(configs)} components on {len(rest)} sentences, weights on {len(held_out)}")
    part = f"without every {HELD_OUT}th sentence" if held_out else ALL
    trained = train_all(_with_trees, [Task(*own, part, rest, held_out) for own in configs.items()])
    upos = [own.column("upos") for own in held_out]
    weights = learn_weights(config.weights, trees_of(held_out), [votes for _, votes in trained], upos)
    models = [model for model, _ in trained]
    return dict(zip(configs, models, strict=True)), weights, {"held_out": len(held_out)}


def _chosen(
    config: BlendConfig, configs: Configs, sentences: Sequence[Sentence], train_all: TrainAll, progress: Progress
) -> Made:
    """Return the components and weights that are best in cross-validation, trained on all sentences."""
    folds = folds_of(len(sentences), FOLDS, SEED)
    fold_of = {number: fold for fold, numbers in enumerate(folds) for number in numbers}
    parts = [[sentences[number] for number in numbers] for numbers in folds]
    rests = [[own for number, own in enumerate(sentences) if fold_of[number] != fold] for fold in range(len(folds))]
    progress(f"{len(configs)} components in {len(folds)} folds of {len(sentences)} sentences")
    without = [f"without fold {fold} of {len(folds)}, seed {SEED}" for fold in range(len(folds))]
    splits = list(zip(without, rests, parts, strict=True))
    parsed = train_all(
        _votes, [Task(*own, part, rest, held_out) for own in configs.items() for part, rest, held_out in splits]
    )
    votes = []
    for first in range(0, len(parsed), len(folds)):
        trees = [own for _, part in parsed[first : first + len(folds)] for own in part]
        numbers = [number for part in folds for number in part]
        votes.append([tree for _, tree in sorted(zip(numbers, trees, strict=True), key=lambda own: own[0])])
    single = chosen(config.single_root, lambda: all(own for own, _ in parsed))
    data = CrossValidated(
        trees_of(sentences),
        votes,
        [fold_of[number] for number in range(len(sentences))],
        [own.column("upos") for own in sentences],
        single,
    )
    found = select_blend(data, CHOSEN_WEIGHTINGS if config.weights == AUTO else (config.weights,))
    for name, las in zip(configs, found.alone, strict=True):
        progress(f"{name}: LAS {las:.2f} in cross-validation")
    names = [name for number, name in enumerate(configs) if number in found.parsers]
    best = max(found.alone)
    progress(
        f"chosen: {', '.join(names)}; weights {found.weights.by}: LAS {found.las:.2f}, the best component {best:.2f}"
    )
    models = train_all(_model, [Task(name, configs[name], ALL, sentences) for name in names])
    choice = {
        "folds": len(folds),
        "candidates": dict(zip(configs, found.alone, strict=True)),
        "chosen": names,
        "weights": found.weights.by,
        "las": found.las,
    }
    return dict(zip(names, models, strict=True)), found.weights, {"choice": choice}
