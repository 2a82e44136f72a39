"""Training on trees in which words have no head."""

import numpy as np
import pytest
from crossarc.experiments.studies.annotation.experiment import with_arcs
from crossarc.oracles.registry import DYNAMIC_ORACLES
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.config.loading import load_config
from crossarc.parser.evaluate.align import score_sentences
from crossarc.parser.training.train import train
from crossarc.transitions.trees import is_projective
from installed import needs

pytestmark = needs("annotation")


@pytest.fixture(scope="module")
def partial(sentences):
    """The sentences with half of their arcs, and one without arcs."""
    given = np.random.default_rng(1).random(sum(map(len, sentences))) < 0.5
    given[: len(sentences[0])] = False
    return with_arcs(sentences, given)


@pytest.mark.parametrize("name", [name for name, own in DYNAMIC_ORACLES.items() if own.teaches_partial_trees])
def test_parsers_with_a_dynamic_oracle_learn_from_half_of_the_arcs(name, partial, sentences):
    lines = []
    model = train(load_config(name, ["explore=1"]), lines.append, sentences=partial)
    headless = [sentence.column("head").count("_") for sentence in partial]
    usable = [count for count, own in zip(headless, partial, strict=True) if count < len(own)]
    assert any(line.startswith(f"{sum(usable)} words have no head: ") for line in lines)
    assert model.provenance["train"]["sentences"] == len(usable) < len(sentences)
    assert "" not in model.labels
    parsed = list(model.parse(sentences))
    assert (score_sentences(sentences, parsed).las or 0) > 60


@pytest.mark.parametrize("underivable", ["refuse", "skip", "projectivize"])
def test_complete_trees_are_treated_as_the_config_says(underivable, sentences):
    """What is said instead of it is told."""
    crossing = [sentence for sentence in sentences if not is_projective(sentence.heads())]
    words = [len(sentence) for sentence in sentences]
    partial = with_arcs(sentences, np.arange(sum(words)) >= words[0] // 2)
    assert crossing
    assert sentences[0] not in crossing
    config, lines = load_config("arc-eager", ["explore=1", f"underivable={underivable}"]), []
    if underivable == "refuse":
        with pytest.raises(CrossarcError, match=f"cannot derive {len(crossing)} of"):
            train(config, sentences=partial)
        return
    train(config, lines.append, sentences=partial)
    told = [line for line in lines if "minimal-cost instead of projectivize" in line]
    assert bool(told) == (underivable == "projectivize")


def test_fallback_labels_without_arcs_from_node_0(sentences):
    given = np.array([head != "0" for sentence in sentences for head in sentence.column("head")])
    model = train(load_config("arc-eager", ["explore=1"]), sentences=with_arcs(sentences, given))
    assert all(min(sentence.heads()[1:]) >= 0 for sentence in model.parse(sentences))


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("swap", []),
        ("arc-eager", []),
        ("graph", []),
        ("arc-eager", ["explore=1", "transforms=[pseudo-projective]"]),
        ("arc-eager", ["explore=1", "constraints=learned"]),
        ("three-step", ["explore=1"]),
        ("covington", ["explore=1"]),
        ("2-planar", ["explore=1"]),
    ],
)
@needs("graph")
def test_other_parsers_refuse_words_without_a_head_if_few_sentences_are_complete(name, settings, partial):
    message = "HEAD '_', and 0 sentences have a HEAD for each word, .* the config arc-eager with explore=1"
    with pytest.raises(CrossarcError, match=message):
        train(load_config(name, settings), sentences=partial)


def test_invalid_heads_are_refused_beside_words_without_a_head(partial):
    wrong = partial[1].with_columns({"head": ("_", "99", *partial[1].column("head")[2:])})
    with pytest.raises(CrossarcError, match="HEAD '99' out of range, expected a number from 0 to"):
        train(load_config("arc-eager", ["explore=1"]), sentences=[*partial[:1], wrong])
