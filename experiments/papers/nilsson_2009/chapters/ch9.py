"""Nilsson (2009), chapter 9: generic transforms searched systematically, and blends of the parsers trained on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from .....parser.drawing.line_chart import line_chart
from .....parser.evaluate import Comparison
from .....parser.evaluate.percent import Json
from .....parser.transforms import parse_transform
from .....parser.transforms.generic import GENERIC
from .....parser.treebank import Sentence
from .....parser.treebank.tree import trees_of
from ....harness.experiment import Bank, Experiment
from ....harness.parsing import Part, parses_both_ways
from ....harness.runner import Cell
from ....harness.settings import SPLITS
from ..measures.outputs import joined, verdict
from ..measures.search import BASE, BEST, BEST_UNINVERTED, BLEND, BLEND_UNINVERTED, Curve, Search, las_of, search_of

__all__ = ["EXPERIMENT", "frequent_labels"]

AVERAGE = "average"
SYSTEMS = (BASE, BEST, BEST_UNINVERTED, BLEND, BLEND_UNINVERTED)


def frequent_labels(sentences: Sequence[Sentence], number: int) -> list[str]:
    """The most frequent deprels; of equally frequent ones those that sort first."""
    counts = Counter(label for sentence in sentences for label in sentence.deprels()[1:])
    return sorted(counts, key=lambda label: (-counts[label], label))[:number]


@cache
def transforms_of(train: Part, labels: int, least: float) -> Mapping[str, Any]:
    """The transforms to try, by name; the first is none at all.

    Every generic transform of every one of the most frequent labels is tried (section 9.3.1), but for those that change
    fewer arcs of the training trees than ``least`` says, whose parsers would be the base once more.
    """
    specs: dict[str, Any] = {BASE: None}
    sentences = list(train.sentences())
    trees, words = trees_of(sentences), sum(map(len, sentences))
    for label in frequent_labels(sentences, labels):
        for kind in GENERIC:
            spec = {"name": kind.name, "params": {"label": label}}
            transform = parse_transform(spec)
            pairs = ((tree.heads, transform.apply(tree).heads) for tree in trees)
            changed = sum(head != other for pair in pairs for head, other in zip(*pair, strict=True))
            if 100.0 * changed >= least * words:
                specs[f"{kind.name} {label}"] = spec
    return specs


def specs_of(bank: Bank) -> Mapping[str, Any]:
    """The transforms to try on a treebank."""
    return transforms_of(bank.part("train"), bank.values["labels"], bank.values["least"])


def cells(bank: Bank) -> list[Cell]:
    """The parser without transforms, and with each."""
    (base,) = bank.settings.parsers.values()
    tests = {split: bank.part(split) for split in ("dev", "test")}
    return [
        bank.cell(
            name,
            parses_both_ways,
            replace(base, transforms=(spec, *base.transforms)) if spec else base,
            bank.part("train"),
            tests,
        )
        for name, spec in specs_of(bank).items()
    ]


def figures(banks: Sequence[Bank]) -> dict[str, Json]:
    """Table 9.1, the transforms that help, and figure 9.3, by treebank and for the outputs one after another."""
    found = {bank.name: search_of(bank, list(specs_of(bank))) for bank in banks}
    document: dict[str, Json] = {}
    for name, own in {**{name: [search] for name, search in found.items()}, AVERAGE: list(found.values())}.items():
        document[name] = {"row": table_row(own), "curves": las_along(own)}  # type: ignore[dict-item]
    for name, search in found.items():
        more: Any = document[name]
        more |= {"dev": dict(search.dev), "helpful": [trial.to_json() for trial in search.helpful]}
    return document


def table_row(found: Sequence[Search]) -> dict[str, Json]:
    """A row of table 9.1, of one treebank, or of several with their outputs one after another."""
    comparisons: dict[str, Comparison] = {name: joined([own.outputs for own in found], name) for name in SYSTEMS}
    helps = [own.best for own in found]
    row: dict[str, Json] = {name: las_of(comparison) for name, comparison in comparisons.items()}
    if not any(helps):
        row[BEST] = row[BEST_UNINVERTED] = None
    trials = [trial for own in found for trial in own.helpful]
    return {
        **row,
        "transform": helps[0] if len(found) == 1 else None,
        "p_best": verdict(comparisons[BASE], comparisons[BEST], "las") if any(helps) else None,
        "p_blend": verdict(comparisons[BASE], comparisons[BLEND], "las"),
        "p_blend_uninverted": verdict(comparisons[BASE], comparisons[BLEND_UNINVERTED], "las"),
        "tried": sum(len(own.dev) - 1 for own in found),
        "helpful": len(trials),
        "helpful_test": sum(trial.test > 0 for trial in trials),
        "significant": sum(trial.level == 0.01 for trial in trials),
    }


def las_along(found: Sequence[Search]) -> dict[str, list[float]]:
    """LAS along the curves, the outputs one after another; a treebank with fewer parsers stays at its last blend."""
    words = sum(len(tree.heads) - 1 for own in found for tree in own.outputs.gold)
    curves: dict[str, list[float]] = {}
    for name in found[0].curves:
        own: list[Curve] = [search.curves[name] for search in found]
        right = [sum(curve[min(k, len(curve) - 1)] for curve in own) for k in range(max(map(len, own)))]
        curves[name] = [100.0 * count / words if words else 0.0 for count in right]
    return curves


def charts(banks: Sequence[Bank], found: Mapping[str, Any]) -> dict[str, str]:
    """Figure 9.3, of all treebanks together and of each."""
    drawn = {}
    for name in (AVERAGE, *(bank.name for bank in banks)):
        series = {key: list(enumerate(curve, 1)) for key, curve in found[name]["curves"].items()}
        chart = line_chart(series, title=name, x_label="parsers", y_label="LAS")
        drawn["figure9.3.svg" if name == AVERAGE else f"figure9.3-{name}.svg"] = chart
    return drawn


EXPERIMENT = Experiment(
    title="Nilsson (2009), chapter 9: generic transforms and combination",
    note="LAS on the test sets, punctuation included. Transforms are tried for the {labels} most frequent labels of "
    "each treebank where they change {least} % of the training arcs or more. Every second sentence of the development "
    "set chooses the {parsers_blended} parsers to blend, the others weigh them; the best transform is the best on all "
    "of them. The row average is of the outputs for all treebanks one after another, as in the thesis. A dash: no "
    "transform was better than the base on the development set. p: McNemar's test on LAS, * means that the base is "
    "worse with p < 0.01.",
    splits=lambda values: SPLITS,
    cells=(cells,),
    figures=figures,
    charts=charts,
)
