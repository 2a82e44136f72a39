"""The component ``crossarc`` for spaCy pipelines. spaCy finds it through the entry point of this package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Self

from spacy.language import Language

from ..base.errors import CrossarcError
from ..models.files import load_model, model_bytes, model_in, save_model
from ..models.model import ParserModel
from ..tokenizer.raw_text import tokens_of
from ..treebank import Sentence
from ..treebank.conversion.spacy_docs import doc_of, from_tokens, set_tags, set_trees


class NoModelError(CrossarcError, AttributeError):
    """The model file cannot be read.

    It is an AttributeError because spaCy tests whether a component has the attribute ``model``.
    """


class Component:
    """Parses Docs with a crossarc model.

    split: whether a model that is trained with ``input: text`` splits the text of each Doc anew. The component then
        returns a new Doc with words, sentences, tags and trees, and belongs at the beginning of the pipeline.
        Multiword tokens are replaced by their words.

    Sentence boundaries come from the pipeline; a Doc without boundaries is one sentence. The columns that the model
    reads come from earlier components: lemmas, parts of speech, tags and morphology. A model with taggers sets missing
    tags, or all tags with ``retag``. Other models raise CrossarcError for Docs without any of the tags that they read,
    unless ``allow_empty_columns`` is true. Models that always predict exactly one root keep the boundaries.

    A saved pipeline contains the model. Otherwise the model file that the config names is read when the first Doc is
    parsed.
    """

    def __init__(self, file: str, allow_empty_columns: bool = False, retag: bool = False, split: bool = False) -> None:
        self._file = file
        self._split = split
        self._options: Any = {"allow_empty_columns": allow_empty_columns, "retag": retag}
        self._model: ParserModel | None = None

    @property
    def model(self) -> ParserModel:
        """The parser. Raises CrossarcError if the config does not name a model file."""
        if self._model is None:
            try:
                self._model = load_model(self._file)
            except CrossarcError as error:
                raise NoModelError(error) from None
        return self._model

    def __call__(self, doc: Any) -> Any:
        """Return the Doc with heads and dependency labels."""
        (parsed,) = self.pipe([doc])
        return parsed

    def pipe(self, stream: Iterable[Any], batch_size: int = 256) -> Iterator[Any]:
        """Yield the Docs with heads and dependency labels.

        batch_size: number of Docs that are parsed together.
        """
        docs = iter(stream)
        if self._split:
            yield from (self._parsed_text(doc) for doc in docs)
            return
        while batch := list(islice(docs, max(1, batch_size))):
            sentences = [list(_sentences(doc)) for doc in batch]
            given = [own for of_doc in sentences for own in of_doc]
            parsed = iter(list(self.model.parse(given, **self._options)))
            for doc, of_doc in zip(batch, sentences, strict=True):
                found = list(islice(parsed, len(of_doc)))
                tokens = iter(doc)
                for before, own in zip(of_doc, found, strict=True):
                    set_tags(list(islice(tokens, len(own))), before, own)
                if found:
                    set_trees(doc, found)
                yield doc

    def _parsed_text(self, doc: Any) -> Any:
        parsed = self.model(doc.text)
        tokens = [token for own in parsed for token in tokens_of(own)]
        spaces = [space for own in tokens for space in [True] * (len(own.words) - 1) + [own.after != ""]]
        return doc_of(parsed, spaces, doc.vocab, type(doc)) if parsed else doc

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the content of the model file.

        exclude: ignored; spaCy passes it to all components.
        """
        return model_bytes(self.model)

    def from_bytes(self, content: bytes, *, exclude: Iterable[str] = ()) -> Self:
        """Load the model from the result of :meth:`to_bytes`."""
        self._model = model_in(content, self._file)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model file."""
        save_model(self.model, path)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> Self:
        """Load the model from the file that :meth:`to_disk` wrote."""
        self._model = load_model(path)
        return self


def _sentences(doc: Any) -> Iterator[Sentence]:
    if doc.has_annotation("SENT_START"):
        yield from (from_tokens(list(span)) for span in doc.sents)
    elif len(doc):
        yield from_tokens(list(doc))


def make_component(nlp: Any, name: str, model: str, allow_empty_columns: bool, retag: bool, split: bool) -> Component:
    """Make a component for ``nlp.add_pipe("crossarc", config={"model": "swap.model"})``.

    Raises CrossarcError if the config does not name a file.
    """
    if not model:
        raise CrossarcError(f'{name}: names no model; add config={{"model": FILE}}, a file that crossarc train wrote')
    return Component(model, allow_empty_columns, retag, split)


Language.factory(
    "crossarc",
    assigns=["token.dep", "token.head"],
    default_config={"model": "", "allow_empty_columns": False, "retag": False, "split": False},
    func=make_component,
)
