"""The base class of models: trained, able to parse, saved to a file and loaded again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import islice
from operator import index
from typing import Any, ClassVar, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ..base.errors import CrossarcError
from ..base.lazy import Lazy
from ..base.progress import Advance, nothing
from ..treebank import FORMATS, Sentence, SymbolTable, only_sentences
from ..treebank.tree import FlatTrees
from .inputs import HasColumn, InputCheck
from .words import SentenceWords, Words

Floats = NDArray[np.float64]

CONFIDENCE = "Confidence"
"""Key of the entries in MISC."""
CHUNK = 4096
"""Sentences that are read, sorted by length, parsed and written at a time: memory does not grow with the input."""
MUCH = 10**9
"""Number of words from which compiled code is worth loading."""
LEAST = 64
"""Worker processes get no fewer sentences at a time, if there are as many: smaller parts cost more than they bring."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a model file: JSON values, and arrays without objects, by name."""

    values: dict[str, Any]
    arrays: dict[str, NDArray[Any]]

    def part(self, prefix: str, values: Mapping[str, Any]) -> Content:
        """The content of a part: its values, and the arrays that :func:`joined` put under a prefix."""
        start = f"{prefix}/"
        own = {name.removeprefix(start): array for name, array in self.arrays.items() if name.startswith(start)}
        return Content(dict(values), own)


