"""What a parser is to be: the typed config, and what a model keeps of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...oracles.registry import DYNAMIC_ORACLES, ORACLES
from ...transitions.registry import PASSES, SYSTEMS
from ..errors import CrossarcError, choices
from ..treebank import AUTO, FORMATS
from .graph_options import GRAPH, GraphOptions

__all__ = [
    "ALLOWED",
    "AUTO",
    "LEAST",
    "MINIMAL_COST",
    "THREE_STEP",
    "AnchorOptions",
    "Config",
    "ExploreOptions",
    "PassOptions",
    "RootOptions",
    "SearchOptions",
    "TrainingOptions",
    "TreebankOptions",
    "batch_size",
    "oracle_of",
    "require",
]

MINIMAL_COST = "minimal-cost"
THREE_STEP = "three-step"
"""The system that is a projective one followed by the passes of :data:`~crossarc.transitions.registry.PASSES`."""
ALLOWED: Mapping[str, Sequence[Any]] = {
    "system": (*SYSTEMS, THREE_STEP, GRAPH),
    "first": tuple(name for name, system in SYSTEMS.items() if system.projective),
    "underivable": ("projectivize", MINIMAL_COST, "skip", "best-effort", "refuse"),
    "root.single": (AUTO, True, False),
    "root.exclusive": (AUTO, False),
    "treebank.format": (AUTO, *FORMATS),
    "treebank.columns": ("gold", "predicted"),
    "treebank.faulty": ("refuse", "skip"),
}
LEAST: Mapping[str, int] = {
    "batch_size": 1,
    "search.beam": 1,
    "training.explore.rounds": 0,
    "training.explore.folds": 2,
    "training.explore.seed": 0,
}
"""Keys with whole numbers, and the least that is allowed."""


def require(key: str, value: Any, where: str = "") -> None:
    """Raise CrossarcError, which begins with ``where``, for a value that the key cannot have."""
    if key in ALLOWED and not any(value is allowed or (value == allowed and value != 1) for allowed in ALLOWED[key]):
        raise CrossarcError(f"{where}{key}: found {choices(_yaml(value), map(_yaml, ALLOWED[key]))}")
    if key in LEAST and (not isinstance(value, int) or isinstance(value, bool) or value < LEAST[key]):
        raise CrossarcError(f"{where}{key}: found {value!r}, expected a number, {LEAST[key]} or more")


def _yaml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class RootOptions:
    """single: whether node 0 gets exactly one dependent ("auto": if it is so in all training trees). label: of arcs
    from node 0 that no guide labelled ("auto": the most frequent one in training). exclusive: whether labels that arcs
    from node 0 alone have in training stay theirs, and they get no others ("auto"), or not (False)."""

    single: bool | str = AUTO
    label: str = AUTO
    exclusive: bool | str = AUTO

    def __post_init__(self) -> None:
        require("root.single", self.single)
        require("root.exclusive", self.exclusive)


@dataclass(frozen=True, slots=True)
class TreebankOptions:
    """train, dev: files ("" for none). format: named, or "auto" to detect it. columns: "gold" or "predicted" ones of
    CoNLL-2009. faulty: what to do with training sentences that are no trees, "refuse" or "skip"."""

    train: str = ""
    dev: str = ""
    format: str = AUTO
    columns: str = "gold"
    faulty: str = "refuse"

    def __post_init__(self) -> None:
        for key in ("format", "columns", "faulty"):
            require(f"treebank.{key}", getattr(self, key))


@dataclass(frozen=True, slots=True)
class ExploreOptions:
    """rounds: how often training explores what a parser's mistakes lead to, 0 for never. folds: into how many parts the
    treebank is divided, each explored by a learner that was trained on the others. seed: of the division."""

    rounds: int = 0
    folds: int = 2
    seed: int = 1

    def __post_init__(self) -> None:
        for key in ("rounds", "folds", "seed"):
            require(f"training.explore.{key}", getattr(self, key))


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """explore: training beyond the gold path."""

    explore: ExploreOptions = ExploreOptions()


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """beam: how many derivations of a sentence are followed at a time; 1 is the greedy parser."""

    beam: int = 1

    def __post_init__(self) -> None:
        require("search.beam", self.beam)


@dataclass(frozen=True, slots=True)
class PassOptions:
    """A pass of three-step. features: "auto" (plain: those of Lacroix & Béchet 2014, table 6), "rich", "plain" or a
    file. guide: as that of the config, which it is if empty."""

    features: str = AUTO
    guide: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnchorOptions:
    """The columns of the training treebank that have the projective tree of three-step, e.g. phead and pdeprel; empty
    names ask for artificial anchors: the tree is projectivized."""

    heads: str = ""
    deprels: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that decides what a parser will be.

    system: a transition system. oracle: one of its oracles ("auto": its default). features: "auto" (the rich model for
    linear guides, the plain one for kernels and memory), "rich", "small", "plain", or a file. guide: the learner and
    its parameters, see :mod:`~crossarc.parser.learners`. transforms: applied to training trees in order and inverted in
    reverse order. underivable: what training does with trees the oracle cannot derive; "minimal-cost" lets the dynamic
    oracle take the transitions that lose the fewest arcs (Aufrant, Wisniewski & Yvon 2018). batch_size: how many
    derivations are advanced in lockstep.

    first, left, right, anchors: of the system three-step, whose first step is the projective system ``first``; oracle,
    features and guide are those of the first step. graph: of the system graph, which is no transition system and has
    neither oracle nor guide; its features are "first-order", "second-order" ("auto": as its order is) or a file. Raises
    CrossarcError for values that there are not.
    """

    system: str = "arc-standard"
    oracle: str = AUTO
    features: str = AUTO
    guide: Mapping[str, Any] = field(default_factory=lambda: {"learner": "svm"})
    transforms: tuple[Any, ...] = ()
    underivable: str = "projectivize"
    root: RootOptions = RootOptions()
    training: TrainingOptions = TrainingOptions()
    search: SearchOptions = SearchOptions()
    treebank: TreebankOptions = TreebankOptions()
    model: str = ""
    batch_size: int = 512
    first: str = "arc-eager"
    left: PassOptions = PassOptions()
    right: PassOptions = PassOptions()
    anchors: AnchorOptions = AnchorOptions()
    graph: GraphOptions = field(default_factory=GraphOptions)

    def __post_init__(self) -> None:
        for key in ("system", "first", "underivable", "batch_size"):
            require(key, getattr(self, key))
        oracles = ORACLES.get(self.first_system, {})
        if self.oracle != AUTO and self.oracle not in oracles:
            raise CrossarcError(f"oracle of {self.first_system}: found {choices(self.oracle, [AUTO, *oracles])}")
        named = {key: value for key in ("heads", "deprels") if (value := getattr(self.anchors, key))}
        if len(named) == 1:
            raise CrossarcError(f"anchors: found {named}, expected both 'heads' and 'deprels', or neither")
        if named and self.transforms:
            raise CrossarcError(
                "anchors: given anchors cannot be transformed; allowed: anchors or transforms, not both"
            )
        self._require_dynamic_oracle()

    def _require_dynamic_oracle(self) -> None:
        explores = self.training.explore.rounds > 0
        if explores and self.guide.get("learner") == "perceptron":
            raise CrossarcError("training.explore: the perceptron learns from what it finds; allowed: other learners")
        for key, wanted in (
            ("underivable: minimal-cost", self.underivable == MINIMAL_COST),
            ("training.explore", explores),
        ):
            if wanted and self.first_system not in DYNAMIC_ORACLES:
                allowed = ", ".join(DYNAMIC_ORACLES)
                raise CrossarcError(f"{key}: {self.first_system} has no dynamic oracle; allowed: {allowed}")

    @property
    def first_system(self) -> str:
        """The system that parses, or that of the first step."""
        return self.first if self.system == THREE_STEP else self.system

    @property
    def oracle_name(self) -> str:
        """The oracle that derives, or that of the first step."""
        return oracle_of(self.first_system, self.oracle)

    @property
    def passes(self) -> dict[str, PassOptions]:
        """The passes that follow the first step, by the names of their systems."""
        return dict(zip(PASSES, (self.left, self.right), strict=True)) if self.system == THREE_STEP else {}

    def to_json(self) -> dict[str, Any]:
        """The config as nested plain values, without file locations: what a model keeps."""
        values = {
            "system": self.system,
            "oracle": self.oracle,
            "features": self.features,
            "guide": dict(self.guide),
            "transforms": list(self.transforms),
            "underivable": self.underivable,
            "root": {"single": self.root.single, "label": self.root.label, "exclusive": self.root.exclusive},
            "treebank": {
                "format": self.treebank.format,
                "columns": self.treebank.columns,
                "faulty": self.treebank.faulty,
            },
            "batch_size": self.batch_size,
        }
        explore = self.training.explore
        if explore.rounds:
            values["training"] = {"explore": {name: getattr(explore, name) for name in explore.__slots__}}
        if self.search.beam > 1:
            values["search"] = {"beam": self.search.beam}
        if self.system == GRAPH:
            for name in ("oracle", "guide", "batch_size"):
                del values[name]
            values["graph"] = self.graph.to_json()
        if self.system == THREE_STEP:
            values["first"] = self.first
            for name, options in (("left", self.left), ("right", self.right)):
                values[name] = {"features": options.features, "guide": dict(options.guide)}
            values["anchors"] = {"heads": self.anchors.heads, "deprels": self.anchors.deprels}
        return values


def oracle_of(system: str, choice: str) -> str:
    """The oracle of a system that a config's key ``oracle`` names: "auto" is the system's default."""
    return next(iter(ORACLES[system])) if choice == AUTO else choice


def batch_size(config: Mapping[str, Any]) -> int:
    """The batch size of a model's config as :meth:`Config.to_json` keeps it; old models call it "sentences".

    Raises KeyError where it is not there.
    """
    return int(config["batch_size"] if "batch_size" in config else config["sentences"])
