"""Structured learning: corrections of violations, and the resulting parsers."""

import crossarc.parser.plugins.further_learners.structured as structured
import numpy as np
import pytest
from crossarc import Config, CrossarcError, Sentence, load_model, save_model, score_sentences, train
from crossarc.features.extractor import ColumnSize, Extractor
from crossarc.features.template import FeatureModel, parse_template
from crossarc.oracles.oracle import Gold
from crossarc.oracles.registry import make_oracle
from crossarc.parser.base.progress import nothing
from crossarc.parser.plugins.further_learners.perceptron import Perceptron
from crossarc.parser.plugins.further_learners.structured import learn_with_beam
from crossarc.parser.search.greedy import Fallback, derive
from crossarc.parser.training.derivations import DerivedBatch, InstanceRecorder
from crossarc.parser.training.exploration import TrainingBatch
from crossarc.transitions.registry import make_system


def trained(sentences, beam, system="arc-standard", underivable="projectivize", progress=nothing, **guide):
    guide = {"learner": "perceptron", "epochs": 5, **guide}
    config = Config(system=system, features="small", guide=guide, beam=beam, underivable=underivable)
    return train(config, progress, sentences)


@pytest.fixture(scope="module")
def models(sentences):
    return {beam: trained(sentences, beam) for beam in (1, 4)}


def las(model, sentences, beam=0):
    return score_sentences(sentences, model.with_beam(beam or model.beam).parse(sentences)).las


def test_parsers_learn_with_and_without_a_beam(models, sentences):
    assert las(models[1], sentences) > 75
    assert las(models[4], sentences) > 80
    assert las(models[4], sentences, beam=1) < las(models[4], sentences)


@pytest.mark.parametrize(("system", "least"), [("arc-eager", 80), ("arc-hybrid", 70), ("swap", 80), ("covington", 55)])
def test_every_kind_of_system_learns_with_a_beam(system, least, sentences):
    assert las(trained(sentences, 4, system), sentences) > least


def test_model_files_keep_the_beam(models, sentences, tmp_path):
    gold = sentences[:10]
    for model in models.values():
        save_model(model, str(tmp_path / "model"))
        loaded = load_model(str(tmp_path / "model"))
        assert loaded.beam == model.beam
        assert ("beam=4" in loaded.to_text()) == (model.beam == 4)
        assert list(loaded.parse(gold)) == list(model.parse(gold))


class Watched(Perceptron):
    """A perceptron that passes itself and the correction to ``watch`` before each correction."""

    def __init__(self, watch, **options):
        super().__init__(**options)
        self.watch = watch

    def correct(self, keys, classes, amounts, ahead):
        self.watch(self, keys, classes, amounts)
        return super().correct(keys, classes, amounts, ahead)


def one_derivation(copies=1):
    """(system, extractor, batch): copies of the derivation of one tree by arc-standard."""
    system = make_system("arc-standard")
    lines = ("merge(form(Stack[0]), form(Stack[1]))", "merge(form(Stack[0]), arity(Stack[0]))", "form(Lookahead[0])")
    model = FeatureModel(tuple(parse_template(line, "test") for line in lines))
    extractor = Extractor(model, {"form": ColumnSize(6)}, 2)
    columns = {"form": np.tile(np.arange(6), (copies, 1))}
    gold = Gold([[-1, 2, 0, 2, 3]] * copies, [[-1, 0, 1, 0, 1]] * copies)
    skip = np.zeros(copies, dtype=bool)
    recorder = InstanceRecorder(extractor, columns, copies, all_steps=True)
    derive(system, make_oracle(system, gold), system.initial(gold.lengths), Fallback(0, 0), recorder)
    batch = TrainingBatch(gold, columns, skip)
    return system, extractor, DerivedBatch(range(copies), batch, recorder.recorded(), recorder.complete)


