"""Nilsson (2009), chapter 6: transforms of coordination and verb groups, alone and combined with those of chapter 5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .....parser.base.errors import CrossarcError, check_names
from .....parser.config.config import ParserConfig
from .....parser.evaluate.mcnemar import significance_json
from .....parser.evaluate.percent import percentage
from .....parser.evaluate.scores import Scores
from .....parser.plugins.drawing.error_figures import by_length
from .....parser.plugins.styles.profile import load_profile
from .....parser.transforms.registry import parse_transform
from .....parser.transforms.transform import apply_all, fit_all
from .....parser.treebank.tree import trees_of
from ....harness import Cell, Experiment, ExperimentTreebank, Json, Outputs, TreebankPart, by_treebank
from ....harness.parsing import lost_by
from ..measures.errors import pre_post_row
from ..measures.transforms import (
    COORDINATION,
    NONE,
    PARSED,
    VERB_GROUPS,
    BestTransforms,
    check_parsers,
    choose,
    combined_config,
    inverted,
    kinds_of,
    parser_cells,
)
from ..measures.words import class_scores, class_tests, count_words, words_in

KINDS_OF_WORDS = {"conjuncts": COORDINATION, "auxiliaries": VERB_GROUPS}
"""Words whose precision and recall table 6.5 reports, with the kind of transform that changes them."""


def parsers_of(treebank: ExperimentTreebank) -> dict[str, ParserConfig]:
    """The parsers for the treebank's profile. Raises CrossarcError for wrong ``profiles`` or ``parsers_for``."""
    profiles, parsers_for = treebank.values["profiles"], treebank.values["parsers_for"]
    parsers = treebank.parsers
    if treebank.name not in profiles:
        raise CrossarcError(f"profiles: found no profile for treebank {treebank.name}; add one")
    profile = profiles[treebank.name]
    check_names("parsers_for: found", [profile], parsers_for)
    check_names(f"parsers_for: {profile}: found", parsers_for[profile], parsers)
    if NONE not in parsers_for[profile]:
        raise CrossarcError(f"parsers_for: {profile}: found no parser {NONE!r}; add it")
    return {name: parsers[name] for name in parsers_for[profile]}


