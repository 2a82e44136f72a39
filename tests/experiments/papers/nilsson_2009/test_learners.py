"""Learners of Nilsson (2009), chapter 7: stored scores, and weights of votes for transitions."""

import numpy as np
import pytest
from command_line import conllu
from crossarc import Config, TreebankOptions, train
from crossarc.experiments.papers.nilsson_2009.chapters.ch7 import Remembering, transition_weights
from crossarc.parser.learners.learner import Learner
from crossarc.parser.plugins.blending.vote_weights import Weights


class Counting(Learner):
    """A learner whose scores are the keys and their negatives; ``asked`` counts the rows that it has scored."""

    name = "counting"
    asked = 0

    def fit(self, instances):
        return self

    def scores(self, keys):
        self.asked += len(keys)
        return np.hstack([keys, -keys]).astype(np.float32)


def test_equal_keys_are_scored_once():
    guide = Counting()
    remembering = Remembering(guide)
    first = remembering.scores(np.array([[3], [5], [3]]))
    first[:] = np.nan
    again = remembering.scores(np.array([[5], [7], [3]]))
    np.testing.assert_array_equal(again, [[5, -5], [7, -7], [3, -3]])
    assert guide.asked == 3
    remembering.known.clear()
    np.testing.assert_array_equal(remembering.scores(np.array([[5]])), [[5, -5]])
    assert guide.asked == 4


@pytest.mark.parametrize("by", ["equal", "accuracy", "deprel"])
def test_votes_for_transitions_have_the_weights_of_their_arcs(tmp_path, by):
    file = tmp_path / "train.conllu"
    file.write_text(conllu(1, 30, depth=1), "utf-8")
    model = train(Config("arc-eager", features="small", treebank=TreebankOptions(train=str(file))))
    (stage,) = model.stages
    known = model.labels[0]
    special = {"equal": (), "accuracy": (), "deprel": ({}, {known: 0.9})}[by]
    found = transition_weights(Weights(by, (0.2, 0.5), special), [1, 0], stage, model)
    assert found.shape == (2, len(stage.inventory))
    np.testing.assert_array_equal(found[1], 0.2)
    arcs = 0
    for weight, (move, label) in zip(found[0], stage.inventory.tolist(), strict=True):
        named = stage.system.moves[move].labelled and model.labels[label] == known
        arcs += named
        assert weight == (0.9 if named and by == "deprel" else 0.5)
    assert arcs
