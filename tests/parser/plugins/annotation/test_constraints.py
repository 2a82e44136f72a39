"""Constraints: learned groups and exclusions, the repair of trees, and models of every kind with constraints."""

import io
from dataclasses import replace

import numpy as np
import pytest
from command_line import run, write_splits
from crossarc import (
    CrossarcError,
    TreebankOptions,
    load_config,
    load_model,
    read_sentences,
    save_model,
    score_on,
    score_sentences,
)
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.config.loading import load_any_config
from crossarc.parser.models.words import SentenceWords
from crossarc.parser.plugins.annotation.constraints import ArcFacts, Columns, Constraints, learn_constraints
from crossarc.parser.training.train import train_any
from crossarc.parser.treebank.tree import FlatTrees, flat_trees, trees_of
from hypothesis import given, strategies as st
from installed import needs

LABELS = ("nsubj", "nsubj:outer", "csubj", "obj", "obl", "punct", "root")


def sentence(*words):
    """A sentence of words ``TAG FEATS HEAD LABEL``."""
    rows = (
        f"{number}\tw\tw\t{tag}\t_\t{feats}\t{head}\t{label}\t_\t_"
        for number, (tag, feats, head, label) in enumerate(map(str.split, words), 1)
    )
    [own] = read_sentences(io.StringIO("\n".join(rows) + "\n\n"), "conllu")
    return own


TRANSITIVE = sentence("NOUN Case=Nom 2 nsubj", "VERB _ 0 root", "NOUN Case=Acc 2 obj", "PUNCT _ 2 punct")
OBLIQUE = sentence("NOUN Case=Nom 2 nsubj", "VERB _ 0 root", "NOUN Case=Dat 2 obl", "PUNCT _ 2 punct")
TWO = sentence("NOUN _ 3 nsubj", "NOUN _ 3 nsubj", "VERB _ 0 root")
OUTER = sentence("NOUN _ 3 nsubj:outer", "NOUN _ 3 nsubj", "NOUN _ 0 root")
LEARNED = Constraints.learn([TRANSITIVE, OBLIQUE] * 30)


def repaired(constraints, own, certainty, fixed=None):
    words = SentenceWords([own])
    columns = Columns(words.values("upos"), words.values("feats"))
    kept = None if fixed is None else np.array(fixed, dtype=bool)
    trees = flat_trees(trees_of([own]))
    found = constraints.repaired(trees, columns, np.tile(certainty, (2, 1)), kept)
    assert np.array_equal(found.heads, trees.heads)
    return found.label_names().tolist()


@pytest.mark.parametrize(
    ("treebank", "groups"),
    [
        pytest.param([TRANSITIVE] * 30, [["nsubj"], ["obj"]], id="both"),
        pytest.param([OBLIQUE] * 30, [["nsubj"]], id="no objects"),
        pytest.param([TRANSITIVE] * 30 + [TWO], [["obj"]], id="two subjects in 3 %"),
        pytest.param([TRANSITIVE] * 130 + [TWO], [["nsubj"], ["obj"]], id="two subjects in 0.8 %"),
        pytest.param([TRANSITIVE] * 30 + [OUTER] * 20, [["nsubj"], ["obj"]], id="subjects of outer clauses"),
        pytest.param([TRANSITIVE] * 9, [], id="few"),
    ],
)
def test_groups_are_those_that_the_treebank_obeys(treebank, groups):
    assert Constraints.learn(treebank).once == groups


@pytest.mark.parametrize(
    ("certainty", "fixed", "labels"),
    [
        pytest.param([0.9, 1, 0.4, 1], None, ["nsubj", "root", "obl", "punct"], id="less certain"),
        pytest.param([0.4, 1, 0.9, 1], None, ["obj", "root", "nsubj", "punct"], id="other word"),
        pytest.param([0.9, 1, 0.4, 1], [0, 0, 1, 0], ["obj", "root", "nsubj", "punct"], id="fixed word"),
        pytest.param([0.9, 1, 0.4, 1], [1, 0, 1, 0], ["nsubj", "root", "nsubj", "punct"], id="all fixed"),
    ],
)
def test_the_least_certain_subject_gets_the_label_that_is_usual_for_its_case(certainty, fixed, labels):
    own = sentence("NOUN Case=Acc 2 nsubj", "VERB _ 0 root", "NOUN Case=Dat 2 nsubj", "PUNCT _ 2 punct")
    front = sentence("NOUN Case=Acc 2 obj", "VERB _ 0 root")
    behind = sentence("VERB _ 0 root", "NOUN Case=Nom 1 nsubj")
    learned = Constraints.learn([TRANSITIVE, OBLIQUE, front, behind] * 30)
    assert repaired(learned, own, certainty, fixed) == labels


def test_labels_that_a_tag_or_direction_never_has_are_changed_and_fixed_words_are_not():
    own = sentence("NOUN Case=Nom 2 nsubj", "VERB _ 0 root", "NOUN Case=Dat 2 punct", "PUNCT _ 2 obl")
    assert repaired(LEARNED, own, [1, 1, 1, 1]) == ["nsubj", "root", "obl", "punct"]
    assert repaired(LEARNED, own, [1, 1, 1, 1], [0, 0, 1, 0]) == ["nsubj", "root", "punct", "punct"]
    before = sentence("NOUN _ 2 obj", "VERB _ 0 root")
    assert repaired(LEARNED, before, [1, 1]) == ["nsubj", "root"]