def joined(parts: Mapping[str, Mapping[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """The arrays of parts by their names after the prefix of the part and a slash."""
    return {f"{prefix}/{name}": array for prefix, arrays in parts.items() for name, array in arrays.items()}


class ParserModel(ABC):
    """A trained parser of any kind.

    kind: name of the kind in model files.
    provenance: checksums of treebanks, versions of libraries, scores on development data.
    taggers: taggers of columns that are predicted before parsing where the input has no values.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> isinstance(model, crossarc.ParserModel), model.kind
    (True, 'transitions')
    >>> [parsed, *_] = model.parse(crossarc.read_sentences("test.conllu"))
    >>> len(parsed.heads()) == len(parsed) + 1
    True
    """

    kind: ClassVar[str]
    provenance: Mapping[str, Any]
    taggers: Sequence[HasColumn]

    @abstractmethod
    def content(self) -> Content:
        """The content of the model file."""

    @classmethod
    @abstractmethod
    def from_content(cls, content: Content) -> Self:
        """The model that :meth:`content` described.

        Raises CrossarcError for content that describes none, a ShapeError where it breaks a declared shape.
        """

    @abstractmethod
    def trees(self, words: Words, advance: Advance = nothing, confidences: Floats | None = None) -> FlatTrees:
        """The trees of sentences given by their words.

        advance: receives the number of words parsed. confidences: float64 (words,), receives the confidence in the arc
        of each word. Raises CrossarcError for confidences that the model does not have.
        """

    def hint_workload(self, words: int) -> None:
        """Announce a number of words, so that the model can load compiled code if that is worth it."""
        return

    def warm(self) -> None:
        """Load the compiled code that the model uses, and compile what is not kept, by parsing a sentence.

        Another thread may parse meanwhile: transition-based parsers use numpy until their code is there.
        """
        self.hint_workload(MUCH)
        with suppress(CrossarcError):  # of columns that CoNLL-U does not have
            self.parse_chunk([Sentence.from_tokens(["three", "short", "words"])])

    def parse_chunk(
        self,
        sentences: Sequence[Sentence],
        confidences: bool = False,
        advance: Advance = nothing,
        retag: bool = False,
    ) -> list[Sentence]:
        """The sentences with HEAD and DEPREL replaced, and with tags, see :meth:`parse`."""
        words = SentenceWords(sentences, retag)
        sure = np.zeros(int(words.lengths.sum())) if confidences else None
        parsed = words.with_trees(self.trees(words, advance, sure))
        return parsed if sure is None else annotated(parsed, sure)

    @property
    @abstractmethod
    def looked_at(self) -> Mapping[str, SymbolTable]:
        """The treebank columns that the features read, with the values that training found in them."""

    @property
    @abstractmethod
    def annotation(self) -> str:
        """Which columns of CoNLL-2009 files the model was trained on: "gold" or "predicted"."""

    @property
    def longest(self) -> int | None:
        """Words of the longest sentence that is parsed with second-order parts; None: no limit."""
        return None

    def with_beam(self, beam: int) -> Self:
        """The model with another beam. Raises CrossarcError for one that is not allowed, or without derivations."""
        raise CrossarcError(f"a {self.kind} has no derivations; allowed: without a beam")

    @abstractmethod
    def with_provenance(self, **entries: Any) -> Self:
        """The model with more provenance."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The model as JSON values, without symbol tables and weights."""

    @abstractmethod
    def to_text(self) -> str:
        """The model as readable text in a few lines, with numbers in place of lists."""

    def _repr_html_(self) -> str:
        """The facts, for notebooks."""
        return f"<pre>{escape(self.to_text())}</pre>"

    def parse(
        self,
        sentences: Iterable[Sentence | list[str]],
        jobs: int = 1,
        *,
        confidences: bool = False,
        advance: Advance = nothing,
        allow_empty_columns: bool = False,
        retag: bool = False,
    ) -> Iterator[Sentence]:
        """Parse sentences in their order. The output has new values of HEAD and DEPREL.

        sentences: sentences, or lists of words.
        jobs: number of worker processes.
        confidences: write the confidence in the arc of each word to MISC, as ``Confidence=0.93``.
        advance: receives the number of words parsed.
        allow_empty_columns: parse even if all tag columns that the model reads are empty, with a warning.
        retag: replace tags of the input by those of the model's taggers.

        Raises CrossarcError for values that are not sentences, for empty tag columns, for sentences without a column
        that the features read, for ``jobs`` below 1, and if the model has no confidences.
        """
        checked = InputCheck(self, allow_empty_columns, retag=retag).sentences(sentences)
        return in_chunks(partial(self.parse_chunk, confidences=confidences, retag=retag), checked, jobs, advance)


KINDS: Mapping[str, type[ParserModel]] = Lazy(
    __package__,
    {
        "transitions": "transition_model:TransitionModel",
        "graph": "graph_model:GraphModel",
        "blend": "blend_model:BlendModel",
    },
)
"""The kinds of models by the names that files have for them; files of the first versions name none, for the first."""


def in_chunks(
    parse_chunk: Callable[..., Sequence[Sentence]], sentences: Iterable[Sentence], jobs: int, advance: Advance = nothing
) -> Iterator[Sentence]:
    """The results of ``parse_chunk`` for the sentences, in chunks and in their order.

    jobs: worker processes that share the work; what is made of a sentence must not depend on those it comes with.
    Raises CrossarcError for what is not a sentence, and if ``jobs`` is not a number above 0.
    """
    if not isinstance(jobs, SupportsIndex) or index(jobs) < 1:
        raise CrossarcError(f"jobs: found {jobs!r}, expected a number, 1 or more")
    jobs = index(jobs)
    stream = only_sentences(sentences)
    if jobs == 1:
        while chunk := list(islice(stream, CHUNK)):
            yield from parse_chunk(chunk, advance=advance)
        return
    from joblib import Parallel, delayed  # slow to import, and one process does not need it

    with Parallel(n_jobs=jobs, return_as="generator") as parallel:
        # so many sentences at a time, and no more until they are written: a slow reader must not pile up results
        while window := list(islice(stream, 2 * jobs * CHUNK)):
            size = min(CHUNK, max(LEAST, -(-len(window) // jobs)))
            parts = [window[start : start + size] for start in range(0, len(window), size)]
            results = parallel(delayed(parse_chunk)(part) for part in parts)
            for part, parsed in zip(parts, results, strict=True):
                advance(sum(map(len, part)))
                yield from parsed


def annotated(sentences: Sequence[Sentence], confidences: NDArray[np.float64]) -> list[Sentence]:
    """The sentences with the confidences, float64 (words,), in MISC, where they replace others.

    They stand for the arcs that the transitions made, which an inverse transform may have moved. Raises CrossarcError
    for a sentence without a column for them.
    """
    values = iter([f"{value:.2f}" for value in confidences])
    return [_annotated(sentence, values) for sentence in sentences]


def _annotated(sentence: Sentence, values: Iterator[str]) -> Sentence:
    if "misc" not in sentence.format.index:
        name = FORMATS[sentence.format.name]
        where = f"{sentence.source}:{sentence.line}"
        raise CrossarcError(f"{where}: {name} without a column MISC for confidences; allowed: CoNLL-U with it")
    result = []
    for misc in sentence.column("misc"):
        kept = [entry for entry in misc.split("|") if entry != "_" and not entry.startswith(f"{CONFIDENCE}=")]
        result.append("|".join([*kept, f"{CONFIDENCE}={next(values)}"]))
    return sentence.with_columns({"misc": tuple(result)})
