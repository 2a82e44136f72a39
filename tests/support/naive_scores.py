"""Random corpora, and their scores counted from the definitions."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from crossarc.parser.evaluate.scores import PrecisionRecall
from crossarc.parser.treebank.tree import Tree
from handmade import any_heads, words_tree
from hypothesis import strategies as st

FORMS = ["ox", ",", "...", "$", "a,", "«", "``"]
PUNCTUATION = {",", "...", "«"}
LABELS = ["subj", "obj", "punct", "root"]
TAGS = ["N", "V", "PUNCT"]
UNIVERSAL = (
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect "
    "Voice Evident Polarity Person Polite"
)


def random_corpus(seed: int, sentences: int, longest: int, similarity: float) -> tuple[list[Tree], list[Tree]]:
    """(gold trees, predicted trees). similarity: probability that a tree keeps its heads, and a word its label."""
    rng = random.Random(seed)
    gold, predicted = [], []
    for _ in range(sentences):
        n = rng.randint(1, longest)
        forms, tags = rng.choices(FORMS, k=n), rng.choices(TAGS, k=n)
        heads, other = (any_heads(n, rng.randrange(10**9)) for _ in range(2))
        deprels = ["", *rng.choices(LABELS, k=n)]
        others = [d if rng.random() < similarity else rng.choice([*LABELS, "new"]) for d in deprels[1:]]
        gold.append(words_tree(heads, deprels, forms, tags))
        keep = rng.random() < similarity
        predicted.append(words_tree(heads if keep else other, ["", *others], forms, tags))
    return gold, predicted


corpora = st.builds(
    random_corpus, st.integers(0, 10**6), st.integers(0, 6), st.integers(1, 12), st.sampled_from([0.0, 0.5, 0.9, 1.0])
)


def ancestors(heads: list[int], word: int) -> list[int]:
    found = []
    while word:
        word = heads[word]
        found.append(word)
    return found


def crosses(heads: list[int], word: int) -> bool:
    low, high = sorted((word, heads[word]))
    return any(heads[word] not in ancestors(heads, k) for k in range(low + 1, high))


def naive_tokens(gold: list[Tree], predicted: list[Tree]) -> list[dict]:
    """One row per token, with all properties that the definitions of scores use."""
    rows = []
    for number, (g, p) in enumerate(zip(gold, predicted, strict=True)):
        n = len(g.columns["form"])
        for word in range(1, n + 1):
            rows.append(
                {
                    "sentence": number,
                    "n": n,
                    "word": word,
                    "form": g.columns["form"][word - 1],
                    "tag": g.columns["upos"][word - 1],
                    "head": g.heads[word] == p.heads[word],
                    "label": g.deprels[word] == p.deprels[word],
                    "gold": side(g, word),
                    "predicted": side(p, word),
                    "sentence_np": any(crosses(g.heads, k) for k in range(1, n + 1)),
                }
            )
    return rows


def side(tree: Tree, word: int) -> dict:
    """The properties of a word in one tree."""
    head = tree.heads[word]
    return {
        "np": crosses(tree.heads, word),
        "deprel": tree.deprels[word],
        "depth": len(ancestors(tree.heads, word)),
        "root": head == 0,
        "signed": "root" if head == 0 else str(word - head),
        "bin": "root" if head == 0 else next(b for b, top in BINS if abs(word - head) <= top),
    }


BINS = [("1", 1), ("2", 2), ("3-6", 6), ("7-", 10**9)]


def share(part: int, whole: int) -> float | None:
    return None if whole == 0 else 100 * part / whole


def naive_pr(rows: list[dict], member, right) -> tuple[float | None, float | None, int, int]:
    """(precision, recall, number of predicted arcs, number of gold arcs) of a class of arcs.

    member: whether an arc, as :func:`side` describes it, is in the class.
    right: whether the prediction for a token is right.
    """
    predicted = [row for row in rows if member(row["predicted"])]
    gold = [row for row in rows if member(row["gold"])]
    return (
        share(sum(map(right, predicted)), len(predicted)),
        share(sum(map(right, gold)), len(gold)),
        len(predicted),
        len(gold),
    )


def seen(pr: PrecisionRecall) -> tuple[float | None, float | None, int, int]:
    """Our scores in the form of :func:`naive_pr`."""
    return (pr.precision, pr.recall, pr.predicted, pr.gold)


def head(row: dict) -> bool:
    return row["head"]


def both(row: dict) -> bool:
    return row["head"] and row["label"]


def label(row: dict) -> bool:
    return row["label"]


def conll18_scores(gold: Path, system: Path) -> dict[str, float]:
    """F1 scores of UPOS, XPOS, UFeats, UAS and LAS of the CoNLL 2018 shared task in per cent, from its definitions.

    Both files have the same text. Words are aligned if they cover the same characters. An attachment is right if the
    heads of aligned words are aligned.
    """
    left, right = _words(gold), _words(system)
    aligned = {own["span"]: own for own in right}
    found = {}
    for name in ("UPOS", "XPOS", "UFeats", "UAS", "LAS"):
        keys = {"UAS": ("head",), "LAS": ("head", "deprel")}.get(name, (name,))
        right_ones = sum(
            own["span"] in aligned and all(own[key] == aligned[own["span"]][key] for key in keys) for own in left
        )
        found[name] = 100 * 2 * right_ones / (len(left) + len(right))
    return found


def _words(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    start = 0
    for block in file.read_text("utf-8").strip("\n").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        rows = [row for row in rows if row[0].isdigit()]
        spans = []
        for row in rows:
            form = row[1].replace(" ", "")
            spans.append((start, start + len(form)))
            start += len(form)
        for row, span in zip(rows, spans, strict=True):
            feats = sorted(pair for pair in row[5].split("|") if pair.split("=")[0] in UNIVERSAL.split())
            head = "root" if row[6] == "0" else spans[int(row[6]) - 1]
            deprel = row[7].split(":")[0]
            found.append(
                {"span": span, "UPOS": row[3], "XPOS": row[4], "UFeats": feats, "head": head, "deprel": deprel}
            )
    return found
