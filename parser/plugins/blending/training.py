"""Training a blend: its components and the weights of their votes, all given or chosen by cross-validation.

Finished components are kept beside the model, so that a run that was stopped can continue.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import chdir, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from joblib import Parallel, delayed

from ....transitions import plugins
from ....transitions.plugins import with_parts_of_main
from ...base.errors import CrossarcError
from ...base.progress import Progress, counted, nothing, tasks_of
from ...config.config import AUTO, ParserConfig, chosen
from ...config.feature_files import load_stage_features
from ...models.files import load_model, save_model
from ...models.inputs import TAGS
from ...models.trained import TrainedParser
from ...training.exploration import folds_of
from ...training.partial import completed
from ...training.prepare import (
    NO_STEPS,
    STEP_KEYS,
    STEP_OPTIONS,
    prepare,
    read_train,
    step_trainers,
    text_checksum,
    training_key,
    versions,
)
from ...training.train import train, valid_trees
from ...treebank import TAGGED, ReadTreebank, Sentence, checksum, read_treebank
from ...treebank.tree import Tree, trees_of
from .choice import CrossValidated, select_blend
from .config import BlendConfig
from .model import BlendModel
from .vote_weights import Weights, learn_weights

Configs: TypeAlias = Mapping[str, ParserConfig]
Made: TypeAlias = tuple[list[TrainedParser], Weights, dict[str, Any]]
"""Components, the weights of their votes, and facts about their selection."""


class ComponentTask(NamedTuple):
    """A component to train.

    part: description of the sentences to train on.
    held_out: sentences that the component parses afterwards.
    """

    name: str
    config: ParserConfig
    part: str
    sentences: Sequence[Sentence]
    held_out: Sequence[Sentence] = ()


class Annotated(NamedTuple):
    """The training sentences, whose trees are complete, and their trees with a head of -1 where none was decided."""

    sentences: Sequence[Sentence]
    gold: Sequence[Tree]


class Voter(NamedTuple):
    """A trained component, whether it guarantees a single root, and its trees of the held-out sentences."""

    model: TrainedParser
    single_root: bool
    trees: list[Tree]


TrainAll: TypeAlias = Callable[[Sequence[ComponentTask], bool], list[Voter]]
"""Function that trains components and returns them in their order. The flag states whether the models are needed."""
ALL = "all sentences"
HELD_OUT = 10
"""Weights are learned on every tenth sentence, which the components do not learn from (Nilsson 2009, section 8.2)."""
FOLDS, SEED = 3, 1
"""Number of folds of the cross-validation, and seed of the division."""
CHOSEN_WEIGHTINGS = ("pos", "accuracy", "deprel", "equal", "pos+deprel")
"""Weightings to choose from; components are chosen with the first one."""


def train_blend(
    config: BlendConfig,
    progress: Progress = nothing,
    keep: Path | None = None,
    sentences: Any = None,
    jobs: int = 1,
    read: ReadTreebank = read_treebank,
) -> BlendModel:
    """Train the blend that a config describes.

    progress: receives reports, one line at a time.
    keep: folder that finished components are kept in, so that a run that was stopped can continue. The caller removes
        it after writing the model. None keeps nothing.
    sentences: sentences to train on, as for :func:`crossarc.train`.
    jobs: number of components that train in parallel.
    read: as for :func:`crossarc.train`.

    Equal configs and treebanks give equal models, with any number of jobs.

    >>> import crossarc
    >>> with open("own.yaml", "w") as file:
    ...     _ = file.write("components: [arc-standard-small, swap-small]")
    >>> config = crossarc.load_blend_config("own.yaml", [], {"treebank.train": "dev.conllu", "weights": "equal"})
    >>> crossarc.train_blend(config).kind
    'blend'
    """
    options = config.treebank
    treebank = read_train(options, sentences, read)
    wanted = {**_shared(config.components), "constraints": config.constraints}
    prepared = prepare(options, step_trainers(wanted), TAGS.union(TAGGED), treebank, progress, read_file=read)
    whole = completed(prepared.sentences, train, progress, options.faulty)
    tagged = [sentence for sentence, _ in valid_trees(whole, options.faulty, partial=False)]
    complete = options.faulty == "skip"  # then partial trees are left out
    gold = trees_of(tagged) if complete else _decided_trees(tagged, prepared.sentences)
    told = dict(prepared.provenance)
    told["train"] = {**told["train"], "sentences": len(tagged), "words": sum(map(len, tagged))}
    no_dev = replace(options, dev="")
    configs = {name: replace(component, treebank=no_dev, **NO_STEPS) for name, component in config.components.items()}
    kept = FinishedComponents(keep, {**versions(), "sentences": text_checksum(tagged)} if keep else {})
    if keep:
        progress(f"finished components are kept in {keep}; after a stop, the same command continues")
    if number_kept := kept.found():
        progress(
            f"{keep}: {number_kept} components of a run that was stopped are used if config and treebank are the same"
        )
    with Parallel(n_jobs=jobs, return_as="generator") as parallel:
        train_all = partial(_all, parallel, progress, kept, progress if jobs == 1 else nothing)
        make = _chosen if config.choose else _weighted
        models, weights, said = make(config, configs, Annotated(tagged, gold), train_all, progress)
    names = said.get("choice", {}).get("chosen", list(configs))
    single = chosen(config.single_root, lambda: all(model.single_root for model in models))
    for name, weight in zip(names, weights.overall, strict=True):
        progress(f"{name}: weight {weight:.4f}")
    components = dict(zip(names, models, strict=True))
    return BlendModel(components, weights, single, provenance={**told, **said}, steps=tuple(prepared.steps))


SHARED = tuple(key for key in (*STEP_KEYS, *STEP_OPTIONS) if key != "constraints")
"""The keys that concern steps of the blend; its components have the same values of them."""


def _shared(components: Configs) -> dict[str, Any]:
    """The values of :data:`SHARED`. Raises CrossarcError if the components' settings differ."""
    first, *others = ({key: getattr(config, key) for key in SHARED} for config in components.values())
    if any(other != first for other in others):
        raise CrossarcError(
            f"components: found different values of {' or '.join(SHARED)}; give one value, in the section shared"
        )
    return first


