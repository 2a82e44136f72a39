"""Errors of segmentation on test sets: the most frequent confusions, and the LAS that they cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ....parser.evaluate.conll18 import evaluate_conll18
from ....parser.plugins.raw_text.raw_text import GoldText, gold_text
from ....parser.plugins.raw_text.reading import sentences_of
from ....parser.plugins.raw_text.tokenizer import Tokenizer
from ....parser.plugins.raw_text.training import segmentation as scored
from ...harness import Cell, Experiment, ExperimentTreebank, Json, TreebankPart, by_treebank
from ...harness.costs import trained_apart
from ...harness.parsing import split_off, timed

SHOWN_VALUES = 10
TAGS = ("lemma", "upos", "xpos", "feats")


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """The cell with the segmentation of the test set, and one with LAS if the key ``parsed`` asks for it."""
    parts = treebank.part("train"), treebank.dev, treebank.part("test")
    segmented = treebank.cell("segmentation", segmentation, *parts)
    level = treebank.values["parser"]
    return [segmented, *([treebank.cell(level, parsed, level, *parts)] if treebank.values["parsed"] else [])]


def segmentation(train: TreebankPart, dev: TreebankPart | None, test: TreebankPart) -> Json:
    """F1 by unit, the most frequent confusions, words and characters per CPU second, and CPU seconds of training.

    The F1 of multiword tokens counts those with the right place and the right words.
    """
    tokenizer, seconds = timed(Tokenizer.fit, *split_off(train, dev))
    gold = gold_text(test.sentences())
    segmented, spent = timed(lambda: list(sentences_of(tokenizer, [gold.text])))
    f1 = scored(tokenizer, list(test.sentences()))
    tokens, ends, last = [], [], []
    end = 0
    for sentence in segmented:
        end += len(sentence.before)
        for form, after, words in sentence.tokens:
            tokens.append((form, words))
            end += len(form)
            ends.append(end)
            end += len(after)
        last.append(ends[-1])
    counts = Counter(confusions(gold, tokens, ends, last))
    common = [
        f"{name} {count}"
        for name, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:SHOWN_VALUES]
    ]
    return {
        "sentences": f1["Sentences"],
        "errors": counts.total(),
        "frequent": ", ".join(common) or "none",
        "f1_tokens": f1["Tokens"],
        "f1_words": f1["Words"],
        "f1_multiwords": _multiwords(gold, tokens, ends),
        "speed": sum(len(token.words) for token in gold.tokens) / spent,
        "characters": len(gold.text) / spent,
        "cpu": seconds,
    }


def parsed(level: str, train: TreebankPart, dev: TreebankPart | None, test: TreebankPart) -> Json:
    """LAS (CoNLL 2018) of a level trained from raw text, from gold words (``words``) and from raw text (``text``)."""
    learned, held_out = split_off(train, dev)
    model, _ = trained_apart(level, learned, held_out, ["input=text"])
    gold = list(test.sentences())
    from_words = model.parse([sentence.with_columns(dict.fromkeys(TAGS, ("_",) * len(sentence))) for sentence in gold])
    results = {"words": from_words, "text": model(gold_text(gold).text)}
    return {name: evaluate_conll18(gold, sentences).f1["LAS"] for name, sentences in results.items()}


def _multiwords(gold: GoldText, tokens: Sequence[tuple[str, Sequence[str]]], ends: Sequence[int]) -> float | None:
    """F1 of multiword tokens, in per cent; None where there are none."""
    right = {(int(end), token.words) for end, token in zip(gold.ends, gold.tokens, strict=True) if len(token.words) > 1}
    segmented = {(end, tuple(words)) for end, (_, words) in zip(ends, tokens, strict=True) if len(words) > 1}
    return 200 * len(right & segmented) / (len(right) + len(segmented)) if right else None


def confusions(
    gold: GoldText, tokens: Sequence[tuple[str, Sequence[str]]], ends: Sequence[int], last: Sequence[int]
) -> Iterator[str]:
    """A name for each wrong end of a sentence or token, and for each multiword token with wrong words.

    tokens, ends: form and words of the tokens found, and where they end; last: where sentences end.
    """
    places = gold.ends.tolist()
    sentence_ends, found_ends = {places[at] for at in gold.last}, set(last)
    following = {end: token.form for end, token in zip(places, gold.tokens[1:], strict=False)}
    before = dict(zip(places, gold.tokens, strict=True))
    for end in sorted(sentence_ends ^ found_ends):
        kind = "joined" if end in sentence_ends else "split"
        token = before.get(end)
        yield f"{kind} {_kind(token.form) if token else 'part'} + {_kind(following.get(end, ''))}"
    at = dict(zip(ends, tokens, strict=True))
    for end in sorted(set(places) - at.keys()):
        yield f"token end missed after {_kind(before[end].form)}"
    for end in sorted(at.keys() - set(places)):
        yield f"token end added after {_kind(at[end][0])}"
    for end in sorted(set(places) & at.keys()):
        if before[end].form == at[end][0] and tuple(before[end].words) != tuple(at[end][1]):
            yield f"words of {'a multiword token' if len(before[end].words) > 1 else 'a single word'}"


def _kind(form: str) -> str:
    """Punctuation itself; for words their kind."""
    if not form:
        return "end"
    if form.isdigit():
        return "number"
    if not any(character.isalnum() for character in form):
        return f"`{form}`" if len(form) < 4 and "`" not in form and "|" not in form else "symbols"
    return "capital" if form[0].isupper() else "word"


def figures(treebank: ExperimentTreebank) -> Json:
    """The segmentation of a treebank, with LAS from gold words and from raw text, measured here or in ud25."""
    level = treebank.values["parser"]
    if treebank.values["parsed"]:
        las = treebank[level]
    else:
        ud25 = json.loads((Path(__file__).parents[1] / "ud25" / "results.json").read_text("utf-8"))["figures"]
        rows = {name: ud25[name]["treebanks"].get(treebank.name) for name in ("words", "text")}
        las = {name: row[level]["LAS"] for name, row in rows.items() if row}
    lost = {"lost": las["words"] - las["text"]} if las else {}
    return {**treebank["segmentation"], **las, **lost}


EXPERIMENT = Experiment(cells=(cells,), figures=by_treebank(figures))
