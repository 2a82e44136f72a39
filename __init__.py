"""crossarc: transition-based dependency parsing, with every published way of getting at crossing arcs.

>>> import crossarc
>>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "train.conllu"})
>>> model = crossarc.train(config)
>>> parsed = list(model.parse(crossarc.read_sentences("test.conllu")))
>>> scores = crossarc.score_sentences(crossarc.read_sentences("test.conllu"), parsed)
>>> scores.las > 70
True
>>> crossarc.write_sentences(parsed, "parsed.conllu")
>>> crossarc.save_model(model, "swap.model")
>>> crossarc.load_model("swap.model").labels == model.labels
True

Sentences need not come from files, see :meth:`Sentence.from_tokens`:

>>> sentence = crossarc.Sentence.from_tokens(["Dogs", "bark"], lemma=["dog", "bark"], upos=["NOUN", "VERB"])
>>> [parsed] = model.parse([sentence])
>>> len(parsed.heads())
3

Whatever a user can do wrong raises :class:`CrossarcError` with a message of one line.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .parser.analysis.explanation import explain
    from .parser.analysis.oracle_report import oracle_report
    from .parser.base.errors import CrossarcError
    from .parser.config.blend_config import BlendConfig, load_blend_config
    from .parser.config.config import Config, TreebankOptions
    from .parser.config.loading import load_config
    from .parser.config.ready import ready_configs
    from .parser.drawing.text_tree import draw_tree
    from .parser.evaluate import Scores, compare, format_scores, mcnemar, score_sentences, scored_tree
    from .parser.interfaces.estimator import DependencyParser
    from .parser.interfaces.frames import to_frame
    from .parser.interfaces.nltk_graphs import to_dependency_graph
    from .parser.interfaces.samples import as_sentence, as_sentences
    from .parser.interfaces.spacy_docs import to_doc
    from .parser.interfaces.token_lists import to_token_list
    from .parser.models.files import load_model, open_parser, save_model
    from .parser.models.model import ParserModel
    from .parser.training.blend import train_blend
    from .parser.training.train import score_on, train
    from .parser.transforms import parse_transform
    from .parser.treebank import (
        ReadingLimits,
        Sentence,
        Treebank,
        check,
        read_sentences,
        read_treebank,
        write_sentences,
    )

_HOMES = {
    "BlendConfig": ".parser.config.blend_config",
    "load_blend_config": ".parser.config.blend_config",
    "Config": ".parser.config.config",
    "TreebankOptions": ".parser.config.config",
    "load_config": ".parser.config.loading",
    "ready_configs": ".parser.config.ready",
    "explain": ".parser.analysis.explanation",
    "oracle_report": ".parser.analysis.oracle_report",
    "draw_tree": ".parser.drawing.text_tree",
    "CrossarcError": ".parser.base.errors",
    "Scores": ".parser.evaluate",
    "compare": ".parser.evaluate",
    "format_scores": ".parser.evaluate",
    "mcnemar": ".parser.evaluate",
    "score_sentences": ".parser.evaluate",
    "DependencyParser": ".parser.interfaces.estimator",
    "as_sentence": ".parser.interfaces.samples",
    "as_sentences": ".parser.interfaces.samples",
    "to_dependency_graph": ".parser.interfaces.nltk_graphs",
    "to_doc": ".parser.interfaces.spacy_docs",
    "to_frame": ".parser.interfaces.frames",
    "to_token_list": ".parser.interfaces.token_lists",
    "ParserModel": ".parser.models.model",
    "load_model": ".parser.models.files",
    "open_parser": ".parser.models.files",
    "save_model": ".parser.models.files",
    "scored_tree": ".parser.evaluate",
    "train_blend": ".parser.training.blend",
    "score_on": ".parser.training.train",
    "train": ".parser.training.train",
    "parse_transform": ".parser.transforms",
    "ReadingLimits": ".parser.treebank",
    "Sentence": ".parser.treebank",
    "Treebank": ".parser.treebank",
    "check": ".parser.treebank",
    "read_sentences": ".parser.treebank",
    "read_treebank": ".parser.treebank",
    "write_sentences": ".parser.treebank",
}
"""Where the public names live; a module is imported when one of its names is asked for."""

__all__ = [
    "BlendConfig",
    "Config",
    "CrossarcError",
    "DependencyParser",
    "ParserModel",
    "ReadingLimits",
    "Scores",
    "Sentence",
    "Treebank",
    "TreebankOptions",
    "__version__",
    "as_sentence",
    "as_sentences",
    "check",
    "compare",
    "draw_tree",
    "explain",
    "format_scores",
    "load_blend_config",
    "load_config",
    "load_model",
    "mcnemar",
    "open_parser",
    "oracle_report",
    "parse_transform",
    "read_sentences",
    "read_treebank",
    "ready_configs",
    "save_model",
    "score_on",
    "score_sentences",
    "scored_tree",
    "to_dependency_graph",
    "to_doc",
    "to_frame",
    "to_token_list",
    "train",
    "train_blend",
    "write_sentences",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