def _all(
    parallel: Parallel,
    progress: Progress,
    kept: FinishedComponents,
    inside: Progress,
    tasks: Sequence[ComponentTask],
    with_models: bool,
) -> list[Voter]:
    """Train components in parallel. inside: receives the progress of each component."""
    folder = Path.cwd()
    voter = delayed(with_parts_of_main(_voter))
    done: Iterable[Voter] = parallel(voter(folder, kept, inside, task, with_models) for task in tasks)
    return list(counted(done, progress, "training components", "components", len(tasks)))


def _voter(folder: Path, kept: FinishedComponents, progress: Progress, task: ComponentTask, with_model: bool) -> Voter:
    # joblib reuses workers, which stay in the folder where they started; on another machine it may have another path
    with chdir(folder) if folder.is_dir() else nullcontext():
        model = kept.component(task, progress)
    trees = trees_of(model.parse_chunk(task.held_out))
    unneeded: Any = None
    return Voter(model if with_model else unneeded, model.single_root, trees)


def _decided_trees(sentences: Sequence[Sentence], given: Sequence[Sentence]) -> list[Tree]:
    """The trees of the sentences, with a head of -1 for each word without a head in the given sentences.

    given: the sentences before their trees were completed, among them some without any head, which were left out
    """
    columns = [sentence.column("head") for sentence in given if set(sentence.column("head")) != {"_"}]
    trees = []
    for column, tree in zip(columns, trees_of(sentences), strict=True):
        heads = [-1 if decided == "_" else head for decided, head in zip(column, tree.heads[1:], strict=True)]
        trees.append(tree._replace(heads=[-1, *heads]))
    return trees


def _weighted(config: BlendConfig, configs: Configs, data: Annotated, train_all: TrainAll, progress: Progress) -> Made:
    """Return all components, with weights learned on held-out sentences."""
    sentences, gold = data
    tenth = slice(HELD_OUT - 1, None, HELD_OUT) if config.weights != "equal" else slice(0)
    held_out = sentences[tenth]
    rest = [sentence for number, sentence in enumerate(sentences, 1) if number % HELD_OUT] if held_out else sentences
    progress(f"{len(configs)} components on {len(rest)} sentences, weights on {len(held_out)}")
    part = f"without every {HELD_OUT}th sentence" if held_out else ALL
    trained = train_all([ComponentTask(*item, part, rest, held_out) for item in configs.items()], True)
    upos = [sentence.column("upos") for sentence in held_out]
    weights = learn_weights(config.weights, gold[tenth], [component.trees for component in trained], upos)
    return [component.model for component in trained], weights, {"held_out": len(held_out)}


