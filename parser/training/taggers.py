"""Training taggers, with folds: a parser learns from tags with the errors that it will meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ...features.template import FeatureModel
from ..base.errors import CrossarcError
from ..base.progress import Progress, nothing
from ..config.config import AUTO, TAGGED, Config, RootOptions, TagOptions
from ..config.feature_files import load_features
from ..models.inputs import has_values
from ..models.tables import build_tables
from ..models.tagger import SYSTEM, Tagger, tag
from ..models.words import SentenceWords
from ..search.greedy import Fallback
from ..tagging.encodings import LEMMA, keys_of, labels_of
from ..treebank import Sentence
from ..treebank.symbols import feature_columns, treebank_column
from ..treebank.tree import Tree
from .derivations import TrainingData
from .exploration import folds_of
from .stage import train_stages

SEED = 1
_CONFIG = Config(system=SYSTEM, root=RootOptions(exclusive=False)).resolved(single_root=True, root_label="")


def tagged_columns(options: TagOptions, looked_at: Collection[str], sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """The columns that taggers are to predict. looked_at: those of the treebank that features look at.

    Raises CrossarcError for columns without values, and for fewer sentences than folds.
    """
    wanted = [name for name in TAGGED if name in (looked_at if options.columns == AUTO else options.columns)]
    missing = [name for name in wanted if not has_values(sentences, name)]
    if missing and options.columns != AUTO:
        raise CrossarcError(f"tags.columns: found {missing[0]}, of which the training treebank has no values")
    if wanted and len(sentences) < options.folds:
        raise CrossarcError(f"tags.folds: found {options.folds}; allowed: {len(sentences)} at most, one per sentence")
    return tuple(name for name in wanted if name not in missing)


def train_taggers(
    columns: Sequence[str], folds: int, sentences: Sequence[Sentence], provenance: Mapping[str, Any], progress: Progress
) -> tuple[tuple[Tagger, ...], list[Sentence], dict[str, float]]:
    """(taggers that are trained on all sentences; the sentences with what taggers of other folds predict of them; the
    percentage of right values in them, by column). provenance: that of the parser."""
    parts = folds_of(len(sentences), folds, SEED) if columns else []
    taggers: list[Tagger] = []
    right: dict[str, float] = {}
    tagged = list(sentences)  # so far: each column is learned with the errors in those before it
    for column in columns:
        gold = [sentence.column(column) for sentence in sentences]
        features = _features(column, [tagger.column for tagger in taggers])
        keys = keys_of(column, {value for values in gold for value in values})
        found = list(tagged)
        for part in parts:
            held_out = set(part)
            rest = [number for number in range(len(sentences)) if number not in held_out]
            own = [tagged[number] for number in rest], [gold[number] for number in rest]
            words = SentenceWords([tagged[number] for number in part], retag=True)
            tag(words, [_tagger(column, keys, features, *own, provenance)])
            for number, sentence in zip(part, words.with_tags(), strict=True):
                found[number] = sentence
        taggers.append(_tagger(column, keys, features, tagged, gold, provenance))
        tagged = found
        predicted = [value for sentence in tagged for value in sentence.column(column)]
        pairs = zip(predicted, (value for values in gold for value in values), strict=True)
        right[column] = 100 * sum(one == other for one, other in pairs) / len(predicted)
        progress(f"tags: {column.upper()} {right[column]:.2f} % right, of taggers of the other of {folds} folds")
    return tuple(taggers), tagged, right


def _features(column: str, earlier: Sequence[str]) -> FeatureModel:
    """What a tagger looks at: forms, its last tags, and the columns that were predicted before."""
    features = load_features(LEMMA if column == LEMMA else "tagged", SYSTEM, None)
    known = {"form", *earlier}
    return FeatureModel(
        tuple(
            template
            for template in features.templates
            if all(not part.column or treebank_column(part.column) in known for part in template.parts)
        )
    )


def _tagger(
    column: str,
    keys: Sequence[str],
    features: FeatureModel,
    sentences: Sequence[Sentence],
    gold: Sequence[Sequence[str]],
    provenance: Mapping[str, Any],
) -> Tagger:
    columns = [feature_columns(sentence, features.columns) for sentence in sentences]
    tables = build_tables({name: [own[name] for own in columns] for name in features.columns})
    forms = [sentence.column("form") for sentence in sentences]
    parsers = {}
    for key in keys:
        labels = labels_of(column, key, forms, gold)
        counts = Counter(label for own in labels for label in own if label)
        names = tuple(sorted(counts))
        usual = names.index(max(names, key=counts.__getitem__))
        trees = [
            Tree(list(range(-1, len(own))), ["", *own], values) for own, values in zip(labels, columns, strict=True)
        ]
        data = TrainingData(trees, trees, [""] * len(trees), names, tables, Fallback(usual, usual))
        common = {"config": _CONFIG.to_json(), "tables": tables, "labels": names, "transforms": ()}
        common["provenance"] = provenance
        parsers[key] = train_stages(_CONFIG, {SYSTEM: features}, data, common, nothing)
    return Tagger(column, parsers)
