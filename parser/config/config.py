"""The typed configs of parsers: one class for each kind of parser, and the part that a model stores.

A kind of parser is declared by the class of its configs: the systems that select it, its keys with their defaults, its
features. How it is trained, and the class of its models, are registered under the name of the kind
(:data:`~crossarc.parser.training.train.FITTED`, :data:`~crossarc.parser.models.model.MODELS`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast

from ...oracles.registry import DYNAMIC_ORACLES, ORACLES, oracle_names
from ...transitions.registry import PASSES, SYSTEMS, system_type
from ..base.errors import CrossarcError, check_names
from ..base.lazy import Lazy
from ..base.parameters import (
    BEAM,
    FEATURES,
    FILE,
    FILES,
    TEXT,
    Allowed,
    Parameter,
    check_parameters,
    check_value,
    one_of,
    parameter,
    parameters_of,
    whole,
)
from ..learners.learner import Learner
from ..learners.registry import learner_type, make_learner
from ..treebank import AUTO, FORMATS, TAGGED
from .ready import ready_features

__all__ = ["AUTO"]

T = TypeVar("T")

THREE_STEP = "three-step"
"""System with three steps: a projective system, then the passes of :data:`~crossarc.transitions.registry.PASSES`."""
FIRST = "arc-eager"
"""System of the first step of three-step; the keys oracle, features and guide apply to this step."""

INPUTS = GOLD, WORDS, RAW = ("gold", "words", "text")
"""Values of the key ``input``."""
MINIMAL_COST = "minimal-cost"
UNDERIVABLE = ("projectivize", "lift", MINIMAL_COST, "skip", "best-effort", "refuse")
A_GUIDE = Allowed("a learner and its parameters", lambda value: isinstance(value, Mapping))
A_LIST_OF_TAGS = Allowed(
    f"{AUTO}, or a list of {', '.join(TAGGED)}",
    lambda value: value == AUTO or (isinstance(value, list | tuple) and all(column in TAGGED for column in value)),
)
CONSTRAINTS = Allowed(
    "none, learned, or a file ending in .yaml",
    lambda value: isinstance(value, str) and (value in ("none", "learned") or value.endswith(".yaml")),
)
CONSTRAINTS_MEANING = (
    "labels that parsing changes if they violate constraints; learned: two subjects or objects of a word, and parts of "
    "speech or directions that a label never has, as far as the training treebank agrees; a file: groups of labels in "
    "the key `once`, instead of subjects and objects"
)
UNSAID = (
    "input", "explore", "constraints", "beam", "tags", "tag_directions", "tag_candidates", "tag_features",
    "lemma_features",
)  # fmt: skip
"""Keys that models store only with other values than the default."""
FILES_OF_TRAINING = ("model", "also", "raw", "classes", "lexicon")
"""Keys that name files, which models do not store."""
KEEP, HEADS = "keep", "heads"
"""Values of the key ``treebank.decided``."""
FACTS = ("name", "version", "licence")
"""Keys of the section ``treebank`` whose values the provenance of a model has."""
A_LIST = Allowed("a list of transforms", lambda value: isinstance(value, list | tuple))


@dataclass(frozen=True)
class RootOptions:
    """The section ``root``: options for arcs from node 0."""

    single: bool | str = parameter(
        AUTO,
        one_of(AUTO, True, False),
        "whether node 0 gets exactly one dependent; auto: true if it has one in all training trees",
    )

    def __post_init__(self) -> None:
        check_parameters(self, "root.")


@dataclass(frozen=True)
class LabelledRoot(RootOptions):
    """The section ``root`` of parsers that may leave words without a head."""

    label: str = parameter(
        AUTO, TEXT, "label of arcs from node 0 that no guide labelled; auto: the most frequent one in training"
    )


@dataclass(frozen=True, slots=True)
class TreebankOptions:
    """The section ``treebank``: the files (default: none) and how to read them.

    >>> import crossarc
    >>> crossarc.TreebankOptions(train="train.conllu").faulty
    'refuse'
    """

    train: str = parameter("", FILE, "training file, or a list of them: the first is the one to parse like")
    dev: str = parameter(
        "",
        FILE,
        "development file: scores the parser after training, calibrates `Conf`, balances the tokenizer; empty: none",
    )
    format: str = parameter(AUTO, one_of(AUTO, *FORMATS), "format of the files; auto: detected")
    columns: str = parameter("gold", one_of("gold", "predicted"), "columns of CoNLL-2009 that the features use")
    faulty: str = parameter("refuse", one_of("refuse", "skip"), "how to handle invalid training trees")
    decided: str = parameter(
        AUTO,
        one_of(AUTO, KEEP, HEADS),
        "the words of a partly annotated treebank that a person has decided, from which alone is learned: keep: those "
        "with Keep= in MISC; heads: those with a HEAD; auto: keep if a word has the mark",
    )
    name: str = parameter("", TEXT, "name of the treebank, which the model states")
    version: str = parameter("", TEXT, "version of the treebank, which the model states")
    licence: str = parameter(
        "", TEXT, "licence of the treebank, which the model states; empty: that of a comment `# license = `, if any"
    )

    def __post_init__(self) -> None:
        check_parameters(self, "treebank.")


class AnyConfig(Protocol):
    """The settings of a parser, or of several that are trained together, as a blend is.

    kind: name of the kind of the model.
    parsers: the configs of the parsers that are trained.
    files_read: the files that training reads.
    """

    kind: ClassVar[str]

    @property
    def parsers(self) -> Sequence[ParserConfig]: ...
    @property
    def files_read(self) -> list[str]: ...
    @property
    def treebank(self) -> TreebankOptions: ...
    @property
    def model(self) -> str: ...


@dataclass(frozen=True)
class ParserConfig:
    """The settings that parsers of all kinds have. Raises CrossarcError for values that are not allowed.

    kind: name of the kind, in models.
    systems: values of the key ``system`` that select the kind.
    columns: columns that its parsers read in addition to those of their features.
    projectivizes: whether its parsers first derive projectivized trees.
    """

    kind: ClassVar[str]
    systems: ClassVar[Collection[str]]
    columns: ClassVar[frozenset[str]] = frozenset()
    projectivizes: ClassVar[bool] = False

    system: str = parameter("arc-standard", TEXT, "transition system, or another method that builds trees")
    features: str = parameter(
        AUTO,
        FEATURES,
        "feature model: rich, full, small, plain (for graph: first-order, second-order) or a file ending in .yaml; "
        "auto: the default of the learner",
    )
    transforms: tuple[Any, ...] = parameter(
        (), A_LIST, "transforms of the training trees, in order; undone in reverse order after parsing"
    )
    root: RootOptions = RootOptions()
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
    tag_directions: int = parameter(
        2,
        one_of(1, 2),
        "directions in which UPOS, XPOS and FEATS are tagged; 2: from left to right and from right to left, with the "
        "scores of both added; 1: from left to right alone, in half the time, less accurate",
    )
    tag_candidates: int = parameter(
        0,
        whole(0),
        "number of words of a sentence, the least certain ones, whose second best UPOS the parser tries, each by "
        "itself: the most probable tag and tree together are chosen; 0: none. Graph-based parsers have no such "
        "probabilities",
    )
    tag_features: str = parameter(
        AUTO,
        FEATURES,
        "feature model of the taggers of UPOS, XPOS and FEATS: a file ending in .yaml, which may extend "
        "tagging-tagged; auto: that one",
    )
    lemma_features: str = parameter(
        AUTO,
        FEATURES,
        "feature model of the lemmas: a file ending in .yaml, which may extend tagging-lemma; auto: that one, or "
        "tagging-pointed where forms have marks that lemmas lack",
    )
    also: tuple[str, ...] = parameter(
        (),
        FILES,
        "further training treebanks, of the same language or a related one; the parser follows `treebank.train`",
    )
    raw: tuple[str, ...] = parameter(
        (), FILES, "raw texts in the treebank's language, from which word classes for taggers and parser are learned"
    )
    classes: str = parameter("", FILE, "file with word classes from `crossarc classes`, instead of `raw`")
    lexicon: str = parameter(
        "", FILE, "tab-separated file of word forms for the taggers: form, lemma, UPOS, FEATS, `_` for unknown"
    )
    constraints: str = parameter("none", CONSTRAINTS, CONSTRAINTS_MEANING)
    treebank: TreebankOptions = TreebankOptions()
    model: str = parameter("", FILE, "file that the model is written to")

    def __post_init__(self) -> None:
        if not (isinstance(self.system, str) and self.system in self.systems):
            check_value(replace(one_of(*systems()), holds=lambda _: False), self.system, "system")
        check_parameters(self, "")
        object.__setattr__(self, "raw", tuple(self.raw))
        object.__setattr__(self, "also", tuple(self.also))
        if self.raw and self.classes:
            raise CrossarcError("classes: found beside raw; give raw texts or a file with classes")
        if not isinstance(self.tags, str):
            object.__setattr__(self, "tags", tuple(self.tags))
        if self.input != GOLD and not self.tags:
            object.__setattr__(self, "tags", AUTO)

    @property
    def default_features(self) -> str:
        """The ready feature model that "auto" stands for."""
        raise NotImplementedError

    @property
    def feature_names(self) -> dict[str, str]:
        """The feature model, by the name of the system that it is for."""
        return {self.system: chosen(self.features, lambda: self.default_features)}

    def check_templates(self, templates: Sequence[str]) -> None:
        """Raise CrossarcError for settings that name a template outside the feature model's templates."""

    @classmethod
    def nodes(cls, system: str) -> tuple[str, ...]:
        """The nodes that feature models for a system may address."""
        return system_type(system).sources

    @property
    def learns_from_partial_trees(self) -> bool:
        """Whether training trees may have words without a head."""
        return False

    def resolved(self, *, single_root: bool, root_label: str) -> Self:
        """Return a copy of the config in which facts about the treebank replace "auto".

        single_root: whether node 0 has exactly one dependent in each tree.
        root_label: the most frequent label of arcs from node 0.
        """
        facts = {"single": single_root, "label": root_label}
        automatic: dict[str, Any] = {key: facts[key] for key, value in asdict(self.root).items() if value == AUTO}
        return replace(self, root=replace(self.root, **automatic))

    @property
    def files_read(self) -> list[str]:
        """The files that training reads."""
        models = [self.features, self.tag_features, self.lemma_features]
        steps = [self.constraints, *self.also, *self.raw, self.classes, self.lexicon]
        return [*models, *steps, self.treebank.train, self.treebank.dev]

    @property
    def parsers(self) -> Sequence[ParserConfig]:
        """The configs of the parsers that are trained: this one."""
        return [self]

    def to_json(self) -> dict[str, Any]:
        """Return the config as nested plain values, as a model stores it, without file names."""
        values: dict[str, Any] = asdict(
            self,
            dict_factory=lambda pairs: {
                key: list(value) if isinstance(value, tuple) else value for key, value in pairs
            },
        )
        for name in ("train", "dev", "decided", *FACTS):
            del values["treebank"][name]
        keys = parameters_of(type(self))
        return {
            name: value
            for name, value in values.items()
            if name not in FILES_OF_TRAINING and not (name in UNSAID and getattr(self, name) == keys[name].default)
        }


