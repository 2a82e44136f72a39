"""Sentences as pandas data frames: one row per word, with the column names of treebanks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from ...base.errors import CrossarcError
from ...base.lazy import needed
from ...base.parameters import shown
from ...treebank import Sentence, only_sentences
from ...treebank.samples import SampleType
from ...treebank.symbols import changed_columns
from .ids import WordIds, word_ids

SENTENCE, SENT_ID = "sentence", "sent_id"
"""Names of the columns with the number of the sentence of a row, and with its ``sent_id``, which may occur twice."""


def from_frames(frame: Any) -> list[Sentence]:
    """Return the sentences of a data frame: adjacent rows with the same value of ``sentence`` form a sentence.

    Without that column, the frame is one sentence. Columns are ``form`` and any of ``lemma upos xpos feats head
    deprel`` and others. Heads are values of ``id``, if there is such a column; rows of multiword tokens and empty nodes
    are left out. Missing values become "_". Raises CrossarcError for a frame without words and for invalid values.
    """
    return [sentence for sentence, _, _ in _sentences(frame)]


def _sentences(frame: Any) -> Iterator[tuple[Sentence, WordIds, int]]:
    """The sentences of a frame, each with the ids of its words and the number of its first row."""
    if "form" not in frame.columns:
        listed = ", ".join(map(str, frame.columns))
        raise CrossarcError(f"the frame has the columns {listed}; expected 'form' among them")
    if not frame.columns.is_unique:
        twice = next(name for name, again in zip(frame.columns, frame.columns.duplicated(), strict=True) if again)
        raise CrossarcError(f"the frame has the column {twice!r} twice; expected different names")
    if not len(frame):
        raise CrossarcError("the frame has no rows, expected one for each word")
    missing = frame.isna()
    columns = {
        str(name): [None if gone else value for value, gone in zip(frame[name].tolist(), missing[name], strict=True)]
        for name in frame.columns
    }
    numbers = columns.pop(SENTENCE, None) or [1] * len(frame)
    if None in numbers:
        raise CrossarcError(f"row {numbers.index(None)} of the frame has no value of '{SENTENCE}'")
    names = columns.pop(SENT_ID, None)
    seen: set[Any] = set()
    start = 0
    for number, rows in groupby(numbers):
        end = start + len(list(rows))
        if number in seen:
            fault = f"row {start} of the frame continues sentence {shown(number)}"
            raise CrossarcError(f"{fault}, which ended before; sort the frame by '{SENTENCE}' and 'id'")
        seen.add(number)
        try:
            sentence, ids = _sentence({name: column[start:end] for name, column in columns.items()})
        except CrossarcError as error:
            raise CrossarcError(f"rows {start} to {end - 1} of the frame: {error}") from error
        if names and len(set(names[start:end])) > 1:
            fault = f"rows {start} to {end - 1} of the frame are one sentence, but have several values of '{SENT_ID}'"
            raise CrossarcError(f"{fault}; number the sentences in a column '{SENTENCE}'")
        if names and names[start] not in (None, ""):
            sentence = replace(sentence, comments=(f"# {SENT_ID} = {_text(names[start])}",))
        yield sentence, ids, start
        start = end


def _sentence(columns: Mapping[str, list[Any]]) -> tuple[Sentence, WordIds]:
    count = len(columns["form"])
    ids = word_ids(columns.get("id", range(1, count + 1)))
    heads = ids.heads(columns.get("head", [None] * count))
    texts: dict[str, Any] = {
        name: [None if column[row] is None else _text(column[row]) for row in ids.rows]
        for name, column in columns.items()
        if name not in ("id", "head")
    }
    return Sentence.from_tokens([{"form": form} for form in texts.pop("form")], heads=heads, **texts), ids


def _text(value: Any) -> str:
    """A cell as text; whole numbers, which pandas makes floats of beside missing values, without a point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def from_frame(frame: Any) -> Sentence:
    """Return the single sentence of a data frame. Raises CrossarcError if there are several."""
    sentences = from_frames(frame)
    if len(sentences) > 1:
        raise CrossarcError(f"the frame has {len(sentences)} sentences, expected one; give it by itself, not in a list")
    return sentences[0]


def filled_frame(frame: Any, *parsed: Sentence) -> Any:
    """Return a copy of a frame with ``head``, ``deprel`` and all other columns that parsing changed, such as tags.

    parsed: the sentences of the frame, in their order.

    Rows of multiword tokens and empty nodes keep their values.
    """
    before = list(_sentences(frame))
    changed = {
        name for (read, _, _), sentence in zip(before, parsed, strict=True) for name in changed_columns(read, sentence)
    }
    names = ["head", "deprel", *sorted(changed)]
    columns: dict[str, list[Any]] = {
        name: frame[name].tolist() if name in frame.columns else ["_"] * len(frame) for name in names
    }
    for (_, ids, start), sentence in zip(before, parsed, strict=True):
        values: dict[str, Any] = {name: sentence.column(name) for name in names[1:]} | {
            "head": ids.of_heads(sentence.heads()[1:])
        }
        for name, column in values.items():
            for row, value in zip(ids.rows, column, strict=True):
                columns[name][start + row] = value
    return frame.assign(**columns)


def to_frame(sentences: Iterable[Sentence]) -> Any:
    """Convert sentences to one ``pandas.DataFrame``: one row per word with all columns.

    The column ``sentence`` numbers the sentences from 1; ``sent_id`` is that of the comment, if there is one. Columns
    that a sentence lacks have missing values, and so have words without a head. Raises CrossarcError if pandas is not
    installed.

    >>> import crossarc
    >>> frame = crossarc.to_frame(crossarc.read_sentences("test.conllu"))
    >>> frame[frame["head"] == 0].groupby("upos").size().to_dict()
    {'NOUN': 1, 'VERB': 39}
    """
    pandas = needed("pandas", "to_frame")
    frames = []
    for number, sentence in enumerate(only_sentences(sentences), 1):
        columns: dict[str, Any] = dict(zip(sentence.format.names, sentence.columns, strict=True))
        if taken := sorted({SENTENCE, SENT_ID} & columns.keys()):
            raise CrossarcError(f"{sentence.id}: the column {taken[0].upper()} has a name of a frame's own; rename it")
        if "head" in columns:
            heads = [None if head < 0 else head for head in sentence.heads(partial=True)[1:]]
            columns["head"] = pandas.array(heads, dtype="int64" if None not in heads else "Int64")
        if "id" in columns:
            columns["id"] = tuple(map(int, columns["id"]))
        names = {SENTENCE: [number] * len(sentence), SENT_ID: [sentence.comment(SENT_ID)] * len(sentence)}
        frames.append(pandas.DataFrame({**names, **columns}))
    return pandas.concat(frames, ignore_index=True) if frames else pandas.DataFrame({SENTENCE: [], "form": []})


FRAME = SampleType("a pandas.DataFrame", from_frame, filled_frame, from_frames)
