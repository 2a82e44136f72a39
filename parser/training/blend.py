"""Training a blend: its components and the weights of their votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from joblib import Parallel, delayed

from ..blending.vote_weights import learn_weights
from ..config.blend_config import BlendConfig
from ..config.config import AUTO, Config
from ..errors import CrossarcError
from ..models.blend_model import BlendModel
from ..models.graph_model import GraphModel
from ..models.transition_model import TransitionModel
from ..progress import Progress, counted, nothing
from ..treebank import Sentence, checksum
from ..treebank.tree import Tree, trees_of
from .train import read_part, train

__all__ = ["train_blend"]


def train_blend(config: BlendConfig, progress: Progress = nothing) -> BlendModel:
    """Train the components, in parallel with ``jobs``, and learn the weights of their votes."""
    options = config.treebank
    if not options.train:
        raise CrossarcError("treebank.train names no file; give one in the config or with --train")
    sentences = read_part(options, options.train)
    held_out = sentences[config.held_out - 1 :: config.held_out] if config.weights != "equal" else []
    rest = [own for number, own in enumerate(sentences, 1) if number % config.held_out] if held_out else sentences
    names = list(config.components)
    configs = [replace(own, treebank=replace(options, dev="")) for own in config.components.values()]
    with Parallel(n_jobs=config.jobs, return_as="generator") as parallel:
        progress(f"{len(configs)} components on {len(rest)} sentences, weights on {len(held_out)}")
        trained = _all_trained(parallel, names, configs, rest, held_out, progress)
        upos = [own.column("upos") for own in held_out]
        weights = learn_weights(config.weights, trees_of(held_out), [votes for _, votes in trained], upos)
        if held_out and config.retrain:
            progress(f"again on all {len(sentences)} sentences")
            trained = _all_trained(parallel, names, configs, sentences, [], progress)
    models = [model for model, _ in trained]
    single = config.single_root
    if single == AUTO:
        single = all(model.single_root for model in models)
    for name, weight in zip(names, weights.overall, strict=True):
        progress(f"{name}: weight {weight:.4f}")
    provenance = {"train": {"sha256": checksum(options.train), "sentences": len(sentences), "held_out": len(held_out)}}
    return BlendModel(dict(zip(names, models, strict=True)), weights, bool(single), provenance)


def _all_trained(
    parallel: Parallel,
    names: Sequence[str],
    configs: Sequence[Config],
    sentences: Sequence[Sentence],
    held_out: Sequence[Sentence],
    progress: Progress,
) -> list[tuple[TransitionModel | GraphModel, list[Tree]]]:
    done = parallel(delayed(_trained)(*own, sentences, held_out) for own in zip(names, configs, strict=True))
    return list(counted(done, progress, "training components", "components", len(names)))


def _trained(
    name: str, config: Config, sentences: Sequence[Sentence], held_out: Sequence[Sentence]
) -> tuple[TransitionModel | GraphModel, list[Tree]]:
    try:
        model = train(config, sentences=sentences)
    except CrossarcError as error:
        raise CrossarcError(f"component {name}: {error}") from error
    return model, trees_of(model.parse_chunk(held_out))
