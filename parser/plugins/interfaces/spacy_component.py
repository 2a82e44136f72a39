"""The component ``crossarc`` for spaCy pipelines. spaCy finds it through the entry point of this package."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from spacy.language import Language
from spacy.util import raise_error

from ...base.data_warnings import warn
from ...base.errors import CrossarcError
from ...models.files import load_model, model_bytes, model_in, save_model
from ...models.model import ParserModel
from ...models.raw import require_segmenter
from ...treebank import TAGGED, Sentence, read_sentences
from .spacy_docs import from_tokens, set_tags, set_trees, words_of


class NoModelError(CrossarcError, AttributeError):
    """The model file cannot be read.

    It is an AttributeError because spaCy tests whether a component has the attribute ``model``.
    """


class Component:
    """Parses Docs with a crossarc model.

    split: whether a model that is trained with ``input: text`` splits the text of each Doc anew. The component then
        returns a new Doc with words, sentences, tags and trees, and belongs at the beginning of the pipeline. The text
        stays, but for multiword tokens, which are replaced by their words; so do user data, context, categories, and
        entities and spans that fit the words.

    Sentence boundaries come from the pipeline, or else from a model that is trained with ``input: text``; a Doc without
    either is one sentence, with a warning. Tokens of spaces are no words: no word depends on them. The columns that the
    model reads come from earlier components: lemmas, parts of speech, tags and morphology. A model with taggers sets
    missing tags, or all tags with ``retag``. Other models raise CrossarcError for Docs without any of the tags that
    they read, unless ``allow_empty_columns`` is true. Models that always predict exactly one root keep the boundaries.

    A saved pipeline contains the model. Otherwise the model file that the config names is read when the first Doc is
    parsed.
    """

    def __init__(
        self,
        file: str,
        allow_empty_columns: bool = False,
        retag: bool = False,
        split: bool = False,
        name: str = "crossarc",
    ) -> None:
        self.name = name
        self._error_handler: Any = raise_error
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

    def get_error_handler(self) -> Any:
        """Return the function that receives Docs that cannot be parsed, see spaCy's ``Language.set_error_handler``."""
        return self._error_handler

    def set_error_handler(self, error_handler: Any) -> None:
        """Set the function that receives the name of the component, the component, the Docs and the error."""
        self._error_handler = error_handler

    def __call__(self, doc: Any) -> Any:
        """Return the Doc with heads and dependency labels. Errors go to the error handler."""
        (parsed,) = self._parsed([doc])
        return parsed

    def pipe(self, stream: Iterable[Any], *, batch_size: int = 256) -> Iterator[Any]:
        """Yield the Docs with heads and dependency labels.

        batch_size: number of Docs that are parsed together.

        After an error, the Docs of the batch are parsed one by one; the error handler receives those that fail, which
        are not returned.
        """
        docs = iter(stream)
        while batch := list(islice(docs, max(1, batch_size))):
            try:
                parsed = self._parsed(batch)
            except Exception as error:
                if len(batch) == 1:
                    self.get_error_handler()(self.name, self, batch, error)
                    continue
                parsed = []
                for doc in batch:
                    parsed += self.pipe([doc], batch_size=1)
            yield from parsed

    def _parsed(self, docs: Sequence[Any]) -> list[Any]:
        if self._split:
            return list(map(self._split_anew, docs))
        spans = [list(self._sentences(doc)) for doc in docs]
        sentences = [from_tokens(words) for of_doc in spans for span in of_doc if (words := words_of(span))]
        parsed = iter(list(zip(sentences, self.model.parse(sentences, **self._options), strict=True)))
        for doc, of_doc in zip(docs, spans, strict=True):
            trees: list[tuple[Sequence[Any], Sentence | None]] = []
            for span in of_doc:
                if words := words_of(span):
                    before, tree = next(parsed)
                    set_tags(words, before, tree)
                trees.append((span, tree if words else None))
            if any(tree is not None for _, tree in trees):
                set_trees(doc, trees)
        return list(docs)

    def _sentences(self, doc: Any) -> Iterator[list[Any]]:
        """The tokens of each sentence of a Doc: by its boundaries, or else by the model's own."""
        if doc.has_annotation("SENT_START"):
            yield from map(list, doc.sents)
            return
        words = words_of(doc)
        if self.model.segmenter is not None and words:
            starts = np.array([word.idx for word in words])
            ends = starts + np.array([len(word.text) for word in words])
            last = self.model.segmenter.sentence_ends(doc.text, starts, ends)
            first = [0, *(words[place + 1].i for place in np.flatnonzero(last[:-1]).tolist()), len(doc)]
            yield from (list(doc[start:end]) for start, end in pairwise(first))
        elif len(doc):
            if len(words) > 1:
                warn(
                    "a Doc has no sentence boundaries and is parsed as one sentence; add a component that sets them, "
                    "such as nlp.add_pipe('sentencizer', before='crossarc')"
                )
            yield list(doc)

    def _split_anew(self, doc: Any) -> Any:
        """A new Doc with the words of the model's tokenizer and what users have added to the given one."""
        from ..raw_text.reading import conllu_of, sentences_of  # words of the model alone need it

        step: Any = require_segmenter(self.model.segmenter)
        raw = list(sentences_of(step.tokenizer, [doc.text]))
        if not raw:
            return doc
        parsed = list(self.model.parse(read_sentences(io.StringIO("".join(conllu_of(raw))), "conllu")))
        words: list[str] = []
        spaces: list[bool] = []
        sizes = []
        for sentence in raw:
            before = len(words)
            tokens = [("", sentence.before, ()), *sentence.tokens]
            for form, after, own_words in tokens:
                inner = list(own_words) if len(own_words) > 1 else [form] * bool(form)
                words += inner
                spaces += [True] * (len(inner) - 1) + [after.startswith(" ")] * bool(inner)
                if rest := after[1:] if inner and after.startswith(" ") else after:
                    words.append(rest)
                    spaces.append(False)
            sizes.append(len(words) - before)
        new = type(doc)(doc.vocab, words=words, spaces=spaces, user_data=doc.user_data)
        tokens = iter(new)
        trees = [(list(islice(tokens, size)), sentence) for size, sentence in zip(sizes, parsed, strict=True)]
        blank = [sentence.with_columns({name: ("_",) * len(sentence) for name in TAGGED}) for sentence in parsed]
        for (span, tree), before_tags in zip(trees, blank, strict=True):
            set_tags(words_of(span), before_tags, tree)
        set_trees(new, trees)
        new.cats = dict(doc.cats)
        new._context = doc._context
        _copy_spans(doc, new)
        return new

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


