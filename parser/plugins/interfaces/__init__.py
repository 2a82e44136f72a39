"""Interfaces for Python programs: an estimator, sentences of other libraries, drawings in notebooks."""

from functools import partial
from typing import Any

from ...base.lazy import DRAWINGS

READ_FIRST = "estimator.py"
SAMPLE_TYPES = {
    "conllu.TokenList": "token_lists:TOKEN_LIST",
    "pandas.DataFrame": "frames:FRAME",
    "spacy.tokens.Doc": "spacy_docs:DOC",
    "nltk.parse.dependencygraph.DependencyGraph": "nltk_graphs:GRAPH",
}


def _draw(name: str, value: Any) -> str:
    from . import notebook  # slow to import, and only notebooks need it

    drawn: str = getattr(notebook, name)(value)
    return drawn


DRAWINGS.update({name: partial(_draw, name) for name in ("sentence_html", "sentence_svg", "treebank_html")})
