"""The base class of models: trained, able to parse, saved to a file and loaded again."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from itertools import chain, islice
from operator import index
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, ClassVar, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ...transitions.plugins import with_parts_of_main
from ..base.errors import CrossarcError
from ..base.lazy import Lazy
from ..base.progress import Advance, nothing
from ..treebank import Sentence, SymbolTable, read_sentences
from ..treebank.tree import FlatTrees
from .description import described
from .inputs import FIRST, InputCheck
from .raw import require_segmenter
from .steps import Calibrator, Floats, Segmenter, State, Step
from .words import SentenceWords, Words

Bools = NDArray[np.bool_]

CHUNK = 4096
"""Number of sentences that are read, sorted by length, parsed and written together. Memory does not grow with input."""
MUCH = 10**9
"""Number of words from which compiled code is worth loading."""
TRIAL, START = 256, 2.0
"""With several jobs: number of sentences of a chunk, and of seconds of parsing, before worker processes start. Starting
them takes about as long."""
MIN_PART = 64
"""Minimum number of sentences per worker process in a chunk, if there are enough: the overhead of smaller parts exceeds
their gain.
"""


def joined(parts: Mapping[str, Mapping[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """The arrays of all parts. The new names consist of the name of the part, a slash and the name of the array."""
    return {f"{prefix}/{name}": array for prefix, arrays in parts.items() for name, array in arrays.items()}


@dataclass(frozen=True, kw_only=True, repr=False)
class ParserModel(ABC):
    """A trained parser of any kind.

    kind: name of the kind in model files.
    provenance: checksums of treebanks, versions of libraries, scores on development data.
    steps: what the model does before and after its parser finds trees, in this order.

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
    steps: tuple[Step, ...] = ()

    @classmethod
    def of(cls, model: ParserModel, refusal: str) -> Self:
        """The model as one of this class. Raises CrossarcError with the text ``refusal`` for other models."""
        if not isinstance(model, cls):
            raise CrossarcError(refusal)
        return model

    @abstractmethod
    def state(self) -> State:
        """The state in the model file, without the steps."""

    @classmethod
    @abstractmethod
    def from_state(cls, values: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The model from its :meth:`state`.

        Raises CrossarcError for an invalid state, and ShapeError for values that violate a declared shape.
        """

    @abstractmethod
    def trees(self, words: Words, advance: Advance = nothing, margins: Floats | None = None) -> FlatTrees:
        """The trees of sentences.

        words: the words of the sentences.
        advance: receives the number of words parsed.
        margins: receives a number for the arc of each word, the higher, the more certain (float64, (words,)). For
            transition-based parsers it is the difference of the best two transitions where the arc was added, for
            graph-based parsers the loss by the best change of the arc alone, for blends the share of the votes.
        """

    @abstractmethod
    def labelled(self, words: Words, trees: FlatTrees, open: Bools) -> FlatTrees:
        """The trees with the labels that the model prefers for the arcs of some words.

        words: the words of the sentences, with their tags.
        open: the words whose labels change (bool, (words,)).
        """

    def steps_of(self, kind: Any) -> list[Any]:
        """The steps of a class, possibly an abstract one."""
        return [step for step in self.steps if isinstance(step, kind)]

    def with_step(self, step: Step) -> Self:
        """The model with another step, which comes last. It replaces the steps of its class."""
        return replace(self, steps=(*(old for old in self.steps if type(old) is not type(step)), step))

    @property
    def calibration(self) -> Calibrator | None:
        """The step that turns margins into probabilities; None for a model that was not calibrated."""
        return next(iter(self.steps_of(Calibrator)), None)

    @property
    def segmenter(self) -> Segmenter | None:
        """The step that splits raw text; None if the model starts from words."""
        return next(iter(self.steps_of(Segmenter)), None)

    @property
    def filled(self) -> list[str]:
        """The columns that steps fill before parsing, where the input has no values."""
        return [column for step in self.steps for column in step.fills]

    def fill(self, words: Words) -> None:
        """Fill the columns of words before parsing. Steps may ask for scores of trees to choose among values."""
        for step in self.steps:
            step.annotate(words)
        for number, step in enumerate(self.steps, 1):
            step.reconsider(words, self.steps[number:], self.tree_scores)

    def tree_scores(self, words: Words) -> Floats | None:
        """The logarithms of the probabilities of the best derivations of sentences whose tags are known.

        float64 (sentences,). None for parsers without such probabilities, and for words without a column that features
        read. With several passes the first one counts.
        """
        return None

    def tagged(self, sentences: Iterable[Sentence], retag: bool) -> list[Sentence]:
        """The sentences with the columns that steps fill. retag: whether predicted values replace existing ones."""
        words = SentenceWords(sentences, retag)
        self.fill(words)
        return words.with_tags()

    def scored(self, words: Words, advance: Advance = nothing) -> tuple[FlatTrees, Floats]:
        """The trees of sentences, and two probabilities for each word: that head and label are right, and the head.

        The probabilities are float64, (2, words). Raises CrossarcError for a model without calibration.
        """
        if self.calibration is None:
            fault = "the scores of this model are not calibrated, since it was trained without a development treebank"
            raise CrossarcError(f"{fault}; calibrate it: crossarc calibrate MODEL DEV")
        if words.kept is not None:
            words.kept.check(self.single_root)
        margins = np.zeros(int(words.lengths.sum()))
        trees = self._settled(words, self.trees(words, advance, margins), margins)
        return trees, self._certainty(words, trees, margins)

    def _settled(self, words: Words, parsed: FlatTrees, margins: Floats | None) -> FlatTrees:
        """The result of :meth:`trees`, with the arcs that the words keep, and repaired by the model's constraints."""
        trees = parsed
        if words.kept is not None:
            trees = words.kept.fixed(parsed, self.single_root)
            changed, decided = trees.heads != parsed.heads, words.kept.labelled
            if margins is not None:
                margins[changed] = 0
            misplaced = self._misplaced(trees)
            words.kept.warn_of(misplaced & decided)
            if (open := (changed | misplaced) & ~decided).any():
                trees = self.labelled(words, trees, open)
        return trees if margins is None else self.repaired(words, trees, margins)

    def _misplaced(self, trees: FlatTrees) -> Bools:
        """bool (words,): whether training has the label of an arc from node 0 only below words, or the reverse."""
        known = np.array([[name in labels for name in trees.names] for labels in self.label_places], dtype=np.bool_)
        place = (trees.heads == 0).astype(np.int64)
        misplaced: Bools = known[1 - place, trees.labels] & ~known[place, trees.labels]
        return misplaced

    def repaired(self, words: Words, trees: FlatTrees, margins: Floats) -> FlatTrees:
        """The trees after the steps that revise them. Margins of words with other labels become 0."""
        fixed = None if words.kept is None else words.kept.labelled
        for step in self.steps:
            if step.revises:
                revised = step.revised(words, trees, self._certainty(words, trees, margins), fixed)
                margins[trees.label_names() != revised.label_names()] = 0
                trees = revised
        return trees

    def _certainty(self, words: Words, trees: FlatTrees, margins: Floats) -> Floats:
        """Probabilities that head and label of each word are right, and its head (float64, (2, words)).

        For models without calibration they are numbers between 0 and 1 that grow with the margin.
        """
        uncalibrated = np.tile(1 - np.exp(-np.maximum(margins, 0)), (2, 1))
        certainty = uncalibrated if self.calibration is None else self.calibration(margins, trees)
        if words.kept is not None:
            certainty[:, words.kept.heads >= 0] = 1
        return certainty

    def annotate(self, words: Words, advance: Advance = nothing, scores: bool = False) -> FlatTrees:
        """The trees of sentences, with the arcs that the words keep, and repaired by the model's constraints.

        scores: write their probabilities into the column MISC of the words.

        Raises CrossarcError if no tree has the arcs to keep, and as :meth:`scored` does.
        """
        if scores:
            words.require_misc()
            trees, probabilities = self.scored(words, advance)
            words.note(probabilities)
            return trees
        words.forget()
        if words.kept is not None:
            words.kept.check(self.single_root)
        margins = np.zeros(int(words.lengths.sum())) if any(step.revises for step in self.steps) else None
        return self._settled(words, self.trees(words, advance, margins), margins)

    def hint_workload(self, words: int) -> None:
        """Announce a number of words. The model then loads compiled code if that saves time."""
        for step in self.steps:
            step.hint_workload(words)

    def warm(self) -> None:
        """Load the compiled code of the model, and compile code that is not cached, by parsing one sentence.

        Other threads may parse at the same time: transition-based parsers use numpy until the code is loaded.
        """
        self.hint_workload(MUCH)
        with suppress(CrossarcError):  # the model may read columns that CoNLL-U lacks
            self.parse_chunk([Sentence.from_tokens(["three", "short", "words"])])

    def parse_chunk(
        self,
        sentences: Sequence[Sentence],
        scores: bool = False,
        advance: Advance = nothing,
        retag: bool = False,
        keep_deps: bool = False,
        keep: str | None = None,
    ) -> list[Sentence]:
        """The sentences with new HEADs and DEPRELs, and with tags; see :meth:`parse`."""
        words = SentenceWords(sentences, retag, keep_deps, keep)
        return words.with_trees(self.annotate(words, advance, scores))

    @property
    @abstractmethod
    def looked_at(self) -> Mapping[str, SymbolTable]:
        """The symbol tables of the treebank columns that the features read, with the values seen in training."""

    @property
    @abstractmethod
    def single_root(self) -> bool:
        """Whether node 0 gets exactly one dependent."""

    @property
    @abstractmethod
    def label_places(self) -> tuple[Collection[str], Collection[str]]:
        """The labels that arcs from words had in training, and those that arcs from node 0 had."""

    @property
    @abstractmethod
    def annotation(self) -> str:
        """The columns of CoNLL-2009 files that the model was trained on: "gold" or "predicted"."""

    @property
    def longest(self) -> int | None:
        """Maximum number of words of a sentence that is parsed with second-order factors; None: no limit."""
        return None

    def with_beam(self, beam: int) -> Self:
        """The model with another beam.

        Raises CrossarcError if the beam is not allowed or the model has no derivations.
        """
        raise CrossarcError(f"a {self.kind} has no derivations; parse without a beam")

    def like(self, treebank: str) -> Self:
        """The model with the conventions of another of its training treebanks.

        Raises CrossarcError for a treebank that it did not learn from, and for a model of one treebank.
        """
        steps = [(step, step.like(treebank)) for step in self.steps]
        if not any(other for _, other in steps):
            raise CrossarcError(f"like: found {treebank!r}, but the model learned from one treebank")
        return replace(self, steps=tuple(other or step for step, other in steps))

    def with_provenance(self, **entries: Any) -> Self:
        """The model with additional provenance."""
        return replace(self, provenance={**self.provenance, **entries})

    def tokenize(self, text: str, ranges: bool = False) -> list[Sentence]:
        """The sentences of a raw text, with their spacing in MISC. Raises CrossarcError without a tokenizer.

        ranges: also write the places of tokens in the text to MISC, as ``TokenRange=FIRST:END``.
        """
        rows = "".join(require_segmenter(self.segmenter).conllu([text], "", ranges=ranges))
        return list(read_sentences(io.StringIO(rows), "conllu")) if rows else []

    def __call__(self, text: str) -> list[Sentence]:
        """The parsed sentences of a raw text. Raises CrossarcError for models without a tokenizer.

        >>> import crossarc
        >>> config = crossarc.load_config("swap", ["features=small", "input=text"], {"treebank.train": "dev.conllu"})
        >>> model = crossarc.train(config)
        >>> len(model("A dog barks . A cat sleeps .")) > 0
        True
        """
        return list(self.parse(self.tokenize(text)))

    def parse_texts(self, texts: Iterable[str], jobs: int = 1, **options: Any) -> Iterator[list[Sentence]]:
        """The parsed sentences of each of many raw texts, which are parsed together and so much faster than one by one.

        texts: raw texts. Those of about 4 096 sentences are read before the first result.
        jobs, options: as for :meth:`parse`.

        Raises CrossarcError for models without a tokenizer, and as :meth:`parse` does.

        >>> import crossarc
        >>> config = crossarc.load_config("swap", ["features=small", "input=text"], {"treebank.train": "dev.conllu"})
        >>> model = crossarc.train(config)
        >>> len(list(model.parse_texts(["A dog barks .", "", "A cat sleeps ."])))
        3
        """
        require_segmenter(self.segmenter)
        counts: deque[int] = deque()

        def split() -> Iterator[Sentence]:
            for text in texts:
                sentences = self.tokenize(text)
                counts.append(len(sentences))
                yield from sentences

        parsed = self.parse(split(), jobs, **options)
        held = list(islice(parsed, 1))  # which reads the first texts
        while held or counts:
            count = counts.popleft()
            held += islice(parsed, count - len(held) if count > len(held) else 0)
            yield held[:count]
            held = held[count:] or list(islice(parsed, 1))

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The model as JSON values, without symbol tables and weights."""

    def to_text(self) -> str:
        """The model as readable text in a few lines, with counts instead of long lists."""
        return "\n".join(described(self.to_json()))

    def _repr_html_(self) -> str:
        """The description of the model, for notebooks."""
        return f"<pre>{escape(self.to_text())}</pre>"

    def parse(
        self,
        sentences: Any,
        jobs: int = 1,
        *,
        scores: bool = False,
        advance: Advance = nothing,
        allow_empty_columns: bool = False,
        retag: bool = False,
        keep_deps: bool = False,
        keep: str | None = None,
        stream: bool = False,
    ) -> Iterator[Sentence]:
        """Parse sentences in their order. The output has new values of HEAD and DEPREL.

        Up to 4 096 sentences (twice as many per process with ``jobs``) are read before the first result, because
        batches of sentences of similar length are fast; see ``stream``.

        sentences: sentences of any kind that :func:`crossarc.as_sentences` reads: lists of words or of mappings,
            TokenLists of conllu, frames of pandas, Docs of spaCy, graphs of NLTK.
        jobs: number of worker processes; input that takes less than 2 s is parsed in this process.
        scores: write calibrated probabilities to MISC, as ``Conf=0.93|ConfHead=0.97``: that head and label of the word
            are right, and that the head is right.
        advance: receives the number of words parsed.
        allow_empty_columns: parse even if all tag columns that the model reads are empty, with a warning.
        retag: replace tags of the input by those of the model's taggers.
        keep_deps: keep columns that describe the tree of the input (DEPS, or PHEAD and PDEPREL of CoNLL-X); otherwise
            they become "_".
        keep: values that a person has decided and that stay: ``given``, those of the words with a HEAD other than "_";
            or ``marked``, those of the words with ``Keep=Yes`` in MISC, or with ``Keep=head,upos``, which names what is
            decided. The value "_" is not decided: the model fills it.
        stream: return the result of each sentence before the next one is read; slower, and in this process.

        Raises CrossarcError for values that are not sentences, for empty tag columns, for sentences without a column
        that the features read, for ``jobs`` below 1, for scores of a model without calibration, and for arcs to keep
        that no tree has together.
        """
        hold = 1 if stream else FIRST
        check = InputCheck(self, allow_empty_columns, hold=hold, retag=retag, keep=keep is not None)
        checked = check.sentences(sentences)
        options = {"scores": scores, "retag": retag, "keep_deps": keep_deps, "keep": keep}
        return in_chunks(self, checked, 1 if stream else jobs, advance, 1 if stream else CHUNK, **options)


MODELS: Mapping[str, type[ParserModel]] = Lazy(
    __package__, {"transitions": "transition_model:TransitionModel"}, "MODELS"
)
"""The model classes by kind."""


def in_chunks(
    model: ParserModel,
    sentences: Iterable[Sentence],
    jobs: int,
    advance: Advance = nothing,
    size: int = CHUNK,
    **options: Any,
) -> Iterator[Sentence]:
    """The results of ``model.parse_chunk`` for the sentences, in chunks and in their order.

    jobs: number of worker processes. They start after :data:`START` seconds of parsing in this process, and map one
        file with the model into memory.
    size: number of sentences of a chunk.
    options: of ``parse_chunk``.

    Raises CrossarcError if ``jobs`` is below 1.
    """
    if not isinstance(jobs, SupportsIndex) or index(jobs) < 1:
        raise CrossarcError(f"jobs: found {jobs!r}, expected a number, 1 or more")
    jobs, spent = index(jobs), 0.0
    stream = iter(sentences)
    while chunk := list(islice(stream, size if jobs == 1 else TRIAL)):
        start = perf_counter()
        parsed = model.parse_chunk(chunk, advance=advance, **options)
        spent += perf_counter() - start
        yield from parsed
        if jobs > 1 and spent > START:
            break
    if not (first := list(islice(stream, 1))):
        return
    from joblib import Parallel, delayed, dump  # slow to import, and not needed for one process

    stream = chain(first, stream)
    with TemporaryDirectory(prefix="crossarc-") as folder, Parallel(n_jobs=jobs, return_as="generator") as parallel:
        path = str(Path(folder, "model"))
        dump(model, path)
        parse = delayed(with_parts_of_main(_parse_stored))
        # the next sentences are read after these are written, so that results do not pile up before a slow reader
        while window := list(islice(stream, 2 * jobs * CHUNK)):
            size = min(CHUNK, max(MIN_PART, -(-len(window) // jobs)))
            parts = [window[start : start + size] for start in range(0, len(window), size)]
            results = parallel(parse(path, part, options) for part in parts)
            for part, parsed in zip(parts, results, strict=True):
                advance(sum(map(len, part)))
                yield from parsed


def _parse_stored(path: str, sentences: Sequence[Sentence], options: Mapping[str, Any]) -> list[Sentence]:
    return _stored(path).parse_chunk(sentences, **options)


@lru_cache(maxsize=1)
def _stored(path: str) -> ParserModel:
    """The model in a file of this run, with its arrays mapped into memory."""
    from joblib import load

    return load(path, mmap_mode="c")  # numba compiles again for arrays that are read-only
