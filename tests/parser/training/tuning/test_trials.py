"""Trials: their outcomes, splits, journal and costs; none is repeated or begun without enough time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from command_line import generated
from crossarc.parser.config.config import Config, GraphOptions
from crossarc.parser.evaluate.align import score_sentences
from crossarc.parser.models.files import model_bytes
from crossarc.parser.training.train import train
from crossarc.parser.training.tuning.budget import Budget, Costs, first_step
from crossarc.parser.training.tuning.trial import Candidate, Outcome, Split, better, run_trial
from crossarc.parser.training.tuning.trials import Data, Journal, Trials
from crossarc.parser.treebank import Sentence
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

FEW = ("form(Stack[0])", "xpos(Stack[0])", "xpos(Stack[1])", "xpos(Lookahead[0])")


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return generated(1, 40)


class Clock:
    """A clock that only trials advance, by one millisecond per training word."""

    def __init__(self) -> None:
        self.time = 0.0
        self.runs: list[tuple[str, ...]] = []

    def __call__(self) -> float:
        return self.time

    def run(self, splits: Sequence[Split], candidate: Candidate, keep: bool) -> tuple[Outcome, bytes]:
        words = sum(len(sentence) for split in splits for sentence in split.train)
        self.time += words / 1000
        self.runs.append(candidate.templates)
        return Outcome(np.ones(10, dtype=np.bool_), 10, words / 1000), b""


def candidates(number: int) -> list[Candidate]:
    return [Candidate(Config(), (f"form(Stack[{place}])", "form(Lookahead[0])")) for place in range(number)]


@given(arrays(np.bool_, st.integers(0, 40)), st.integers(0, 99), st.floats(0, 1e6), st.text())
def test_outcomes_are_restored_from_json(right: np.ndarray, heads: int, seconds: float, failure: str) -> None:
    outcome = Outcome(right, heads, seconds, failure)
    found = Outcome.from_json(json.loads(json.dumps(outcome.to_json())))
    assert (found.right == right).all()
    assert len(found.right) == len(right)
    assert (found.heads_right, found.failure) == (heads, failure)
    assert found.seconds == pytest.approx(seconds, abs=1e-3)


def outcome(text: str, failure: str = "") -> Outcome:
    return Outcome(np.array([letter == "+" for letter in text], dtype=np.bool_), 0, 1.0, failure)


@pytest.mark.parametrize(
    ("own", "other", "wins"),
    [
        ("++++", "----", True),  # 4 won, 0 lost: 4 > 2
        ("+---", "----", False),  # 1 won: no more than its standard error
        ("++--", "----", True),  # 2 > 1.41
        ("+++--", "---++", False),  # 3 won, 2 lost: 1 < 2.24
        ("+++++-", "-----+", True),  # 5 won, 1 lost: 4 > 2.45
        ("----", "++++", False),
        ("++++", "++++", False),
    ],
)
def test_better_outcomes_differ_by_more_than_the_standard_error(own: str, other: str, wins: bool) -> None:
    assert better(outcome(own), outcome(other)) is wins


def test_failed_trials_lose() -> None:
    assert better(outcome("----"), outcome("", "no"))
    assert not better(outcome("", "no"), outcome("----"))
    assert not better(outcome("", "no"), outcome("", "no"))


def test_trials_and_evaluation_give_equal_scores(sentences: list[Sentence]) -> None:
    candidate = Candidate(Config(), FEW)
    found, content = run_trial([Split(sentences[:30], sentences[30:])], candidate, keep=True)
    model = train(candidate.config, sentences=sentences[:30], features=candidate.feature_model())
    scores = score_sentences(sentences[30:], list(model.parse(sentences[30:])))
    assert (found.las, found.uas) == (pytest.approx(scores.las), pytest.approx(scores.uas))
    assert len(found.right) == sum(map(len, sentences[30:]))
    assert content == model_bytes(model)


def test_failed_trials_report_the_reason(sentences: list[Sentence]) -> None:
    split = Split(sentences[:30], sentences[30:])
    found, content = run_trial([split], Candidate(Config(), ("nonsense(Stack[0])",)), keep=True)
    assert content == b""
    assert found.failure.endswith(f"{sentences[0].source}:{sentences[0].line}: no column 'nonsense'; allowed: {NAMES}")
    assert found.las == 0.0


NAMES = "id, form, lemma, upos, xpos, feats, head, deprel, deps, misc"


@pytest.mark.parametrize("dev", [True, False])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_every_sentence_is_parsed_once_by_a_parser_not_trained_on_it(
    sentences: list[Sentence], dev: bool, step: int
) -> None:
    data = Data(sentences[:30], sentences[30:], 0) if dev else Data(sentences, None, 3)
    splits = data.splits(step)
    parsed = [sentence.id for split in splits for sentence in split.test]
    assert sorted(parsed) == sorted(sentence.id for sentence in (sentences[30:] if dev else sentences))
    for split in splits:
        assert not {own.id for own in split.train} & {own.id for own in split.test}
    assert data.words(step) == sum(len(own) for split in splits for own in split.train)


def test_different_data_has_different_keys(sentences: list[Sentence]) -> None:
    keys = {Data(sentences[:20], sentences[20:]).key, Data(sentences[:20], sentences[21:]).key}
    keys |= {Data(sentences[:21], sentences[21:]).key, Data(sentences, None, 3).key, Data(sentences, None, 4).key}
    assert len(keys) == 5


def trials(sentences: list[Sentence], clock: Clock, seconds: float, folder: Path) -> Trials:
    data = Data(sentences[:30], sentences[30:])
    return Trials(data, Journal(folder / "journal.jsonl"), Budget(seconds, clock), folder / "models", run=clock.run)


def test_trials_that_exceed_the_budget_do_not_begin(sentences: list[Sentence], tmp_path: Path) -> None:
    clock = Clock()
    cost = sum(map(len, sentences[:30])) / 1000
    own = trials(sentences, clock, 5.1 * cost, tmp_path)
    done = own.run(candidates(9), 1, own.budget.left())
    assert len(done) == len(clock.runs) == 4  # a fifth would end within the budget, but not with the caution factor
    assert own.budget.left() > 0
    assert own.run(candidates(9), 1, own.budget.left()) == done
    assert len(own.run(candidates(9), 3, own.budget.left())) == 2  # two trials with a third of the sentences still fit


def test_finished_trials_are_not_repeated(sentences: list[Sentence], tmp_path: Path) -> None:
    first, again = Clock(), Clock()
    trials(sentences, first, 1e6, tmp_path).run(candidates(3), 1, 1e6)
    own = trials(sentences, again, 1e6, tmp_path)
    assert len(own.run(candidates(4), 1, 1e6)) == 4
    assert (len(first.runs), len(again.runs)) == (3, 1)
    assert len(own.run([candidates(3)[0].with_guide(C=0.5)], 1, 1e6)) == 1
    assert len(own.run(candidates(1), 2, 1e6)) == 1
    assert len(again.runs) == 3


def test_outcomes_on_other_sentences_are_not_reused(sentences: list[Sentence], tmp_path: Path) -> None:
    first, again = Clock(), Clock()
    trials(sentences, first, 1e6, tmp_path).run(candidates(3), 1, 1e6)
    trials([*sentences[1:], sentences[0]], again, 1e6, tmp_path).run(candidates(3), 1, 1e6)
    assert first.runs == again.runs


def test_damaged_lines_of_the_journal_are_ignored(sentences: list[Sentence], tmp_path: Path) -> None:
    trials(sentences, Clock(), 1e6, tmp_path).run(candidates(3), 1, 1e6)
    file = tmp_path / "journal.jsonl"
    whole = file.read_bytes()
    for torn in (whole[:-20], whole[:-1], b"\xff\n" + whole[:-40] + b"\x00", whole + b"[]\n{}\n"):
        file.write_bytes(torn)
        before = len(Journal(file))
        assert before in (2, 3)
        trials(sentences, Clock(), 1e6, tmp_path).run(candidates(4), 1, 1e6)
        assert len(Journal(file)) == 4


def test_equal_candidates_are_tried_once(sentences: list[Sentence], tmp_path: Path) -> None:
    clock = Clock()
    assert len(trials(sentences, clock, 1e6, tmp_path).run(candidates(2) * 3, 1, 1e6)) == 6
    assert len(clock.runs) == 2


def test_costs_are_estimated_from_finished_trials() -> None:
    costs = Costs()
    small, large = candidates(1)[0], Candidate(Config(), FEW)
    unknown = costs.estimate(small, 1000)
    assert unknown == pytest.approx(2 * 3e-4 * 1000 * 2 / 93)
    costs.add(small, 1000, 2.0)
    assert costs.estimate(small, 1000) == pytest.approx(1.2 * 2)
    costs.add(small, 1000, 3.0)
    assert costs.estimate(small, 1000) == pytest.approx(1.2 * 3)  # the latest trial of this size
    costs.add(small, 1000, 2.0)
    assert costs.estimate(small, 500) == pytest.approx(1.2)
    assert costs.estimate(large, 1000) > 1.2 * 4
    assert costs.estimate(Candidate(Config(system="swap"), small.templates), 1000) == pytest.approx(2 * 2.0)
    graph = Candidate(Config(system="graph", graph=GraphOptions(epochs=4)), small.templates)
    assert costs.estimate(graph, 1000) == pytest.approx(1.2 * 2.0 * 93 * 10 / 2)  # as ten trainings of 93 templates


@pytest.mark.parametrize(
    ("words", "minutes", "jobs", "step"),
    [
        (80_000, 20, 1, 2),
        (80_000, 20, 2, 1),
        (80_000, 8, 1, 4),
        (35_000, 8, 1, 2),
        (205_000, 20, 2, 2),
        (9_000, 1, 1, 1),
    ],
)
def test_the_first_training_sets_suit_the_budget(words: int, minutes: float, jobs: int, step: int) -> None:
    assert first_step(words, minutes, jobs, 5000) == step
