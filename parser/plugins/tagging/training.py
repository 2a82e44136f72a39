"""Training of taggers with folds, so that a parser learns from tags with realistic errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress, islice, product
from types import MappingProxyType
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....features.extractor import Extractor
from ....features.template import FeatureModel
from ....transitions.configuration import Bools, Ints
from ....transitions.registry import make_system
from ...base.data_warnings import warn
from ...base.errors import CrossarcError
from ...base.parameters import parameters_of
from ...base.progress import Progress, nothing
from ...config.config import AUTO, GOLD, Config, chosen
from ...config.feature_files import SUPPLIED, load_features
from ...learners.instances import Instances
from ...models.inputs import columns_text, has_values
from ...models.words import KEEPERS, SentenceWords
from ...search.greedy import Fallback
from ...search.stage import Stage
from ...training.derivations import Derivations, TrainingData, merge_instances
from ...training.exploration import folds_of
from ...training.prepare import Preparation, StepTrainer
from ...treebank import TAGGED, Sentence, SymbolTable
from ...treebank.symbols import BATCH, build_tables, nameable_columns, nfc, treebank_column
from ...treebank.tree import Tree
from .chains import depends_on_tags
from .encodings import (
    LEMMA,
    UPOS,
    WHOLE,
    attributes_of,
    keys_of,
    known_lemmas,
    labels_of,
    marks_of_lemmas,
    open_attributes,
)
from .taggers import PieceTagger, Tagger

SYSTEM = "tagging"
POINTED = "pointed"
"""The feature model of lemmas where forms have marks that lemmas lack."""
FOLDS, SEED = 3, 1
"""Number of parts of the treebank, each tagged by taggers that were trained on the others, and seed of the division.

