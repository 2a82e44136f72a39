"""Training a blend: its components and the weights of their votes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from joblib import Parallel, delayed

from ..blending.vote_weights import learn_weights
from ..config.blend_config import BlendConfig
from ..config.config import AUTO, Config
from ..errors import CrossarcError
from ..models.blend_model import BlendModel
from ..models.graph_model import GraphModel
from ..models.transition_model import TransitionModel
from ..treebank import Sentence, checksum
from ..treebank.tree import Tree, trees_of
from .train import read_part, train

__all__ = ["train_blend"]

Progress = Callable[[str], None]


def train_blend(config: BlendConfig, progress: Progress = lambda line: None) -> BlendModel:
    """Train the components, in parallel with ``jobs``, and learn the weights of their votes."""
    options = config.treebank
    if not options.train:
        raise CrossarcError("treebank.train names no file; give one in the config or with --train")
    sentences = read_part(options, options.train)
    held_out = sentences[config.held_out - 1 :: config.held_out] if config.weights != "equal" else []
    rest = [own for number, own in enumerate(sentences, 1) if number % config.held_out] if held_out else sentences
    names = list(config.components)
    configs = [replace(own, treebank=replace(options, dev="")) for own in config.components.values()]
    with Parallel(n_jobs=config.jobs) as parallel:
        progress(f"{len(configs)} components on {len(rest)} sentences, weights on {len(held_out)}")
        trained = parallel(delayed(_trained)(*own, rest, held_out) for own in zip(names, configs, strict=True))
        upos = [own.column("upos") for own in held_out]
        weights = learn_weights(config.weights, trees_of(held_out), [votes for _, votes in trained], upos)
        if held_out and config.retrain:
            progress(f"again on all {len(sentences)} sentences")
            trained = parallel(delayed(_trained)(*own, sentences, []) for own in zip(names, configs, strict=True))
    models = [model for model, _ in trained]
    single = config.single_root
    if single == AUTO:
        single = all(model.single_root for model in models)
    for name, weight in zip(names, weights.overall, strict=True):
        progress(f"{name}: weight {weight:.4f}")
    provenance = {"train": {"sha256": checksum(options.train), "sentences": len(sentences), "held_out": len(held_out)}}
    return BlendModel(dict(zip(names, models, strict=True)), weights, bool(single), provenance)


def _trained(
    name: str, config: Config, sentences: Sequence[Sentence], held_out: Sequence[Sentence]
) -> tuple[TransitionModel | GraphModel, list[Tree]]:
    try:
        model = train(config, sentences=sentences)
    except CrossarcError as error:
        raise CrossarcError(f"component {name}: {error}") from error
    return model, trees_of(model.parse_chunk(held_out))
