"""Sentences as pandas data frames: one row per word, with the column names of treebanks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from ...base.errors import CrossarcError
from ...base.lazy import needed
from .. import Sentence, only_sentences
from ..symbols import new_tags

SENTENCE = "sentence"
"""Name of the column that identifies the sentence of a row; the rows of a sentence are adjacent."""


def from_frames(frame: Any) -> list[Sentence]:
    """Return the sentences of a data frame: adjacent rows with the same value of ``sentence`` form a sentence.

    Without that column, the frame is one sentence. Columns are ``form`` and any of ``lemma upos xpos feats head
    deprel`` and others. Missing values become "_". Raises CrossarcError for a frame without words and for invalid
    values.
    """
    if "form" not in frame.columns:
        found = ", ".join(map(str, frame.columns))
        raise CrossarcError(f"the frame has the columns {found}; expected 'form' among them")
    names = [name for name in frame.columns if name not in ("id", SENTENCE)]
    missing = frame.isna()
    columns = {str(name): list(zip(frame[name].tolist(), missing[name].tolist(), strict=True)) for name in names}
    ids = frame[SENTENCE].tolist() if SENTENCE in frame.columns else [1] * len(frame)
    sentences, start = [], 0
    for _, rows in groupby(ids):
        end = start + len(list(rows))
        own = {name: [None if gone else value for value, gone in column[start:end]] for name, column in columns.items()}
        heads = [_whole(value) for value in own.pop("head", [None] * (end - start))]
        forms = _texts(own.pop("form"))
        texts: dict[str, Any] = {name: _texts(column) for name, column in own.items()}
        try:
            sentences.append(Sentence.from_tokens([{"form": form} for form in forms], heads=heads, **texts))
        except CrossarcError as error:
            raise CrossarcError(f"rows {start} to {end - 1} of the frame: {error}") from error
        start = end
    if not sentences:
        raise CrossarcError("the frame has no rows, expected one for each word")
    return sentences


def from_frame(frame: Any) -> Sentence:
    """Return the single sentence of a data frame. Raises CrossarcError if there are several."""
    sentences = from_frames(frame)
    if len(sentences) > 1:
        raise CrossarcError(f"the frame has {len(sentences)} sentences, expected one; give it by itself, not in a list")
    return sentences[0]


def filled_frame(frame: Any, *parsed: Sentence) -> Any:
    """Return a copy of a frame with the columns ``head`` and ``deprel`` of the parsed sentences, and changed tags."""
    changed = {name for before, own in zip(from_frames(frame), parsed, strict=True) for name in new_tags(before, own)}
    return frame.assign(
        head=[head for sentence in parsed for head in sentence.heads()[1:]],
        deprel=[deprel for sentence in parsed for deprel in sentence.deprels()[1:]],
        **{name: [value for sentence in parsed for value in sentence.column(name)] for name in sorted(changed)},
    )


def to_frame(sentences: Iterable[Sentence]) -> Any:
    """Convert sentences to one ``pandas.DataFrame``: one row per word, all columns, and ``sentence`` with the ids.

    Columns that a sentence lacks have missing values. Raises CrossarcError if pandas is not installed.

    >>> import crossarc
    >>> frame = crossarc.to_frame(crossarc.read_sentences("test.conllu"))
    >>> frame[frame["head"] == 0].groupby("upos").size().to_dict()
    {'NOUN': 1, 'VERB': 39}
    """
    pandas = needed("pandas", "to_frame")
    frames = []
    for number, sentence in enumerate(only_sentences(sentences), 1):
        columns: dict[str, Any] = dict(zip(sentence.format.names, sentence.columns, strict=True))
        if "head" in columns and "_" not in columns["head"]:
            columns["head"] = tuple(sentence.heads()[1:])
        if "id" in columns:
            columns["id"] = tuple(map(int, columns["id"]))
        name = sentence.id if sentence.source != "<memory>" else number
        frames.append(pandas.DataFrame({SENTENCE: [name] * len(sentence), **columns}))
    return pandas.concat(frames, ignore_index=True) if frames else pandas.DataFrame({SENTENCE: [], "form": []})


def _texts(column: list[Any]) -> list[str | None]:
    return [value if value is None else str(value) for value in column]


def _whole(value: Any) -> Any:
    """Return a head of a frame as a whole number.

    Heads are floats if some heads are missing, and texts if pandas read them from a file.
    """
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        return None if value == "_" else int(value) if value.isascii() and value.isdigit() else value
    return value
