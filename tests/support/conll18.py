"""The scores of the CoNLL 2018 shared task, counted from its definitions, for files with the same text.

Words of both files are aligned if they cover the same characters. An attachment is right if the heads of aligned words
are aligned. F1 is twice the number of right words, divided by the number of words in both files.
"""

from __future__ import annotations

from pathlib import Path

UNIVERSAL = (
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect "
    "Voice Evident Polarity Person Polite"
)


def conll18_scores(gold: Path, system: Path) -> dict[str, float]:
    """F1 scores of UPOS, XPOS, UFeats, UAS and LAS in per cent."""
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


def _words(file: Path) -> list[dict]:
    found, start = [], 0
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
