"""Conversion between sentences and spaCy's Docs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.lazy import needed
from .. import Sentence, only_sentences
from ..symbols import changed_columns

UPOS = frozenset("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())  # noqa: SIM905
"""Parts of speech that spaCy accepts."""


def from_tokens(tokens: Sequence[Any]) -> Sentence:
    """Return the sentence of a Doc's or a Span's tokens, with texts, lemmas, tags and morphology, without a tree."""
    return Sentence.from_tokens(
        ["_" if token.is_space else token.text for token in tokens],
        lemma=[token.lemma_ or "_" for token in tokens],
        upos=[token.pos_ or "_" for token in tokens],
        xpos=[token.tag_ or "_" for token in tokens],
        feats=[str(token.morph) or "_" for token in tokens],
    )


def from_doc(doc: Any) -> Sentence:
    """Return the words of a Doc as one sentence, with its tree, if any."""
    sentence = from_tokens(list(doc))
    if not doc.has_annotation("DEP"):
        return sentence
    heads = [0 if token.head.i == token.i else token.head.i + 1 for token in doc]
    return sentence.with_tree([-1, *heads], ["", *(token.dep_ or "_" for token in doc)])


def filled_doc(doc: Any, parsed: Sentence) -> Any:
    """Return a copy of a Doc with the tags and the tree of a parsed sentence in place of its own."""
    copied = doc.copy()
    set_tags(list(copied), from_tokens(list(copied)), parsed)
    set_trees(copied, [parsed])
    return copied


def set_tags(tokens: Sequence[Any], before: Sentence, parsed: Sentence) -> None:
    """Set the tags and lemmas of tokens that differ between two sentences, as far as spaCy accepts them.

    before, parsed: the sentence before and after parsing.
    """
    for name, values in changed_columns(before, parsed).items():
        for token, value in zip(tokens, values, strict=True):
            if token.is_space or value == "_":
                continue
            if name == "feats":
                token.set_morph(value)
            elif name != "upos" or value in UPOS:
                setattr(token, {"upos": "pos_", "xpos": "tag_", "lemma": "lemma_"}[name], value)


def set_trees(doc: Any, parsed: Sequence[Sentence]) -> None:
    """Set the trees of a Doc from the parsed sentences that it contains. spaCy splits a tree with several roots."""
    import numpy as np
    from spacy.attrs import DEP, HEAD

    rows = np.zeros((len(doc), 2), dtype=np.uint64)
    start = 0
    for sentence in parsed:
        for word, (head, deprel) in enumerate(zip(sentence.heads()[1:], sentence.deprels()[1:], strict=True), 1):
            offset = head - word if head else 0
            # spaCy stores the distance to the head, as two's complement if negative
            rows[start + word - 1] = np.int64(offset).astype(np.uint64), doc.vocab.strings.add(deprel)
        start += len(sentence)
    doc.from_array([HEAD, DEP], rows)


def to_doc(sentence: Sentence, vocab: Any = None) -> Any:
    """Convert a sentence to a ``spacy.tokens.Doc``: words, spaces (from MISC), lemmas, tags, morphology and the tree.

    vocab: vocabulary of the pipeline that uses the Doc (default: a new one).

    Parts of speech that spaCy does not know are left out. Raises CrossarcError if spaCy is not installed.

    >>> import crossarc
    >>> sentence = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> [(token.text, token.dep_, token.head.text) for token in crossarc.to_doc(sentence)]
    [('Dogs', 'nsubj', 'bark'), ('bark', 'root', 'bark')]
    """
    spacy = needed("spacy", "to_doc", "spaCy")
    (sentence,) = only_sentences([sentence])
    misc = sentence.column("misc") if "misc" in sentence.format.index else [""] * len(sentence)
    spaces = ["SpaceAfter=No" not in value.split("|") for value in misc]
    return doc_of([sentence], spaces, spacy.vocab.Vocab() if vocab is None else vocab, spacy.tokens.Doc)


def doc_of(sentences: Sequence[Sentence], spaces: Sequence[bool], vocab: Any, kind: Any) -> Any:
    """Return a Doc of sentences with the columns of the first one.

    spaces: whether a space follows each word.
    kind: the class ``Doc``.
    """
    first = sentences[0].format.index
    given: dict[str, Any] = {}
    for name, attribute in (("lemma", "lemmas"), ("upos", "pos"), ("xpos", "tags"), ("feats", "morphs")):
        if name in first:
            values = ["" if value == "_" else value for own in sentences for value in own.column(name)]
            given[attribute] = [value if value in UPOS else "" for value in values] if name == "upos" else values
    doc = kind(vocab, words=[word for own in sentences for word in own.column("form")], spaces=spaces, **given)
    if "head" in first and not any("_" in own.column("head") for own in sentences):
        set_trees(doc, sentences)
    return doc
