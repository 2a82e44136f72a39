"""The page of the service for browsers: a form for raw text, and the trees of the text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

from ...treebank import Sentence, read_sentences
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


def trees_page(conllu: str, model: str, scores: bool, warnings: Sequence[str] = ()) -> str:
    """Return the page with the trees of parsed sentences, which asks the service again after each correction.

    scores: whether the model gives probabilities of arcs. warnings: about the text, which the page shows.
    """
    sentences = ((sentence,) for sentence in read_sentences(io.StringIO(conllu), "conllu"))
    service = _service(model, scores) | {"warnings": list(warnings)}
    return treebank_page(views(sentences, selected_by()), [model], service)


def editor_page(name: str, texts: Sequence[str], sentences: Iterable[Sentence], model: str, scores: bool) -> str:
    """Return the page on which a file is edited, whose changes go to the address ``edit`` of the service.

    name: name of the file. texts: the lines of its sentences.
    """
    service = _service(model, scores) | {"edit": "edit"}
    return treebank_page(views(((sentence,) for sentence in sentences), selected_by()), [name], service, texts)


def _service(model: str, scores: bool) -> dict[str, Any]:
    """The address that parses sentences again, and the model."""
    return {"address": f"parse?{urlencode({'keep': 1, 'scores': int(scores)})}", "model": model}
