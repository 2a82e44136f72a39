"""Conversion of requests into sentences and of parsed sentences into answers."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl

from ...base.errors import CrossarcError, check_names, choices
from ...base.parameters import shown
from ...treebank import FORMATS, Sentence, format_of, read_pieces, read_sentences, sentences_in
from ...treebank.sentence import misc_entries
from .limits import Limits, TooMuchError

OUTPUTS = ("conllu", *(name for name in FORMATS if name != "conllu"))
"""Names of output formats with trees. Such an output format must equal the input format."""
PLAIN, HORIZONTAL, VERTICAL = "plaintext", "horizontal", "vertical"
TEXTS = (PLAIN, HORIZONTAL, VERTICAL)
"""Names of output formats without trees: the text of each sentence in a line; its words in a line; a word in a line."""
GENERIC = "generic_tokenizer"
"""UDPipe's name of raw text as input, with options of the tokenizer."""
INPUT_OPTIONS: Mapping[str, Sequence[str]] = {"conllu": ("v1", "v2")}
OUTPUT_OPTIONS: Mapping[str, Sequence[str]] = {
    "conllu": ("v2",),
    PLAIN: ("normalized_spaces",),
    HORIZONTAL: ("paragraphs",),
    VERTICAL: ("paragraphs",),
}
"""Accepted options of UDPipe's formats. They have no effect: version 2 of CoNLL-U contains all that version 1 has, and
texts are as if the options were given."""


WORDS = {HORIZONTAL: "words", VERTICAL: "vertical"}
INPUTS = (*OUTPUTS, *WORDS)
"""Names of input formats. Words become CoNLL-U."""
TOKEN = {HORIZONTAL: re.compile(r"[^ \t\r\n]+"), VERTICAL: re.compile(r"[^\r\n]+")}
CELLS = re.compile(r"\t[^\r\n]*")
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}".encode()
LARGEST_ROW = 64
"""Maximum number of bytes that a byte of words takes in CoNLL-U, so that they become one piece."""
MOST_FIELDS = 100
COMMON = tuple((f"%{ord(sign):02X}".encode(), sign.encode()) for sign in "\t\n|#:,")
"""Frequent characters of CoNLL text with their URL codes, none of which is part of another code or separates fields."""


def read_form(body: bytes) -> dict[str, str]:
    """Return the fields of a URL-encoded form (WHATWG URL standard, section 5.1).

    Raises CrossarcError for repeated names, too many fields and text that is not UTF-8.
    """
    for code, sign in COMMON:  # decodes long texts three times as fast
        body = body.replace(code, sign)
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except UnicodeDecodeError:
        raise CrossarcError("the form is not UTF-8") from None
    except ValueError:
        raise CrossarcError(f"not a valid form: more than {MOST_FIELDS} fields") from None
    return without_repeats(fields)


