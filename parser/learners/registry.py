"""Registry of learners: their names, their selection in configs, and their restoration from models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from numpy.typing import NDArray

from ...transitions import plugins
from ..base.errors import CrossarcError, UnknownPartError, choices
from ..base.lazy import Lazy
from ..base.parameters import TEXT, parameters_of, shown
from ..base.shapes import ListOf, Record, Sizes, check_values, expect, within
from .common import MOST_CLASSES, taken
from .learner import DerivationLearner, Learner

LEARNERS: Mapping[str, type[Learner]] = Lazy(
    __package__,
    {
        "svm": "linear.svm:LinearSVM",
        "svm-poly": "quadratic.kernel_svm:KernelSVM",
        "maxent": "maxent:MaxEnt",
        "perceptron": "linear.perceptron:Perceptron",
        "knn": "neighbours.knn:KNN",
        "voting": "voting:Voting",
        "plugin": "plugin:Plugin",
    },
)
"""All installed learners, by the names that models are saved with."""
PARTS: Mapping[str, Any] = Lazy(__package__, {"two-step": "two_step:TwoStep", "split": "split:Split"})
"""Learners that combine other learners, chosen by parameters that any guide may have."""
DECIDE = ("joint", "two-step")
"""Values of the key ``decide``: move and label together, or the move first and then the label."""
SPLIT = ("split", "split_threshold")
"""The parameters of ``split``, which guides that learn from instances can have."""
GENERAL = ("decide", *SPLIT, "min_count", "dense")
"""The keys of an own class' section that are not arguments of its constructor."""
Kind = TypeVar("Kind", bound=type)
MEMBERS = ListOf(Record({"guide": TEXT, "values": Record()}), least=1)


def register_learner(learner: Kind) -> Kind:
    """Register a learner, so that configs can name it: ``guide: {learner: NAME}``; a decorator.

    A learner is a class with an attribute ``name`` and the methods ``fit(X, y)`` and ``predict(X)`` of scikit-learn's
    classifiers. X is a sparse matrix of float64, 1 where an instance (row) has a feature (column); y is int32, class
    numbers. Other keys of the section ``guide`` are arguments of the constructor. Subclasses of
    :class:`~.learner.Learner` have more possibilities. Models store numbers, texts, lists, mappings and arrays of the
    object, and objects of scikit-learn. Raises ValueError for a class without these, and for the name of an installed
    learner.

    >>> import crossarc
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> @crossarc.register_learner
    ... class SmallTree(DecisionTreeClassifier):
    ...     name = "small-tree"
    >>> guide = {"guide.learner": "small-tree", "guide.max_depth": 9}
    >>> config = crossarc.load_config("arc-standard", ["features=small"], {"treebank.train": "train.conllu", **guide})
    >>> crossarc.train(config).config["guide"]["learner"]
    'small-tree'
    """
    name = getattr(learner, "name", None)
    methods = ("fit", "scores" if issubclass(learner, Learner) else "predict")
    if not isinstance(name, str) or not all(hasattr(learner, method) for method in methods):
        raise ValueError(f"{learner.__name__}: a learner needs a class attribute name, and methods fit and predict")
    if name in (*LEARNERS, *PARTS):
        raise ValueError(f"{name} is an installed learner; choose another name")
    if issubclass(learner, Learner) and not hasattr(learner, "section"):
        learner.section = {"learner": name}
    plugins.add("learners", name, learner)
    return learner


def _own(name: Any) -> type | None:
    """The class that a user has registered under a name, if it is no installed learner."""
    return plugins.added("learners").get(name) if isinstance(name, str) and name not in LEARNERS else None


