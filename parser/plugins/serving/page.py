"""The page of the service for browsers: a form for raw text, and the trees of the text."""

from __future__ import annotations

import io
from collections.abc import Iterable
from html import escape
from urllib.parse import urlencode

from ...treebank import read_sentences
from ..drawing.treebank_page import treebank_page
from ..drawing.view import selected_by, views

FORM = """<!doctype html>
<html lang="en" data-ready="true"><head><meta charset="utf-8"><title>crossarc</title></head><body>
<form method="post"><p><select name="model">{models}</select> <button>Parse</button></p>
<textarea name="data" rows="12" cols="100" autofocus></textarea></form></body></html>
"""


def form_page(models: Iterable[str]) -> str:
    """Return the page with the form. models: names of the models."""
    return FORM.format(models="".join(f"<option>{escape(name)}</option>" for name in models))


def trees_page(conllu: str, model: str, scores: bool) -> str:
    """Return the page with the trees of parsed sentences, which asks the service again after each correction.

    scores: whether the model gives probabilities of arcs.
    """
    sentences = ((sentence,) for sentence in read_sentences(io.StringIO(conllu), "conllu"))
    query = urlencode({"keep": 1, "scores": int(scores)})
    return treebank_page(views(sentences, selected_by()), [model], {"address": f"parse?{query}", "model": model})
