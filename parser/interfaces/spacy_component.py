"""The component ``crossarc`` of spaCy's pipelines, which spaCy finds by the entry point of this package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from spacy.language import Language

from ..base.errors import CrossarcError
from ..models.files import load_model
from ..models.model import ParserModel
from ..treebank import Sentence
from .spacy_docs import from_tokens, set_trees

__all__ = ["Component", "make_component"]


class Component:
    """Parses Docs with a model of crossarc.

    Sentences are those that the pipeline has found; a Doc without boundaries is one sentence. The columns that the
    model looks at come from components before this one: lemmas, parts of speech, tags and morphology. A model that
    gives exactly one root keeps the boundaries.
    """

    def __init__(self, model: ParserModel) -> None:
        self.model = model

    def __call__(self, doc: Any) -> Any:
        """The Doc with heads and dependency labels."""
        (parsed,) = self.pipe([doc])
        return parsed

    def pipe(self, stream: Iterable[Any], batch_size: int = 256) -> Iterator[Any]:
        """The Docs with heads and dependency labels, so many parsed at a time."""
        docs = iter(stream)
        while batch := list(islice(docs, max(1, batch_size))):
            sentences = [list(_sentences(doc)) for doc in batch]
            parsed = iter(list(self.model.parse(own for of_doc in sentences for own in of_doc)))
            for doc, of_doc in zip(batch, sentences, strict=True):
                if of_doc:
                    set_trees(doc, list(islice(parsed, len(of_doc))))
                yield doc


def _sentences(doc: Any) -> Iterator[Sentence]:
    if doc.has_annotation("SENT_START"):
        yield from (from_tokens(list(span)) for span in doc.sents)
    elif len(doc):
        yield from_tokens(list(doc))


def make_component(nlp: Any, name: str, model: str) -> Component:
    """``nlp.add_pipe("crossarc", config={"model": "swap.model"})``. Raises CrossarcError for what is no model file."""
    if not model:
        raise CrossarcError(f'{name}: names no model; add config={{"model": FILE}}, a file that crossarc train wrote')
    return Component(load_model(model))


Language.factory("crossarc", assigns=["token.dep", "token.head"], default_config={"model": ""}, func=make_component)