def test_probabilities_back_off_to_less_specific_counts():
    known = LEARNED.probabilities(ArcFacts("right", "NOUN", "leaf", "Case=Nom", "VERB"))
    other = LEARNED.probabilities(ArcFacts("left", "NOUN", "leaf", "Case=Gen", "NOUN"))
    assert max(known, key=known.__getitem__) == "nsubj"
    assert set(other) == {"obj", "obl"}
    assert other["obj"] == other["obl"] > 0.25
    assert LEARNED.probabilities(ArcFacts("left", "NEW", "leaf", "", "")).keys() == {"obj", "obl", "punct"}


@given(st.data())
def test_after_repair_each_word_has_one_dependent_of_a_group_and_repair_changes_nothing(data):
    once = [["nsubj", "csubj"], ["obj"]]
    constraints = replace(LEARNED, once=once)
    count = data.draw(st.integers(1, 9))
    heads = [data.draw(st.integers(0, number)) for number in range(count)]
    labels = [data.draw(st.sampled_from(range(len(LABELS)))) for _ in heads]
    trees = FlatTrees(np.array([count]), np.array(heads), np.array(labels), LABELS)
    nothing = np.zeros(count, dtype=np.int64)
    columns = Columns((nothing, [data.draw(st.sampled_from(["NOUN", "NEW"]))]), (nothing, ["_"]))
    certainty = np.array([[data.draw(st.floats(0, 1)) for _ in heads]] * 2)
    found = constraints.repaired(trees, columns, certainty)
    names = found.label_names()
    for head in range(1, count + 1):
        for group in once:
            assert sum(own == head and name in group for own, name in zip(heads, names, strict=True)) <= 1
    again = constraints.repaired(found, columns, certainty)
    assert again.label_names().tolist() == names.tolist()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        pytest.param({"once": []}, "counts: found none", id="no counts"),
        pytest.param({"once": "nsubj", "counts": []}, "once: found 'nsubj'", id="no list"),
        pytest.param({"once": [], "counts": [{"arc": ["left"], "labels": {}}]}, "arc", id="short arc"),
        pytest.param({"once": [], "counts": [{"arc": [""] * 5, "labels": {"obj": 0}}]}, "obj", id="no count"),
    ],
)
def test_invalid_values_are_refused(values, message):
    with pytest.raises(ShapeError, match=message):
        Constraints.from_state(values, {})
    assert Constraints.from_state(*LEARNED.state()) == LEARNED


def test_a_file_names_groups_of_its_own(tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text("once: [[obl], [nsubj, csubj]]")
    broken = sentence("NOUN _ 1 nsubj")
    learned = learn_constraints(str(file), [TRANSITIVE, TWO, broken])
    assert learned.once == [["obl"], ["nsubj", "csubj"]]
    for text, message in (("once: obj", "once: found 'obj'"), ("never: []", "found none"), ("once: [", "own.yaml")):
        file.write_text(text)
        with pytest.raises(CrossarcError, match=message):
            learn_constraints(str(file), [TRANSITIVE])
    with pytest.raises(CrossarcError, match=r"constraints: found 'few'.*learned"):
        load_config("swap", ["constraints=few"])


def two_of(own):
    """Whether a word has two dependents."""
    heads = [head for head in own.heads()[1:] if head]
    return len(set(heads)) < len(heads)


@pytest.mark.parametrize("name", ["swap-small", "graph-first-order", "three-step", "blend"])
@needs("blending", "graph")
def test_parsers_of_every_kind_obey_their_constraints(name, small_treebank, tmp_path):
    sentences = list(read_sentences(str(small_treebank)))
    labels = sorted({label for sentence in sentences for label in sentence.deprels()[1:]})
    (tmp_path / "own.yaml").write_text(f"once: {[[label] for label in labels]}")
    (tmp_path / "blend.yaml").write_text("components: [arc-standard-small, swap-small]\nweights: equal")
    source = str(tmp_path / "blend.yaml") if name == "blend" else name
    files = {"treebank.train": str(small_treebank)}
    free = train_any(load_any_config(source, [], files))
    model = train_any(load_any_config(source, [f"constraints={tmp_path / 'own.yaml'}"], files))
    save_model(model, str(tmp_path / "own.model"))
    parsed = list(load_model(str(tmp_path / "own.model")).parse(sentences))
    assert parsed == list(model.parse(sentences))
    before = list(free.parse(sentences))
    assert [sentence.heads() for sentence in parsed] == [sentence.heads() for sentence in before]
    for own, other in zip(parsed, before, strict=True):
        assert two_of(own) or own == other
    assert parsed != before
    calibrated, scores = score_on(model, TreebankOptions(dev=str(small_treebank)))
    assert scores.las == score_sentences(sentences, list(calibrated.parse(sentences))).las
    kept = [sentence.with_columns({"misc": ("Keep=Yes",) * len(sentence)}) for sentence in sentences]
    assert [sentence.deprels() for sentence in model.parse(kept, keep="marked")] == [
        sentence.deprels() for sentence in sentences
    ]


def test_best_trees_without_constraints_are_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_splits(tmp_path, {"train": 28, "test": 3})
    for constraints, told in (("none", False), ("learned", True)):
        options = ["--set", f"constraints={constraints}", "--train", "train.conllu", "--model", "m"]
        assert run("train", "arc-standard-small", "-q", *options) == 0
        assert run("parse", "m", "test.conllu", "--k-best", "2", "-q", "-o", "best.conllu") == 0
        assert ("m has constraints, which are not applied to the trees of --k-best" in capsys.readouterr().err) is told
