"""The study of crossing arcs: gains of a run on a generated treebank, samples of given doses, and sign flips."""

from itertools import product

import numpy as np
import pytest
from command_line import generated, write_splits
from crossarc import load_config, read_treebank, score_sentences, train
from crossarc.experiments.studies.crossing.experiment import effects, first_words, sampled, slope, summary
from crossarc.transitions.trees import is_projective
from reports import run_experiment

SETTINGS = """words: 500
dose_words: 300
doses: [0, 1]
resamples: 1
dosed: [tiny]
dosed_parsers: [control, swap, graph control, graph approximation]
parsers:
  control: {config: arc-standard-small}
  swap: {config: swap-small}
  graph control: {config: graph, graph.nonprojective: none, graph.epochs: 2}
  graph approximation: {config: graph, graph.epochs: 2}
treebanks:
  tiny: {train: train.conllu, test: test.conllu}
"""


def crossing_share(sentences):
    return sum(not is_projective(sentence.heads()) for sentence in sentences) / len(sentences)


@pytest.mark.slow
def test_gains_are_differences_to_the_control_of_the_same_base(tmp_path):
    write_splits(tmp_path, {"train": 150, "test": 30}, rate=0.5)
    found, _, _ = run_experiment("crossing", tmp_path, settings=SETTINGS)
    sentences = first_words(read_treebank(str(tmp_path / "train.conllu")).sentences, 500)
    gold = read_treebank(str(tmp_path / "test.conllu")).sentences
    one, other = (train(load_config(name), sentences=sentences) for name in ("swap-small", "arc-standard-small"))
    for base, beam in (("greedy", 1), ("beam", 4)):
        las = [score_sentences(gold, model.with_beam(beam).parse(gold)).las for model in (one, other)]
        assert found["treebanks"]["tiny"][f"{base} swap"] == pytest.approx(las[0] - las[1])
    assert found["summary"]["graph approximation"]["treebanks"] == 1
    doses = {(row["base"], row["dose"]): row["crossing_arcs"] for row in found["rows"].values()}
    assert doses["greedy", 0.0] == 0 < doses["greedy", 1.0] < doses["greedy", None]


@pytest.mark.parametrize(("dose", "seed"), [*product([0, 0.25, 0.5, 1], range(2))])
def test_sample_has_the_share_of_crossing_sentences_and_the_words(dose, seed):
    sentences = generated(1, 600, rate=0.5)
    found = sampled(sentences, 1000, dose, seed)
    natural = crossing_share(sentences)
    assert natural > 0.3
    assert crossing_share(found) == pytest.approx(dose * natural, abs=1 / len(found))
    assert 1000 <= sum(map(len, found)) < 1000 + max(map(len, sentences))
    assert len(set(map(id, found))) == len(found)
    assert found == sampled(sentences, 1000, dose, seed) != sampled(sentences, 1000, dose, seed + 5)


def test_too_small_a_treebank_is_an_error():
    with pytest.raises(ValueError, match="expected 1000"):
        sampled(generated(1, 40, rate=0.5), 1000, 0, 1)


def test_summary_counts_treebanks_once_and_flips_their_signs():
    gains = {"a": [1.0, 3.0], "b": [1.0], "c": [-2.0]}
    rows = [{"treebank": name, "gain": own, "crossing_gain": None} for name, many in gains.items() for own in many]
    found = summary(rows)
    assert (found["treebanks"], found["above"], found["crossing_gain"]) == (3, 2, None)
    assert found["gain"] == pytest.approx((2 + 1 - 2) / 3)
    sums = [abs(2 * a + b - 2 * c) for a, b, c in product((-1, 1), repeat=3)]
    assert found["p"] == sum(own >= 1 for own in sums) / 8
    assert -2 <= found["low"] < found["gain"] < found["high"] <= 2


def test_slope_is_that_of_the_regression_line():
    arcs, gains = [0, 9, 99, 999, 9], [0.5, 0.1, 0.4, 1.0, 0.3]
    rows = [{"crossing_arcs": own, "gain": gain} for own, gain in zip(arcs, gains, strict=True)]
    found = slope(rows)
    assert found["gain"] == pytest.approx(np.polyfit([0, 1, 2, 3, 1], gains, 1)[0])
    assert found["low"] < found["gain"] < found["high"]
    assert slope([{"crossing_arcs": 3, "gain": 1.0}] * 2)["gain"] is None


def test_effect_is_the_difference_of_means_of_the_last_and_first_dose():
    gains = {("a", 0.0): [1, 2], ("a", 0.5): [9, 9], ("a", 1.0): [3, 5], ("b", 1.0): [1, 1], ("b", 0.0): [0, 0]}
    rows = [
        {"treebank": name, "dose": dose, "gain": gain, "crossing_gain": None}
        for (name, dose), many in gains.items()
        for gain in many
    ]
    assert [(row["treebank"], row["gain"]) for row in effects(rows)] == [("a", 2.5), ("b", 1.0)]
