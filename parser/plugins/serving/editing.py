"""A CoNLL-U file that people correct in a browser: each change is in the file at once, and all other sentences stay."""

from __future__ import annotations

import io
import re
from pathlib import Path
from threading import Lock

from ...base.errors import CrossarcError
from ...base.parameters import shown
from ...treebank import Sentence, read_sentences
from ...treebank.pairs import read_tree
from ...treebank.source import compression_named
from ...treebank.writer import atomic_output
from .page import editor_page

MARK = b"\xef\xbb\xbf"
COLUMNS = 10
LINES = re.compile(rb"(?:[^\n]*[^\s][^\n]*(?:\n|\Z))+")
"""The lines of a sentence, between lines without text."""


class ChangedError(CrossarcError):
    """The sentence in the file is not the one that was edited: somebody else has changed it."""


class EditedFile:
    """A file of sentences that are replaced one by one.

    The file is read for each change, so what other programs write is neither lost nor overwritten. Raises CrossarcError
    for a file that cannot be read as CoNLL-U, and for trees with cycles.
    """

    def __init__(self, path: str) -> None:
        if compression_named(path):
            raise CrossarcError(f"{path}: is compressed, expected plain text; unpack it to edit it")
        for sentence in read_sentences(path, "conllu"):
            read_tree(sentence, partial=True)
        self.path = Path(path)
        for text in self._texts():
            _sentence(text)
        self._lock = Lock()

    def page(self, model: str, scores: bool) -> str:
        """The page on which the file is edited. model: name of the model that parses again; scores: whether it does."""
        texts = self._texts()
        return editor_page(self.path.name, texts, map(_sentence, texts), model, scores)

    def _texts(self) -> list[str]:
        """The lines of each sentence."""
        return [_text(lines) for lines in LINES.findall(self.path.read_bytes())]

    def replace(self, number: int, before: str, after: str) -> None:
        """Replace a sentence in the file.

        number: number of the sentence, from 0.
        before, after: its lines as the page has them, and as they will be.

        Raises ChangedError if the file has other lines there, and CrossarcError if the new ones are no sentence.
        """
        if after != after.strip("\n "):
            raise CrossarcError("found spaces or empty lines around the sentence, expected none")
        read_tree(_sentence(after), partial=True)
        with self._lock:
            data = self.path.read_bytes()
            places = [match.span() for match in LINES.finditer(data)]
            if not 0 <= number < len(places) or _text(data[slice(*places[number])]) != before:
                raise ChangedError(f"{self.path.name}: sentence {number + 1} has changed in the file; reload the page")
            first, last = places[number]
            lines = after.encode()
            old = data[first:last]
            if b"\r\n" in old:
                lines = lines.replace(b"\n", b"\r\n")
            lines += old[len(old.rstrip(b"\r\n")) :]
            mark = MARK if old.startswith(MARK) else b""
            changed = data[:first] + mark + lines + data[last:]
            for _ in read_sentences(io.BytesIO(changed), "conllu"):  # the new lines may not fit to the others
                pass
            with atomic_output(self.path) as stream:
                stream.write(changed)


def _text(lines: bytes) -> str:
    """The lines without a byte order mark, and with one kind of line ends."""
    try:
        return lines.decode("utf-8-sig").replace("\r\n", "\n").rstrip("\n")
    except UnicodeDecodeError as error:
        raise CrossarcError(f"the file is not UTF-8: {error}") from None


def _sentence(text: str) -> Sentence:
    """The sentence that the lines are. Raises CrossarcError for lines of none or several, and for other columns."""
    for row in text.split("\n"):
        if not row.startswith("#") and row.strip() and row.count("\t") != COLUMNS - 1:
            raise CrossarcError(
                f"found {row.count(chr(9)) + 1} columns in {shown(row)}, expected {COLUMNS} to edit them"
            )
    sentences = list(read_sentences(io.StringIO(f"{text.strip()}\n\n"), "conllu"))
    if len(sentences) != 1:
        raise CrossarcError(f"found {len(sentences)} sentences, expected one")
    return sentences[0]
