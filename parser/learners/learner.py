"""The base class of learners, which score the classes of a batch of configurations for a guide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...features.extractor import Extractor, Slot
from ...transitions.system import TransitionSystem
from ..base.errors import CrossarcError
from ..base.parameters import Allowed, check_parameters, parameter_values, parameters_of
from ..base.progress import Progress
from ..base.shapes import Array, Record, check_arrays, check_values
from .instances import Instances, check_instances

__all__ = ["Instances"]

SEEN = Array("i", ("seen",), least=0, below="classes", rising=True, filled=True)
"""The shape of ``classes_``."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """The contribution of a feature, or of a pair of them, to a difference of scores: slots of its keys, and amount."""

    slots: tuple[int, ...]
    value: float


class Learner(ABC):
    """A classifier of configurations in the manner of scikit-learn.

    Constructors store parameters; ``fit`` checks them and learns. A subclass is a dataclass whose fields are
    parameters, described by :func:`.base.parameters.parameter`. Names of learned attributes end in an underscore. Equal
    instances and an equal ``seed`` give equal arrays, byte for byte.

    name: name in configs and model files
    features: the feature model that suits the learner, ``rich`` or ``plain``
    sharpness: see :meth:`confidences`
    summary: a phrase for documentation
    reads_blocks: whether ``fit`` reads the keys of instances by :func:`~.instances.known_keys` and
        :func:`~.instances.feature_rows` alone, so that they may lie in a file
    of_derivations: whether whole derivations correct the learner, see :meth:`fit_derivations`
    mini_batch: number of sentences whose derivations such a learner gets at a time
    arrays: the shapes of the arrays that are learned and saved. Each is stored in the attribute of its name with an
        underscore at the end, a single number as a scalar; see :meth:`learned`. Named lengths are ``classes``
        (transitions), ``slots`` (columns of the key matrix) and ``guides``, the number of component learners:
        ``members_`` or, without them, the parameter ``guides``.

    slots_, n_classes_: slots and number of classes of the instances, which a model file has for the learner
    classes_: the classes that have instances, ascending, int32
    """

    name: ClassVar[str]
    features: ClassVar[str] = "rich"
    sharpness: ClassVar[float] = 1.0
    summary: ClassVar[str]
    reads_blocks: ClassVar[bool] = False
    of_derivations: ClassVar[bool] = False
    mini_batch: ClassVar[int] = 1
    arrays: ClassVar[Mapping[str, Array]] = {}
    slots_: Sequence[Slot]
    n_classes_: int
    classes_: NDArray[np.int32]
    members_: Sequence[Learner] = ()

    def check(self, where: str = "guide") -> None:
        """Raise CrossarcError for invalid parameters.

        where: section of the config, for messages
        """
        check_parameters(self, f"{where}.")

    def check_templates(self, templates: Sequence[str], where: str = "guide") -> None:
        """Raise CrossarcError for parameters that name a template outside the feature model's templates."""
        return None

    def take(self, instances: Instances) -> None:
        """Check the parameters; take slots and classes of the instances. Learners call this first in ``fit``.

        Raises CrossarcError for invalid parameters, an empty training set and too many transitions.
        """
        self.check()
        check_instances(self.name, instances)
        self.slots_, self.n_classes_ = instances.slots, instances.n_classes
        self.classes_ = np.unique(instances.target).astype(np.int32)

    @abstractmethod
    def fit(self, instances: Instances) -> Self:
        """Learn from the instances."""

    def fit_derivations(
        self, system: TransitionSystem, extractor: Extractor, batches: Any, beam: int, progress: Progress
    ) -> NDArray[np.int64]:
        """Learn from the gold derivations of a system, and return its inventory, see :class:`~..search.stage.Stage`.

        Only learners with ``of_derivations`` have this method.

        batches: :class:`~..training.derivations.DerivedBatch` of :attr:`mini_batch` sentences each.
        beam: number of derivations that are compared.
        """
        raise NotImplementedError

    @abstractmethod
    def scores(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32 (rows, n_classes): higher is better. Keys that do not occur in training contribute nothing.

        A class without training instances scores minus infinity.
        """

    def confidences(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """float64 (rows, n_classes): ``scores`` as probabilities; rows sum to 1, minus infinity becomes 0.

        scores: result of :meth:`scores`, possibly with more classes excluded by minus infinity

        The probabilities are the softmax of the scores times ``sharpness``. If the scores are logarithms of
        probabilities, the results are the probabilities among the remaining classes.
        """
        from scipy.special import softmax  # slow to import; most parsing does not need it

        result = np.zeros(scores.shape)
        possible = ~np.isneginf(scores).all(axis=1)
        result[possible] = softmax((scores[possible] * np.float32(self.sharpness)).astype(np.float64), axis=1)
        return result

    def additive(self, scores: NDArray[np.float32]) -> NDArray[np.float64]:
        """float64 (rows, n_classes): values that may be summed along a derivation to compare derivations.

        They are the logarithms of the confidences, minus infinity for excluded classes.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.confidences(scores))

    def contributions(self, keys: NDArray[np.int64], winner: int, rival: int) -> list[Contribution]:
        """The contributions to the score of the winner minus that of the rival, the largest amount first.

        keys: int64 (slots,), the keys of one configuration

        Empty for learners whose scores are not sums over features.
        """
        return []

    def examples(self, keys: NDArray[np.int64], count: int) -> list[tuple[float, Mapping[int, int]]]:
        """The nearest training instances, at most ``count``; empty for learners that do not store any.

        Each has its distance, and the number of instances like it of each class.

        keys: int64 (slots,), the keys of one configuration
        """
        return []

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Parameters and learned attributes for the model file: (JSON values, arrays without objects)."""
        values, arrays = parameter_values(self), self.learned()
        members = self.members_ or values.get("guides", ())
        if "guides" in values:
            values["guides"] = []
        for number, member in enumerate(members):
            own_values, own_arrays = member.state()
            values["guides"].append({"guide": member.name, "values": own_values})
            arrays |= {f"{number}/{name}": array for name, array in own_arrays.items()}
        return values, arrays

    def learned(self) -> dict[str, NDArray[Any]]:
        """The arrays to save, by the names of ``arrays``."""
        return {name: np.asarray(getattr(self, f"{name}_")) for name in self.arrays}

    @classmethod
    def from_state(
        cls, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], slots: Sequence[Slot], n_classes: int
    ) -> Self:
        """Restore the learner from its state.

        slots, n_classes: those of the parser

        :func:`~.registry.load_learner` has replaced the states of component learners by these learners. Raises
        ShapeError unless values and arrays have the declared shapes and are consistent.
        """
        parameters = {name: parameter.allowed for name, parameter in parameters_of(cls).items()}
        check_values(dict(values), Record(parameters))
        sizes = {"classes": n_classes, "slots": len(slots), "guides": len(values.get("guides", ()))}
        check_arrays(arrays, cls.arrays, sizes)
        learner = cls(**{name: values[name] for name in parameters})
        learner.slots_, learner.n_classes_ = slots, n_classes
        learner.restore(arrays)
        return learner

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Set the attributes that :meth:`learned` has saved. Raises ShapeError for inconsistent arrays."""
        for name in self.arrays:
            setattr(self, f"{name}_", arrays[name][()])


GUIDES = Allowed(
    "a list of one or more guide sections, each with its learner",
    lambda value: (
        isinstance(value, list | tuple) and len(value) > 0 and all(isinstance(member, Learner) for member in value)
    ),
)


class Composed(Learner):
    """A learner that combines other learners."""

    guides: Sequence[Learner]


class Combiner(Composed):
    """A learner that trains several copies of another learner, such as one for each part of speech.

    keys: keys of a guide section that ask for it, such as ``split``. Configs do not name it: the other keys of the
        section describe the learner that is copied.
    """

    keys: ClassVar[frozenset[str]]

    @classmethod
    def over(cls, learner: Learner, options: Mapping[str, Any], where: str) -> Learner:
        """The combination of a learner that the values of ``keys`` describe, or the learner itself if they want none.

        where: section of the config, for messages. Raises CrossarcError for invalid values and for learners that learn
        from whole derivations.
        """
        if learner.of_derivations:
            key = min(options)
            raise CrossarcError(f"{where}.{key}: the {learner.name} learns from whole derivations; drop the key {key}")
        make: Callable[..., Learner] = cls  # a dataclass
        combined = make(guides=[learner], **{key: options[key] for key in parameters_of(cls) if key in options})
        combined.check(where)
        return combined
