"""Steps of a model beside its parser: they split raw text, fill columns, repair trees, calibrate scores.

A model applies its steps in their order and knows none of them by name. Plugins declare their classes in ``STEPS``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...transitions.configuration import Bools
from ..base.lazy import Lazy
from ..base.shapes import ShapeError, expect
from ..treebank import Sentence
from ..treebank.tree import FlatTrees
from .words import Words

Floats = NDArray[np.float64]
TreeScores: TypeAlias = Callable[[Words], Floats | None]
"""The method :meth:`.model.ParserModel.tree_scores`."""
State: TypeAlias = tuple[dict[str, Any], dict[str, NDArray[Any]]]
"""What a model file stores: JSON values, and named arrays without objects."""


def packed_words(words: Sequence[str]) -> NDArray[np.uint8]:
    """Words without line ends as an array for a model file."""
    return np.frombuffer("\n".join(words).encode("utf-8", "surrogatepass"), np.uint8)


def unpacked_words(packed: NDArray[np.integer], name: str, count: int) -> list[str]:
    """The words of :func:`packed_words`. Raises ShapeError unless they are ``count`` words. name: of the array."""
    try:
        words = packed.astype(np.uint8).tobytes().decode("utf-8", "surrogatepass").split("\n")
    except UnicodeDecodeError as error:
        raise ShapeError(name, "not UTF-8") from error
    expect(len(words) == count, name, f"found {len(words)}; expected {count}")
    return words


class Step(ABC):
    """A part of a model beside its parser.

    kind: name of the class in model files.
    revises: whether it may change trees; it then needs the certainty of their arcs.
    """

    kind: ClassVar[str]
    revises: ClassVar[bool] = False

    @abstractmethod
    def state(self) -> State:
        """The state in the model file."""

    @classmethod
    @abstractmethod
    def from_state(cls, values: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The step from its :meth:`state`. Raises ShapeError for an invalid state."""

    @property
    def vocabulary(self) -> Sequence[str]:
        """Words of the language that it knows beside those of the treebank."""
        return ()

    @property
    def word_groups(self) -> Mapping[str, NDArray[np.int64]]:
        """Divisions of its vocabulary into groups, by name: the number of each word's group (int64, (vocabulary,))."""
        return {}

    @property
    def reads(self) -> Collection[str]:
        """The columns that its features read."""
        return ()

    @property
    def fills(self) -> tuple[str, ...]:
        """The columns of the treebank that it fills before parsing."""
        return ()

    @property
    def constant(self) -> Mapping[str, str]:
        """The columns that it supplies to features with one value for all words that are parsed."""
        return {}

    def beside(self, steps: Sequence[Step]) -> Self:
        """The step in a model with these steps, from which it may take what its own state lacks."""
        return self

    def like(self, treebank: str) -> Self | None:
        """The step for the conventions of another of the treebanks that it learned from; None if it knows one alone.

        Raises CrossarcError, with the names of its treebanks, for another name.
        """
        return None

    def annotate(self, words: Words) -> None:
        """Fill its columns, where words have no values."""
        return

    def reconsider(self, words: Words, steps: Sequence[Step], tree_scores: TreeScores) -> None:
        """Change columns that steps have filled, by the scores of the trees that the parser finds.

        steps: those that follow, whose columns may depend on this one's.
        """
        return

    def hint_workload(self, words: int) -> None:
        """Announce a number of words. The step then loads compiled code if that saves time."""
        return

    def revised(self, words: Words, trees: FlatTrees, certainty: Floats, fixed: Bools | None) -> FlatTrees:
        """The trees after the step.

        certainty: probabilities that head and label of each word are right, and its head (float64, (2, words)).
        fixed: the words that keep their labels (bool, (words,)); None: none.
        """
        return trees


class Segmenter(Step):
    """A step that splits raw text into sentences and words."""

    @property
    def words_touch(self) -> bool:
        """Whether words are not separated by spaces, so that no simple rule finds them."""
        return False

    @abstractmethod
    def conllu(
        self, blocks: Iterable[str], document: str, *, at_once: bool = False, lines: bool = False, ranges: bool = False
    ) -> Iterator[str]:
        """The sentences of a text in CoNLL-U, each with its empty line and its spacing in MISC.

        blocks: the text in parts, whose boundaries do not matter.
        document: name of the input, for ``# newdoc id``; "": none.
        at_once: return the sentences of each paragraph as soon as its empty line has arrived.
        lines: each line is a sentence.
        ranges: write the places of tokens in the text to MISC, as ``TokenRange=FIRST:END`` (in characters, from 0).
        """

    @abstractmethod
    def source_text(self, sentences: Sequence[Sentence]) -> str:
        """The raw text of gold sentences, rebuilt from their spacing, on which the segmenter can be scored."""

    @abstractmethod
    def sentence_ends(self, text: str, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Bools:
        """Whether each token of a text ends a sentence (bool, (tokens,)).

        starts, ends: places of the tokens in the text (int64, (tokens,)).
        """


class Calibrator(Step):
    """A step that turns margins into probabilities."""

    @classmethod
    @abstractmethod
    def fit(cls, margins: Floats, trees: FlatTrees, gold: FlatTrees) -> Self:
        """Learn from parsed sentences with one word or more.

        margins: margin of each word, see :meth:`~.model.ParserModel.trees` (float64, (words,)).
        trees: the trees that the parser found.
        gold: the gold trees.
        """

    @abstractmethod
    def __call__(self, margins: Floats, trees: FlatTrees) -> Floats:
        """The probabilities that head and label of each word, and that its head, are right (float64, (2, words))."""


STEPS: Mapping[str, type[Step]] = Lazy(__package__, {}, "STEPS")
"""The classes of steps by kind, which plugins declare."""