@dataclass(frozen=True)
class Config(ParserConfig):
    """All settings of a transition-based parser. Raises CrossarcError for values that are not allowed.

    >>> import crossarc
    >>> crossarc.Config(system="swap", transforms=("pseudo-projective",)).oracle_name
    'lazy'
    """

    kind: ClassVar[str] = "transitions"
    systems: ClassVar[Collection[str]] = SYSTEMS

    root: LabelledRoot = LabelledRoot()
    oracle: str = parameter(
        AUTO, TEXT, "oracle that derives the training trees, one of the system's oracles; auto: the first of them"
    )
    guide: Mapping[str, Any] = parameter(
        {"learner": "svm"}, A_GUIDE, "learner that scores the transitions at each step, and its parameters"
    )
    underivable: str = parameter(
        "projectivize",
        one_of(*UNDERIVABLE),
        "how to handle training trees that the system cannot derive; where words have no head, always minimal-cost, "
        "but for skip and refuse",
    )
    explore: int = parameter(
        0, whole(0), "number of rounds that explore configurations after the parser's own errors; 0: no exploration"
    )
    beam: int = parameter(1, BEAM, "number of derivations of a sentence that are followed at the same time; 1: greedy")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_names(f"oracle of {self.first_system}: found", [self.oracle], [AUTO, *oracle_names(self.first_system)])
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

    def check_templates(self, templates: Sequence[str]) -> None:
        self.learner().check_templates(templates)

    @property
    def first_system(self) -> str:
        """The transition system; for three-step, the system of its first step."""
        return self.system

    @property
    def oracle_name(self) -> str:
        """The oracle that derives trees; for three-step, the oracle of its first step."""
        return oracle_of(self.first_system, self.oracle)

    @property
    def default_features(self) -> str:
        preferred = self.learner_type.features
        return preferred if preferred in ready_features().get(self.first_system, ()) else "rich"

    @property
    def feature_names(self) -> dict[str, str]:
        return {self.first_system: chosen(self.features, lambda: self.default_features)}

    @property
    def learns_from_partial_trees(self) -> bool:
        others = self.transforms or self.projectivizes or self.constraints != "none"
        return self.explore > 0 and DYNAMIC_ORACLES[self.first_system].teaches_partial_trees and not others


