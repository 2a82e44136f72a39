"""What chapter 6 of Nilsson (2009) finds out about a treebank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .....parser.evaluate import Comparison, McNemar, PrecisionRecall, Scores, significance, significance_json
from .....parser.evaluate.percent import Json
from .....parser.transforms.styles.profile import Profile
from .....parser.treebank import Sentence
from .....parser.treebank.tree import trees_of
from ....harness.settings import TreebankEntry
from ..measures.choice import COORDINATION, VERB_GROUPS, Choice
from ..measures.errors import Figures, pre_post_row
from ..measures.lengths import mean_length
from ..measures.parses import comparison_of, votes_of
from ..measures.transforms import NONE, PARSED, Tests, comparisons_of, scored, tests_of
from ..measures.words import class_scores, class_tests, words_in

__all__ = ["Outcome", "WordsOutcome", "outcome_of"]

SCORES = ("uas", "las")


@dataclass(frozen=True, slots=True)
class WordsOutcome:
    """A row of table 6.5: a parser with a transform against the one without, and McNemar's test of both columns."""

    transform: str
    before: PrecisionRecall
    after: PrecisionRecall
    tests: Mapping[str, McNemar]

    def to_json(self) -> dict[str, Json]:
        """All figures."""
        return {
            "transform": self.transform,
            "none": self.before.to_json(),
            "transformed": self.after.to_json(),
            "significance": {side: test.to_json() for side, test in self.tests.items()},
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """words: of each kind in the training set; lost and lengths: by parser with a transform of chapter 6.

    scores, tests: of the parsers on the split that is compared; dev: on the development set. combined: scores by split
    without transforms and with the chosen ones, combined_tests: between those two on the test set. kinds_of_words: the
    rows of table 6.5.
    """

    words: Mapping[str, int]
    lost: Mapping[str, Mapping[str, Any]]
    lengths: Mapping[str, Mapping[str, Mapping[str, int]]]
    scores: Mapping[str, Scores]
    dev: Mapping[str, Scores]
    tests: Tests
    choice: Choice
    combined: Mapping[str, tuple[Scores, Scores]]
    combined_tests: Mapping[str, McNemar]
    kinds_of_words: Mapping[str, WordsOutcome]

    def to_json(self) -> dict[str, Json]:
        """All figures."""
        return {
            "words": dict(self.words),
            "distortion": {name: dict(own) for name, own in self.lost.items()},
            "lengths": {
                name: {when: dict(counts) for when, counts in own.items()} for name, own in self.lengths.items()
            },
            "mean_lengths": {
                name: {when: mean_length(counts) for when, counts in own.items()} for name, own in self.lengths.items()
            },
            "performance": {name: own.to_json() for name, own in self.scores.items()},
            "pre_post": {name: dict(self.propagation(name)) for name in self.scores},
            "choice": {
                "best": dict(self.choice.best),
                "combined": list(self.choice.combined),
                "las": {name: own.no_punct.las for name, own in self.dev.items()},
            },
            "combined": {
                **{
                    split: {"none": own[0].to_json(), "combined": own[1].to_json()}
                    for split, own in self.combined.items()
                },
                "significance": {score: test.to_json() for score, test in self.combined_tests.items()},
            },
            "words_parsed": {kind: own.to_json() for kind, own in self.kinds_of_words.items()},
            "significance": significance_json(self.tests),
        }

    def propagation(self, parser: str) -> Figures:
        """Of table 6.6, before and after the first error of a sentence; errors against those without transforms."""
        return pre_post_row(self.scores[parser], None if parser == NONE else self.scores[NONE], "uas")


def outcome_of(
    entry: TreebankEntry,
    profile: Profile,
    split: str,
    names: Sequence[str],
    choice: Choice,
    results: Mapping[str, Json],
    combined: Json,
) -> Outcome:
    """The outcome from the results of a treebank's cells.

    split: what the parsers ``names`` are compared on; combined: the result of the parser with all chosen transforms.
    """
    found: Mapping[str, Any] = results
    measured = {
        what: {key: found[f"{entry.name} {key} {what}"] for key in names if f"{entry.name} {key} {what}" in found}
        for what in ("distortion", "lengths")
    }
    gold = {part: list(entry.part(part).sentences()) for part in PARSED}
    comparisons = comparisons_of(gold[split], entry, names, split, results)
    scores = scored(comparisons)
    dev = scores if split == "dev" else scored(comparisons_of(gold["dev"], entry, names, "dev", results))
    pairs = {
        part: {
            "none": comparison_of(sentences, votes_of(results[f"{entry.name} {NONE}"], f"{part} inverted")),
            "combined": comparison_of(sentences, votes_of(combined, f"{part} inverted")),
        }
        for part, sentences in gold.items()
    }
    both = {part: scored(own) for part, own in pairs.items()}
    return Outcome(
        words=found[f"{entry.name} words"],
        lost=measured["distortion"],
        lengths=measured["lengths"],
        scores=scores,
        dev=dev,
        tests=tests_of(comparisons),
        choice=choice,
        combined={part: (own["none"], own["combined"]) for part, own in both.items()},
        combined_tests={
            score: significance(pairs["test"]["none"], pairs["test"]["combined"], score, counted="no_punct")
            for score in SCORES
        },
        kinds_of_words={
            kind: _words_outcome(kind, name, profile, gold[split], comparisons, entry, split, results)
            for kind, name in (
                ("conjuncts", choice.best.get(COORDINATION)),
                ("auxiliaries", choice.best.get(VERB_GROUPS)),
            )
            if name is not None
        },
    )


def _words_outcome(
    kind: str,
    name: str,
    profile: Profile,
    gold: Sequence[Sentence],
    comparisons: Mapping[str, Comparison],
    entry: TreebankEntry,
    split: str,
    results: Mapping[str, Json],
) -> WordsOutcome:
    wanted = getattr(words_in(trees_of(gold), profile), kind)
    before, after = (
        getattr(words_in(votes_of(results[f"{entry.name} {parser}"], f"{split} inverted"), profile), kind)
        for parser in (NONE, name)
    )
    return WordsOutcome(
        name,
        class_scores(comparisons[NONE], before, wanted),
        class_scores(comparisons[name], after, wanted),
        class_tests((comparisons[NONE], comparisons[name]), (before, after), wanted),
    )