def without_repeats(fields: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return fields by name. Raises CrossarcError for a name that occurs twice."""
    values: dict[str, Any] = {}
    for name, value in fields:
        if name in values:
            raise CrossarcError(f"{shown(name)} is given twice, expected one value")
        values[name] = value
    return values


def named(wanted: str, names: Iterable[str]) -> str | None:
    """Return the name that equals ``wanted``, or a name that begins with it, or None.

    As in UDPipe's service, names that continue with a hyphen precede others.

    >>> named("english", ["czech-pdt", "english-ewt", "english-gum"])
    'english-ewt'
    """
    begun = [name for name in names if name.startswith(wanted)]
    if wanted in begun:
        return wanted
    return next((name for name in begun if name.startswith(f"{wanted}-")), begun[0] if len(begun) == 1 else None)


def read_format(said: str, parameter: str, names: Iterable[str], options: Mapping[str, Sequence[str]]) -> str:
    """Return the format that a request names.

    said: a name, or a name with options separated by ``;``, such as ``conllu=v2``, as in UDPipe.
    parameter: name of the parameter for messages.
    names: the allowed formats.
    options: the allowed options of each format.

    Raises CrossarcError for other names and options.
    """
    name, _, chosen = said.partition("=")
    allowed = {name: options.get(name, ()) for name in names}
    if name in allowed and {*chosen.split(";")} <= {"", *allowed[name]}:
        return name
    listed = [text for flag, few in allowed.items() for text in (flag, *(f"{flag}={option}" for option in few))]
    raise CrossarcError(f"{parameter} {choices(said, listed)}")


def read_text(text: str, name: str, limits: Limits, columns: str = "gold") -> list[Sentence]:
    """Return the sentences of a request.

    name: one of the formats :data:`INPUTS`. As in UDPipe, a no-break space in horizontal text is a space within a word,
        and a word of vertical text ends at the first tab.
    columns: columns of CoNLL-2009.

    Raises CrossarcError for invalid data, and for data that exceed the limits.
    """
    if not text or text.isspace():
        return []
    if name in WORDS:
        if name == VERTICAL:
            if re.search(r"^\t[^\r\n]*\S", text, re.M):
                raise CrossarcError("data: found a line that begins with a tab, expected a word before it")
            text = CELLS.sub("", text)
        _check(0, sum(1 for _ in islice(TOKEN[name].finditer(text), limits.words + 1)), limits)
    data = text.encode("utf-8", "surrogatepass")
    (piece,) = read_pieces(io.BytesIO(data), WORDS.get(name, name), columns, LARGEST_ROW * (len(data) + 1))
    if name == HORIZONTAL:
        piece = piece._replace(data=piece.data.replace(NO_BREAK_SPACE, b" "))
    sentences, words = [], 0
    for sentence in sentences_in(piece):
        words += len(sentence)
        _check(len(sentence), words, limits)
        sentences.append(sentence)
    return sentences


def wanted_model(body: bytes, limits: Limits) -> str:
    """Return the name of the model in a request for :func:`read_json`, or "".

    Raises CrossarcError for an invalid request.
    """
    model = _json(body, limits).get("model", "")
    if not isinstance(model, str):
        raise CrossarcError(f"model: found {shown(model)}, expected a name")
    return model


def read_json(body: bytes, limits: Limits, columns: Collection[str]) -> list[Sentence]:
    """Return the sentences of ``{"model": NAME, "sentences": [[{"form": ...}, ...], ...]}``.

    columns: names of the columns to read.

    Words are mappings of names of columns, also of CoNLL-U, to values, or only forms. Raises CrossarcError for anything
    else.
    """
    allowed = sorted({*columns, *format_of("conllu").names} - {"id"})
    sentences: list[Sentence] = []
    words, line = 0, 1
    for number, tokens in enumerate(_json(body, limits)["sentences"], 1):
        if not isinstance(tokens, list):
            raise CrossarcError(f"sentence {number}: found {shown(tokens)}, expected a list of words")
        words += len(tokens)
        _check(len(tokens), words, limits)
        try:
            made = Sentence.from_tokens([_read_columns(token, columns, allowed) for token in tokens])
        except CrossarcError as error:
            raise CrossarcError(f"sentence {number}: {error}") from None
        line += len(made.comments)
        sentences.append(replace(made, source="<stream>", line=line))  # as if they were sent as CoNLL-U
        line += len(made) + 1
    return sentences


def _json(body: bytes, limits: Limits) -> dict[str, Any]:
    if body.count(b"{") + body.count(b"[") > 2 * limits.words + 2:
        raise TooMuchError(f"{limits.words} words or more; allowed: {limits.words} at most in a request")
    try:
        request = json.loads(body, object_pairs_hook=without_repeats)
    except (ValueError, RecursionError) as error:
        raise CrossarcError(f"invalid JSON: {' '.join(str(error).split())}") from None
    if not isinstance(request, dict) or not isinstance(request.get("sentences"), list):
        raise CrossarcError('found no list "sentences", expected {"model": name, "sentences": [[word, ...], ...]}')
    check_names("key", request, ("model", "sentences"))
    return request


def _read_columns(token: Any, columns: Collection[str], allowed: Sequence[str]) -> Any:
    if isinstance(token, dict):
        check_names("column", token, allowed)
    if not isinstance(token, dict) or "form" not in token:  # Sentence refuses such a word
        return token
    return {name: token[name] for name in sorted(columns) if name in token}


def to_text(conllu: str, form: str) -> str:
    """The sentences of CoNLL-U in one of the formats :data:`TEXTS`.

    Spaces within words of horizontal text become no-break spaces. An empty line stands between paragraphs, and after
    each sentence of vertical text. UDPipe's horizontal text has it only with the option ``paragraphs``, and its plain
    text keeps all spaces without ``normalized_spaces``.
    """
    lines: list[str] = []
    for sentence in read_sentences(io.StringIO(conllu), "conllu") if conllu.strip() else ():
        words = sentence.column("form")
        if form == VERTICAL:
            lines += [*words, ""]
            continue
        if lines and sentence.begins_paragraph:
            lines.append("")
        if form == HORIZONTAL:
            lines.append(" ".join(word.replace(" ", "\N{NO-BREAK SPACE}") for word in words))
        else:
            lines.append(sentence.comment("text") or sentence.spelled_out)
    return "".join(f"{line}\n" for line in lines)


def to_json(sentences: Sequence[Sentence], columns: Iterable[str], scores: bool) -> list[dict[str, list[Any]]]:
    """Return the trees of parsed sentences: heads (0 for the root), deprels and ``columns``, one value per word.

    scores: whether to add the probabilities in MISC, as ``conf`` (head and label) and ``conf_head``.
    """
    return [
        {
            "heads": sentence.heads()[1:],
            "deprels": list(sentence.column("deprel")),
            **{name: list(sentence.column(name)) for name in columns},
            **(_scores(sentence.column("misc")) if scores else {}),
        }
        for sentence in sentences
    ]


def _scores(misc: Sequence[str]) -> dict[str, list[Any]]:
    pairs = [misc_entries(value) for value in misc]
    return {"conf": [float(pair["Conf"]) for pair in pairs], "conf_head": [float(pair["ConfHead"]) for pair in pairs]}


def _check(words: int, total: int, limits: Limits) -> None:
    if words > limits.sentence:
        raise TooMuchError(f"a sentence of more than {limits.sentence} words; allowed: {limits.sentence} at most")
    if total > limits.words:
        raise TooMuchError(f"{total} words or more; allowed: {limits.words} at most in a request")
