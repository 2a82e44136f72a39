"""The parser as an estimator of scikit-learn."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from ....transitions.registry import SYSTEMS
from ...base.errors import CrossarcError
from ...base.progress import Progress, nothing, task
from ...config.config import ParserConfig
from ...config.loading import load_config, make_config, saved_values
from ...config.ready import ready_configs
from ...evaluate.align import score_sentences
from ...models.files import load_model, save_model
from ...models.trained import TrainedParser
from ...training.train import train
from ...treebank import Sentence
from ...treebank.samples import as_sentences, with_trees

SAME = ("features", "transforms", "beam", "raw", "classes")
NAMED = {"C": "guide.C", "learner": "guide.learner", **dict(zip(SAME, SAME, strict=True))}
"""The keys of a config with a separate parameter."""


class UnfittedError(CrossarcError, NotFittedError):  # type: ignore[misc]
    """Raised if a parser is asked for trees before it was trained."""


class ParsedSentences(list[Any]):
    """Parsed sentences; numpy stores them as objects, although each is a sequence of words."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.object_]:
        """The sentences as an array of objects (object, (n,)); scikit-learn joins the parts of a cross-validation."""
        return np.fromiter(self, object, len(self))


class DependencyParser(BaseEstimator):  # type: ignore[misc]
    """A dependency parser with the interface of scikit-learn's estimators. Samples are sentences.

    system: a transition system, ``graph``, a ready config, the level ``fast`` or ``accurate``, or a YAML file. It sets
        all parameters that are None; facts about the training sentences choose the settings of a level.
    C: penalty of errors of linear guides and of graph-based learning.
    learner: learner that scores transitions, for example ``svm``, ``maxent``, ``perceptron`` or ``knn``.
    features: ``rich``, ``full``, ``small``, ``plain`` or a file.
    transforms: as in configs.
    beam: number of derivations in the beam.
    raw, classes: raw texts to learn word classes from, or a file with classes.
    settings: other keys of a config by dotted name, such as ``{"guide.k": 3, "root.single": True}``.
    n_jobs: number of worker processes that parse. None is 1, -1 is all processors.

    The gold trees are in the sentences, so ``y`` must be None. After :meth:`fit`, ``model_`` is the parser and
    ``labels_`` its dependency labels. :meth:`fit` checks the parameters, and raises CrossarcError for invalid ones and
    for invalid sentences.

    >>> import crossarc
    >>> from sklearn.model_selection import GridSearchCV, cross_val_score
    >>> sentences = list(crossarc.read_sentences("train.conllu"))
    >>> parser = crossarc.DependencyParser("swap", C=0.03, features="small").fit(sentences)
    >>> parser.score(crossarc.read_sentences("test.conllu")) > 70
    True
    >>> [round(score) > 50 for score in cross_val_score(parser, sentences[:60], cv=2)]
    [True, True]
    >>> search = GridSearchCV(parser, {"system": ["arc-standard", "swap"]}, cv=2).fit(sentences[:60])
    >>> search.best_params_["system"] in ("arc-standard", "swap")
    True

    Input may be a :class:`Sentence`, a list of words or of mappings, a ``conllu.TokenList``, a spaCy Doc or a frame of
    pandas. Output has the same type:

    >>> [parsed] = parser.predict([[{"form": "Dogs", "upos": "NOUN"}, {"form": "bark", "upos": "VERB"}]])
    >>> sorted(parsed[0])
    ['deprel', 'form', 'head', 'upos']
    """

    model_: TrainedParser
    labels_: tuple[str, ...]

    def __init__(
        self,
        system: str = "swap",
        *,
        C: float | None = None,
        learner: str | None = None,
        features: str | None = None,
        transforms: Iterable[str] | None = None,
        beam: int | None = None,
        raw: Sequence[str] | None = None,
        classes: str | None = None,
        settings: Mapping[str, Any] | None = None,
        n_jobs: int | None = 1,
    ) -> None:
        self.system = system
        self.C = C
        self.learner = learner
        self.features = features
        self.transforms = transforms
        self.beam = beam
        self.raw = raw
        self.classes = classes
        self.settings = settings
        self.n_jobs = n_jobs

    def config(self, sentences: Sequence[Sentence] | None = None) -> ParserConfig:
        """Return the config that the parameters describe. Raises CrossarcError for values that are not allowed.

        sentences: treebank whose facts choose the settings of a level.
        """
        if not isinstance(self.settings, Mapping | None):
            raise CrossarcError(f"settings: found {self.settings!r}, expected a mapping from keys to values")
        values = {key: getattr(self, name) for name, key in NAMED.items() if getattr(self, name) is not None}
        if "transforms" in values:
            values["transforms"] = _listed(values["transforms"])
        sections = [(key, value) for key, value in (self.settings or {}).items() if isinstance(value, Mapping)]
        nested = {f"{key}.{name}" for key, value in sections for name in value}
        # a level or a config may be taken with another system
        separate = {*values, *(["system"] if isinstance(self.system, str) and self.system in SYSTEMS else [])}
        if doubled := sorted(separate & {*(self.settings or {}), *nested}):
            raise CrossarcError(
                f"settings: {doubled[0]} is given twice, in settings and as a separate parameter; give it once"
            )
        if doubled := sorted(nested & {*(self.settings or {})}):
            raise CrossarcError(f"settings: {doubled[0]} is given twice, by itself and in a section; give it once")
        values |= self.settings or {}
        values = {key: value.item() if isinstance(value, np.generic) else value for key, value in values.items()}
        if not isinstance(self.system, str | os.PathLike):
            raise CrossarcError(f"system: found {self.system!r}, expected the name of a system or of a config")
        if self.system in SYSTEMS and self.system not in ready_configs():
            return make_config({"system": self.system, **values})
        return load_config(self.system, (), values, sentences=sentences)

    def fit(self, sentences: Any, y: None = None, *, progress: Progress = nothing) -> Self:
        """Train on sentences with trees.

        y: must be None.
        progress: receives reports, one line at a time.

        Raises CrossarcError for invalid parameters, sentences and trees.
        """
        if y is not None:
            raise CrossarcError(f"y: found {type(y).__name__}, expected None: the gold trees are in the sentences")
        treebank = list(as_sentences(sentences))
        self.model_ = train(self.config(treebank), progress, treebank)
        self.labels_ = self.model_.labels
        return self

    def predict(
        self, sentences: Any, *, progress: Progress = nothing, allow_empty_columns: bool = False, retag: bool = False
    ) -> Any:
        """Parse sentences and return them in the types of the input (:func:`~.samples.with_trees`).

        progress: receives reports, one line at a time.
        allow_empty_columns: parse with a warning even if all tag columns that the model reads are empty.
        retag: whether tags that the model predicts replace those of the sentences.

        Raises CrossarcError for sentences without the tags that the model reads, for other invalid input, and for a
        parser that is not trained.
        """
        model, jobs = self._model(), self._jobs()

        def parse(read: list[Sentence]) -> list[Sentence]:
            with task(progress, "parsing", "words", sum(map(len, read))) as advance:
                options: Any = {"allow_empty_columns": allow_empty_columns, "retag": retag}
                return list(model.parse(read, jobs, advance=advance, **options))

        parsed = with_trees(sentences, parse)
        return ParsedSentences(parsed) if isinstance(parsed, list) else parsed

    def score(self, sentences: Any, y: None = None) -> float:
        """Return the labelled attachment score, in per cent, of parsing sentences with gold trees.

        y: not used.

        Tags that the model predicts replace those of the sentences.
        """
        gold = as_sentences(sentences)
        scores = score_sentences(gold, self._model().parse(gold, self._jobs(), retag=True))
        if scores.las is None:
            raise CrossarcError("score: found no words, expected one sentence or more")
        return scores.las

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the parser to a model file, which the command line can read, too."""
        save_model(self._model(), path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load the parser in a model file, with the parameters of its training.

        Raises CrossarcError for other files, and for a blend, which has no parameters for training it again.
        """
        model = load_model(path)
        refusal = f"{os.fspath(path)}: a {model.kind} is not an estimator; open it with crossarc.open_parser"
        trained = TrainedParser.of(model, refusal)
        values = saved_values(trained.config)
        system = values.pop("system")
        arguments = {name: values.pop(key) for name, key in NAMED.items() if key in values}
        parser = cls(system, **arguments, settings=values)
        parser.model_ = trained
        parser.labels_ = trained.labels
        return parser

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        return tags

    def _model(self) -> TrainedParser:
        if not hasattr(self, "model_"):
            raise UnfittedError("this parser has not been trained; call fit(sentences), or DependencyParser.load")
        return self.model_

    def _jobs(self) -> int:
        try:
            return int(effective_n_jobs(None if self.n_jobs is None else index(self.n_jobs)))
        except (TypeError, ValueError):
            fault = f"found {self.n_jobs!r}, expected a whole number other than 0, or None"
            raise CrossarcError(f"n_jobs: {fault}") from None


def _listed(transforms: Any) -> tuple[Any, ...]:
    if isinstance(transforms, str) or not isinstance(transforms, Iterable):
        raise CrossarcError(f"transforms: found {transforms!r}, expected a list of transforms")
    return tuple(transforms)
