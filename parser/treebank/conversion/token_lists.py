"""Conversion between sentences and token lists of the package ``conllu``."""

from __future__ import annotations

from typing import Any

from ...base.errors import CrossarcError
from ...base.lazy import needed
from .. import Sentence, conll_text, only_sentences
from ..symbols import new_tags

FIELDS = ("lemma", "upos", "xpos", "feats", "deps", "misc")


def from_token_list(tokens: Any) -> Sentence:
    """Return the words of a ``conllu.TokenList``, without multiword tokens and empty nodes.

    Raises CrossarcError for tokens without a form, and for heads that are not numbers of words.
    """
    from conllu.serializer import serialize_field

    words = _words(tokens)
    missing = next((number for number, word in enumerate(words, 1) if not word.get("form")), None)
    if missing is not None:
        raise CrossarcError(f"word {missing} of the TokenList has no form")
    columns = {name: [serialize_field(word.get(name)) or "_" for word in words] for name in FIELDS}
    return Sentence.from_tokens(
        [word["form"] for word in words],
        heads=[word.get("head") for word in words],
        deprels=[word.get("deprel") or "_" for word in words],
        **columns,
    )


def filled_token_list(tokens: Any, parsed: Sentence) -> Any:
    """Return a copy of a ``conllu.TokenList`` with other heads, deprels and tags; all else is unchanged."""
    import conllu
    from conllu.parser import parse_dict_value

    copied = conllu.TokenList([type(token)(token) for token in tokens], metadata=tokens.metadata)
    words = _words(copied)
    for word, head, deprel in zip(words, parsed.heads()[1:], parsed.deprels()[1:], strict=True):
        word["head"], word["deprel"] = head, deprel
    for name, values in new_tags(from_token_list(tokens), parsed).items():
        for word, value in zip(words, values, strict=True):
            word[name] = parse_dict_value(value) if name == "feats" else value
    return copied


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
    (tokens,) = conllu.parse(conll_text(sentence), fields=sentence.format.names)
    return tokens


def _words(tokens: Any) -> list[Any]:
    """Return the tokens that are words; hand-made lists have no token numbers."""
    return [token for token in tokens if isinstance(token.get("id", 1), int)]
