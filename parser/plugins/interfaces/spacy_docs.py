"""Conversion between sentences and spaCy's Docs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from ...base.data_warnings import warn
from ...base.errors import CrossarcError
from ...base.lazy import needed
from ...treebank import Sentence, only_sentences
from ...treebank.formats import UNIVERSAL
from ...treebank.samples import SampleType
from ...treebank.sentence import tree_heads
from ...treebank.symbols import changed_columns

UPOS = UNIVERSAL - {"_"}
"""Parts of speech that spaCy accepts."""
ATTRIBUTES = {"upos": "pos_", "xpos": "tag_", "lemma": "lemma_"}
"""Attributes of tokens by columns; features are set by a method."""
SPACES = "dep"
"""The label of tokens of spaces."""


def words_of(tokens: Iterable[Any]) -> list[Any]:
    """Return the tokens that are words; those of spaces alone belong to no tree."""
    return [token for token in tokens if not token.is_space]


def from_tokens(tokens: Sequence[Any]) -> Sentence:
    """Return the sentence of a Doc's or a Span's words, with texts, lemmas, tags and morphology, without a tree."""
    return Sentence.from_tokens(
        [token.text for token in tokens],
        lemma=[token.lemma_ or "_" for token in tokens],
        upos=[token.pos_ or "_" for token in tokens],
        xpos=[token.tag_ or "_" for token in tokens],
        feats=[str(token.morph) or "_" for token in tokens],
    )


def from_doc(doc: Any) -> Sentence:
    """Return the words of a Doc as one sentence, with its arcs, if any. Tokens of spaces are left out.

    Words without a label have no head yet. Raises CrossarcError for a Doc without words, for one without arcs that is
    divided into several sentences, and for a word whose head is a token of spaces.
    """
    words = words_of(doc)
    if not words:
        raise CrossarcError("the Doc has no words")
    sentence = from_tokens(words)
    if not doc.has_annotation("DEP"):
        if doc.has_annotation("SENT_START") and (several := sum(1 for _ in doc.sents)) > 1:
            remedy = "give each as a Doc (span.as_doc()), or add the component crossarc to a pipeline"
            raise CrossarcError(f"the Doc has {several} sentences, expected one; {remedy}")
        return sentence
    number = {word.i: place for place, word in enumerate(words, 1)}
    for word in words:
        if word.head.i not in number:
            raise CrossarcError(f"the head of the word {word.text!r} of the Doc is a token of spaces, expected a word")
    heads = [0 if word.head.i == word.i else number[word.head.i] for word in words]
    whole = sentence.with_tree([-1, *heads], ["", *(word.dep_ or "_" for word in words)])
    if all(word.dep_ for word in words):
        return whole
    known = zip(whole.column("head"), words, strict=True)
    return whole.with_columns({"head": tuple(head if word.dep_ else "_" for head, word in known)})


def filled_doc(doc: Any, parsed: Sentence) -> Any:
    """Return a copy of a Doc with the tags and the tree of a parsed sentence instead of its own."""
    copied = doc.copy()
    set_tags(words_of(copied), from_tokens(words_of(copied)), parsed)
    set_trees(copied, [(list(copied), parsed)])
    return copied


def set_tags(words: Sequence[Any], before: Sentence, parsed: Sentence) -> None:
    """Set the tags and lemmas of words that differ between two sentences, as far as spaCy accepts them.

    before, parsed: the sentence before and after parsing.
    """
    for name, values in changed_columns(before, parsed).items():
        for word, value in zip(words, values, strict=True):
            if value == "_":
                continue
            if name == "feats":
                word.set_morph(_morph(value))
            elif name in ATTRIBUTES and (name != "upos" or value in UPOS):
                setattr(word, ATTRIBUTES[name], value)


def _morph(feats: str) -> str:
    """The features that spaCy can hold: those with a name and one value."""
    return "|".join(part for part in feats.split("|") if all(part.split("=")) and part.count("=") == 1)


def set_trees(doc: Any, parsed: Iterable[tuple[Sequence[Any], Sentence | None]]) -> None:
    """Set the trees of a Doc. spaCy splits a tree with several roots.

    parsed: the tokens of each sentence, with the tree of its words; None for tokens of spaces alone.

    A token of spaces depends on the word before it, or else on the first word. Raises CrossarcError for heads that form
    a cycle, in which spaCy would search without end.
    """
    import numpy as np
    from spacy.attrs import DEP, HEAD

    rows = np.zeros((len(doc), 2), dtype=np.uint64)
    for tokens, sentence in parsed:
        words = words_of(tokens) if sentence is not None else tokens[:1]
        heads, deprels = ([-1, 0], ["", SPACES]) if sentence is None else (tree_heads(sentence), sentence.deprels())
        last = words[0].i
        above = {word.i: (words[head - 1].i if head else word.i) for word, head in zip(words, heads[1:], strict=True)}
        labels = {word.i: label for word, label in zip(words, deprels[1:], strict=True)}
        for token in tokens:
            last = token.i if token.i in above else last
            # spaCy stores the distance to the head, as two's complement if negative
            offset = np.int64(above.get(token.i, last) - token.i).astype(np.uint64)
            rows[token.i] = offset, doc.vocab.strings.add(labels.get(token.i, SPACES) or "_")
    doc.from_array([HEAD, DEP], rows)


def to_doc(sentence: Sentence, vocab: Any = None) -> Any:
    """Convert a sentence to a ``spacy.tokens.Doc``: words, spaces (from MISC), lemmas, tags, morphology and the tree.

    vocab: vocabulary of the pipeline that uses the Doc (default: a new one).

    Parts of speech that spaCy does not know, and features that are not Key=Value, are left out. Raises CrossarcError
    for heads that form a cycle, and if spaCy is not installed.

    >>> import crossarc
    >>> sentence = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> [(token.text, token.dep_, token.head.text) for token in crossarc.to_doc(sentence)]
    [('Dogs', 'nsubj', 'bark'), ('bark', 'root', 'bark')]
    """
    spacy = needed("spacy", "to_doc", "spaCy")
    (sentence,) = only_sentences([sentence])
    misc = list(sentence.column("misc")) if "misc" in sentence.format.index else [""] * len(sentence)
    for _, last, cells in sentence.multiword_tokens() if "misc" in sentence.format.index else ():
        misc[last - 1] = cells[sentence.format.index["misc"]]
    spaces = ["SpaceAfter=No" not in value.split("|") for value in misc]
    return doc_of([sentence], spaces, spacy.vocab.Vocab() if vocab is None else vocab, spacy.tokens.Doc)


def doc_of(sentences: Sequence[Sentence], spaces: Sequence[bool], vocab: Any, kind: Any) -> Any:
    """Return a Doc of sentences with the columns of the first one.

    spaces: whether a space follows each word.
    kind: the class ``Doc``.
    """
    first = sentences[0].format.index
    attributes: dict[str, Any] = {}
    for name, attribute in (("lemma", "lemmas"), ("upos", "pos"), ("xpos", "tags"), ("feats", "morphs")):
        if name in first:
            values = ["" if value == "_" else value for sentence in sentences for value in sentence.column(name)]
            if name == "upos":
                values = [value if value in UPOS else "" for value in values]
            attributes[attribute] = list(map(_morph, values)) if name == "feats" else values
    doc = kind(
        vocab, words=[word for sentence in sentences for word in sentence.column("form")], spaces=spaces, **attributes
    )
    partial = sum("_" in sentence.column("head") for sentence in sentences) if "head" in first else 0
    if partial and any({*sentence.column("head")} != {"_"} for sentence in sentences):
        warn(f"{partial} sentences have words without a head: the Doc gets no tree, since spaCy has none in part")
    if "head" in first and not partial:
        tokens = iter(doc)
        set_trees(doc, [(list(islice(tokens, len(sentence))), sentence) for sentence in sentences])
    return doc


DOC = SampleType("a spaCy Doc", from_doc, filled_doc)
