"""Raw text as the input of models that have a tokenizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, cast

from ..base.errors import CrossarcError
from ..tokenizer import Tokenizer
from ..tokenizer.reading import ConlluReader, conllu_of, decoded, sentences_of
from ..treebank.source import Target, opened, source_name


def require_tokenizer(tokenizer: Tokenizer | None, name: str = "the model") -> Tokenizer:
    """The tokenizer of a model. Raises CrossarcError if there is none. name: name of the model, for messages."""
    if tokenizer is None:
        raise CrossarcError(
            f"{name} starts from words and cannot split raw text; train it with --set input=text, "
            "or split the text into words first (--format words)"
        )
    return tokenizer


@contextmanager
def raw_text(tokenizer: Tokenizer, target: Target, at_once: bool = False, lines: bool = False) -> Iterator[IO[bytes]]:
    """A stream of CoNLL-U with the sentences of a raw text.

    target: a path, "-" (standard input) or an open stream, UTF-8, compressed or not.
    at_once, lines: as for :func:`~..tokenizer.reading.sentences_of`.

    Raises CrossarcError for files that cannot be read and for invalid UTF-8.
    """
    name = source_name(target)
    document = "" if name.startswith("<") else name
    with opened(target, name) as stream:
        sentences = sentences_of(tokenizer, decoded(stream, name), at_once, lines)
        yield cast(IO[bytes], ConlluReader(conllu_of(sentences, document), name))
