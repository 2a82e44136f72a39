"""Clusters of words as columns of a treebank, which features can name: cluster(Stack[0]), cluster4(Lookahead[0])."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...parser.errors import CrossarcError
from ...parser.treebank import Sentence
from ...parser.treebank.formats import Format

__all__ = ["PREFIXES", "with_clusters"]

PREFIXES = (4, 6)
"""How long the paths are that coarser clusters go by (Koo, Carreras & Collins 2008)."""
NAME = "cluster"
GLOBAL = "# global.columns ="
UNKNOWN = "_"


def with_clusters(
    sentences: Iterable[Sentence], clusters: Mapping[str, str], prefixes: Sequence[int] = PREFIXES
) -> Iterator[Sentence]:
    """The sentences in CoNLL-U Plus with more columns: CLUSTER, the path of each word's cluster, and CLUSTER4 ..., the
    beginnings of the paths; "_" for words without one.

    Raises CrossarcError for CoNLL-2009, whose columns vary, and for sentences that have such columns.
    """
    own = [NAME, *(f"{NAME}{length}" for length in prefixes)]
    first = True
    for sentence in sentences:
        names = sentence.format.names
        if sentence.format.name == "conll09" or not set(own).isdisjoint(names):
            found = "CoNLL-2009" if sentence.format.name == "conll09" else f"a column {NAME}"
            raise CrossarcError(f"{sentence.source}: found {found}; allowed: CoNLL-U and CoNLL-X without such columns")
        paths = [clusters.get(form, "") for form in sentence.column("form")]
        lengths = [None, *prefixes]
        added = [tuple(path[:length] or UNKNOWN for path in paths) for length in lengths]
        comments = [comment for comment in sentence.comments if not comment.startswith(GLOBAL)]
        if first:
            comments.insert(0, f"{GLOBAL} {' '.join([*names, *own]).upper()}")
        first = False
        blank = "\t_" * len(own)
        yield replace(
            sentence,
            format=Format("conllu", (*names, *own)),
            columns=(*sentence.columns, *added),
            comments=tuple(comments),
            extras=tuple((place, row + blank) for place, row in sentence.extras),
        )
