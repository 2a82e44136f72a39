"""Nilsson (2009), chapter 9: systematic search for generic transforms, and blends of parsers trained with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from .....parser.evaluate.comparison import Comparison, compare
from .....parser.plugins.blending.blend import select_parsers
from .....parser.transforms.generic import GENERIC
from .....parser.transforms.registry import parse_transform
from .....parser.treebank.tree import Tree, trees_of
from ....harness import Cell, Experiment, ExperimentTreebank, Json, Outputs, TreebankPart, joined
from ..measures.errors import confirmed, verdict
from ..measures.transforms import parser_cells

AVERAGE = "average"
BASE, BEST, BEST_UNINVERTED, BLEND, BLEND_UNINVERTED = "base", "best", "best_uninverted", "blend", "blend_uninverted"
SYSTEMS = (BASE, BEST, BEST_UNINVERTED, BLEND, BLEND_UNINVERTED)


@cache
def transforms_of(train: TreebankPart, labels: int, least: float) -> Mapping[str, Sequence[Any]]:
    """The transforms to try, by name; the first, ``base``, is none.

    labels: number of labels; every generic transform is tried for each of the most frequent labels (section 9.3.1).
    least: percentage of training arcs that a transform must change; parsers with rarer transforms would equal the base.
    """
    specs: dict[str, Sequence[Any]] = {BASE: ()}
    trees = trees_of(train.sentences())
    words = sum(len(tree.heads) - 1 for tree in trees)
    counts = Counter(sorted(label for tree in trees for label in tree.deprels[1:]))  # sorted: equal ones by name
    for label, _ in counts.most_common(labels):
        for kind in GENERIC:
            spec = {"name": kind.name, "params": {"label": label}}
            transform = parse_transform(spec)
            pairs = ((tree.heads, transform.apply(tree).heads) for tree in trees)
            changed = sum(head != other for pair in pairs for head, other in zip(*pair, strict=True))
            if 100.0 * changed >= least * words:
                specs[f"{kind.name} {label}"] = (spec,)
    return specs


def specs_of(treebank: ExperimentTreebank) -> Mapping[str, Sequence[Any]]:
    """The transforms to try on a treebank."""
    return transforms_of(treebank.part("train"), treebank.values["labels"], treebank.values["least"])


def cells(treebank: ExperimentTreebank) -> list[Cell]:
    """Cells of the parser without a transform, and with each transform."""
    (base,) = treebank.parsers.values()
    specs = specs_of(treebank).items()
    parsers = {name: replace(base, transforms=(*transforms, *base.transforms)) for name, transforms in specs}
    return parser_cells(treebank, parsers)


def parsed(treebank: ExperimentTreebank, split: str, form: str) -> Outputs:
    """The trees of all parsers. form: ``inverted`` (after inverse transforms) or ``uninverted``."""
    return treebank.outputs(treebank.part(split), f"{split} {form}", list(specs_of(treebank)))


class Search(NamedTuple):
    """The outcome for one treebank.

    dev: LAS of each parser on the development set.
    helpful: transforms with a higher LAS than the base on the development set, the best first. Each has the gain in LAS
        on both sets (``dev``, ``test``), ``p`` of the randomization test over sentences on the test set, and whether it
        is ``confirmed``: better with p < 0.01.
    outputs: trees for the test set of all :data:`SYSTEMS`; if no transform is helpful, ``best`` is the base.
    curves: by the order in which parsers are chosen, the number of words that blends of 1, 2, ... parsers have right.
    """

    dev: Mapping[str, float]
    helpful: Sequence[dict[str, Any]]
    outputs: Outputs
    curves: Mapping[str, Sequence[int]]


def search(treebank: ExperimentTreebank) -> Search:
    """The outcome for a treebank (section 9.2).

    The first, third, ... sentences of the development set choose the parsers to blend; on the others their weights are
    learned. The best transform is chosen on all of them.
    """
    forms = {form: parsed(treebank, "test", form) for form in ("inverted", "uninverted")}
    test = forms["inverted"]
    las = {name: las_of(comparison) for name, comparison in parsed(treebank, "dev", "inverted").comparisons.items()}
    helpful: list[dict[str, Any]] = []
    base = test.comparisons[BASE]
    for name in sorted((name for name in las if las[name] > las[BASE]), key=lambda name: -las[name]):
        other = test.comparisons[name]
        trial = test.test(BASE, name)
        gains = {"dev": las[name] - las[BASE], "test": las_of(other) - las_of(base)}
        helpful.append({"transform": name, **gains, "p": trial.over_sentences, "confirmed": confirmed(trial)})
    best = helpful[0]["transform"] if helpful else BASE
    trees = {BASE: test.trees[BASE], BEST: test.trees[best], BEST_UNINVERTED: forms["uninverted"].trees[best]}
    curves: dict[str, Sequence[int]] = {}
    for form, called in (("inverted", BLEND), ("uninverted", BLEND_UNINVERTED)):
        for order in ("descending", "ascending"):
            blends = list(blends_of(treebank, parsed(treebank, "dev", form), forms[form], order == "descending"))
            curves[f"{form}, {order}"] = [int(compare(test.gold, blend).token_right("las").sum()) for blend in blends]
            if order == "descending":
                trees[called] = blends[: treebank.values["parsers_blended"]][-1]
    return Search(las, helpful, Outputs(test.gold, trees), curves)


def blends_of(treebank: ExperimentTreebank, dev: Outputs, test: Outputs, descending: bool) -> Iterator[list[Tree]]:
    """The blended trees of 1, 2, ... parsers for the test set. The base is the first parser.

    The other parsers follow from the best to the worst (descending) or reversed. The largest blend has as many parsers
    as the setting ``curve`` (0: all), and at least ``parsers_blended``.
    """
    names = list(dev.trees)
    choosing, weighing = (
        Outputs(dev.gold[start::2], {name: trees[start::2] for name, trees in dev.trees.items()}) for start in (0, 1)
    )
    weights = weighing.weights(treebank.values["weights"], names)
    chosen = select_parsers(0, [las_of(comparison) for comparison in choosing.comparisons.values()], descending)
    longest = max(treebank.values["curve"] or len(names), treebank.values["parsers_blended"])
    for size in range(1, 1 + min(longest, len(chosen))):
        best = chosen[:size]
        yield test.blended([names[number] for number in best], weights.among(best), weighing.single_root)


def las_of(comparison: Comparison) -> float:
    """LAS over all words in per cent; 0 if there are no words."""
    right = comparison.token_right("las")
    return 100.0 * float(right.mean()) if len(right) else 0.0


def figures(treebanks: Sequence[ExperimentTreebank]) -> dict[str, Json]:
    """Table 9.1, the helpful transforms, and the data of figure 9.3: by treebank and for all concatenated."""
    searches = {treebank.name: search(treebank) for treebank in treebanks}
    document: dict[str, Any] = {
        name: {
            "row": table_row([search]),
            "curves": las_along([search]),
            "dev": dict(search.dev),
            "helpful": list(search.helpful),
        }
        for name, search in searches.items()
    }
    every = list(searches.values())
    return {**document, AVERAGE: {"row": table_row(every), "curves": las_along(every)}}


def table_row(searches: Sequence[Search]) -> dict[str, Json]:
    """A row of table 9.1, for one treebank or for the concatenated outputs of several."""
    outputs = joined([search.outputs for search in searches])
    trials = [trial for search in searches for trial in search.helpful]
    row: dict[str, Json] = {name: las_of(outputs.comparisons[name]) for name in SYSTEMS}
    if not trials:
        row[BEST] = row[BEST_UNINVERTED] = None
    return {
        **row,
        "transform": trials[0]["transform"] if len(searches) == 1 and trials else None,
        "p_best": verdict(outputs.test(BASE, BEST)) if trials else None,
        "p_blend": verdict(outputs.test(BASE, BLEND)),
        "p_blend_uninverted": verdict(outputs.test(BASE, BLEND_UNINVERTED)),
        "tried": sum(len(search.dev) - 1 for search in searches),
        "helpful": len(trials),
        "helpful_test": sum(trial["test"] > 0 for trial in trials),
        "significant": sum(trial["confirmed"] for trial in trials),
    }


def las_along(searches: Sequence[Search]) -> dict[str, list[float]]:
    """LAS of blends by their number of parsers, for the concatenated outputs of treebanks.

    Beyond its largest blend, a treebank counts with that blend.
    """
    words = sum(len(tree.heads) - 1 for search in searches for tree in search.outputs.gold)
    curves: dict[str, list[float]] = {}
    for name in searches[0].curves:
        las_curves = [search.curves[name] for search in searches]
        right = [sum(curve[min(k, len(curve) - 1)] for curve in las_curves) for k in range(max(map(len, las_curves)))]
        curves[name] = [100.0 * count / words if words else 0.0 for count in right]
    return curves


EXPERIMENT = Experiment(cells=(cells,), figures=figures)
