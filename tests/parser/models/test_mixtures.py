"""The parse of a sentence does not depend on the sentences that are parsed together with it."""

import io
from random import Random

import pytest
from command_line import generated
from crossarc.parser.config.loading import load_any_config
from crossarc.parser.training.train import train_any
from crossarc.parser.treebank import conll_text, read_sentences
from installed import needs

BLEND = "components: [{name: a, config: arc-standard-small}, {name: b, config: swap-small}]\nweights: equal\n"
PARSERS = {
    "greedy": ("swap-small", []),
    "beam": ("beam", ["features=small", "guide.epochs=1", "beam=2"]),
    "knn": ("knn", ["features=small"]),
    "three-step": ("three-step", ["features=small"]),
    "graph": ("graph-first-order", ["graph.epochs=1", "graph.table_bits=12"]),
    "blend": ("blend.yaml", []),
}
"""A config and settings of each kind of parser."""


@pytest.fixture(scope="module", params=PARSERS)
def model(request, tmp_path_factory):
    config, settings = PARSERS[request.param]
    if request.param == "blend":
        path = tmp_path_factory.mktemp("mixtures") / config
        path.write_text(BLEND, "utf-8")
        config = str(path)
    return train_any(load_any_config(config, [*settings, "tags=auto"]), sentences=generated(1, 12, rate=0.5))


def variants(sentence):
    """The sentence with all tags, with some, with none, and in a file without columns of tags."""
    n = len(sentence)
    empty = sentence.with_columns(dict.fromkeys(("lemma", "upos", "xpos", "feats"), ("_",) * n))
    rows = ["# global.columns = ID FORM HEAD DEPREL"]
    rows += ["\t".join(row) for row in zip(*map(sentence.column, ("id", "form", "head", "deprel")), strict=True)]
    [narrow] = read_sentences(io.StringIO("\n".join(rows) + "\n\n"))
    return [sentence, empty.with_columns({"upos": sentence.column("upos")}), empty, narrow]


@needs("blending", "further_learners", "graph", "tagging")
def test_results_do_not_depend_on_neighbours(model, sentences):
    inputs = [own for sentence in sentences[:6] for own in variants(sentence)]
    alone = [conll_text(parsed) for own in inputs for parsed in model.parse_chunk([own])]
    for seed in range(2):
        order = Random(seed).sample(range(len(inputs)), len(inputs))
        together = model.parse_chunk([inputs[number] for number in order])
        assert [conll_text(parsed) for parsed in together] == [alone[number] for number in order]


@needs("blending", "further_learners", "graph", "tagging")
def test_given_tags_stay(model, sentences):
    tagged, _, _, narrow = variants(sentences[0])
    parsed, _ = model.parse_chunk([tagged, narrow])
    names = ("upos", "xpos", "feats", "lemma")
    assert [*map(parsed.column, names)] == [*map(tagged.column, names)]
