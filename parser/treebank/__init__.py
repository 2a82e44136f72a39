"""Treebank formats in and out, and columns to integers."""

from __future__ import annotations

from .blocks import Block, Piece, block_of, read_pieces, sentences_in
from .faults import Fault
from .formats import AUTO, COLUMN_CHOICES, FORMATS, Format, format_of
from .limits import ReadingLimits
from .plain import WORD_FORMATS
from .reader import read_sentences, read_treebank
from .sentence import Sentence, Treebank, only_sentences
from .source import checksum, require_file, unpack_file, words_in
from .symbols import (
    EMPTY,
    FIRST_KNOWN,
    NO_NODE,
    ROOT_NODE,
    TAGGED,
    UNKNOWN,
    PieceTable,
    SetTable,
    SymbolTable,
    Table,
    encode_columns,
)
from .writer import atomic_output, conll_text, write_parts, write_sentences

__all__ = [
    "AUTO",
    "COLUMN_CHOICES",
    "EMPTY",
    "FIRST_KNOWN",
    "FORMATS",
    "NO_NODE",
    "ROOT_NODE",
    "TAGGED",
    "UNKNOWN",
    "WORD_FORMATS",
    "Block",
    "Fault",
    "Format",
    "Piece",
    "PieceTable",
    "ReadingLimits",
    "Sentence",
    "SetTable",
    "SymbolTable",
    "Table",
    "Treebank",
    "atomic_output",
    "block_of",
    "checksum",
    "conll_text",
    "encode_columns",
    "format_of",
    "only_sentences",
    "read_pieces",
    "read_sentences",
    "read_treebank",
    "require_file",
    "sentences_in",
    "unpack_file",
    "words_in",
    "write_parts",
    "write_sentences",
]