With ``fast``, LAS from words on the development sets of Afrikaans, Greek and Gothic was 76.5 with five parts, 76.9 with
three and 76.6 with two; training took 7.0, 4.8 and 4.0 times as long as with gold tags."""
FEWEST_DECIDED = 10
"""Minimum number of sentences with decided values of a column, so that the taggers of each fold have some."""
MANY_WORDS, FOLDS_OF_MANY = 300_000, 2
"""Number of words from which on there are fewer parts: half of such a treebank is enough for realistic tags."""
POS = {UPOS, "xpos"}
"""The columns that are one in CoNLL-2009."""
_GUIDE = {"learner": "svm", "C": 0.05}
TOL, TOL_OF_FOLDS = 0.3, 0.6
"""UPOS of 2 000 sentences of English-EWT is as accurate with C from 0.05 to 0.2 and tol from 0.1 to 0.5; these values
are fast. Taggers of folds, which only show what errors are like, need not be as good."""
MOST_LABELS = 100
"""Number of labels up to which features that occur once are learned, except for lemmas, which always gain by them. They
gain 0.4 points of UPOS there, and take a row of weights for each label."""
_CONFIG = Config(system=SYSTEM, guide=_GUIDE).resolved(single_root=True, root_label="")


Encoded: TypeAlias = dict[tuple[int, ...], dict[str, NDArray[np.integer]]]


@dataclass
class Chains(TrainingData):
    """Training data of one piece of a column's values.

    encoded: the value ids of batches, by the numbers of their trees; all pieces share them.
    """

    encoded: Encoded

    def value_ids(self, numbers: Sequence[int]) -> dict[str, NDArray[np.integer]]:
        if (key := tuple(numbers)) not in self.encoded:
            self.encoded[key] = super().value_ids(numbers)
        return self.encoded[key]


class TaggerTrainer(StepTrainer):
    """Trains a tagger for each column that the config key ``tags`` asks for."""

    def fills(self, read: Collection[str], sentences: Sequence[Sentence]) -> tuple[str, ...]:
        """The columns to tag: those in ``tags``; with ``auto``, those that the parser reads and the treebank has.

        Raises CrossarcError for a column in ``tags`` without values, and for fewer sentences than :data:`FOLDS`.
        """
        asked = set(read if self.value == AUTO else self.value)
        if asked & POS and any(sentence.format.name == "conll09" for sentence in sentences[:1]):
            asked |= POS & set(read)  # they are one column there, which is predicted as a whole
        wanted = [name for name in TAGGED if name in asked]
        given = [name for name in TAGGED if name in read and name not in asked and has_values(sentences, name)]
        if given and self.wanted["input"] != GOLD:
            lacking = f"with input={self.wanted['input']} words have no {columns_text(given)}"
            raise CrossarcError(f"tags: {lacking}, which the features read; add them, or set tags=auto")
        missing = [name for name in wanted if not has_values(sentences, name)]
        if missing and self.value != AUTO:
            raise CrossarcError(f"tags: found {missing[0]}, but the training treebank has no values of it; omit it")
        if wanted and len(sentences) < FOLDS:
            raise CrossarcError(f"tags: found {len(sentences)} training sentences, expected {FOLDS} or more")
        self._columns = tuple(name for name in wanted if name not in missing)
        return self._columns

    def train(self, data: Preparation) -> None:
        """Train on all sentences; these get the tags that taggers of other folds predict of them."""
        tags = any(name != LEMMA for name in self._columns)
        uses = {"tag_candidates": UPOS in self._columns, "tag_features": tags, "lemma_features": LEMMA in self._columns}
        for key, used in uses.items():
            if not used and self.wanted[key] != parameters_of(Config)[key].default:
                warn(f"{key} has no effect: predicted are {', '.join(self._columns) or 'no columns'}")
        of_tags = chosen(self.wanted["tag_features"], lambda: "tagged")
        columns = [
            [sentence.column(name) for sentence in data.sentences] for name in ("form", LEMMA) if LEMMA in self._columns
        ]
        pointed = bool(columns) and marks_of_lemmas(*columns) is not None
        of_lemmas = chosen(self.wanted["lemma_features"], lambda: POINTED if pointed else LEMMA)
        models = {column: of_lemmas if column == LEMMA else of_tags for column in self._columns}
        constant = {name: value for step in data.steps for name, value in step.constant.items()}
        decided = _decided_values(data.sentences, data.decided, models, constant)
        ends = np.cumsum(list(map(len, data.sentences)))[:-1]
        for column in [column for column in models if column in decided]:
            of_sentences = sum(words.any() for words in np.split(decided[column], ends))
            if of_sentences >= FEWEST_DECIDED:
                continue
            fault = f"{column} has decided values in {of_sentences} sentences, expected {FEWEST_DECIDED} or more"
            if self.value != AUTO:
                raise CrossarcError(f"tags: {fault}; omit it")
            data.progress(f"tags: {fault}: it is not predicted")
            del models[column]
        directions = self.wanted["tag_directions"]
        taggers, data.sentences, right = train_taggers(
            models, data.sentences, data.progress, directions, constant, decided
        )
        candidates = self.wanted["tag_candidates"]
        choosing = [tagger.column == UPOS and [*tagger.pieces] == [WHOLE] for tagger in taggers]
        if candidates and UPOS in models and not any(choosing):
            warn("tag_candidates has no effect: parts of UPOS are predicted, too")
        data.steps += [
            replace(tagger, candidates=candidates if chooses else 0)
            for tagger, chooses in zip(taggers, choosing, strict=True)
        ]
        data.provenance |= {"tags": right} if right else {}


def _decided_values(
    sentences: Sequence[Sentence], decided: Sequence[str | None], columns: Iterable[str], groups: Collection[str]
) -> dict[str, Bools]:
    """By column, the words whose value is learned (bool, (words,)); without the columns of which all words are.

    decided: what a person has decided of each sentence.
    groups: columns that tell treebanks apart. Where a treebank has no values of a column, none is learned.
    """
    if not groups and not any(decided):
        return {}
    flags = {column: [np.ones(len(sentence), dtype=np.bool_) for sentence in sentences] for column in columns}
    for which in {*decided} - {None}:
        numbers = [number for number, of_sentence in enumerate(decided) if of_sentence == which]
        kept = KEEPERS[str(which)]([sentences[number] for number in numbers]).tags
        ends = np.cumsum([len(sentences[number]) for number in numbers])[:-1]
        for column in flags.keys() & kept.keys():
            for number, words in zip(numbers, np.split(kept[column], ends), strict=True):
                flags[column][number] = words
    treebanks: dict[tuple[str, ...], list[int]] = {}
    for number, sentence in enumerate(sentences if groups else ()):
        treebanks.setdefault(tuple("".join(sentence.column(name)[:1]) for name in groups), []).append(number)
    for column, numbers in product(flags, treebanks.values()):
        if not has_values([sentences[number] for number in numbers], column):
            for number in numbers:
                flags[column][number][:] = False
    joined = {column: np.concatenate([*words, np.zeros(0, dtype=np.bool_)]) for column, words in flags.items()}
    return {column: words for column, words in joined.items() if not words.all()}


def train_taggers(
    models: Mapping[str, str],
    sentences: Sequence[Sentence],
    progress: Progress,
    directions: int = 1,
    constant: Mapping[str, str] = MappingProxyType({}),
    decided: Mapping[str, Bools] = MappingProxyType({}),
) -> tuple[list[Tagger], list[Sentence], dict[str, float]]:
    """(taggers that are trained on all sentences; the sentences with what taggers of other folds predict of them; the
    percentage of right values in them, by column).

    models: by column, in order, the name or file of the feature model.
    directions: 2 to tag from right to left, too, where features depend on earlier tags.
    constant: by column, the value that all words have when the model tags. Sentences with other values, those of
        another treebank, are learned from as they are, but get the tags that they would get then: the parser learns
        from tags of one convention. Percentages are those of sentences with these values.
    decided: by column, the words whose value a person has decided (bool, (words,)); other values are not learned, and
        do not count in percentages.
    """
    folds = FOLDS if sum(map(len, sentences)) < MANY_WORDS else FOLDS_OF_MANY
    parts = folds_of(len(sentences), folds, SEED) if models else []
    ends = np.cumsum(list(map(len, sentences)))[:-1]
    is_decided = {column: [part.tolist() for part in np.split(words, ends)] for column, words in decided.items()}
    taggers: list[Tagger] = []
    right: dict[str, float] = {}
    parsed_like = [
        number
        for number, sentence in enumerate(sentences)
        if all(value in sentence.column(name) for name, value in constant.items())
    ]
    tagged = list(sentences)  # so far: each column is learned with the errors in those before it
    forms = [sentence.column("form") for sentence in sentences]
    for column, model in models.items():
        gold = [sentence.column(column) for sentence in sentences]
        supplied = [name for name in SUPPLIED if tagged and name in tagged[0].format.index]
        features = _features(model, [tagger.column for tagger in taggers], supplied)
        sources = {name: treebank_column(name) for name in features.columns}
        columns_of = [{name: sentence.column(source) for name, source in sources.items()} for sentence in tagged]
        tables = build_tables(features.columns, columns_of)
        pieces: dict[str, PieceTagger] = {}
        pieces_of_folds: list[dict[str, PieceTagger]] = [{} for _ in parts]
        encoded: tuple[Encoded, Encoded] = ({}, {})
        keys = keys_of(column, {value for values in gold for value in values})
        one_way = directions == 1 or not any(map(depends_on_tags, features.templates))
        attributes = () if one_way or keys != (WHOLE,) else _open_attributes(column, gold, tagged, decided)
        for key in (*keys, *attributes):
            labels = labels_of(column, key, forms, gold)
            if column in is_decided:
                labels = [
                    [label if known else "" for label, known in zip(*pair, strict=True)]
                    for pair in zip(labels, is_decided[column], strict=True)
                ]
            pairs = zip(labels, columns_of, strict=True)
            trees = [Tree(list(range(-1, len(labels))), ["", *labels], values) for labels, values in pairs]
            both = [trees, list(map(_reversed, trees))]
            pieces[key], of_folds = _piece_taggers(
                features, both[:1] if one_way else both, tables, encoded, parts, column == LEMMA
            )
            for pieces_of_fold, piece in zip(pieces_of_folds, of_folds, strict=True):
                pieces_of_fold[key] = piece
        # the lemmas of several treebanks may follow different conventions
        known = _lemmatized_words(sentences, UPOS in models, is_decided) if column == LEMMA and not constant else None
        taggers.append(Tagger(column, tables, pieces, known_lemmas(chain(*known)) if known else {}))
        for fold, pieces_of_fold in zip(parts, pieces_of_folds, strict=True):
            others = chain.from_iterable(part for part in parts if part is not fold)
            lemmas = known_lemmas(word for number in others for word in known[number]) if known else {}
            words = SentenceWords([_with_constants(tagged[number], constant) for number in fold])
            numbers, names = Tagger(column, tables, pieces_of_fold, lemmas).values(words)
            texts = iter([names[number] for number in numbers.tolist()])
            for number in fold:
                tagged[number] = tagged[number].with_columns({column: tuple(islice(texts, len(tagged[number])))})
        right[column] = _share_right(
            [tagged[number].column(column) for number in parsed_like],
            [gold[number] for number in parsed_like],
            [is_decided[column][number] for number in parsed_like] if column in is_decided else None,
        )
        progress(f"tags: {column.upper()} {right[column]:.2f} % right, by taggers of other folds ({folds} folds)")
    return taggers, tagged, right


def _share_right(
    predicted: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], decided: Sequence[Sequence[bool]] | None
) -> float:
    """The percentage of right values in some sentences. decided: the words that count (None: all)."""
    pairs = zip(chain.from_iterable(predicted), chain.from_iterable(gold), strict=True)
    counted = list(pairs if decided is None else compress(pairs, chain.from_iterable(decided)))
    return 100 * sum(nfc(value) == nfc(right) for value, right in counted) / max(1, len(counted))


def _open_attributes(
    column: str, gold: Sequence[Sequence[str]], sentences: Sequence[Sentence], decided: Mapping[str, Bools]
) -> tuple[str, ...]:
    """The attributes of a column that form and part of speech, as far as it is predicted, often leave open."""
    keys = attributes_of({value for values in gold for value in values})
    values = [value for values in gold for value in values]
    contexts = [*zip(*(_flat(sentences, name) for name in ("form", *TAGGED[: TAGGED.index(column)][:1])), strict=True)]
    chosen = decided.get(column, np.ones(len(values), dtype=np.bool_))
    return open_attributes(keys, list(compress(values, chosen)), list(compress(contexts, chosen)))


def _lemmatized_words(
    sentences: Sequence[Sentence], by_upos: bool, is_decided: Mapping[str, Sequence[Sequence[bool]]]
) -> list[list[tuple[str, str, str]]]:
    """Form, part of speech ("_" unless it is asked for) and lemma of the words of each sentence.

    is_decided: by column, whether the value of each word of each sentence is decided; other lemmas are left out.
    """
    words = []
    for number, sentence in enumerate(sentences):
        tags = sentence.column(UPOS) if by_upos else ("_",) * len(sentence)
        of_sentence = zip(sentence.column("form"), tags, sentence.column(LEMMA), strict=True)
        words.append(list(compress(of_sentence, is_decided[LEMMA][number]) if LEMMA in is_decided else of_sentence))
    return words


def _flat(sentences: Sequence[Sentence], column: str) -> list[str]:
    """The values of all words in a column; "_" in sentences without the column."""
    return [
        value
        for sentence in sentences
        for value in (sentence.column(column) if column in sentence.format.index else ("_",) * len(sentence))
    ]


def _features(model: str, earlier: Sequence[str], supplied: Sequence[str]) -> FeatureModel:
    """The features of a tagger: forms, its last tags, the columns predicted before, and those that steps supply.

    model: name or file of the feature model.
    """
    columns = nameable_columns(["form", *TAGGED, *supplied])
    features = load_features(model, SYSTEM, columns)
    known = {"form", *earlier, *supplied}
    return FeatureModel(
        tuple(
            template
            for template in features.templates
            if all(not part.column or treebank_column(part.column) in known for part in template.parts)
        )
    )


def _with_constants(sentence: Sentence, constant: Mapping[str, str]) -> Sentence:
    """The sentence with constant values in the columns that have them."""
    return sentence.with_columns({name: (value,) * len(sentence) for name, value in constant.items()})


def _reversed(chain: Tree) -> Tree:
    """The chain of the reversed sentence."""
    columns = {name: values[::-1] for name, values in chain.columns.items()}
    return Tree(chain.heads, ["", *chain.deprels[:0:-1]], columns)


class Direction(NamedTuple):
    """The derived chains of one direction.

    extractor: of the features of their words.
    instances, inventory: what is learned, see :func:`.derivations.merge_instances`.
    fold_of: the fold of each instance (int64, (instances,)).
    """

    extractor: Extractor
    instances: Instances
    inventory: Ints
    fold_of: Ints

    @classmethod
    def of(cls, config: Config, features: FeatureModel, data: TrainingData, folds: Sequence[Sequence[int]]) -> Self:
        """Derive the chains of some data."""
        extractor = data.extractor(features)
        batches = Derivations(config, make_system(SYSTEM), extractor, data).of(folds, BATCH, nothing)
        recorded = [batch.recorded for fold in batches for batch in fold]
        instances, inventory, sentences = merge_instances(recorded, extractor)
        fold_of = np.repeat(np.repeat(np.arange(len(folds)), list(map(len, batches))), list(map(len, sentences)))
        return cls(extractor, instances, inventory, fold_of)

    def stage(self, config: Config, fallback: Fallback, without: int | None) -> Stage:
        """The trained stage of this direction.

        config: of the learner. without: number of a fold that is left out; None for none.
        """
        instances = self.instances if without is None else self.instances.part(self.fold_of != without)
        return Stage(make_system(SYSTEM), self.extractor, self.inventory, fallback, config.learner().fit(instances))


def _piece_taggers(
    features: FeatureModel,
    directions: Sequence[Sequence[Tree]],
    tables: Mapping[str, SymbolTable],
    encoded: Sequence[Encoded],
    folds: Sequence[Sequence[int]],
    all_features: bool,
) -> tuple[PieceTagger, list[PieceTagger]]:
    """Taggers of one piece of a column's values: one that is trained on all sentences, and one for each fold.

    The tagger of a fold is trained on the sentences outside it. The stage of a parser serves as tagger, so sentences
    are trees here ("chains"), in which the label of each word is the piece to learn; heads do not count.

    directions: the chains, and for tagging in both directions those of the reversed sentences.
    encoded: of each direction, see :class:`Chains`.
    all_features: whether features that occur once are always learned.

    Labels "" are not learned.
    """
    chains = directions[0]
    counts = Counter(label for chain in chains for label in chain.deprels[1:] if label)
    names = tuple(sorted(counts))
    usual = names.index(max(names, key=counts.__getitem__))
    fallback = Fallback(usual, usual)
    guide = {**_GUIDE, "min_count": 1 if all_features or len(names) <= MOST_LABELS else 2}
    config, fold_config = (replace(_CONFIG, guide={**guide, "tol": tol}) for tol in (TOL, TOL_OF_FOLDS))
    derived = [
        Direction.of(config, features, Chains(trees, trees, [""] * len(trees), names, tables, fallback, cache), folds)
        for trees, cache in zip(directions, encoded[: len(directions)], strict=True)
    ]
    tagger = PieceTagger(names, *(direction.stage(config, fallback, None) for direction in derived))
    taggers_of_folds = [
        PieceTagger(names, *(direction.stage(fold_config, fallback, fold) for direction in derived))
        for fold in range(len(folds))
    ]
    return tagger, taggers_of_folds
