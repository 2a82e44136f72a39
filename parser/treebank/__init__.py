"""Treebanks: reading, writing, checking, and columns as integers."""

from __future__ import annotations

from .blocks import Block as Block, block_of as block_of
from .formats import AUTO as AUTO, FORMATS as FORMATS, Format as Format, format_of as format_of
from .reader import (
    WORD_FORMATS as WORD_FORMATS,
    Piece as Piece,
    ReadTreebank as ReadTreebank,
    Treebank as Treebank,
    read_pieces as read_pieces,
    read_sentences as read_sentences,
    read_treebank as read_treebank,
    reading_once as reading_once,
    sentences_in as sentences_in,
)
from .sentence import Sentence as Sentence, conll_text as conll_text, only_sentences as only_sentences
from .source import (
    checksum as checksum,
    compression_named as compression_named,
    require_file as require_file,
    size_of as size_of,
)
from .symbols import EMPTY as EMPTY, TAGGED as TAGGED, UNKNOWN as UNKNOWN, SymbolTable as SymbolTable
from .writer import atomic_output as atomic_output, output as output, write_sentences as write_sentences
