"""Conversion of requests into sentences and of parsed sentences into answers."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate, groupby, islice
from typing import Any
from urllib.parse import parse_qsl

from ..base.errors import CrossarcError, choices
from ..base.parameters import shown
from ..treebank import FORMATS, Piece, Sentence, block_of, conll_text, read_pieces, read_sentences, sentences_in
from .limits import Limits, TooLongError, TooMuchError

OUTPUTS = ("conllu", *(name for name in FORMATS if name != "conllu"))
"""The names of the formats that parsed sentences are given in: each only for input of the same."""
INPUT_OPTIONS: Mapping[str, Sequence[str]] = {"conllu": ("v1", "v2")}
OUTPUT_OPTIONS: Mapping[str, Sequence[str]] = {"conllu": ("v2",)}
"""The options of UDPipe's formats that mean what is done anyway: version 2 of CoNLL-U has all that version 1 has."""


MOST_FIELDS = 100
COMMON = tuple((f"%{ord(sign):02X}".encode(), sign.encode()) for sign in "\t\n|#:,")
"""Common characters of CoNLL text in URL encoding; none can become part of another code, or of the form itself."""


def read_form(body: bytes) -> dict[str, str]:
    """The fields of a form that is sent like a query (WHATWG URL standard, section 5.1); of one name the last.

    Raises CrossarcError for too many fields and for what is not UTF-8.
    """
    for code, sign in COMMON:  # makes long texts three times as fast
        body = body.replace(code, sign)
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS))
    except UnicodeDecodeError:
        raise CrossarcError("the form is not UTF-8") from None
    except ValueError:
        raise CrossarcError(f"not a valid form: more than {MOST_FIELDS} fields") from None


def named(wanted: str, names: Iterable[str]) -> str | None:
    """The name that is wanted; the first that goes on with a hyphen, as UDPipe's service takes it; the one that begins
    so; or None.

    >>> named("english", ["czech-pdt", "english-ewt", "english-gum"])
    'english-ewt'
    """
    begun = [name for name in names if name.startswith(wanted)]
    if wanted in begun:
        return wanted
    return next((name for name in begun if name.startswith(f"{wanted}-")), begun[0] if len(begun) == 1 else None)


def read_format(said: str, parameter: str, names: Iterable[str], options: Mapping[str, Sequence[str]]) -> str:
    """The format that a request names as UDPipe does: its name, or also options, ``conllu=v2`` (several with ``;``).

    Raises CrossarcError for other names and options, with those that there are.
    """
    name, _, chosen = said.partition("=")
    allowed = {own: options.get(own, ()) for own in names}
    if name in allowed and {*chosen.split(";")} <= {"", *allowed[name]}:
        return name
    listed = [text for own, few in allowed.items() for text in (own, *(f"{own}={option}" for option in few))]
    raise CrossarcError(f"{parameter} {choices(said, listed)}")


def read_piece(text: str, name: str, limits: Limits, columns: str = "gold") -> Piece | None:
    """A request's data in a CoNLL format as it is, None where there is none. columns: of CoNLL-2009.

    Raises CrossarcError for text that is none, as far as its beginning shows, and for more than the limits allow.
    """
    data = text.encode("utf-8", "surrogatepass")
    if not data or data.isspace():
        return None
    (piece,) = read_pieces(io.BytesIO(data), name, columns, len(data) + 1)
    if piece.data.count(b"\n") >= min(limits.sentence, limits.words):
        block = block_of(piece)
        lengths = block.lengths.tolist() if block else list(map(len, sentences_in(piece)))
        for words, total in zip(lengths, accumulate(lengths), strict=True):
            _check(words, total, limits)
    return piece


def read_request(text: str, name: str, limits: Limits, columns: str = "gold") -> list[Sentence]:
    """The sentences of a request's data in one of the formats :data:`INPUTS`. columns: of CoNLL-2009.

    Raises CrossarcError for text that is none, and for more than the limits allow. Empty text is no sentence at all.
    """
    if name not in INPUTS:
        raise CrossarcError(f"input {choices(name, INPUTS)}")
    sentences = []
    words = 0
    for sentence in INPUTS[name](text, columns, limits.sentence):
        words += len(sentence)
        _check(len(sentence), words, limits)
        sentences.append(sentence)
    return sentences


