"""Beam search compared with greedy search and with all derivations."""

import numpy as np
import pytest
from crossarc.features.extractor import ColumnSize, Extractor
from crossarc.features.template import FeatureModel, parse_template
from crossarc.parser.learners.learner import Learner
from crossarc.parser.search.beam import Beam, search
from crossarc.parser.search.greedy import Fallback, derive
from crossarc.parser.search.learned_guide import LearnedGuide
from crossarc.transitions.registry import SYSTEMS, make_system
from hypothesis import given, strategies as st

FALLBACK = Fallback(0, 1)


class Dice:
    """Random scores that depend only on the features; the scores of classes in ``never`` are minus infinity."""

    additive = Learner.additive
    confidences = Learner.confidences
    sharpness = Learner.sharpness

    def __init__(self, classes, never=()):
        self.weights = np.random.default_rng(5).normal(size=(997, classes)).astype(np.float32)
        self.weights[:, list(never)] = -np.inf

    def scores(self, keys):
        return self.weights[(keys * np.arange(1, 2 * keys.shape[1], 2)).sum(axis=1) % len(self.weights)]


def guide_of(name, lengths, never=()):
    """A guide with two labels and features that identify the words of stack and buffer."""
    system = make_system(name, single_root=True)
    sources = ("Stack[0]", "Stack[1]", "Input[0]") if "Stack" in system.sources else ("Left[0]", "Input[0]")
    lines = [f"form({source})" for source in sources] + [f"deprel(ldep({sources[0]}))", f"deprel(rdep({sources[0]}))"]
    model = FeatureModel(tuple(parse_template(line, "test") for line in lines))
    extractor = Extractor(model, {"form": ColumnSize(max(lengths) + 3)}, 2)
    labels = [range(2) if move.labelled else (-1,) for move in system.moves]
    inventory = np.array([(move, label) for move, own in enumerate(labels) for label in own])
    columns = {"form": np.tile(np.arange(max(lengths) + 2), (len(lengths), 1))}
    return LearnedGuide(Dice(len(inventory), never), extractor, columns, inventory, system)


def initial(guide, lengths):
    return guide.system.initial(np.array(lengths))


def best_score(guide, c):
    """The best score of all derivations from one configuration."""
    system = guide.system
    if system.terminal(c)[0]:
        return 0.0
    legal = system.legal(c)
    scores = guide.learner.additive(guide.decide(c, legal).scores)[0]
    found = []
    for number in np.flatnonzero(scores > -np.inf):
        after = c.compact()
        move, label = guide.inventory[number]
        system.advance(after, np.array([move]), np.array([label]))
        found.append(scores[number] + best_score(guide, after))
    return max(found)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_wide_beam_finds_the_best_derivation(name):
    lengths = [2, 0, 1]
    guide = guide_of(name, lengths)
    if name == "2-planar":  # it has too many derivations with two labels
        guide = guide_of(name, lengths, np.flatnonzero(guide.inventory[:, 1] == 1))
    found = search(guide.system, guide, initial(guide, lengths), 4000)
    _, scores = found.ranked()
    for row in range(len(lengths)):
        own = initial(guide, lengths).at(np.array([row])).compact()
        assert scores[row, 0] == pytest.approx(best_score(guide, own), abs=1e-9)
    assert (np.diff(np.nan_to_num(scores, neginf=-1e9), axis=1) <= 0).all()


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_beam_of_one_is_greedy(name):
    lengths = [3, 0, 12, 1, 7, 25]
    for never in ((), (0,)):  # without SHIFT, most systems need default transitions
        guide = guide_of(name, lengths, never)
        found = search(guide.system, guide, initial(guide, lengths), 1)
        guide.system.finish(found.c, FALLBACK.root_label, FALLBACK.orphan_label)
        greedy = derive(guide.system, guide, initial(guide, lengths), FALLBACK)
        assert found.c.heads_matrix().tolist() == greedy.heads.tolist()
        assert found.c.deprels_matrix().tolist() == greedy.deprels.tolist()
        assert found.defaults.tolist() == greedy.defaults.tolist()
        assert never == () or greedy.defaults.any() or name in ("arc-eager", "covington-projective", "tagging")


@pytest.mark.parametrize("name", SYSTEMS)
def test_batches_and_single_sentences_give_the_same_derivations(name):
    lengths = [3, 0, 12, 1, 7]
    guide = guide_of(name, lengths)
    together = search(guide.system, guide, initial(guide, lengths), 4)
    for row in range(len(lengths)):
        alone = search(guide.system, guide, initial(guide, lengths).at(np.array([row])).compact(), 4)
        own = together.sentence == row
        assert together.score[own].tolist() == alone.score.tolist()
        assert together.c.heads_matrix()[own].tolist() == alone.c.heads_matrix().tolist()
        assert together.c.deprels_matrix()[own].tolist() == alone.c.deprels_matrix().tolist()


@given(st.integers(1, 5), st.integers(1, 6), st.sampled_from([0.0, 2.0, np.inf]), st.data())
def test_the_best_extensions_are_kept(width, classes, threshold, data):
    system = make_system("arc-standard")
    c = system.initial(np.array([3, 3]))
    beam = Beam(system, c, np.array([[0, -1]] * classes), width, threshold)
    kept = [[0.0], [0.0]]
    for _ in range(3):
        rows = len(beam.c)
        amounts = st.lists(st.integers(-3, 3), min_size=rows * classes, max_size=rows * classes)
        scores = np.array(data.draw(amounts)).reshape(rows, classes)
        totals = [[], []]
        for row, sentence in enumerate(beam.sentence.tolist()):
            totals[sentence] += [beam.score[row] + score for score in scores[row]]
        kept = [
            [one for one in sorted(total, reverse=True)[:width] if one >= max(total) - threshold] for total in totals
        ]
        before = beam.score
        parent, chosen = beam.extend(system.legal(beam.live), scores.astype(float))
        assert [beam.score[beam.sentence == sentence].tolist() for sentence in (0, 1)] == kept
        assert (before[parent] + scores[parent, chosen] == beam.score).all()