def _resolved(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The section; that of an own class which is not a :class:`Learner` becomes a section of the plugin."""
    own = _own(options.get("learner"))
    if own is None or issubclass(own, Learner):
        return options
    general = {key: value for key, value in options.items() if key in GENERAL}
    rest = {key: value for key, value in options.items() if key not in general and key != "learner"}
    return {"learner": "plugin", "estimator": options["learner"], "parameters": rest or None, **general}


def make_learner(options: Mapping[str, Any], where: str = "guide") -> Learner:
    """Make the learner that the ``guide`` section of a config describes, and check its parameters.

    where: name of the section, for messages

    The keys of its class' ``section`` select the learner; ``guides`` is a list of such sections; all other keys are
    parameters. The key ``decide`` states whether moves and labels are learned together. Raises CrossarcError for
    unknown keys and invalid values.
    """
    options = _resolved(options)
    decide = options.get("decide", DECIDE[0])
    if decide not in DECIDE:
        raise CrossarcError(f"{where}.decide: found {choices(_text(decide), DECIDE)}")
    if decide == DECIDE[1]:
        return _two_step(options, where)
    options = {key: value for key, value in options.items() if key != "decide"}
    kind, choosing = _chosen(options, where)
    if "split" in options and not issubclass(kind, DerivationLearner):
        own = {key: options[key] for key in SPLIT if key in options}
        whole = make_learner({key: options[key] for key in options if key not in own}, where)
        split: Learner = PARTS["split"](guides=[whole], **own)
        split.check(where)
        return split
    given = {key: value for key, value in options.items() if key not in choosing}
    allowed = parameters_of(kind)
    for key in given:
        if key not in allowed:
            raise CrossarcError(f"unknown key {where}.{choices(key, [*choosing, *allowed])}")
    if "guides" in allowed:
        sections = _sections(given.get("guides", []), where)
        given["guides"] = [make_learner(own, f"{where}.guides[{number}]") for number, own in enumerate(sections)]
    learner = kind(**given)
    learner.check(where)
    return learner


def _two_step(options: Mapping[str, Any], where: str) -> Learner:
    learner = make_learner({**options, "decide": DECIDE[0]}, where)
    if isinstance(learner, DerivationLearner):
        raise CrossarcError(f"{where}.decide: the {learner.name} learns from whole derivations; allowed: {DECIDE[0]}")
    two_step: Learner = PARTS[DECIDE[1]](guides=[learner])
    return two_step


def learner_type(options: Mapping[str, Any]) -> type[Learner]:
    """Return the learner class that a ``guide`` section selects."""
    return _chosen(options, "guide")[0]


def load_learner(name: str, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], sizes: Sizes) -> Learner:
    """Restore the learner ``name`` and its component learners from ``values`` and ``arrays``.

    sizes: ``classes`` and ``slots``, the numbers of transitions and of columns of the key matrices

    Raises ShapeError for a state that does not have the declared shapes, UnknownPartError for a learner that is not
    registered.
    """
    expect(
        sizes["classes"] <= MOST_CLASSES, "", f"found {sizes['classes']} transitions; expected {MOST_CLASSES} at most"
    )
    kind: Any = LEARNERS[name] if name in LEARNERS else PARTS[name] if name in PARTS else _own(name)
    if kind is None:
        raise UnknownPartError(f"needs a learner that is not registered: {choices(name, [*LEARNERS, *PARTS])}")
    if "guides" in parameters_of(kind):
        check_values(values.get("guides"), MEMBERS, "guides")
        members = []
        own_sizes = kind.member_sizes(values, sizes)
        for number, (member, own) in enumerate(zip(values["guides"], own_sizes, strict=True)):
            with within(f"guides[{number}]"):
                members.append(load_learner(member["guide"], member["values"], taken(arrays, f"{number}/"), own))
        values = {**values, "guides": members}
    for key in ("n_classes", "n_classes_"):
        found = values.get(key, sizes["classes"])
        expect(
            found == sizes["classes"],
            key,
            f"found {shown(found)}; expected {sizes['classes']}, the number of transitions",
        )
    kind.check_state(values, arrays, sizes)
    return kind.from_state(values, arrays)


def _chosen(options: Mapping[str, Any], where: str) -> tuple[type[Learner], list[str]]:
    """(the learner that a section selects, the keys that select it)."""
    options = _resolved(options)
    left = list(LEARNERS.values())
    own = _own(options.get("learner"))
    if own is not None:
        return own, ["learner"]
    chosen: list[str] = []
    for key in dict.fromkeys(key for kind in left for key in kind.section):
        values = list(dict.fromkeys(kind.section[key] for kind in left if key in kind.section))
        if not values:
            continue
        found = options.get(key, values[0])
        if not any(type(found) is type(value) and found == value for value in values):
            if hasattr(found, "fit"):
                kind = type(found)
                path = f"{kind.__module__.partition('._')[0]}.{kind.__qualname__}"
                remedy = f"name it in the config: learner: plugin, estimator: {path}"
                if not path.startswith("sklearn."):
                    remedy = "register its class with crossarc.register_learner, and give the name"
                raise CrossarcError(f"{where}.{key}: found an object of {kind.__name__}; {remedy}")
            names = [*map(_text, values), *(plugins.added("learners") if key == "learner" else ())]
            raise CrossarcError(f"{where}.{key}: found {choices(_text(found), names)}")
        left = [kind for kind in left if kind.section.get(key) == found]
        chosen.append(key)
    (kind,) = left
    return kind, chosen


def _text(value: Any) -> str:
    return value if isinstance(value, str) else shown(value).lower()


def section_text(kind: type[Learner]) -> str:
    """A learner's section as it may stand in a config: without defaults, with mandatory lists."""
    pairs = [f"{key}: {_text(value)}" for key, value in kind.section.items() if (key, value) != ("kernel", "linear")]
    pairs += [f"{own.name}: [...]" for own in parameters_of(kind).values() if not own.allowed.holds(own.default)]
    return f"{{{', '.join(pairs)}}}"


def _sections(found: Any, where: str) -> list[Mapping[str, Any]]:
    if not isinstance(found, list | tuple) or not all(isinstance(section, Mapping) for section in found):
        raise CrossarcError(f"{where}.guides: expected a list of guide sections, each with its learner")
    return list(found)
