"""No key of a config is dropped beside another: of two that matter alone, both show in the model, or are refused."""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import permutations

import numpy as np
import pytest
from command_line import conllu
from crossarc import CrossarcError, load_config, read_sentences, train
from installed import needs

pytestmark = needs("several_treebanks", "tagging", "word_classes", "further_learners")
VALUES = {
    "system": ("arc-eager", "swap", "covington", "three-step", "attardi"),
    "transforms": ("[pseudo-projective]", "[pseudo-projective:encoding=path]"),
    "features": ("plain",),
    "root.single": ("true",),
    "input": ("words",),
    "tags": ("[upos]",),
    "also": ("[other.conllu]",),
    "raw": ("[raw.txt]",),
    "constraints": ("learned",),
    "guide.C": ("1",),
    "guide": ("{learner: maxent}", "{learner: knn}", "{learner: perceptron}"),
    "underivable": ("skip", "minimal-cost", "best-effort"),
    "explore": ("1",),
    "beam": ("2",),
}
"""Values that matter for arc-standard and the treebank below, by key."""
SETTINGS = [(key, value) for key, values in VALUES.items() for value in values]
PAIRS = [
    (first, second)
    for first, second in permutations(SETTINGS, 2)
    if first[0].partition(".")[0] != second[0].partition(".")[0]
]
NOTHING_UNDERIVABLE = {"swap", "covington", "three-step", "attardi", *VALUES["transforms"]}
"""Values with which all trees of the treebank can be derived, or are projectivized first."""


@pytest.fixture(scope="module", autouse=True)
def treebanks(tmp_path_factory):
    """A folder with a treebank, in which one sentence has two roots, a further one, and raw text."""
    folder = tmp_path_factory.mktemp("pairs")
    text = re.sub(r"\t[1-9]\d*\t(\w+)\t", r"\t0\torphan\t", conllu(1, 24, rate=0.4, depth=1), count=1)
    (folder / "train.conllu").write_text(text, "utf-8")
    (folder / "dev.conllu").write_text(conllu(25, 12, rate=0.4, depth=1), "utf-8")
    (folder / "other.conllu").write_text(conllu(37, 16, rate=0.4, depth=1), "utf-8")
    words = (line.split("\t")[1] for line in text.splitlines() if line[:1].isdigit())
    (folder / "raw.txt").write_text(" ".join(words) * 6, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("CROSSARC_KERNEL", "numpy")
        yield


@pytest.fixture(scope="module")
def known():
    """The digests by their settings."""
    return {}


def digest(known, *settings):
    """The digest of the weights and of the parses of a model, or the message that refuses its config."""
    texts = tuple(f"{key}={value}" for key, value in settings)
    if texts not in known:
        files = {"treebank.train": "train.conllu", "treebank.dev": "dev.conllu"}
        try:
            model = train(load_config("arc-standard", ["features=small", *texts], files))
        except CrossarcError as refusal:
            known[texts] = f"refused: {refusal}"
        else:
            total = sha256()
            for arrays in (model.state()[1], *(step.state()[1] for step in model.steps)):
                for name in sorted(arrays):
                    total.update(name.encode() + np.ascontiguousarray(arrays[name]).tobytes())
            parsed = model.parse(read_sentences("dev.conllu"), retag=bool(model.filled), allow_empty_columns=True)
            total.update(str([(sentence.heads(), sentence.deprels()) for sentence in parsed]).encode())
            known[texts] = total.hexdigest()
    return known[texts]


def dropped(known, first, second):
    """Whether the second setting changes nothing beside the first."""
    alone = digest(known, first)
    if alone.startswith("refused") or (second[0] == "underivable" and first[1] in NOTHING_UNDERIVABLE):
        return False
    return digest(known, first, second) == alone


@pytest.mark.parametrize("setting", SETTINGS, ids="=".join)
def test_each_value_matters_alone(known, setting):
    assert digest(known, setting) != digest(known)


@pytest.mark.parametrize("pairs", [PAIRS[::97], pytest.param(PAIRS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_no_key_is_dropped_beside_another(known, pairs):
    assert [pair for pair in pairs if dropped(known, *pair)] == []
