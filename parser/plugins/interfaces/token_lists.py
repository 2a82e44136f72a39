"""Conversion between sentences and token lists of the package ``conllu``."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from ...base.errors import CrossarcError
from ...base.lazy import needed
from ...treebank import Sentence, conll_text, only_sentences
from ...treebank.samples import SampleType
from ...treebank.sentence import OF_TREE
from ...treebank.symbols import changed_columns
from .ids import WordIds, word_ids

PRIVATE = 0xE000
"""The first character of Unicode's private use area."""
FIELDS = ("lemma", "upos", "xpos", "feats", "deps", "misc")


def from_token_list(tokens: Any) -> Sentence:
    """Return the words and comments of a ``conllu.TokenList``, without multiword tokens and empty nodes.

    Raises CrossarcError for tokens without a form, for ids that do not count upwards, and for heads that are not ids of
    words.
    """
    from conllu.serializer import serialize_field

    ids = _ids(tokens)
    words = [tokens[row] for row in ids.rows]
    missing = next((number for number, word in enumerate(words, 1) if not word.get("form")), None)
    if missing is not None:
        raise CrossarcError(f"word {missing} of the TokenList has no form")
    columns = {name: [serialize_field(word.get(name)) or "_" for word in words] for name in FIELDS}
    sentence = Sentence.from_tokens(
        [word["form"] for word in words],
        heads=ids.heads([token.get("head") for token in tokens]),
        deprels=[word.get("deprel") or "_" for word in words],
        **columns,
    )
    comments = (f"# {key}" if value is None else f"# {key} = {value}" for key, value in tokens.metadata.items())
    return replace(sentence, comments=tuple(comments))


def filled_token_list(tokens: Any, parsed: Sentence) -> Any:
    """Return a copy of a ``conllu.TokenList`` with other heads and deprels, and other changed columns.

    What described the former tree is left out: DEPS, empty nodes, and comments on its rank and probability.
    """
    import conllu

    metadata = {key: value for key, value in tokens.metadata.items() if not OF_TREE.match(f"# {key} =")}
    kept = [token for token in tokens if not (isinstance(token.get("id"), tuple) and token["id"][1] == ".")]
    copied = conllu.TokenList([type(token)(token) for token in kept], metadata=metadata)
    ids = _ids(copied)
    words = [copied[row] for row in ids.rows]
    heads = ids.of_heads(parsed.heads()[1:])
    for word, head, deprel in zip(words, heads, parsed.deprels()[1:], strict=True):
        word["head"], word["deprel"] = head, deprel
    changed = changed_columns(from_token_list(tokens), parsed)
    changed.pop("deps", None)
    for token in copied:
        if token.get("deps") is not None:
            token["deps"] = None
    for name, values in changed.items():
        for word, value in zip(words, values, strict=True):
            word[name] = _entries(value) if name in ("feats", "misc") else value
    return copied


def _ids(tokens: Any) -> WordIds:
    """The ids of the words; hand-made lists have none."""
    names = [token.get("id") for token in tokens]
    return word_ids(range(1, len(names) + 1) if names.count(None) == len(names) else names)


def to_token_list(sentence: Sentence) -> Any:
    """Convert a sentence to a ``conllu.TokenList`` with comments, multiword tokens and empty nodes.

    Raises CrossarcError if ``conllu`` is not installed.

    >>> import crossarc
    >>> sentence = crossarc.Sentence.from_tokens(["Dogs", "bark"], heads=[2, 0], deprels=["nsubj", "root"])
    >>> [(token["form"], token["head"]) for token in crossarc.to_token_list(sentence)]
    [('Dogs', 2), ('bark', 0)]
    """
    conllu = needed("conllu", "to_token_list")
    (sentence,) = only_sentences([sentence])
    text = conll_text(sentence)
    if "  " not in text:
        (tokens,) = conllu.parse(text, fields=sentence.format.names)
        return _with_whole_values(tokens, text, sentence)
    # conllu separates columns at two spaces, too: they are replaced by a character that the text does not have
    mark = next(character for character in map(chr, count(PRIVATE)) if character not in text)
    (tokens,) = conllu.parse(text.replace("  ", mark), fields=sentence.format.names)
    tokens.metadata = {key: _replaced(value, mark) for key, value in tokens.metadata.items()}
    for token in tokens:
        for key, value in token.items():
            token[key] = _replaced(value, mark)
    return _with_whole_values(tokens, text, sentence)


def _with_whole_values(tokens: Any, text: str, sentence: Sentence) -> Any:
    """The tokens of a text with the entries of FEATS and MISC, whose values conllu ends at a second =."""
    rows = [row.split("\t") for row in text.split("\n") if row and not row.startswith("#")]
    for token, row in zip(tokens, rows, strict=True):
        for name in {"feats", "misc"} & sentence.format.index.keys():
            token[name] = _entries(row[sentence.format.index[name]])
    return tokens


def _entries(value: str) -> dict[str, str | None] | None:
    """The entries of a value such as ``A=1|B`` as conllu has them: "" where there is no sign, None for no entries."""
    if value == "_":
        return None
    pairs = (entry.partition("=") for entry in value.split("|"))
    return {key: (text or None) if sign else "" for key, sign, text in pairs}


def _replaced(value: Any, mark: str) -> Any:
    """A value with two spaces in the place of a character."""
    if isinstance(value, str):
        return value.replace(mark, "  ")
    if isinstance(value, dict):
        return {_replaced(key, mark): _replaced(inner, mark) for key, inner in value.items()}
    return value


TOKEN_LIST = SampleType("a conllu.TokenList", from_token_list, filled_token_list)
