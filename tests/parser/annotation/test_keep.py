"""Arcs that parsing keeps: with every system and kind of parser, in crossing trees, and in conflict."""

import numpy as np
import pytest
from command_line import run
from crossarc import Config, CrossarcError, TreebankOptions, read_treebank, score_on, train, write_sentences
from crossarc.parser.annotation.keep import Kept
from crossarc.parser.blending.vote_weights import learn_weights
from crossarc.parser.models.blend_model import BlendModel
from crossarc.parser.models.words import SentenceWords
from crossarc.parser.treebank.tree import FlatTrees, trees_in
from crossarc.transitions.registry import SYSTEMS
from crossarc.transitions.trees import is_tree, roots


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
    gold = [own for own in gold if len(roots(own.heads())) == 1]
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
    kept = Kept(["s"], np.array([4]), np.array([2, -1, -1, -1]), ["y", "_", "_", "_"])
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
    wrong = [own.with_columns({"head": tuple("0" for _ in range(len(own)))}) for own in gold]
    marked = [own.with_columns({"misc": ("Keep=Yes", *own.column("misc")[1:])}) for own in wrong]
    write_sentences(marked, "marked.conllu")
    assert run("-q", "parse", "m", "marked.conllu", "--keep", "marked", "--scores", "-o", "out") == 0
    for own in read_treebank(here / "out").sentences:
        assert own.heads()[1] == 0
        assert own.column("misc")[0] == "Keep=Yes|Conf=1.00|ConfHead=1.00"
        assert len(roots(own.heads())) == 1
    unfinished = [marked[0].with_columns({"head": ("_",) * len(gold[0])})]
    with pytest.raises(CrossarcError, match="word 1 has Keep=Yes, but no head"):
        list(score_on(trained("swap"), TreebankOptions(dev="test.conllu"))[0].parse(unfinished, keep="marked"))
