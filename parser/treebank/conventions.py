"""Warnings about sentences of CoNLL-U that can be read and parsed, but that break a convention of the format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..base.parameters import shown
from .faults import Fault
from .formats import UNIVERSAL
from .sentence import Sentence

ROOT = "root"


def convention_faults(sentence: Sentence) -> Iterator[Fault]:
    """Warnings of the kinds "text", "upos", "deprel", "root", "repeated key", "space", "order" for one of CoNLL-U.

    The official validator of Universal Dependencies checks much more, for its languages.
    """
    columns = {name: sentence.column(name) for name in sentence.format.names}
    text = sentence.comment("text")
    if text is not None and (spelled := " ".join(sentence.spelled_out.split())) != " ".join(text.split()):
        yield Fault(sentence.line, "text", f"# text is {shown(text)}, but the words make {shown(spelled)}", True)
    places = range(1, len(sentence) + 1)
    for name, values in columns.items():
        for word, value in zip(places, values, strict=True):
            if value != value.strip() and value.strip():
                yield Fault(
                    sentence.line_of(word), "space", f"{name.upper()} {shown(value)} has spaces around it", True
                )
    for word, upos in zip(places, columns.get("upos", ()), strict=False):
        if upos not in UNIVERSAL:
            yield Fault(sentence.line_of(word), "upos", f"UPOS {shown(upos)} is none of Universal Dependencies", True)
    for name in columns.keys() & {"feats", "misc"}:
        for word, value in zip(places, columns[name], strict=True):
            keys = Counter(part.partition("=")[0] for part in value.split("|") if "=" in part)
            if repeated := next((key for key, count in keys.items() if count > 1), None):
                message = f"{name.upper()} {shown(value)} has {shown(repeated)} twice"
                yield Fault(sentence.line_of(word), "repeated key", message, True)
    tokens: dict[int, str] = {}
    for extra, (before, row) in enumerate(sentence.extras):
        row_id = row.partition("\t")[0]
        if "-" in row_id:
            tokens[before] = row_id
        elif before in tokens:
            message = f"empty node {row_id} stands after the multiword token {tokens[before]}, expected before"
            yield Fault(sentence.line + before + extra, "order", message, True)
    if "head" in columns and "deprel" in columns:
        yield from _labels(sentence, columns["head"], columns["deprel"])


def _labels(sentence: Sentence, heads: tuple[str, ...], deprels: tuple[str, ...]) -> Iterator[Fault]:
    """Heads without labels; and, in a sentence with a label "root", arcs from node 0 and that label apart."""
    usual = [deprel.partition(":")[0] == ROOT for deprel in deprels]
    for word, (head, deprel, is_root) in enumerate(zip(heads, deprels, usual, strict=True), 1):
        if deprel == "_" and head != "_":
            yield Fault(sentence.line_of(word), "deprel", f"HEAD is {head}, but DEPREL is empty", True)
        elif any(usual) and is_root != (head == "0") and head != "_":
            yield Fault(sentence.line_of(word), "root", f"HEAD is {head}, but DEPREL is {shown(deprel)}", True)
