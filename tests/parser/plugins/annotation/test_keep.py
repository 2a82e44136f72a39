"""Arcs that parsing keeps: with every system and kind of parser, in crossing trees, and in conflict."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from command_line import run
from crossarc import (
    Config,
    CrossarcError,
    TreebankOptions,
    load_config,
    read_treebank,
    score_on,
    train,
    write_sentences,
)
from crossarc.parser.models.pieces import PieceParser
from crossarc.parser.models.transition_model import with_best_trees
from crossarc.parser.models.words import SentenceWords
from crossarc.parser.plugins.annotation.keep import KeptValues
from crossarc.parser.plugins.blending.model import BlendModel
from crossarc.parser.plugins.blending.vote_weights import learn_weights
from crossarc.parser.treebank import conll_text, read_pieces
from crossarc.parser.treebank.tree import FlatTrees, trees_in
from crossarc.transitions.registry import SYSTEMS
from crossarc.transitions.trees import is_tree, roots
from installed import needs

pytestmark = needs("graph")


def some_given(sentence, share, seed):
    """The sentence with the given share of its arcs; one label in four is left open."""
    dice = np.random.default_rng(seed)
    given, labelled = dice.random(len(sentence)) < share, dice.random(len(sentence)) < 0.75
    heads = [head if own else "_" for head, own in zip(sentence.column("head"), given, strict=True)]
    labels = [
        label if own and named else "_"
        for label, own, named in zip(sentence.column("deprel"), given, labelled, strict=True)
    ]
    return sentence.with_columns({"head": tuple(heads), "deprel": tuple(labels)})


def keeps_all(model, gold):
    gold = [sentence for sentence in gold if len(roots(sentence.heads())) == 1]
    for share in (0.1, 0.5, 1.0):
        partial = [some_given(own, share, number) for number, own in enumerate(gold)]
        for asked, parsed in zip(partial, model.parse(partial, keep="given"), strict=True):
            assert is_tree(parsed.heads())
            for name in ("head", "deprel"):
                for own, found in zip(asked.column(name), parsed.column(name), strict=True):
                    assert own in ("_", found)
                    assert found != "_"
    blank = [some_given(own, 0, 0) for own in gold]
    assert list(model.parse(blank, keep="given")) == list(model.parse(blank))


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "tagging"])
def test_arcs_are_kept_with_every_system(system, trained, sentences):
    keeps_all(trained(system), sentences)


def test_arcs_are_kept_by_other_kinds_of_parsers(trained, graph, small_treebank, sentences):
    treebank = TreebankOptions(train=str(small_treebank))
    lifting = train(Config(features="small", transforms=("pseudo-projective",), treebank=treebank))
    reversing = train(Config(features="small", transforms=("reversal",), treebank=treebank))
    components = {"one": trained("swap"), "two": lifting, "three": graph}
    blend = BlendModel(components, learn_weights("equal", [], [[], [], []], []), True, provenance={})
    for model in (graph, lifting, reversing, blend, trained("swap").with_beam(3)):
        keeps_all(model, sentences)


def test_a_graph_based_parser_completes_crossing_arcs(graph, sentences):
    """Given arcs raise the score of their edges, so that the decoder itself builds them where they are candidates."""
    words = SentenceWords(sentences, keep="given")
    assert (graph.trees(words).heads == words.kept.heads).mean() > 0.97


def test_fixed_trees_keep_the_other_arcs():
    """Word 2 becomes the head of its former head 1, which leaves a cycle; word 2 then moves to the head of word 1."""
    found = FlatTrees(np.array([4]), np.array([3, 1, 0, 3]), np.array([0, 0, 0, 0]), ("x",))
    kept = KeptValues(["s"], np.array([4]), np.array([2, -1, -1, -1]), ["y", "_", "_", "_"], {})
    (tree,) = trees_in(kept.fixed(found, True))
    assert (tree.heads, tree.deprels) == ([-1, 2, 3, 0, 3], ["", "y", "x", "x", "x"])


def test_conflicts_are_named_and_nothing_is_written(here, capsys):
    gold = read_treebank(here / "test.conllu").sentences
    long = [own for own in gold if len(own) > 3]
    blank = [some_given(own, 0, 0) for own in long]

    def with_heads(**heads):
        column = ["_"] * len(blank[-1])
        for word, head in heads.items():
            column[int(word[1:]) - 1] = head
        return [*blank[:-1], blank[-1].with_columns({"head": tuple(column)})]

    for sentences, message in (
        (with_heads(w2="3", w3="2"), "the arcs to keep of words 2 3 form a cycle"),
        (with_heads(w1="0", w4="0"), "the arcs to keep of words 1 4 are from node 0, which has one dependent"),
        (with_heads(w1="99"), "HEAD"),
    ):
        write_sentences(sentences, "asked.conllu")
        capsys.readouterr()
        assert run("-q", "parse", "m", "asked.conllu", "--keep", "given") == 1
        said = capsys.readouterr()
        assert message in said.err
        assert said.err.startswith("crossarc: asked.conllu:")
        assert said.out == ""
    with pytest.raises(SystemExit):
        run("parse", "m", "asked.conllu", "--keep", "all")
    assert "'all'; allowed: given, marked" in capsys.readouterr().err


def test_marked_arcs_alone_are_kept_and_certain(here, trained):
    gold = read_treebank(here / "test.conllu").sentences
    assert run("-q", "calibrate", "m", "test.conllu") == 0
    wrong = [sentence.with_columns({"head": tuple("0" for _ in range(len(sentence)))}) for sentence in gold]
    marked = [sentence.with_columns({"misc": ("Keep=Yes", *sentence.column("misc")[1:])}) for sentence in wrong]
    write_sentences(marked, "marked.conllu")
    assert run("-q", "parse", "m", "marked.conllu", "--keep", "marked", "--scores", "-o", "out") == 0
    for sentence in read_treebank(here / "out").sentences:
        assert sentence.heads()[1] == 0
        assert sentence.column("misc")[0] == "Keep=Yes|Conf=1.00|ConfHead=1.00"
        assert len(roots(sentence.heads())) == 1
    unfinished = [
        marked[0].with_columns({"head": ("_",) * len(gold[0]), "misc": ("Keep=head", *["_"] * (len(gold[0]) - 1))})
    ]
    with pytest.raises(CrossarcError, match="word 1 has Keep=head, but no head"):
        list(score_on(trained("swap"), TreebankOptions(dev="test.conllu"))[0].parse(unfinished, keep="marked"))


@pytest.mark.parametrize(
    "mark", ["Keep=yes", "keep=Yes", "Keep=", "Keep=heads", "Keep=head,", "Keep=Yes|Keep=head", "Keep=Yes,head"]
)
def test_invalid_marks_are_named(mark, trained, sentences):
    first = sentences[0].with_columns({"misc": (*["_"] * (len(sentences[0]) - 1), mark)})
    with pytest.raises(CrossarcError, match=rf":3: word {len(first)}: .*Keep="):
        list(trained("swap").parse([first], keep="marked"))


SPOILT = {"head": "0", "deprel": "odd", "upos": "ODD", "xpos": "O", "feats": "A=Odd", "lemma": "odd"}
"""Values of a decided word that no model predicts."""


@pytest.fixture(scope="module")
def taggers(small_treebank):
    """Parsers of several kinds that predict all columns, with constraints and calibration."""
    options = TreebankOptions(train=str(small_treebank), dev=str(small_treebank))
    configs = {
        "greedy": load_config("arc-standard-small", ["tags=auto", "constraints=learned"]),
        "lifted": load_config("arc-standard-small", ["tags=auto", "transforms=[pseudo-projective]"]),
        "beam": load_config("beam", ["tags=auto", "guide.epochs=1"]),
        "graph": load_config("graph-first-order", ["tags=auto", "graph.epochs=2", "graph.table_bits=14"]),
    }
    models = {name: train(replace(config, treebank=options)) for name, config in configs.items()}
    components = {name: replace(models[name], steps=()) for name in ("greedy", "lifted", "graph")}
    equal = learn_weights("equal", [], [[], [], []], [])
    blend = BlendModel(components, equal, True, provenance={}, steps=models["greedy"].steps)
    return {name: score_on(model, options)[0] for name, model in {**models, "blend": blend}.items()}


@pytest.mark.parametrize("kind", ["greedy", "lifted", "beam", "graph", "blend"])
@pytest.mark.parametrize("columns", [(name,) for name in SPOILT] + [tuple(SPOILT), ("head", "upos")], ids=",".join)
@pytest.mark.parametrize("scores", [False, True])
@needs("further_learners", "tagging")
def test_decided_values_never_change(taggers, sentences, kind, columns, scores):
    """For each column, with tags predicted anew, constraints and probabilities; values that are not decided do."""
    for mark in ("Keep=Yes", f"Keep={','.join(columns)}"):
        asked = []
        for number, sentence in enumerate(sentences):
            word = number % len(sentence)
            row = {name: [*sentence.column(name)] for name in (*SPOILT, "misc")}
            for name, value in SPOILT.items():
                if name in columns or mark != "Keep=Yes":
                    row[name][word] = value
                elif mark == "Keep=Yes":
                    row[name][word] = "_"
            row["misc"][word] = f"{mark}|Gloss=x"
            asked.append(sentence.with_columns({name: tuple(values) for name, values in row.items()}))
        parsed = list(taggers[kind].parse(asked, keep="marked", retag=True, scores=scores))
        for number, sentence in enumerate(parsed):
            word = number % len(sentence)
            assert is_tree(sentence.heads())
            assert sentence.column("misc")[word].startswith(f"{mark}|Gloss=x")
            for name in SPOILT:
                assert (sentence.column(name)[word] == SPOILT[name]) == (
                    name in columns or (name == "head" and sentence.heads()[word + 1] == 0)
                )


@pytest.mark.parametrize("kind", ["greedy", "lifted", "beam", "graph", "blend"])
@pytest.mark.parametrize("labelled", [False, True])
@needs("further_learners", "tagging")
def test_arcs_that_change_because_others_are_kept_get_labels_of_their_place(taggers, sentences, kind, labelled):
    """A person makes another word the root, or puts the root below another word."""
    model = taggers[kind]
    roots_only = {"root"}
    assert {
        label
        for sentence in sentences
        for head, label in zip(sentence.heads()[1:], sentence.deprels()[1:], strict=True)
        if head == 0
    } == roots_only
    for demote in (False, True):
        asked = []
        for sentence in sentences:
            heads, deprels, misc = ["_"] * len(sentence), ["_"] * len(sentence), ["_"] * len(sentence)
            root = sentence.heads().index(0)
            word = root if demote else root % len(sentence) + 1
            heads[word - 1] = str(root % len(sentence) + 1) if demote else "0"
            deprels[word - 1] = "_" if not labelled else "obj" if demote else "root"
            misc[word - 1] = "Keep=Yes"
            asked.append(sentence.with_columns({"head": tuple(heads), "deprel": tuple(deprels), "misc": tuple(misc)}))
        for sentence in model.parse(asked, keep="marked"):
            for head, label in zip(sentence.heads()[1:], sentence.deprels()[1:], strict=True):
                assert (head == 0) == (label in roots_only)


@needs("further_learners", "tagging")
def test_changed_arcs_get_the_label_that_the_model_gives_to_these_arcs(taggers, sentences):
    """Given all arcs of its own tree, a parser labels them as it did."""
    for kind in ("greedy", "graph", "blend"):
        model = taggers[kind]
        words = SentenceWords(sentences, retag=True)
        trees = model.trees(words)
        everything = np.ones(len(trees.heads), dtype=np.bool_)
        again = model.labelled(words, trees._replace(labels=np.zeros_like(trees.labels)), everything)
        assert (again.label_names() == trees.label_names()).mean() > 0.97


def test_given_labels_stay_without_heads(trained, sentences):
    asked = [
        some_given(sentence, 0, 0).with_columns({"deprel": ("odd", *["_"] * (len(sentence) - 1))})
        for sentence in sentences
    ]
    for sentence in trained("swap").parse(asked, keep="given"):
        assert sentence.deprels()[1] == "odd"


@needs("further_learners", "tagging")
def test_parsing_removes_what_described_replaced_values(taggers, sentences):
    """In blocks and in sentences: probabilities, ranks and marks of decisions, unless they are kept."""
    model = taggers["greedy"]
    best = with_best_trees(model, sentences, 2, retag=True)
    odd = [
        sentence.with_columns(
            {"misc": tuple("A=b|Conf=0.10|Keep=Yes|ConfHead=0.20|Conflict=x" for _ in sentence.column("misc"))}
        )
        for sentence in best
    ]
    data = "".join(map(conll_text, odd)).encode()
    (piece,) = read_pieces(BytesIO(data), "conllu")
    plain = data.replace(b"# k_best", b"# kbest").replace(b"# probability", b"# prob")
    (in_blocks,) = read_pieces(BytesIO(plain), "conllu")
    for text in (PieceParser(model, retag=True)(piece).data, PieceParser(model, retag=True)(in_blocks).data):
        for word in b"k_best", b"probability", b"Conf=", b"ConfHead=", b"Keep":
            assert word not in text
        assert text.count(b"A=b|Conflict=x") == sum(map(len, odd))
    kept = next(model.parse(odd, retag=True, keep="marked"))
    assert kept.column("misc")[0] == "A=b|Keep=Yes|Conflict=x"
    again = odd[0].with_tree([-1, *[0] * len(odd[0])], ["", *odd[0].deprels()[1:]])
    heads = zip(odd[0].heads()[1:], again.column("misc"), strict=True)
    assert all(("Conf=0.10" in misc) == (head == 0) for head, misc in heads)
    assert not any(comment.startswith(("# k_best", "# probability")) for comment in again.comments)