def _chosen(config: BlendConfig, configs: Configs, data: Annotated, train_all: TrainAll, progress: Progress) -> Made:
    """Return the components and weights that are best in cross-validation, trained on all sentences."""
    sentences, gold = data
    folds = folds_of(len(sentences), FOLDS, SEED)
    fold_of = {number: fold for fold, numbers in enumerate(folds) for number in numbers}
    progress(f"{len(configs)} components in {len(folds)} folds of {len(sentences)} sentences")
    splits: list[tuple[str, Sequence[Sentence], Sequence[Sentence]]] = []
    for fold, numbers in enumerate(folds):
        rest = [sentence for number, sentence in enumerate(sentences) if fold_of[number] != fold]
        part = f"without fold {fold} of {len(folds)}, seed {SEED}"
        splits.append((part, rest, [sentences[number] for number in numbers]))
    parsed = train_all(
        [ComponentTask(name, config, *split) for name, config in configs.items() for split in splits], False
    )
    votes = []
    for first in range(0, len(parsed), len(folds)):
        trees = [tree for part in parsed[first : first + len(folds)] for tree in part.trees]
        votes.append([tree for _, tree in sorted(zip(fold_of, trees, strict=True))])
    validated = CrossValidated(
        gold,
        votes,
        [fold_of[number] for number in range(len(sentences))],
        [sentence.column("upos") for sentence in sentences],
        chosen(config.single_root, lambda: all(component.single_root for component in parsed)),
    )
    blend = select_blend(validated, CHOSEN_WEIGHTINGS if config.weights == AUTO else (config.weights,))
    for name, las in zip(configs, blend.alone, strict=True):
        progress(f"{name}: LAS {las:.2f} in cross-validation")
    names = [name for number, name in enumerate(configs) if number in blend.parsers]
    best = max(blend.alone)
    progress(
        f"chosen: {', '.join(names)}; weights {blend.weights.by}: LAS {blend.las:.2f}, the best component {best:.2f}"
    )
    trained = train_all([ComponentTask(name, configs[name], ALL, sentences) for name in names], True)
    choice = {
        "folds": len(folds),
        "candidates": dict(zip(configs, blend.alone, strict=True)),
        "chosen": names,
        "weights": blend.weights.by,
        "las": blend.las,
    }
    return [component.model for component in trained], blend.weights, {"choice": choice}


@dataclass(frozen=True, slots=True)
class FinishedComponents:
    """The place of finished components.

    folder: folder of their model files; None keeps nothing.
    key: JSON values that affect all components: versions, and a digest of the sentences with all that steps write.
    """

    folder: Path | None
    key: Mapping[str, Any]

    def found(self) -> int:
        """Return the number of components that an earlier run has finished."""
        return len(list(self.folder.glob("*.model"))) if self.folder else 0

    def component(self, task: ComponentTask, progress: Progress) -> TrainedParser:
        """Return the parser of a component: the one that an earlier run has finished, or a trained one, which is kept.

        Raises CrossarcError, with the name of the component, as training does.
        """
        try:
            file = self.folder / f"{self._digest(task)}.model" if self.folder else None
            if file and file.exists():
                try:
                    return TrainedParser.of(load_model(file), f"{file}: not a component")
                except CrossarcError:
                    progress(f"{file}: damaged; {task.name} is trained again")
            model = train(task.config, tasks_of(progress, f"{task.name}: "), task.sentences)
            if file:
                file.parent.mkdir(exist_ok=True)
                save_model(model, file)
        except CrossarcError as error:
            raise CrossarcError(f"component {task.name}: {error}") from error
        except OSError as error:
            raise CrossarcError(f"{self.folder}: cannot be written: {error.strerror or error}") from error
        return model

    def _digest(self, task: ComponentTask) -> str:
        lines = {system: model.lines() for system, model in load_stage_features(task.config, None).items()}
        code = list(map(checksum, plugins.files()))
        text = json.dumps([self.key, training_key(task.config), lines, code, task.part], sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:24]