def test_violations_strengthen_gold_and_weaken_better_prefixes():
    system, extractor, derived = one_derivation()
    gold_keys = derived.recorded.matrix.decoded()
    seen = []

    def watch(learner, keys, classes, amounts):
        right, wrong = amounts > 0, amounts < 0
        assert right.sum() == wrong.sum()  # prefixes of equal length, from their first difference
        assert classes[right][0] != classes[wrong][0]
        assert (keys[right][0] == keys[wrong][0]).all()
        starts = range(len(gold_keys) - right.sum() + 1)
        assert any((gold_keys[start : start + right.sum()] == keys[right]).all() for start in starts)
        better, worse = (learner.scores_of(keys[side], classes[side]).sum() for side in (wrong, right))
        assert better >= worse
        seen.append(len(keys))

    learner = Watched(watch, epochs=30)
    learn_with_beam(learner, system, extractor, [derived], 2, lambda line: None)
    assert 1 < len(seen) < 30


def test_an_error_in_copies_of_a_sentence_is_corrected_once():
    weights, corrected = [], []
    for copies in (1, 8):
        system, extractor, derived = one_derivation(copies)
        learner, lines = Perceptron(epochs=3), []
        learn_with_beam(learner, system, extractor, [derived], 2, lines.append)
        weights.append((learner.sparse.keys, learner.sparse.classes, learner.sparse.weights * learner.scale_))
        corrected.append([line for line in lines if line.startswith("epoch")])
    assert corrected[0] == corrected[1]
    assert "1 derivations corrected" in corrected[0][0]
    assert all((one == other).all() for one, other in zip(*weights, strict=True))


def corrected(*arguments, **options):
    """The number of derivations that training corrects in each epoch."""
    lines = []
    trained(*arguments, progress=lines.append, **options)
    return [int(line.split()[4]) for line in lines if line.startswith("epoch")]


def test_skipped_sentences_cause_no_corrections(sentences):
    [skipped] = corrected(sentences, 2, "arc-eager", "skip", epochs=1)
    [every] = corrected(sentences, 2, "arc-eager", "projectivize", epochs=1)
    assert skipped < every <= 40


def of_five_words(heads):
    """A sentence with this tree."""
    tags = ["X"] * 5
    return Sentence.from_tokens(list("vwxyz"), upos=tags, xpos=tags, heads=heads, deprels=["dep"] * 5)


@pytest.mark.parametrize("system", ["arc-standard", "arc-eager", "attardi"])
@pytest.mark.parametrize("way", ["skip", "best-effort"])
def test_default_transitions_are_never_predicted(system, way, tmp_path):
    """Trees that the oracle cannot derive cause default transitions, which have no labels. Models that had learned
    these could be saved, but not loaded.
    """
    treebank = [of_five_words(heads) for heads in [(2, 0, 2, 3, 4), (3, 5, 0, 3, 3), (4, 5, 0, 3, 3)] * 3]
    model = trained(treebank, 2, system, way, epochs=2)
    inventory = model.stages[0].inventory
    labelled = [move.labelled for move in model.stages[0].system.moves]
    assert all((label >= 0) == labelled[move] for move, label in inventory.tolist())
    save_model(model, tmp_path / "m")
    assert list(load_model(tmp_path / "m").parse(treebank)) == list(model.parse(treebank))


def test_training_without_derivable_trees_is_refused():
    with pytest.raises(CrossarcError, match=r"^the oracle cannot derive any tree, .*; allowed: underivable: proj"):
        trained([of_five_words((4, 5, 0, 3, 3))], 2, underivable="best-effort")


def test_transitions_off_the_gold_derivation_get_the_margin():
    scores = np.array([[1, 2, -np.inf], [3, 4, 5], [6, 7, 8]], dtype=np.float32)
    ahead = structured._ahead(scores, np.array([1, 0, structured.STAY]), np.array([True, False, True]), 10.0)
    assert ahead.tolist() == [[11, 2, -np.inf], [3, 4, 5], [6, 7, 8]]
    assert scores[0].tolist() == [1, 2, -np.inf]


def test_a_margin_causes_more_corrections(sentences):
    without, with_margin = (corrected(sentences, 2, epochs=6, margin=margin)[-1] for margin in (0.0, 1e3))
    assert without < with_margin