def format_sentences(sentences: Iterable[Sentence], name: str) -> str:
    """Parsed sentences as text. Raises CrossarcError for a format that they are not in."""
    if name not in OUTPUTS:
        raise CrossarcError(f"output {choices(name, OUTPUTS)}")
    parts = []
    for sentence in sentences:
        if sentence.format.name != name:
            raise CrossarcError(f"output: found {name}, expected {sentence.format.name}, the format of the input")
        parts.append(conll_text(sentence))
    return "".join(parts)


def wanted_model(body: bytes, limits: Limits) -> str:
    """The model's name, or "", of a request as for :func:`read_json`. Raises CrossarcError if it is not one."""
    model = _json(body, limits).get("model", "")
    if not isinstance(model, str):
        raise CrossarcError(f"model: found {shown(model)}, expected a name")
    return model


def read_json(body: bytes, limits: Limits, columns: Collection[str]) -> list[Sentence]:
    """The sentences of ``{"model": NAME, "sentences": [[{"form": ...}, ...], ...]}``.

    Words are mappings of column names to values, of which those of ``columns`` are read, or just their forms. Raises
    CrossarcError for anything else.
    """
    sentences = []
    words = 0
    for number, tokens in enumerate(_json(body, limits)["sentences"], 1):
        if not isinstance(tokens, list):
            raise CrossarcError(f"sentence {number}: found {shown(tokens)}, expected a list of words")
        words += len(tokens)
        _check(len(tokens), words, limits)
        try:
            sentences.append(Sentence.from_tokens([_read_columns(token, columns) for token in tokens]))
        except CrossarcError as error:
            raise CrossarcError(f"sentence {number}: {error}") from None
    return sentences


def _json(body: bytes, limits: Limits) -> dict[str, Any]:
    if body.count(b"{") + body.count(b"[") > 2 * limits.words + 2:
        raise TooMuchError(f"{limits.words} words or more; allowed: {limits.words} at most in a request")
    try:
        request = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise CrossarcError(f"no JSON: {' '.join(str(error).split())}") from None
    if not isinstance(request, dict) or not isinstance(request.get("sentences"), list):
        raise CrossarcError('found no list "sentences", expected {"model": name, "sentences": [[word, ...], ...]}')
    return request


def _read_columns(token: Any, columns: Collection[str]) -> Any:
    if not isinstance(token, dict) or "form" not in token:  # which is refused
        return token
    return {name: token[name] for name in columns if name in token}


def to_json(sentences: Sequence[Sentence], columns: Iterable[str] = ()) -> list[dict[str, list[Any]]]:
    """The trees of parsed sentences: heads (numbers, 0 for the root), deprels and these columns, a value per word."""
    return [
        {
            "heads": sentence.heads()[1:],
            "deprels": list(sentence.column("deprel")),
            **{name: list(sentence.column(name)) for name in columns},
        }
        for sentence in sentences
    ]


def _check(words: int, total: int, limits: Limits) -> None:
    if words > limits.sentence:
        raise TooLongError(
            f"a sentence of more than {limits.sentence} words; allowed: {limits.sentence} at most with this model"
        )
    if total > limits.words:
        raise TooMuchError(f"{total} words or more; allowed: {limits.words} at most in a request")


def _conll(name: str) -> Callable[[str, str, int], Iterable[Sentence]]:
    return lambda text, columns, most: read_sentences(io.StringIO(text), name, columns) if text.strip() else ()


WORD = re.compile(r"[^ \t]+")
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"


def _lines(text: str) -> Iterable[str]:
    return (line.removesuffix("\n") for line in io.StringIO(text, newline=None))


def _horizontal(text: str, columns: str, most: int) -> Iterable[Sentence]:
    """One sentence per line, words between spaces and tabs; as for UDPipe, a no-break space is a space in a word."""
    for line in _lines(text):
        found = islice(WORD.finditer(line), most + 1)
        if words := [word[0].replace(NO_BREAK_SPACE, " ") for word in found]:
            yield Sentence.from_tokens(words)


def _vertical(text: str, columns: str, most: int) -> Iterable[Sentence]:
    """One word per line, up to a tab if there is one; blank lines between sentences."""
    words = (line.strip(" \t").partition("\t")[0].rstrip(" ") for line in _lines(text))
    return (Sentence.from_tokens(list(islice(own, most + 1))) for filled, own in groupby(words, bool) if filled)


INPUTS: Mapping[str, Callable[[str, str, int], Iterable[Sentence]]] = {
    **{name: _conll(name) for name in OUTPUTS},
    "horizontal": _horizontal,
    "vertical": _vertical,
}
"""The reader of each format of requests: of longer sentences, it reads one word more than so many."""
