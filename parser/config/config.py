"""The typed config of a parser, and the part that a model stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar, cast

from ...oracles.registry import DYNAMIC_ORACLES, ORACLES, oracle_names
from ...transitions.registry import PASSES, SYSTEMS
from ..base.errors import CrossarcError, check_names
from ..base.parameters import (
    BEAM,
    NONPROJECTIVE,
    TEXT,
    Allowed,
    Parameter,
    check_parameters,
    one_of,
    parameter,
    parameters_of,
    whole,
)
from ..learners.learner import Learner
from ..learners.registry import learner_type, make_learner
from ..treebank import AUTO, FORMATS, TAGGED
from .kinds import FIRST, GRAPH, THREE_STEP, ParserKind, kind_of, known_system
from .ready import ready_configs

__all__ = ["AUTO", "THREE_STEP"]

T = TypeVar("T")

INPUTS = GOLD, WORDS, RAW = ("gold", "words", "text")
"""Values of the key ``input``."""
MINIMAL_COST = "minimal-cost"
UNDERIVABLE = ("projectivize", "lift", MINIMAL_COST, "skip", "best-effort", "refuse")
A_GUIDE = Allowed("a learner and its parameters", lambda value: isinstance(value, Mapping))
A_LIST_OF_TAGS = Allowed(
    f"{AUTO}, or a list of {', '.join(TAGGED)}",
    lambda value: value == AUTO or (isinstance(value, list | tuple) and all(own in TAGGED for own in value)),
)
A_LIST_OF_TECHNIQUES = Allowed(
    "a list of pseudo-projective and transition systems with ready configs",
    lambda value: (
        isinstance(value, list | tuple)
        and all(own in ready_configs() and own in (*SYSTEMS, "pseudo-projective") for own in value)
    ),
)
CONSTRAINTS = Allowed(
    "none, learned, or a file ending in .yaml",
    lambda value: isinstance(value, str) and (value in ("none", "learned") or value.endswith(".yaml")),
)
CONSTRAINTS_MEANING = (
    "labels that parsing changes if they violate constraints; learned: two subjects or objects of a word, and parts of "
    "speech or directions that a label never has, as far as the training treebank agrees; a file: groups of labels in "
    "the key `once`, in place of subjects and objects"
)
UNSAID = ("input", "explore", "constraints", "beam", "tags", "techniques")
"""Keys that models store only with other values than the default."""
A_LIST = Allowed("a list of transforms", lambda value: isinstance(value, list | tuple))


@dataclass(frozen=True, slots=True)
class RootOptions:
    """The section ``root``: options for arcs from node 0."""

    single: bool | str = parameter(
        AUTO,
        one_of(AUTO, True, False),
        "whether node 0 gets exactly one dependent; auto: true if it has one in all training trees",
    )
    label: str = parameter(
        AUTO, TEXT, "label of arcs from node 0 that no guide labelled; auto: the most frequent one in training"
    )

    def __post_init__(self) -> None:
        check_parameters(self, "root.")


@dataclass(frozen=True, slots=True)
class TreebankOptions:
    """The section ``treebank``: the files (default: none) and how to read them.

    >>> import crossarc
    >>> crossarc.TreebankOptions(train="train.conllu").faulty
    'refuse'
    """

    train: str = parameter("", TEXT, "training file")
    dev: str = parameter("", TEXT, "development file that the parser is scored on after training; empty: no scoring")
    format: str = parameter(AUTO, one_of(AUTO, *FORMATS), "format of the files; auto: detected")
    columns: str = parameter("gold", one_of("gold", "predicted"), "columns of CoNLL-2009 that the features use")
    faulty: str = parameter("refuse", one_of("refuse", "skip"), "how to handle invalid training trees")

    def __post_init__(self) -> None:
        check_parameters(self, "treebank.")


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """The section ``graph``: options of graph-based parsing.

    Raises CrossarcError for values and combinations that are not allowed.
    """

    order: int = parameter(
        2, one_of(1, 2), "scored parts of a tree; 1: single edges (Eisner 1996); 2: pairs of edges, too (Carreras 2007)"
    )
    candidates: int = parameter(
        10,
        whole(0),
        "maximum number of candidate heads per word; a first-order model chooses them (Martins et al. 2010); 0: all",
    )
    nonprojective: str = parameter(
        "npa",
        one_of(*NONPROJECTIVE),
        "method for crossing arcs; npa: single changes to the best projective tree (McDonald and Pereira 2006); mst: "
        "the maximum spanning tree, only for order 1; none: projective trees only",
    )
    epochs: int = parameter(10, whole(1, 1000), "maximum number of passes over the treebank")
    table_bits: int = parameter(
        24, whole(8, 28), "size of the table that features are hashed into, in bits: 2 to this power entries"
    )

    def __post_init__(self) -> None:
        check_parameters(self, f"{GRAPH}.")
        if self.nonprojective == "mst" and self.order != 1:
            raise CrossarcError(
                f"{GRAPH}.nonprojective: found 'mst' with order {self.order}; use order 1, or nonprojective none or npa"
            )


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a parser. Raises CrossarcError for values that are not allowed.

    >>> import crossarc
    >>> crossarc.Config(system="swap", transforms=("pseudo-projective",)).oracle_name
    'lazy'
    """

    system: str = parameter(
        "arc-standard",
        replace(one_of(*SYSTEMS, THREE_STEP, GRAPH), holds=lambda own: isinstance(own, str) and known_system(own)),
        "transition system, or another method that builds trees",
    )
    oracle: str = parameter(
        AUTO, TEXT, "oracle that derives the training trees, one of the system's oracles; auto: the first of them"
    )
    features: str = parameter(
        AUTO,
        TEXT,
        "feature model: rich, full, small, plain (for graph: first-order, second-order) or a file ending in .yaml; "
        "auto: the default of the learner",
    )
    guide: Mapping[str, Any] = parameter(
        {"learner": "svm"}, A_GUIDE, "learner that scores the transitions at each step, and its parameters"
    )
    transforms: tuple[Any, ...] = parameter(
        (), A_LIST, "transforms of the training trees, in order; undone in reverse order after parsing"
    )
    techniques: tuple[str, ...] = parameter(
        (),
        A_LIST_OF_TECHNIQUES,
        "ready configs that are compared on half of the training treebank; the first, or one that is clearly better, "
        "replaces system, oracle and transforms",
    )
    underivable: str = parameter(
        "projectivize", one_of(*UNDERIVABLE), "how to handle training trees that the system cannot derive"
    )
    root: RootOptions = RootOptions()
    explore: int = parameter(
        0, whole(0), "number of rounds that explore configurations after the parser's own errors; 0: no exploration"
    )
    beam: int = parameter(1, BEAM, "number of derivations of a sentence that are followed at the same time; 1: greedy")
    input: str = parameter(
        "gold",
        one_of(*INPUTS),
        "input of the parser; gold: words with tags; words: words whose tags the model predicts (as `tags: auto`); "
        "text: raw text, which the model also splits into sentences and words",
    )
    tags: tuple[str, ...] | str = parameter(
        (),
        A_LIST_OF_TAGS,
        "columns that are predicted before parsing; auto: all columns that the features use and the treebank has",
    )
    constraints: str = parameter("none", CONSTRAINTS, CONSTRAINTS_MEANING)
    treebank: TreebankOptions = TreebankOptions()
    model: str = parameter("", TEXT, "file that the model is written to")
    passes: str = parameter(
        AUTO,
        TEXT,
        "features of the passes of three-step: rich, plain or a file; auto: plain (Lacroix and Béchet 2014, table 6)",
    )
    graph: GraphOptions = field(default_factory=GraphOptions)

    def __post_init__(self) -> None:
        check_parameters(self, "")
        object.__setattr__(self, "techniques", tuple(self.techniques))
        if not isinstance(self.tags, str):
            object.__setattr__(self, "tags", tuple(self.tags))
        if self.input != GOLD and not self.tags:
            object.__setattr__(self, "tags", AUTO)
        check_names(f"oracle of {self.first_system}: found", [self.oracle], [AUTO, *oracle_names(self.first_system)])
        self._require_dynamic_oracle()

    def _require_dynamic_oracle(self) -> None:
        explores, learner = self.explore > 0, self.learner_type
        if explores and learner.of_derivations:
            raise CrossarcError(
                f"explore: the {learner.name} already learns from its own errors; use another learner, or 0 rounds"
            )
        for key, wanted in (("underivable: minimal-cost", self.underivable == MINIMAL_COST), ("explore", explores)):
            if wanted and self.first_system not in DYNAMIC_ORACLES:
                allowed = ", ".join(DYNAMIC_ORACLES)
                raise CrossarcError(f"{key}: {self.first_system} has no dynamic oracle; allowed: {allowed}")

    @property
    def learner_type(self) -> type[Learner]:
        """The class of the guide's learner."""
        return learner_type(self.guide)

    def learner(self) -> Learner:
        """Make the guide's learner, untrained. Raises CrossarcError for invalid parameters."""
        return make_learner(self.guide)

    @property
    def kind(self) -> ParserKind:
        """The kind of the configured parser."""
        return kind_of(self.system)

    @property
    def first_system(self) -> str:
        """The transition system; for three-step, the system of its first step."""
        return FIRST if self.system == THREE_STEP else self.system

    @property
    def oracle_name(self) -> str:
        """The oracle that derives trees; for three-step, the oracle of its first step."""
        return oracle_of(self.first_system, self.oracle)

    @property
    def features_name(self) -> str:
        """The feature model; for three-step, the feature model of its first step."""
        return chosen(self.features, lambda: self.kind.features(self))

    @property
    def pass_features(self) -> dict[str, str]:
        """The feature model of each pass that follows the first step, by the name of its system."""
        name = chosen(self.passes, lambda: "plain")
        return dict.fromkeys(PASSES, name) if self.system == THREE_STEP else {}

    def resolved(self, *, single_root: bool, root_label: str) -> Config:
        """Return a copy of the config in which facts about the treebank replace "auto".

        single_root: whether node 0 has exactly one dependent in each tree.
        root_label: the most frequent label of arcs from node 0.
        """
        single = chosen(self.root.single, lambda: single_root)
        label = chosen(self.root.label, lambda: root_label)
        return replace(self, root=replace(self.root, single=single, label=label))

    @property
    def learns_from_partial_trees(self) -> bool:
        """Whether training trees may have words without a head: the dynamic oracle needs no complete trees."""
        others = self.transforms or self.techniques or self.pass_features or self.constraints != "none"
        return self.explore > 0 and DYNAMIC_ORACLES[self.first_system].teaches_partial_trees and not others

    @property
    def files_read(self) -> list[str]:
        """The files that training reads."""
        return [self.features, self.passes, self.constraints, self.treebank.train, self.treebank.dev]

    def to_json(self) -> dict[str, Any]:
        """Return the config as nested plain values, as a model stores it, without file names and unused keys."""
        values: dict[str, Any] = asdict(
            self,
            dict_factory=lambda own: {key: list(value) if isinstance(value, tuple) else value for key, value in own},
        )
        for name in ("train", "dev"):
            del values["treebank"][name]
        left_out = {"model", *(name for name in UNSAID if getattr(self, name) == KEYS[name].default)}
        return self._used({name: value for name, value in values.items() if name not in left_out})

    def _used(self, values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
        known = {name: value for name, value in values.items() if self.kind.knows(f"{prefix}{name}")}
        return {
            name: self._used(value, f"{prefix}{name}.") if isinstance(value, dict) else value
            for name, value in known.items()
        }


KEYS: Mapping[str, Parameter] = parameters_of(Config)
"""The dotted keys of a config, in the order of the documentation."""


def oracle_of(system: str, choice: str) -> str:
    """Return the oracle that the config key ``oracle`` names; "auto" is the default oracle of the system."""
    return chosen(choice, lambda: next(iter(ORACLES[system])))


def chosen(choice: T | str, automatic: Callable[[], T]) -> T:
    """Return the choice of a config, or the automatic value for "auto"."""
    return automatic() if choice == AUTO else cast(T, choice)
