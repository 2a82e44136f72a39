"""Malformed input: randomly changed texts and values are read, or refused in one line.

``parser/models/test_mutated_models.py`` tests models, and ``parser/treebank/`` tests treebanks.
"""

import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import crossarc
import pytest
import yaml
from crossarc.features.template import TemplateError, parse_feature_model
from crossarc.parser.base.yaml_values import load_yaml
from crossarc.parser.config.loading import Document, load_any_config
from crossarc.parser.transforms.registry import parse_transform
from crossarc.transitions.registry import SYSTEMS
from hypothesis import given, strategies as st
from installed import PLUGINS, needs
from model_mutations import mutated_values

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "morph", "misc")
SOURCES = SYSTEMS["arc-eager"].sources
WILD = st.sampled_from([*"\0\n\t:.()[]{}#-_&*!|", "\ufeff", " ", "-1", "9" * 20, "é", "\udc80"])
ROW = "{}\tw\tw\tVERB\tV\tA=b|C=d\t{}\troot\t_\tSpaceAfter=No\n"


def request(text):
    from crossarc.parser.plugins.serving import exchange, limits

    for name in exchange.INPUTS:
        assert_one_line(partial(exchange.read_text, text, name, limits.Limits(words=100, sentence=50)))


TEXTS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "YAML": (
        lambda text: load_yaml(text, "x"),
        (
            "a: 1e-3\nb: [x, 'y', \"z\"]\n",
            "- &a {k: ~}\n- *a\n- !!str x\n",
            "? a\n: |\n  text\n  more\n# remark\n",
            "a: {b: [1, 0x1f, .inf, true, 2001-01-01]}\n<<: {c: >-\n  d}\n",
        ),
    ),
    "feature model": (
        lambda text: parse_feature_model(text, "x", COLUMNS, SOURCES),
        (
            "templates:\n- form(Stack[0])\n- merge(xpos(Stack[1]), upos(ldep(Lookahead[0])))\n",
            "templates: [distance(Stack[1], Stack[0]), arity(Stack[0], left)]\nextends: x\n",
        ),
    ),
    "transform": (
        parse_transform,
        ("pseudo-projective:encoding=head+path,label_cap=30", "coordination:style=melcuk", "reversal"),
    ),
}
if "serving" in PLUGINS:
    TEXTS["request"] = (
        request,
        (ROW.format(1, 0) + ROW.format(2, 1) + "\n", "1-2\tx" + "\t_" * 8 + "\n" + ROW.format(1, 0)),
    )


@st.composite
def changed(draw, texts):
    """A text in which one to three stretches are deleted, doubled, or replaced by unusual characters."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 8))
        text = text[:start] + draw(WILD | st.just("") | st.just(2 * text[start:end])) + text[end:]
    return text


@pytest.mark.parametrize("kind", TEXTS)
def test_changed_texts_are_read_or_refused_in_one_line(kind):
    read, texts = TEXTS[kind]

    @given(changed(texts))
    def holds(text):
        assert_one_line(lambda: read(text))

    holds()


def assert_one_line(call):
    """Check that a call succeeds, or fails with a message of one line."""
    said = "said"
    try:
        call()
    except (crossarc.CrossarcError, TemplateError) as error:
        said = str(error)
    assert said
    assert "\n" not in said


CONFIGS = sorted((Path(crossarc.__file__).parent / "configs").rglob("*.yaml"))
WEIGHTS = {"by": "pos", "overall": [0.5, 0.6, 0.7], "special": [{"NOUN": 0.5}, {"NOUN": 0.1}, {}]}


@given(st.sampled_from(CONFIGS), st.integers(0, 10**6), st.integers(1, 3))
def test_changed_configs_are_read_or_refused(path, seed, changes):
    values = yaml.safe_load(path.read_text("utf-8"))
    for step in range(changes):
        values = mutated_values(values or WEIGHTS, random.Random(seed + step))
    assert_one_line(lambda: load_any_config(Document("x", values if isinstance(values, dict) else {})))


@needs("blending")
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_changed_weights_are_read_or_refused(seed, changes):
    from crossarc.parser.plugins.blending.vote_weights import weights_from_json

    weights = WEIGHTS
    for step in range(changes):
        weights = mutated_values(weights, random.Random(seed + step))
    assert_one_line(lambda: weights_from_json(json.loads(json.dumps(weights)), "weights", 3))
