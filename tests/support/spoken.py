"""A generated treebank whose raw text is not trivial to split."""

from __future__ import annotations

from random import Random

NOUNS = ["dog", "cat", "bird", "horse", "child"]
VERBS = ["barks", "sees", "didn't see", "can't hear"]


def rows(words: list[tuple[str, str]], multiword: bool) -> str:
    """CoNLL-U of a sentence. words: forms and MISC. multiword: whether "zum" begins it."""
    lines = ["1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_"] if multiword else []
    forms = [("zu", "_"), ("dem", "_"), *words] if multiword else words
    for number, (form, misc) in enumerate(forms, 1):
        arc = "0\troot" if number == 1 else "1\tdep"
        lines.append(f"{number}\t{form}\t{form}\tX\t_\t_\t{arc}\t_\t{misc}")
    return "\n".join(lines) + "\n\n"


def treebank(count: int, seed: int) -> str:
    """A treebank with glued punctuation, abbreviations, split verbs, multiword tokens and paragraphs."""
    random = Random(seed)
    parts = []
    for number in range(count):
        words = [("Dr.", "_")] if random.random() < 0.3 else [("the", "_")]
        words += [(random.choice(NOUNS), "_")]
        verb = random.choice(VERBS).split()
        if "'" in verb[0]:
            words += [(verb[0][:-3], "SpaceAfter=No"), ("n't", "_"), (verb[1], "_"), ("it", "SpaceAfter=No")]
        else:
            words += [(verb[0], "SpaceAfter=No")]
        words += [(random.choice(".!?"), "_")]
        parts += ["# newpar\n"] if number % 5 == 0 else []
        parts.append(rows(words, random.random() < 0.3))
    return "".join(parts)
