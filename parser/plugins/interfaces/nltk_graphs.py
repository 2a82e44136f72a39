"""Conversion of sentences to NLTK's dependency graphs, and back."""

from __future__ import annotations

from typing import Any

from ...base.errors import CrossarcError
from ...base.lazy import needed
from ...treebank import Sentence, only_sentences
from ...treebank.samples import SampleType
from ...treebank.sentence import tree_heads
from .ids import word_ids

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel")


def to_dependency_graph(sentence: Sentence) -> Any:
    """Convert a sentence to a ``nltk.parse.DependencyGraph``, with UPOS as ctag and XPOS as tag.

    If several words depend on node 0, ``root`` is the first of them. Raises CrossarcError for a sentence without a
    tree, and if NLTK is not installed.

    >>> import crossarc
    >>> sentence = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> print(crossarc.to_dependency_graph(sentence).tree())
    (bark Dogs)
    """
    nltk = needed("nltk", "to_dependency_graph")
    (sentence,) = only_sentences([sentence])
    heads, deprels = tree_heads(sentence), sentence.deprels()
    empty = ("_",) * len(sentence)
    columns = [sentence.column(name) if name in sentence.format.index else empty for name in COLUMNS]
    rows = ["\t".join([*row, "_", "_"]) for row in zip(*columns, strict=True)]
    top = deprels[heads.index(0)] if 0 in heads else ""
    return nltk.parse.DependencyGraph("\n".join(rows), cell_separator="\t", top_relation_label=top)


def from_dependency_graph(graph: Any) -> Sentence:
    """The sentence of a ``DependencyGraph``: ctag is UPOS, tag is XPOS, addresses are ids.

    Raises CrossarcError if it has no words, and for heads that are no addresses of words.
    """
    words = [graph.nodes[address] for address in sorted(graph.nodes) if address]
    if not words:
        raise CrossarcError("the DependencyGraph has no words")
    ids = word_ids([word["address"] for word in words])
    columns = {
        name: [word[key] or "_" for word in words]
        for name, key in (("lemma", "lemma"), ("upos", "ctag"), ("xpos", "tag"), ("feats", "feats"), ("deprel", "rel"))
    }
    heads = ids.heads([word["head"] for word in words])
    return Sentence.from_tokens([word["word"] for word in words], heads=heads, **columns)


GRAPH = SampleType("an NLTK DependencyGraph", from_dependency_graph, lambda value, parsed: to_dependency_graph(parsed))
