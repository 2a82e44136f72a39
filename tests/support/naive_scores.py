"""Random corpora, and their scores counted from the definitions."""

from __future__ import annotations

import random

from crossarc.parser.evaluate.scores import PrecisionRecall
from crossarc.parser.treebank.tree import Tree
from handmade import any_heads, words_tree
from hypothesis import strategies as st

FORMS = ["ox", ",", "...", "$", "a,", "«", "``"]
PUNCTUATION = {",", "...", "«"}
LABELS = ["subj", "obj", "punct", "root"]
TAGS = ["N", "V", "PUNCT"]


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
