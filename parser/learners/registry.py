"""Registry of learners: their names, their selection in configs, and their restoration from models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from numpy.typing import NDArray

from ...features.extractor import Slot
from ...transitions import plugins
from ..base.errors import CrossarcError, UnknownPartError, choices
from ..base.lazy import Lazy
from ..base.parameters import TEXT, parameters_of, shown
from ..base.shapes import ListOf, Record, check_values, expect, within
from .common import taken
from .instances import MOST_CLASSES
from .learner import Combiner, Learner

LEARNERS: Mapping[str, type[Learner]] = Lazy(
    __package__,
    {
        "svm": "linear.svm:LinearSVM",
        "svm-poly": "kernel_svm:KernelSVM",
        "maxent": "maxent:MaxEnt",
        "knn": "neighbours.knn:KNN",
    },
    "LEARNERS",
)
"""All installed learners, by the names that models are saved with."""
USUAL = "svm"
"""The learner of a section that names none."""
COMBINERS: Mapping[str, type[Combiner]] = Lazy(__package__, {}, "COMBINERS")
"""Learners over copies of another learner, chosen by keys that any guide may have."""
WRAPPER = "plugin"
"""The learner that wraps own classes with ``fit`` and ``predict``."""
GENERAL = ("min_count", "seed", "dense")
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
    if name in (*LEARNERS, *COMBINERS):
        raise ValueError(f"{name} is an installed learner; choose another name")
    plugins.add("learners", name, learner)
    return learner


def make_learner(options: Mapping[str, Any], where: str = "guide") -> Learner:
    """Make the learner that the ``guide`` section of a config describes, and check its parameters.

    where: name of the section, for messages

    The key ``learner`` names it; ``guides`` is a list of such sections; keys of combiners, such as ``decide`` and
    ``split``, combine copies of it; all other keys are parameters. Raises CrossarcError for unknown keys and invalid
    values.
    """
    for combiner in COMBINERS.values():
        if keys := combiner.keys.intersection(options):
            rest = {key: value for key, value in options.items() if key not in keys}
            return combiner.over(make_learner(rest, where), {key: options[key] for key in keys}, where)
    kind = learner_type(options, where)
    values = {key: value for key, value in options.items() if key != "learner"}
    if (name := options.get("learner", USUAL)) not in LEARNERS and kind is LEARNERS.get(WRAPPER):
        rest = {key: value for key, value in values.items() if key not in GENERAL}
        values = {key: values[key] for key in GENERAL if key in values} | {
            "estimator": name,
            "parameters": rest or None,
        }
    allowed = parameters_of(kind)
    for key in values:
        if key not in allowed:
            raise CrossarcError(f"unknown key {where}.{choices(key, ['learner', *allowed])}")
    if "guides" in allowed:
        sections = values.get("guides", [])
        if not isinstance(sections, list | tuple) or not all(isinstance(section, Mapping) for section in sections):
            raise CrossarcError(f"{where}.guides: expected a list of guide sections, each with its learner")
        values["guides"] = [
            make_learner(section, f"{where}.guides[{number}]") for number, section in enumerate(sections)
        ]
    learner = kind(**values)
    learner.check(where)
    return learner


def learner_type(options: Mapping[str, Any], where: str = "guide") -> type[Learner]:
    """Return the class of the learner that a ``guide`` section names. Own classes that are no learners are plugins."""
    name = options.get("learner", USUAL)
    if isinstance(name, str):
        if name in LEARNERS:
            return LEARNERS[name]
        if added := plugins.added("learners").get(name):
            return added if issubclass(added, Learner) else LEARNERS[WRAPPER]
    if hasattr(name, "fit"):
        kind = type(name)
        path = f"{kind.__module__.partition('._')[0]}.{kind.__qualname__}"
        remedy = f"name it in the config: learner: plugin, estimator: {path}"
        if not path.startswith("sklearn."):
            remedy = "register its class with crossarc.register_learner, and give the name"
        raise CrossarcError(f"{where}.learner: found an object of {kind.__name__}; {remedy}")
    raise CrossarcError(f"{where}.learner: found {choices(_text(name), [*LEARNERS, *plugins.added('learners')])}")


def section_text(kind: type[Learner]) -> str:
    """A learner's section as it may stand in a config: without defaults, with mandatory lists."""
    lists = [
        f"{parameter.name}: [...]"
        for parameter in parameters_of(kind).values()
        if not parameter.allowed.holds(parameter.default)
    ]
    return f"{{{', '.join([f'learner: {kind.name}', *lists])}}}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else shown(value).lower()


def load_learner(
    name: str, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], slots: Sequence[Slot], n_classes: int
) -> Learner:
    """Restore the learner ``name`` and its component learners from ``values`` and ``arrays``.

    slots, n_classes: columns of the key matrices, and number of transitions

    Raises ShapeError for a state that does not have the declared shapes, UnknownPartError for a learner that is not
    registered.
    """
    expect(n_classes <= MOST_CLASSES, "", f"found {n_classes} transitions; expected {MOST_CLASSES} at most")
    known = next((known for known in (LEARNERS, COMBINERS) if name in known), None) or plugins.added("learners")
    if name not in known:
        raise UnknownPartError(f"needs a learner that is not registered: {choices(name, [*LEARNERS, *COMBINERS])}")
    kind: type[Learner] = known[name]
    if "guides" in parameters_of(kind):
        check_values(values.get("guides"), MEMBERS, "guides")
        members = []
        for number, member in enumerate(values["guides"]):
            with within(f"guides[{number}]"):
                stored = taken(arrays, f"{number}/")
                members.append(load_learner(member["guide"], member["values"], stored, slots, n_classes))
        values = {**values, "guides": members}
    return kind.from_state(values, arrays, slots, n_classes)
