"""Scores of ``parse --scores``: margins, calibrated probabilities, and the output apart from them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from command_line import run
from crossarc import Config, CrossarcError, TreebankOptions, load_model, read_treebank, save_model, score_on, train
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.evaluate.reliability import reliability
from crossarc.parser.models.transition_model import TransitionModel
from crossarc.parser.models.words import SentenceWords
from crossarc.parser.plugins.annotation.calibration import Calibration
from crossarc.parser.plugins.blending.model import BlendModel
from crossarc.parser.plugins.blending.vote_weights import learn_weights
from crossarc.parser.plugins.graph.model import GraphModel
from crossarc.parser.search.compiled.loading import LoadedLoop
from crossarc.parser.search.greedy import derive
from crossarc.parser.treebank import conll_text
from crossarc.parser.treebank.tree import FlatTrees
from crossarc.transitions.registry import SYSTEMS
from crossarc.transitions.step import Decision


def margins_of(model, sentences):
    words = SentenceWords(sentences)
    margins = np.full(int(words.lengths.sum()), np.nan)
    model.trees(words, margins=margins)
    return margins


def calibrated(model, treebank):
    return score_on(model, TreebankOptions(dev=str(treebank)))[0]


def blended(trained):
    components = {name: trained(name) for name in ("arc-standard", "swap", "covington")}
    return BlendModel(components, learn_weights("equal", [], [[], [], []], []), True, provenance={})


@pytest.mark.parametrize("system", SYSTEMS)
def test_scores_do_not_change_the_trees(system, trained, small_treebank, sentences):
    model = calibrated(trained(system), small_treebank)
    plain, scored = list(model.parse(sentences)), list(model.parse(sentences, scores=True))
    for one, other in zip(plain, scored, strict=True):
        assert (one.heads(), one.deprels(), one.comments) == (other.heads(), other.deprels(), other.comments)
        for entry in other.column("misc"):
            arc, head = (float(part.rpartition("=")[2]) for part in entry.split("|")[-2:])
            assert 0 <= arc <= head <= 1


def test_margins_are_those_of_the_transition_that_added_the_arc(trained, sentences):
    """Margins are recomputed step by step; in arc-standard, each transition determines the word of its arc."""
    model = trained("arc-standard")
    (stage,) = model.stages
    sentence = max(sentences, key=len)
    [batch] = model.batches(SentenceWords([sentence]))
    expected = np.zeros(len(sentence) + 1)

    class Guide:
        def decide(self, c, legal):
            scores = stage.learner.scores(stage.extractor.keys(c, batch.ids))[0]
            scores = np.where(legal[0, stage.inventory[:, 0]], scores, -np.inf)
            best, second = np.argsort(-scores, kind="stable")[:2]
            move, label = stage.inventory[best]
            if stage.system.moves[move].labelled:
                word = c.stack(1) if stage.system.moves[move].name == "LEFT-ARC" else c.stack(0)
                expected[word[0]] = scores[best] - scores[second]
            return Decision(np.array([move]), np.array([label]))

    derive(stage.system, Guide(), stage.system.initial(np.array([len(sentence)])), stage.fallback)
    assert margins_of(model, [sentence]) == pytest.approx(expected[1:], abs=1e-5)
    assert len({round(value, 2) for value in expected[1:]}) > 1


def test_margins_in_a_beam_are_those_of_the_best_derivation(trained, sentences):
    model = trained("arc-standard")
    found = margins_of(model.with_beam(2), sentences)
    assert np.isfinite(found).mean() > 0.9
    same = [
        a == b for a, b in zip(model.parse(sentences), model.with_beam(2).parse(sentences), strict=True)
    ]  # the margins of equal derivations order words alike: scores are logarithms of probabilities there
    words = np.repeat(same, list(map(len, sentences)))
    greedy = margins_of(model, sentences)
    assert words.any()
    assert np.corrcoef(np.minimum(greedy[words], 3), np.minimum(found[words], 12))[0, 1] > 0.9


def test_another_beam_needs_another_calibration(trained, small_treebank):
    model = calibrated(trained("swap"), small_treebank)
    assert isinstance(model, TransitionModel)
    assert model.with_beam(1).calibration is not None
    assert model.with_beam(2).calibration is None


def test_margins_of_words_without_transition_are_zero(trained, sentences):
    """A guide that may only shift leaves all arcs to default transitions and to the end of the derivation."""
    (stage,) = trained("arc-standard").stages
    kept = np.full((1, 5), 0.0)

    class Silent:
        n_classes = len(stage.inventory)

        def scores(self, keys):
            return np.where(stage.inventory[:, 0] == 0, np.zeros((len(keys), 1)), -np.inf).astype(np.float32)

    ids = {
        name: np.zeros((1, 5, *([size.most] if size.most else [])), int)
        for name, size in stage.extractor.columns.items()
    }
    silent = replace(stage, learner=Silent(), loop=LoadedLoop())
    silent.derive(stage.system.initial(np.array([3])), ids, margins=kept)
    assert kept.tolist() == [[0.0] * 5]


def test_margins_follow_their_words_through_reversal(small_treebank, sentences):
    treebank = TreebankOptions(train=str(small_treebank))
    model = train(Config(features="small", transforms=("reversal",), treebank=treebank))
    backwards = [
        sentence.with_columns({name: sentence.column(name)[::-1] for name in sentence.format.names})
        for sentence in sentences
    ]
    found = np.split(margins_of(model, sentences), np.cumsum(list(map(len, sentences)))[:-1])
    plain = np.split(margins_of(replace(model, transforms=()), backwards), np.cumsum(list(map(len, sentences)))[:-1])
    for one, other in zip(found, plain, strict=True):
        assert one.tolist() == other[::-1].tolist()


def test_graph_based_margins_are_the_loss_by_the_best_change(graph, sentences):
    """The gains of changes are tested in test_approximation.py; here the margins are theirs, of the right words."""
    assert isinstance(graph, GraphModel)
    margins = margins_of(graph, sentences)
    one = [margins_of(graph, [sentence]) for sentence in sentences]
    assert margins.tolist() == np.concatenate(one).tolist()
    assert (margins > 0).mean() > 0.9
    assert len(np.unique(margins)) > 20


def test_margins_of_blends_are_shares_of_votes(trained, sentences):
    model = blended(trained)
    parsed = [list(own.parse(sentences)) for own in model.components.values()]
    expected = [
        sum(own[number].heads()[word] == head and own[number].deprels()[word] == label for own in parsed) / 3
        for number, sentence in enumerate(model.parse(sentences))
        for word, (head, label) in enumerate(zip(sentence.heads(), sentence.deprels(), strict=True))
        if word
    ]
    assert margins_of(model, sentences) == pytest.approx(expected)


def test_every_kind_of_model_keeps_its_calibration_in_its_file(trained, graph, small_treebank, sentences, tmp_path):
    for model in (trained("swap"), trained("three-step"), graph, blended(trained)):
        own = calibrated(model, small_treebank)
        save_model(own, str(tmp_path / "m"))
        again = load_model(tmp_path / "m")
        assert again.calibration is not None
        assert list(again.parse(sentences, scores=True)) == list(own.parse(sentences, scores=True))


def test_probabilities_are_calibrated_where_margins_rank_errors():
    """Words are right with the probability that the logistic function gives to their margins."""
    generator = np.random.default_rng(1)

    def drawn(words):
        margins = generator.exponential(1, words)
        right = generator.random(words) < 1 / (1 + np.exp(1 - 2 * margins))
        lengths, labels = np.full(words // 10, 10), np.zeros(words, int)
        heads = np.tile(np.arange(10), words // 10)
        trees = FlatTrees(lengths, heads, labels, ("a", "b"))
        return margins, trees, trees._replace(labels=np.where(right, 0, 1)), right

    *learned, _ = drawn(20000)
    margins, trees, _, right = drawn(20000)
    arcs, heads = Calibration.fit(*learned)(margins, trees)
    assert reliability(arcs, right).error < 1.5
    assert (heads == 1).all()


def test_damaged_calibrations_are_refused():
    curve = {"weights": [0.0] * 8, "points": [0.0, 1.0], "probabilities": [0.5]}
    with pytest.raises(ShapeError, match=r"arcs\.points: found 2; expected 1"):
        Calibration.from_state({"scale": 1.0, "arcs": curve, "heads": curve}, {})


def test_reliability_is_computed_by_hand():
    found = reliability(np.array([0.95, 0.85, 0.15, 0.12]), np.array([True, False, False, True]))
    bins = [(group.words, round(group.mean, 1), group.right) for group in found.bins]
    assert bins == [(2, 13.5, 50), (1, 85, 0), (1, 95, 100)]
    assert found.error == pytest.approx((2 * 36.5 + 85 + 5) / 4)
    assert found.found == {"5": 0.0, "10": 0.0, "20": 0.0}
    many = reliability(np.arange(100) / 100, np.arange(100) >= 10)
    assert many.found == {"5": 50.0, "10": 100.0, "20": 100.0}


def test_scores_replace_earlier_ones_in_blocks_and_in_sentences(here, capsys):
    text = (here / "test.conllu").read_text("utf-8")
    rows = text.splitlines()
    first = next(number for number, row in enumerate(rows) if row.startswith("1\t"))
    rows[first] = rows[first].rpartition("\t")[0] + "\tConf=0.5|SpaceAfter=No|ConfHead=0.1|Gloss=x"
    (here / "noted.conllu").write_text("\n".join(rows) + "\n\n", "utf-8")
    config = Config(features="small", treebank=TreebankOptions(train="train.conllu"))
    save_model(train(config), "plain")
    assert run("parse", "plain", "noted.conllu", "--scores") == 1
    assert "crossarc calibrate MODEL DEV" in capsys.readouterr().err
    assert run("calibrate", "m", "test.conllu", "-o", "c") == 0
    assert run("parse", "c", "noted.conllu", "--scores", "-o", "scored") == 0
    assert run("parse", "c", "noted.conllu", "--scores", "--beam", "2") == 1
    assert "crossarc calibrate" in capsys.readouterr().err
    parsed = list(load_model("c").parse(read_treebank(here / "noted.conllu").sentences, scores=True))
    assert (here / "scored").read_text("utf-8") == "".join(map(conll_text, parsed))
    assert parsed[0].column("misc")[0].startswith("SpaceAfter=No|Gloss=x|Conf=")
    assert all(entry.count("Conf=") == entry.count("ConfHead=") == 1 for entry in parsed[0].column("misc"))
    capsys.readouterr()
    assert run("evaluate", "test.conllu", "scored", "--scores", "calibration", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    words = sum(map(len, parsed))
    assert [found[key]["words"] for key in ("Conf", "ConfHead")] == [words, words]
    assert run("evaluate", "test.conllu", "test.conllu", "--scores", "calibration") == 1
    assert "crossarc parse --scores" in capsys.readouterr().err


def test_the_table_has_one_row_per_word(here):
    assert run("calibrate", "m", "test.conllu") == 0
    assert run("parse", "m", "test.conllu", "--scores", "-o", "scores.tsv") == 0
    heading, *rows = (line.split("\t") for line in (here / "scores.tsv").read_text("utf-8").splitlines())
    parsed = list(load_model("m").parse(read_treebank(here / "test.conllu").sentences, scores=True))
    assert heading == ["sent_id", "word", "form", "head", "deprel", "conf", "conf_head"]
    expected = [
        [
            sentence.id,
            str(word),
            sentence.column("form")[word - 1],
            str(sentence.heads()[word]),
            sentence.deprels()[word],
        ]
        for sentence in parsed
        for word in range(1, len(sentence) + 1)
    ]
    assert [row[:5] for row in rows] == expected
    misc = [entry for sentence in parsed for entry in sentence.column("misc")]
    noted = [f"Conf={float(row[5]):.2f}|ConfHead={float(row[6]):.2f}" for row in rows]
    assert sum(a == b for a, b in zip(noted, misc, strict=True)) > 0.9 * len(misc)  # apart from rounding twice


def test_formats_without_misc_are_refused(here, capsys):
    rows = [line for line in (here / "test.conllu").read_text("utf-8").splitlines() if not line.startswith("#")]
    (here / "x.conll").write_text("\n".join(rows) + "\n\n", "utf-8")
    assert run("calibrate", "m", "test.conllu") == 0
    parse = ["parse", "m", "x.conll", "--format", "conllx", "--scores"]
    assert run(*parse) == 1
    assert "CoNLL-X has no column MISC for scores; use CoNLL-U with all columns, or -o" in capsys.readouterr().err
    with pytest.raises(CrossarcError):
        list(load_model("m").parse(read_treebank("x.conll", "conllx").sentences, scores=True))
    assert run(*parse, "-o", "scores.tsv") == 0