def _copy_spans(doc: Any, new: Any) -> None:
    """Give a new Doc the entities and groups of spans of another one, as far as they begin and end with its tokens."""

    def copied(spans: Iterable[Any]) -> list[Any]:
        places = [
            new.char_span(span.start_char, span.end_char, span.label_, kb_id=span.kb_id_, span_id=span.id)
            for span in spans
        ]
        if new.text != doc.text or None in places:
            warn("entities or spans of a Doc are lost, since its text is split into other words")
            return []
        return places

    if doc.ents:
        new.set_ents(copied(doc.ents))
    for name, group in doc.spans.items():
        new.spans[name] = copied(group)


def make_component(nlp: Any, name: str, model: str, allow_empty_columns: bool, retag: bool, split: bool) -> Component:
    """Make a component for ``nlp.add_pipe("crossarc", config={"model": "swap.model"})``.

    Raises CrossarcError if the config does not name a file.
    """
    if not model:
        raise CrossarcError(f'{name}: names no model; add config={{"model": FILE}}, a file that crossarc train wrote')
    return Component(model, allow_empty_columns, retag, split, name)


Language.factory(
    "crossarc",
    assigns=["token.dep", "token.head"],
    default_config={"model": "", "allow_empty_columns": False, "retag": False, "split": False},
    func=make_component,
)
