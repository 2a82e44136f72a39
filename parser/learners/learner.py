"""The base class of learners, which score the classes of a batch of configurations for a guide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..base.parameters import Allowed, check_parameters, parameter_values, parameters_of
from ..base.shapes import Array, Record, Sizes, check_arrays, check_values
from .instances import Instances
from .key_index import KeyIndex

__all__ = ["Instances"]


@dataclass(frozen=True, slots=True)
class Contribution:
    """The contribution of a feature, or of a pair, to a difference of scores: slots of its keys, and amount."""

    slots: tuple[int, ...]
    value: float


class Learner(ABC):
    """A classifier of configurations, in scikit-learn's manner: constructors store, ``fit`` validates and learns.

    A subclass is a dataclass, its parameters fields that :func:`.base.parameters.parameter` describes; what
    it learns ends in an underscore. Equal instances and an equal ``seed`` give equal arrays, byte for byte.

    name: what models are saved with. section: the keys and values of a config's ``guide`` that choose it, the first of
    all learners that share a value being the default. later: parameters that saved learners need not have; their
    defaults mean what was meant before there were any. renamed: parameters by old names, which configs and models may
    have. features: the feature model that suits it, ``rich`` or ``plain``. sharpness: see :meth:`confidences`.
    summary: a phrase for documentation. learned, arrays: the shapes of the values, beside the parameters, and of the
    arrays that are saved. Each is the attribute of its name, with an underscore behind it; what a property without a
    setter gives is made anew by :meth:`restore`. The lengths ``classes`` and ``slots`` are those of the transitions and
    of the key matrix, ``guides`` is the number of learners that this one is made of:
    ``members_``, or without them those of the parameter ``guides``.
    """

    name: ClassVar[str]
    section: ClassVar[Mapping[str, Any]]
    features: ClassVar[str] = "rich"
    sharpness: ClassVar[float] = 1.0
    summary: ClassVar[str]
    learned: ClassVar[Record] = Record()
    arrays: ClassVar[Mapping[str, Array]] = {}
    later: ClassVar[frozenset[str]] = frozenset()
    renamed: ClassVar[Mapping[str, str]] = {}
    members_: Sequence[Learner] = ()

    def check(self, where: str = "guide") -> None:
        """Raise CrossarcError for invalid parameters. where: the section of the config, for messages."""
        check_parameters(self, f"{where}.")

    def check_templates(self, templates: Sequence[str], where: str = "guide") -> None:
        """Raise CrossarcError for parameters that name a template which is not among those of the feature model."""
        return None

    def memory_needed(self, instances: Instances) -> int:
        """The minimum number of bytes that ``fit`` will need for weights and copies of the instances."""
        return 0

    def seconds_needed(self, instances: Instances) -> float | None:
        """The expected duration of ``fit`` in seconds, from earlier measurements; None without measurements."""
        return None

    @abstractmethod
    def fit(self, instances: Instances) -> Self:
        """Learn from the instances."""

    @abstractmethod
    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32 (rows, n_classes): higher is better. Keys never seen in training contribute nothing.

        A class that no training instance had scores minus infinity.
        """

    def confidences(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """float64 (rows, n_classes): the rows of ``scores`` as probabilities; 0 for minus infinity, a row sums to 1.

        scores: those of :meth:`scores`, minus infinity in further places where a class is ruled out. Their softmax: for
        scores that are logarithms of probabilities, the probabilities among the classes that are left. Scores are
        multiplied by ``sharpness``.
        """
        from scipy.special import softmax  # slow to import, and most parsing does not need it

        result = np.zeros(scores.shape)
        possible = ~np.isneginf(scores).all(axis=1)
        result[possible] = softmax((scores[possible] * np.float32(self.sharpness)).astype(np.float64), axis=1)
        return result

    def additive(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """float64 (rows, n_classes): what may be added up along a derivation to compare it with others, minus infinity
        where a class is ruled out: the logarithms of the confidences."""
        with np.errstate(divide="ignore"):
            return np.log(self.confidences(scores))

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        """The contributions to the difference between the scores of two classes, the largest first.

        keys: int64 (slots,), those of one configuration. Empty for learners whose scores are not sums over features.
        """
        return []

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """What was given and learned, for the model on disk: (values that JSON can carry, arrays without objects)."""
        learned = {name: getattr(self, _attribute(name)) for name in (*self.learned.needed, *self.learned.optional)}
        values = parameter_values(self) | {name: value for name, value in learned.items() if value is not None}
        arrays: dict[str, NDArray[Any]] = {name: getattr(self, _attribute(name)) for name in self.arrays}
        if "guides" in values:
            values["guides"] = []
        for number, member in enumerate(self.members_ or getattr(self, "guides", ())):
            own_values, own_arrays = member.state()
            values["guides"].append({"guide": member.name, "values": own_values})
            arrays |= {f"{number}/{name}": array for name, array in own_arrays.items()}
        return values, arrays

    @classmethod
    def arrays_shape(cls, values: Mapping[str, Any]) -> Mapping[str, Array]:
        """The shapes of the arrays of a saved state, given its values, which are of their shape: ``arrays``, and those
        whose number depends on the values. Names are given to lengths in this order."""
        return cls.arrays

    @classmethod
    def member_sizes(cls, values: Mapping[str, Any], sizes: Sizes) -> list[Sizes]:
        """Of a learner that is made of others, the sizes that each of these is checked with. Raises ShapeError."""
        return [sizes for _ in values["guides"]]

    @classmethod
    def check_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], sizes: Sizes) -> None:
        """Raise ShapeError unless values and arrays are of the declared shapes.

        sizes: ``classes`` and ``slots``, what the learner will be asked for.
        """
        parameters = {name: own.allowed for name, own in parameters_of(cls).items()}
        needed = {name: allowed for name, allowed in parameters.items() if name not in cls.later}
        later = {name: parameters[name] for name in cls.later}
        check_values(dict(values), Record({**needed, **cls.learned.needed}, {**later, **cls.learned.optional}))
        check_arrays(arrays, cls.arrays_shape(values), {**sizes, "guides": len(values.get("guides", ()))})

    @classmethod
    def from_state(cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The learner that :meth:`state` was called on, from values and arrays that :meth:`check_state` has checked.

        Of a learner that is made of others, :func:`~.registry.load_learner` has put these in the place of their states.
        Raises ShapeError for what no declared shape says.
        """
        learner = cls.with_parameters(values)
        saved = {name: values[name] for name in (*cls.learned.needed, *cls.learned.optional) if name in values}
        for name, value in (saved | {name: arrays[name] for name in cls.arrays}).items():
            declared = getattr(cls, _attribute(name), None)
            if not isinstance(declared, property) or declared.fset is not None:
                setattr(learner, _attribute(name), value)
        learner.restore(values, arrays)
        return learner

    def restore(self, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Compute unsaved attributes from the saved state. Raises ShapeError for a state that does not fit."""
        return None

    @classmethod
    def with_parameters(cls, values: Mapping[str, Any]) -> Self:
        """An untrained learner with the saved parameters."""
        return cls(**{name: values[name] for name in parameters_of(cls) if name in values or name not in cls.later})


class Indexed(Learner):
    """A learner that looks up the keys that it has kept, saved as ``kept``."""

    index_: KeyIndex

    @property
    def kept_(self) -> NDArray[np.int64]:
        """int64, ascending."""
        return self.index_.keys

    @kept_.setter
    def kept_(self, keys: NDArray[np.integer]) -> None:
        self.index_ = KeyIndex(keys.astype(np.int64, copy=False))


GUIDES = Allowed(
    "one guide or more, each a section like that of a single guide",
    lambda value: isinstance(value, list | tuple) and len(value) > 0 and all(isinstance(own, Learner) for own in value),
)


class Composed(Learner):
    """A learner that is made of others."""

    guides: Sequence[Learner]

    def memory_needed(self, instances: Instances) -> int:
        return max(guide.memory_needed(instances) for guide in self.guides)


class DerivationLearner(Learner):
    """A learner that whole derivations correct, over ``epochs``: :meth:`begin`, then :meth:`correct` and :meth:`count`
    again and again, :meth:`finish`."""

    epochs: int
    seed: int
    margin: float

    @property
    @abstractmethod
    def features_known(self) -> int:
        """The number of features with weights."""

    @abstractmethod
    def begin(self, instances: Instances) -> Self:
        """Take the features and classes of the instances."""

    @abstractmethod
    def scores_of(self, keys: NDArray[np.int64], classes: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64 (rows,): the score of each row of ``keys`` for its own class."""

    @abstractmethod
    def correct(
        self, keys: NDArray[np.int64], classes: NDArray[np.int64], amounts: NDArray[np.int64], ahead: float
    ) -> bool:
        """Make the transitions with an amount of 1 score more by ``ahead`` than those with -1; whether they did not."""

    @abstractmethod
    def count(self) -> None:
        """Let the weights as they are now count in the average once more."""

    @abstractmethod
    def finish(self) -> Self:
        """Keep the average."""


def _attribute(name: str) -> str:
    return f"{name.removesuffix('_')}_"
