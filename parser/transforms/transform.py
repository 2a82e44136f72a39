"""The base class of transforms: two pure functions on trees, one before training, its inverse after parsing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..base.errors import check_names
from ..base.parameters import TEXT, check_parameters, parameter_values, parameters_of
from ..base.shapes import ANY, MapOf, Record, check_values, within
from ..treebank.tree import FlatTrees, Tree, trees_in

Ints = NDArray[np.int64]

STATE = Record({"name": TEXT, "params": MapOf(ANY), "state": MapOf(ANY)})


class Transform(ABC):
    """A tree transformation with its inverse (Nilsson 2009, section 5.1: steps 1 and 4).

    summary: a phrase for documentation.
    learned: the shape of the values of ``state``.

    A subclass is a dataclass; :func:`.base.parameters.parameter` describes its parameters. No method mutates its
    arguments. A transform may reorder columns but not change their values, and ``invert`` ignores columns. In parsing,
    ``word_order`` and ``invert_flat`` process many sentences together. Raises CrossarcError for a parameter with a
    value that is not allowed.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    learned: ClassVar[Record] = Record()

    def params(self) -> dict[str, Any]:
        """The parameters in the form of a config, with their values."""
        return parameter_values(self)

    def __post_init__(self) -> None:
        check_parameters(self, f"transform {self.name}: ")

    def validate(self) -> None:
        """Raise CrossarcError if files that the parameters name, or parameters together, are not allowed."""
        return None

    def fit(self, trees: Sequence[Tree]) -> Self:
        """Fit the transform on the training trees, and return it."""
        return self

    @abstractmethod
    def apply(self, tree: Tree) -> Tree:
        """The transformed tree, for training."""

    @abstractmethod
    def invert(self, tree: Tree) -> Tree:
        """The inverse of :meth:`apply` for a parsed tree; defined for all trees and labels."""

    def word_order(self, lengths: Ints) -> Ints:
        """The words of sentences of these lengths in the order in which they are parsed (int64, (words,))."""
        return np.arange(int(lengths.sum()))

    def changes(self, label: str) -> bool:
        """Whether ``invert`` may change a tree with this label. Trees without such labels stay unchanged."""
        return True

    def invert_flat(self, trees: FlatTrees) -> FlatTrees:
        """The trees after :meth:`invert`, for trees without columns."""
        marked = np.array([self.changes(name) for name in trees.names], dtype=np.bool_)
        chosen = np.unique(trees.sentences[marked[trees.labels]])
        if not chosen.size:
            return trees
        concerned = np.zeros(len(trees.lengths), dtype=np.bool_)
        concerned[chosen] = True
        words = np.repeat(concerned, trees.lengths)
        subset = FlatTrees(trees.lengths[chosen], trees.heads[words], trees.labels[words], trees.names)
        inverted = [self.invert(tree) for tree in trees_in(subset)]
        numbers = {name: number for number, name in enumerate(trees.names)}
        heads, labels = trees.heads.copy(), trees.labels.copy()
        heads[words] = [head for tree in inverted for head in tree.heads[1:]]
        labels[words] = [numbers.setdefault(name, len(numbers)) for tree in inverted for name in tree.deprels[1:]]
        return FlatTrees(trees.lengths, heads, labels, tuple(numbers))

    @property
    def restores(self) -> bool:
        """Whether the inverse can restore arcs: not where it needs what ``fit`` has not learned yet."""
        return True

    def state(self) -> dict[str, Any]:
        """The state learned by ``fit``, as JSON values."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the state that ``fit`` learned. state: the values of :attr:`state`, of the shape ``learned``."""
        return None

    def to_json(self) -> dict[str, Any]:
        """Name, parameters and learned state, for the model file."""
        return {"name": self.name, "params": self.params(), "state": self.state()}

    @classmethod
    def from_config(cls, params: Mapping[str, Any]) -> Self:
        """The transform with the given parameters, in the form of a config.

        Raises CrossarcError for unknown parameters and invalid values.
        """
        check_names(f"transform {cls.name}: unknown parameter", params, parameters_of(cls))
        transform = cls(**params)
        transform.validate()
        return transform

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The transform of this class from its ``to_json``, with its learned state.

        Raises CrossarcError for unknown parameters, and for parameters or state that are not valid.
        """
        check_values(data, STATE)
        params, state = data["params"], data["state"]
        check_names(f"transform {cls.name}: unknown parameter", params, parameters_of(cls))
        transform = cls(**params)
        with within(f"transform {cls.name}"):
            check_values(state, cls.learned, "state")
        check_names(f"transform {cls.name}: unknown state", state, [*cls.learned.needed, *cls.learned.optional])
        transform.restore(state)
        transform.validate()  # after the learned state, which contains the profile, so that no file is read
        return transform


def fit_all(transforms: Iterable[Transform], trees: Sequence[Tree]) -> list[Tree]:
    """Fit each transform on the result of the previous ones. Returns the trees after the last transform."""
    result = list(trees)
    for transform in transforms:
        transform.fit(result)
        result = [transform.apply(tree) for tree in result]
    return result


def apply_all(transforms: Iterable[Transform], tree: Tree) -> Tree:
    """Apply the transforms in order."""
    for transform in transforms:
        tree = transform.apply(tree)
    return tree


def invert_all(transforms: Sequence[Transform], tree: Tree) -> Tree:
    """Invert the transforms, the last one first."""
    for transform in reversed(transforms):
        tree = transform.invert(tree)
    return tree


def invert_all_flat(transforms: Sequence[Transform], trees: FlatTrees) -> FlatTrees:
    """:func:`invert_all` for many trees."""
    for transform in reversed(transforms):
        trees = transform.invert_flat(trees)
    return trees


def word_order(transforms: Iterable[Transform], lengths: Ints) -> Ints:
    """The words of sentences of these lengths in the order in which they are parsed (int64, (words,))."""
    order = np.arange(int(lengths.sum()))
    for transform in transforms:
        order = order[transform.word_order(lengths)]
    return order
