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

Whatever a user can do wrong raises :class:`CrossarcError` with a message of one line.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .parser.analysis.oracle_report import oracle_report
    from .parser.config.config import Config
    from .parser.config.loading import load_config
    from .parser.config.ready import ready_configs
    from .parser.drawing.text_tree import draw_tree
    from .parser.errors import CrossarcError
    from .parser.evaluate import Scores, format_scores, score_sentences
    from .parser.models.files import load_model, open_parser, save_model
    from .parser.models.model import ParserModel
    from .parser.training.train import score_on, train
    from .parser.transforms import parse_transform
    from .parser.treebank import Sentence, Treebank, check, read_sentences, read_treebank, write_sentences

_HOMES = {
    "Config": ".parser.config.config",
    "load_config": ".parser.config.loading",
    "ready_configs": ".parser.config.ready",
    "oracle_report": ".parser.analysis.oracle_report",
    "draw_tree": ".parser.drawing.text_tree",
    "CrossarcError": ".parser.errors",
    "Scores": ".parser.evaluate",
    "format_scores": ".parser.evaluate",
    "score_sentences": ".parser.evaluate",
    "ParserModel": ".parser.models.model",
    "load_model": ".parser.models.files",
    "open_parser": ".parser.models.files",
    "save_model": ".parser.models.files",
    "score_on": ".parser.training.train",
    "train": ".parser.training.train",
    "parse_transform": ".parser.transforms",
    "Sentence": ".parser.treebank",
    "Treebank": ".parser.treebank",
    "check": ".parser.treebank",
    "read_sentences": ".parser.treebank",
    "read_treebank": ".parser.treebank",
    "write_sentences": ".parser.treebank",
}
"""Where the public names live; a module is imported when one of its names is asked for."""

__all__ = [
    "Config",
    "CrossarcError",
    "ParserModel",
    "Scores",
    "Sentence",
    "Treebank",
    "__version__",
    "check",
    "draw_tree",
    "format_scores",
    "load_config",
    "load_model",
    "open_parser",
    "oracle_report",
    "parse_transform",
    "read_sentences",
    "read_treebank",
    "ready_configs",
    "save_model",
    "score_on",
    "score_sentences",
    "train",
    "write_sentences",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
