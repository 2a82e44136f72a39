"""Scores of a model on a development treebank, and calibration of the scores of its arcs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..base.data_warnings import warn
from ..base.errors import CrossarcError
from ..base.progress import Advance, Progress, counted, nothing, task
from ..config.config import KEEP, RAW, WORDS, AnyConfig, ParserConfig, TreebankOptions
from ..evaluate.align import score_sentences
from ..evaluate.conll18 import evaluate_conll18
from ..evaluate.resampling import bootstrap, token_counts
from ..evaluate.scores import Scores
from ..models.inputs import InputCheck
from ..models.model import ParserModel
from ..models.steps import STEPS, Calibrator
from ..models.words import SentenceWords
from ..treebank import ReadTreebank, Sentence, read_treebank
from ..treebank.pairs import read_tree
from ..treebank.tree import FlatTrees, Tree, flat_trees, right_arcs, trees_in, trees_of
from .exploration import folds_of
from .partial import MARKED, decided_words, only_decided
from .prepare import read_gold, warn_of_training_data
from .train import train_any

M = TypeVar("M", bound=ParserModel)
RESAMPLES = 1_000
"""Number of resamples of the confidence interval that a model records."""
FROM_TEXT = "Words", "Sentences", "UPOS", "UAS", "LAS"
"""Scores of the shared task that a model of raw text gets on the development treebank."""
FOLDS, SEED = 3, 1
"""Number of parts of a training treebank without development treebank for calibration, and the seed of the division."""
FEWEST, MOST = 30, 1_000
"""A model is calibrated by parts of a training treebank from FEWEST to below MOST sentences: fewer say too little, and
more take too long."""


def score_on(
    model: M, options: TreebankOptions, progress: Progress = nothing, read: ReadTreebank = read_treebank
) -> tuple[M, Scores]:
    """Score a model on a development treebank, and calibrate the scores of its arcs.

    options: its key ``dev`` names the treebank.
    progress: receives reports, one line at a time.
    read: reads the treebank.

    Returns the calibrated model with the scores in its provenance, and the scores. A model of raw text is scored on the
    text of the treebank, too: its provenance has these scores of the CoNLL 2018 shared task as ``from_text``.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["features=small"], {"treebank.train": "dev.conllu"})
    >>> model = crossarc.train(config)
    >>> model, scores = crossarc.score_on(model, crossarc.TreebankOptions(dev="dev.conllu"))
    >>> model.provenance["dev"]["las"] == scores.las
    True
    """
    treebank = read_gold(options, read)
    gold = treebank.sentences
    if train := model.provenance.get("train"):
        warn_of_training_data(treebank, train["sha256"], train.get("sample", ()))
    with task(progress, "parsing the development treebank", "words", sum(map(len, gold))) as advance:
        checked = InputCheck(model, True, retag=True).sentences(gold)
        model, parsed = calibrated(model, list(checked), advance)
    scores = score_sentences(gold, parsed)
    figures = {name: getattr(scores, name) for name in ("las", "uas", "la", "lem", "uem")}
    told: dict[str, Any] = {"sha256": treebank.sha256, **figures, "las_interval": _interval(gold, parsed)}
    if model.segmenter is not None:
        try:
            with task(progress, "parsing the raw text of the development treebank"):
                f1 = evaluate_conll18(gold, model(model.segmenter.source_text(gold))).f1
            told["from_text"] = {unit.lower(): round(f1[unit], 2) for unit in FROM_TEXT}
        except CrossarcError as error:  # forms that no text has as they are, such as a byte order mark
            warn(f"{treebank.path}: the model cannot be scored from raw text: {error}")
    return model.with_provenance(dev=told), scores


def _interval(gold: Sequence[Sentence], parsed: Sequence[Sentence]) -> list[float]:
    """The ends of the 95 % confidence interval of LAS, by a bootstrap over sentences."""
    one, other = (flat_trees(trees_of(side)) for side in (gold, parsed))
    (ends,) = bootstrap(token_counts([right_arcs(other, one)[0]], one.lengths), RESAMPLES).tolist()
    return list(ends)


def calibrated(model: M, gold: Sequence[Sentence], advance: Advance = nothing) -> tuple[M, list[Sentence]]:
    """The model with scores calibrated on gold sentences, and these sentences parsed, with predicted tags."""
    words = SentenceWords(gold, retag=True)
    margins = np.zeros(int(words.lengths.sum()))
    trees = model.trees(words, advance, margins)
    model = _with_calibration(model, margins, trees, trees_of(gold))
    return model, words.with_trees(model.repaired(words, trees, margins))


def calibrated_by_folds(
    model: M,
    config: AnyConfig,
    sentences: Sequence[Sentence],
    progress: Progress = nothing,
    jobs: int = 1,
    read: ReadTreebank = read_treebank,
) -> M:
    """The model with scores calibrated on its training sentences, which parsers of the other parts have parsed.

    config, sentences: what the model was trained with. Each of :data:`FOLDS` parts is parsed by a parser that is
        trained on the others, without raw text. Only words with a decided head count.
    jobs: number of components of a blend that are trained in parallel.
    read: reads further treebanks.

    Treebanks with fewer than :data:`FEWEST` sentences, or with :data:`MOST` or more, leave the model as it is, and so
    does a part from which no parser can be trained.
    """
    if len(sentences) >= MOST:
        return model
    without: dict[str, Any] = {"model": "", "treebank": replace(config.treebank, dev="")}
    if isinstance(config, ParserConfig):
        without |= {"raw": (), "input": WORDS if config.input == RAW else config.input}
    parts_config: Any = replace(cast(Any, config), **without)
    if config.treebank.faulty == "skip":
        sentences = [sentence for sentence in sentences if _has_tree(sentence)]
    if len(sentences) < FEWEST:
        return model
    which = decided_words(config.treebank.decided, sentences)
    learned = only_decided(sentences, which)
    if which == MARKED:  # also in a part without marks, all of whose words are open
        parts_config = replace(parts_config, treebank=replace(parts_config.treebank, decided=KEEP))
    try:
        trees, margins = parsed_by_folds(
            sentences,
            lambda rest: train_any(parts_config, sentences=rest, jobs=jobs, read=read),
            FOLDS,
            SEED,
            progress,
            "calibrating scores",
        )
    except CrossarcError as error:
        progress(f"scores are not calibrated, since two thirds of the treebank cannot be learned from: {error}")
        return model
    gold = [read_tree(sentence, partial=True) for sentence in learned]
    return _with_calibration(model, margins, flat_trees(trees), gold)


def parsed_by_folds(
    sentences: Sequence[Sentence],
    learn: Callable[[list[Sentence]], ParserModel],
    folds: int,
    seed: int,
    progress: Progress,
    what: str,
) -> tuple[list[Tree], NDArray[np.float64]]:
    """Parse each part of a treebank, with predicted tags, by a parser that has learned from the others.

    learn: trains a parser from sentences.
    folds, seed: number of parts, and random seed of the division.
    what: name of the task for ``progress``.

    Returns the trees, and the margins of all words (float64, (words,)). Raises CrossarcError for fewer sentences than
    folds.
    """
    trees: dict[int, Tree] = {}
    margins: dict[int, NDArray[np.float64]] = {}
    for part in counted(folds_of(len(sentences), folds, seed), progress, what, "folds", folds):
        held_out = set(part)
        words = SentenceWords([sentences[number] for number in part], retag=True)
        margins_of_part = np.zeros(int(words.lengths.sum()))
        parser = learn([sentence for number, sentence in enumerate(sentences) if number not in held_out])
        trees.update(zip(part, trees_in(parser.trees(words, margins=margins_of_part)), strict=True))
        margins.update(zip(part, np.split(margins_of_part, np.cumsum(words.lengths)[:-1]), strict=True))
    numbers = range(len(sentences))
    return [trees[number] for number in numbers], np.concatenate([margins[number] for number in numbers])


def _has_tree(sentence: Sentence) -> bool:
    try:
        read_tree(sentence, partial=True)
    except CrossarcError:
        return False
    return True


def _with_calibration(model: M, margins: NDArray[np.float64], trees: FlatTrees, gold: Sequence[Tree]) -> M:
    """The model with a step that is fitted to the margins of parsed words; without any, the model as it is."""
    calibrator = next((kind for kind in STEPS.values() if issubclass(kind, Calibrator)), None)
    if not len(margins) or calibrator is None:
        return model
    return model.with_step(calibrator.fit(margins, trees, flat_trees(gold)))