def of_chapter(treebank: ExperimentTreebank) -> dict[str, ParserConfig]:
    """The parsers whose only transform is one of coordination or verb groups."""
    parsers = parsers_of(treebank)
    kinds = kinds_of(parsers).items()
    return {name: parsers[name] for name, kind in kinds if kind in KINDS_OF_WORDS.values()}


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells that count words, measure the loss by transforms and the arc lengths after them, and run the parsers."""
    train = treebank.part("train")
    measured = [treebank.cell("words", count_words, treebank.values["profiles"].get(treebank.name), train)]
    for name, config in of_chapter(treebank).items():
        measured.append(treebank.cell(f"{name} distortion", lost_by, config.transforms, train))
        measured.append(treebank.cell(f"{name} lengths", arc_lengths, config.transforms, train))
    return measured + parser_cells(treebank, parsers_of(treebank))


def chosen(treebank: ExperimentTreebank) -> BestTransforms:
    """The best transform of each kind by LAS on the development set."""
    scores = inverted(treebank, parsers_of(treebank), "dev").scores
    return choose(kinds_of(treebank.parsers), {name: score.no_punct.las for name, score in scores.items()})


def combined(treebank: ExperimentTreebank) -> list[Cell]:
    """The cell of the parser with all chosen transforms, if two or more are chosen."""
    choice = chosen(treebank)
    several = {choice.name: combined_config(choice, treebank.parsers)} if len(choice.combined) > 1 else {}
    return parser_cells(treebank, several)


def figures(treebank: ExperimentTreebank) -> dict[str, Json]:
    """Tables 6.1 to 6.6 of a treebank, and the data of the charts."""
    split, choice, names = treebank.values["split"], chosen(treebank), list(parsers_of(treebank))
    outputs, dev = inverted(treebank, names, split), inverted(treebank, names, "dev").scores
    scores = outputs.scores
    lengths = {name: treebank[f"{name} lengths"] for name in of_chapter(treebank)}
    pair = {"none": NONE, "combined": choice.name}
    both = {part: treebank.outputs(treebank.part(part), f"{part} inverted", pair, "no_punct") for part in PARSED}
    return {
        "words": treebank["words"],
        "distortion": {name: treebank[f"{name} distortion"] for name in lengths},
        "lengths": lengths,
        "mean_lengths": {
            name: {when: mean_length(counts) for when, counts in by_phase.items()} for name, by_phase in lengths.items()
        },
        "performance": {name: score.to_json() for name, score in scores.items()},
        "pre_post": {name: pre_post_row(score, scores[NONE], "uas") for name, score in scores.items()},
        "choice": {
            "best": dict(choice.best),
            "combined": list(choice.combined),
            "las": {name: score.no_punct.las for name, score in dev.items()},
        },
        "combined": {
            **{
                part: {name: score.to_json() for name, score in outputs.scores.items()}
                for part, outputs in both.items()
            },
            "transforms": ", ".join(choice.combined) or NONE,
            "significance": {key: both["test"].test("none", "combined", key).to_json() for key in ("uas", "las")},
        },
        "words_parsed": {
            kind: words_parsed(treebank, kind, choice.best[kind_key], outputs)
            for kind, kind_key in KINDS_OF_WORDS.items()
            if kind_key in choice.best
        },
        "significance": significance_json(outputs.tests(("las", "uas"))),
        "by_figure": charted({name: scores[name] for name in choice.shown()}, lengths),
    }


def words_parsed(treebank: ExperimentTreebank, kind: str, name: str, outputs: Outputs) -> Json:
    """A row of table 6.5: a parser with a transform (name) against the parser without, on one kind of words."""
    profile = load_profile(treebank.values["profiles"][treebank.name])
    versions = (outputs.gold, outputs.trees[NONE], outputs.trees[name])
    wanted, before, after = (getattr(words_in(trees, profile), kind) for trees in versions)
    comparisons = outputs.comparisons
    tests = class_tests((comparisons[NONE], comparisons[name]), (before, after), wanted)
    return {
        "transform": name,
        "none": class_scores(comparisons[NONE], before, wanted).to_json(),
        "transformed": class_scores(comparisons[name], after, wanted).to_json(),
        "significance": {side: test.to_json() for side, test in tests.items()},
    }


def charted(scores: Mapping[str, Scores], lengths: Mapping[str, Any]) -> dict[str, Json]:
    """Figures 6.8 (accuracy by arc length), 6.9 (arc lengths after transforms) and 6.10 (clusters of errors).

    scores: of the parsers in the figures. lengths: results of :func:`arc_lengths` for transforms.
    """
    errors = {name: score.propagation["uas"] for name, score in scores.items()}
    return {
        "6.8": {
            f"{title_of(name)}, {side}": {
                str(length): getattr(arcs, side) for length, arcs in by_length(score, "unlabelled").items()
            }
            for name, score in scores.items()
            for side in ("precision", "recall")
        },
        "6.9": {
            name: {str(length): ratio for length, ratio in ratios(lengths[name]).items()}
            for name in scores
            if name in lengths
        },
        "6.10": {
            title_of(name): {
                str(number): part.normalised(propagation.total) for number, part in enumerate(propagation.clusters, 1)
            }
            for name, propagation in errors.items()
        },
    }


def title_of(parser: str) -> str:
    """The name of a parser in charts."""
    return "None" if parser == NONE else parser


LONGEST = 15
"""Longest arcs with a bin of their own, in words."""


def arc_lengths(transforms: Sequence[Any], part: TreebankPart) -> Json:
    """Number of arcs by length, ``before`` and ``after`` transforms; arcs from node 0 have length 0."""
    trees = trees_of(part.sentences())
    chain = [parse_transform(spec) for spec in transforms]
    fit_all(chain, trees)
    changed = [apply_all(chain, tree) for tree in trees]
    counted: dict[str, Json] = {}
    for name, treebank in (("before", trees), ("after", changed)):
        arcs = ((word, head) for tree in treebank for word, head in enumerate(tree.heads) if word)
        counts = Counter(abs(head - word) if head else 0 for word, head in arcs)
        counted[name] = {str(length): counts[length] for length in sorted(counts)}
    return counted


def mean_length(counts: Mapping[str, int]) -> float | None:
    """The mean length of arcs between words; None if there are none. counts: number of arcs by length."""
    arcs = sum(count for length, count in counts.items() if length != "0")
    return sum(int(length) * count for length, count in counts.items()) / arcs if arcs else None


def ratios(result: Mapping[str, Mapping[str, int]]) -> dict[int, float | None]:
    """The number of arcs by length after transforms, in per cent of the number before (None: 0 before)."""
    before, after = Counter[int](), Counter[int]()
    for bins, name in ((before, "before"), (after, "after")):
        for length, count in result[name].items():
            bins[min(int(length), LONGEST + 1)] += count
    longest = max([*before, *after], default=0)
    return {length: percentage(after[length], before[length]) for length in range(longest + 1)}


EXPERIMENT = Experiment(cells=(cells, combined), figures=by_treebank(figures), check=check_parsers)
