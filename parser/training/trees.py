"""The training trees: the sentences of a treebank that have valid trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..base.errors import CrossarcError
from ..base.progress import Progress
from ..treebank import Sentence
from ..treebank.pairs import read_tree
from ..treebank.symbols import feature_columns
from ..treebank.tree import Tree


def valid_trees(
    sentences: Sequence[Sentence], columns: Sequence[str], reads: Mapping[str, str], faulty: str, progress: Progress
) -> tuple[list[Tree], list[str]]:
    """The trees with the named columns, and their names for messages.

    reads: fallback columns that are read in place of empty ones, see :func:`.config.feature_files.feature_columns`.
    faulty: "refuse" raises CrossarcError at the first sentence with an invalid tree, "skip" leaves such sentences out.
    """
    trees, names = [], []
    for sentence in sentences:
        try:
            tree = read_tree(sentence)
        except CrossarcError as error:
            if faulty == "refuse":
                raise CrossarcError(f"{error}; treebank.faulty=skip leaves such sentences out") from error
            progress(f"skipped: {error}")
            continue
        trees.append(tree._replace(columns=feature_columns(sentence, columns, reads)))
        names.append(sentence.id)
    if not trees:
        raise CrossarcError("the training treebank has no usable sentence")
    return trees, names
