"""Loading beforehand whatever parsing much needs."""

from __future__ import annotations

from contextlib import suppress

from ..base.errors import CrossarcError
from ..treebank import Sentence
from .model import ParserModel

MUCH = 10**9
"""Words that make anything worth loading."""


def warm(model: ParserModel) -> None:
    """Load the compiled code that the model uses, and compile what is not kept, by parsing a sentence.

    Another thread may parse with the model meanwhile: transition-based parsers use numpy until their code is there.
    """
    model.hint_workload(MUCH)
    with suppress(CrossarcError):  # of columns that CoNLL-U has not
        model.parse_chunk([Sentence.from_tokens(["three", "short", "words"])])
