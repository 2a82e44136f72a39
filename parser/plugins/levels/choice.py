"""Levels of effort: the choice of a parser for a treebank, from facts about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import partial
from typing import Any

import yaml

from ...base.errors import check_names
from ...config.ready import Level, ready_text
from ...treebank import Sentence
from .profile import TreebankProfile, profile_of

TECHNIQUE = {"system", "oracle", "transforms"}
"""The keys that say how crossing arcs are handled."""
FREQUENT = 0.75
"""Minimum percentage of crossing arcs for pseudo-projective labels. On development sets the gain was significant on
Danish (1.15 %) and Ancient Greek (12.08 %), but not on Gothic (2.82 %), Slovak (0.85 %) and five treebanks with 0.66 %
or less (experiments/papers/kuhlmann_nivre_2010/README.md). The threshold is the geometric mean of 0.66 and 0.85, the
next higher percentage."""
VERY_FREQUENT = 6.0
"""Minimum percentage of crossing arcs for online reordering. Of all transition systems it gained most with 12.52 %;
with 2.24 % or less the gain was not significant (experiments/studies/techniques/README.md)."""
FREQUENT_WITH_BEAM = 1.0
"""The same with a beam and full features. On development sets with gold tags, swap was better than arc-standard with
exploration by 0.81 LAS on Afrikaans (1.57 % crossing arcs), 0.57 on Danish (1.12), 0.36 on Norwegian (1.16) and 2.93 on
Ancient Greek (12.07), and worse by 0.09 on Gothic (2.40). With fewer crossing arcs the differences were -0.08 on Greek
(0.26), -0.42 on Portuguese (0.44), -0.58 on English-GUM (0.54), 0.67 on Coptic (0.59) and 0.02 on Slovak (0.71).
Comparing small parsers on halves of the training treebank did not tell where swap gains: there it was 0.70 better on
English-GUM, and 0.46 worse on Danish."""
LIFTS, LIFTS_OF_MANY = "pseudo-projective", "pseudo-projective:encoding=path"
"""Pseudo-projective labels in blends; the second from :data:`VERY_FREQUENT` on. There the first makes too many
transitions: 874 on Ancient Greek, where the second makes 368. With arc-eager and 4 000 sentences the second has 0.92
LAS less (experiments/papers/nivre_nilsson_2005/README.md)."""
MANY_WORDS = 100_000
"""Number of words above which a training set gets a larger C."""

ENOUGH_WORDS = 10_000
"""Minimum number of words for exploration. On average of nine development sets exploration lost LAS with 250 sentences,
made no difference with 500, and gained with 1 000 (experiments/studies/levels/README.md)."""
UNEXPLORED_C, EXPLORED_C, MANY_WORDS_C = 0.02, 0.01, 0.02
"""Values of C. With exploration and ``full-inflected``, 0.01 was better than 0.02 on average of four development sets
of UD 2.5. On English-EWT, with more than :data:`MANY_WORDS`, 0.02 was chosen, the smallest value tried
(experiments/studies/chosen_by_hand/README.md)."""
BEAM = 4
"""Beam of ``accurate``. On the development sets of eight treebanks it gained 0.76 to 2.85 LAS, 1.24 on average, in
2.3 times the time of greedy parsing. A beam of 2 gained 1.02 and took 1.6 times as long; a beam of 8 gained 1.35 and
took 3.1 times as long."""
FAST_C = 0.05
FAST_TAGS = {"tag_directions": 1}
CANDIDATES = 4
"""Number of words of a sentence whose second best tags trees may choose, see ``tag_candidates``."""
POSITIONS = 9
"""Number of letters of the positional tags of the Perseus project; ``full-positional`` has templates for each
position."""
MOSTLY = 70.0
"""Minimum percentage of words with FEATS for ``full-places``."""
FEATURE_REASONS = {
    "full-inflected": "0.33 LAS better than full on average of eleven development sets",
    "full-positional": "FEATS holds positional tags of nine letters",
    "full-places": "FEATS holds positional tags",
}


def technique(crossing: float) -> str:
    """Return the ready config that handles crossing arcs best.

    crossing: percentage of the arcs that cross.

    >>> [technique(crossing) for crossing in (0.5, 1.1, 12.0)]
    ['arc-standard', 'pseudo-projective', 'swap']
    """
    if crossing < FREQUENT:
        return "arc-standard"
    return "swap" if crossing >= VERY_FREQUENT else "pseudo-projective"


def choose(level: str, facts: TreebankProfile) -> tuple[dict[str, Any], list[str]]:
    """Return the parser of a level for a treebank: keys of the config, nested as in YAML, and three lines of reasons.

    Raises CrossarcError for an unknown level.
    """
    check_names("level: found", [level], CHOICES)
    values, *reasons = CHOICES[level](facts)
    root: dict[str, Any] = {"single": facts.single_root == facts.sentences}
    if "components" not in values:
        root["label"] = facts.root_labels[0]
    values["root"] = root
    values["treebank"] = {"format": facts.format}
    return values, reasons


def _fast(facts: TreebankProfile) -> Iterable[Any]:
    if facts.partial:
        values, *reasons = _of_partial_trees(facts, "small", FAST_C, 1)
        yield {**values, **FAST_TAGS}
        yield from reasons
        return
    ready = yaml.safe_load(ready_text(technique(facts.crossing)))
    choice = {key: ready[key] for key in ("system", "oracle", "transforms") if key in ready}
    yield {**choice, "features": "small", "guide": {"learner": "svm", "C": FAST_C}, **FAST_TAGS}
    yield _crossing(facts)
    yield "small features: two fifths of the templates of rich, faster and less accurate; tags in one direction"
    yield f"linear SVM with C {FAST_C}, no exploration"


def _accurate(facts: TreebankProfile) -> Iterable[Any]:
    if facts.partial:
        yield from _of_partial_trees(facts, feature_model(facts), UNEXPLORED_C, BEAM)
        return
    swaps = facts.crossing >= FREQUENT_WITH_BEAM
    settings, reasons = _explored(facts, not swaps)
    yield {"system": "swap" if swaps else "arc-standard", **settings, "tag_candidates": CANDIDATES}
    few = f"arc-standard; from {FREQUENT_WITH_BEAM:g} % on, swap"
    yield f"{_share(facts)}: {'online reordering (swap)' if swaps else few}"
    yield from reasons


def _explored(facts: TreebankProfile, explorable: bool = True) -> tuple[dict[str, Any], tuple[str, str]]:
    """The settings of a parser with a beam, and two reasons: for the features, and for learner and exploration.

    explorable: whether there is a dynamic oracle. Without one, C is the same, as where swap was compared.
    """
    enough = facts.words >= ENOUGH_WORDS
    C = UNEXPLORED_C if not enough else EXPLORED_C if facts.words <= MANY_WORDS else MANY_WORDS_C
    features = feature_model(facts)
    reason = f"it gains from {ENOUGH_WORDS} words on" if explorable else "swap has no dynamic oracle"
    rounds = f"{'one round of' if explorable and enough else 'no'} exploration ({reason})"
    guide = {"learner": "svm", "C": C}
    return {"features": features, "guide": guide, "beam": BEAM, "explore": int(explorable and enough)}, (
        f"features {features}: {FEATURE_REASONS[features]}",
        f"{facts.words} words: linear SVM with C {C}, {rounds}, beam of {BEAM}",
    )


def feature_model(facts: TreebankProfile) -> str:
    """Return the ready feature model that suits the columns of a treebank."""
    feats = [column for column in facts.columns if column.name == "feats"]
    if any(feat.length == POSITIONS for feat in feats):
        return "full-positional"
    return "full-places" if any(feat.filled >= MOSTLY and feat.whole for feat in feats) else "full-inflected"


def _most_accurate(facts: TreebankProfile) -> Iterable[Any]:
    values: dict[str, Any] = {**yaml.safe_load(ready_text("fixed-blend")), "shared": {"tag_candidates": CANDIDATES}}
    explored, (features, learner) = _explored(facts)
    lifts = [] if facts.crossing < FREQUENT else [LIFTS_OF_MANY if facts.crossing >= VERY_FREQUENT else LIFTS]
    for component in values["components"]:
        if component["config"] != "graph":
            component |= explored
        if component["config"] in ("arc-standard", "arc-eager"):
            component["transforms"] = lifts
    labels = f"{'with' if lifts else 'too few for'} pseudo-projective labels in the others"
    yield values
    yield f"{_share(facts)}: graph and arc-hybrid-swap build crossing arcs; {labels}"
    yield features
    yield f"{learner}; a blend of {len(values['components'])} parsers with equal votes"


def _crossing(facts: TreebankProfile) -> str:
    chosen = {
        "arc-standard": "too few for a special technique: arc-standard "
        "(neither pseudo-projective labels nor swap gained significantly below 1 %)",
        "pseudo-projective": "arc-standard with pseudo-projective labels (0.65 LAS better in a study with 1.15 %)",
        "swap": "online reordering (swap; 2.40 LAS better in a study with 12.52 %)",
    }[technique(facts.crossing)]
    return f"{_share(facts)}: {chosen}"


def _share(facts: TreebankProfile) -> str:
    return f"{facts.crossing:.2f} % of the arcs cross"


def _of_partial_trees(facts: TreebankProfile, features: str, C: float, beam: int) -> Iterable[Any]:
    """The keys and the reasons for a treebank with partial trees, for levels of one parser."""
    guide = {"learner": "svm", "C": C}
    yield {"system": "arc-eager", "features": features, "guide": guide, "explore": 1, "beam": beam}
    yield f"{facts.partial} sentences are annotated in part: arc-eager learns from their arcs, whatever the others are"
    yield f"features {features}"
    yield f"linear SVM with C {C}, one round of exploration, beam of {beam}"


CHOICES = {"fast": _fast, "accurate": _accurate, "most-accurate": _most_accurate}


def _chosen(
    level: str, sentences: Sequence[Sentence], name: str, decided: str
) -> tuple[dict[str, Any], list[tuple[str, Set[str]]]]:
    values, reasons = choose(level, profile_of(sentences, name, decided))
    return values, list(zip(reasons, (TECHNIQUE, {"features"}, {"guide", "explore"}), strict=True))


FAST = Level("Level: small features and a linear SVM, the fastest to train.", partial(_chosen, "fast"))
ACCURATE = Level(
    "Level: the best parser with a beam of 4, by the number of words, crossing arcs and FEATS.",
    partial(_chosen, "accurate"),
    usual=True,
)
MOST_ACCURATE = Level(
    "Level: the parsers of fixed-blend, with features that fit the treebank; the slowest.",
    partial(_chosen, "most-accurate"),
)