@dataclass(frozen=True)
class ThreeStepConfig(Config):
    """All settings of a three-step parser (Lacroix & Béchet 2014): a projective parser, and passes that follow it."""

    systems: ClassVar[Collection[str]] = (THREE_STEP,)
    projectivizes: ClassVar[bool] = True

    system: str = parameter(THREE_STEP, TEXT, "three-step")
    passes: str = parameter(
        AUTO,
        FEATURES,
        "features of the passes of three-step: rich, plain or a file; auto: plain (Lacroix and Béchet 2014, table 6)",
    )

    @property
    def first_system(self) -> str:
        return FIRST

    @property
    def feature_names(self) -> dict[str, str]:
        """The feature model of the first step, and those of the passes that follow, by the names of their systems."""
        return super().feature_names | dict.fromkeys(PASSES, chosen(self.passes, lambda: "plain"))

    @property
    def files_read(self) -> list[str]:
        return [*super().files_read, self.passes]


KINDS: Mapping[str, type[ParserConfig]] = Lazy(
    __package__, {"transitions": "config:Config", "three-step": "config:ThreeStepConfig"}, "KINDS"
)
"""The classes of configs: of the core, and of plugins."""


def systems() -> list[str]:
    """The values of the key ``system``."""
    return [name for kind in KINDS.values() for name in kind.systems]


def config_type(system: Any) -> type[ParserConfig]:
    """The class of the configs of a system. Raises CrossarcError for an unknown one."""
    kind = next((kind for kind in KINDS.values() if isinstance(system, str) and system in kind.systems), None)
    if kind is None:
        check_value(replace(one_of(*systems()), holds=lambda _: False), system, "system")
    return cast(type[ParserConfig], kind)


def all_keys() -> Mapping[str, Parameter]:
    """The dotted keys of the configs of all kinds, in the order of the documentation."""
    keys = {key: described for kind in reversed([*KINDS.values()]) for key, described in parameters_of(kind).items()}
    order = {key: None for kind in KINDS.values() for key in parameters_of(kind)}
    return {key: keys[key] for key in order} | {"system": replace(keys["system"], allowed=one_of(*systems()))}


def oracle_of(system: str, choice: str) -> str:
    """Return the oracle that the config key ``oracle`` names; "auto" is the default oracle of the system."""
    return chosen(choice, lambda: next(iter(ORACLES[system])))


def chosen(choice: T | str, automatic: Callable[[], T]) -> T:
    """Return the choice of a config, or the automatic value for "auto"."""
    return automatic() if choice == AUTO else cast(T, choice)
