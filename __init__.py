"""crossarc: transition-based dependency parsing with pluggable transition systems, from raw text to trees.

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

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

from .version import __version__ as __version__

_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8"))
_HOMES = {
    name.name: f".{node.module}"
    for node in _STUB.body
    if isinstance(node, ast.ImportFrom)
    and Path(__file__).parent.joinpath(*str(node.module).split(".")[:-1], "__init__.py").is_file()
    for name in node.names
}
"""Where the public names live, except those of plugins that were removed."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module(".parser.base.plugins", __name__).found_plugins()  # some say how notebooks show things
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return __all__
