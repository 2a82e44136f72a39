"""Trials: their outcomes, splits, journal and costs; none is repeated or begun without enough time."""

import json
from dataclasses import replace

import numpy as np
import pytest
from command_line import generated
from crossarc import Config, score_sentences, train
from crossarc.parser.training.tuning import Budget, trials as module
from crossarc.parser.training.tuning.trials import Data, Outcome, Split, Trials, better, run_trial
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

FEW = Config(features="small")


@pytest.fixture(scope="module")
def sentences():
    return generated(1, 40)


class Clock:
    """A clock that only trials advance, by one millisecond per training word."""

    def __init__(self):
        self.time = 0.0
        self.runs = []

    def __call__(self):
        return self.time

    def run(self, splits, config):
        words = sum(len(sentence) for split in splits for sentence in split.train)
        self.time += words / 1000
        self.runs.append(config.guide["C"])
        return Outcome(np.ones(10, dtype=np.bool_), 10, words / 1000)


def configs(number):
    return [Config(guide={"learner": "svm", "C": place + 1}) for place in range(number)]


@given(arrays(np.bool_, st.integers(0, 40)), st.integers(0, 99), st.floats(0, 1e6), st.text())
def test_outcomes_are_restored_from_json(right, heads, seconds, failure):
    found = Outcome.from_json(json.loads(json.dumps(Outcome(right, heads, seconds, failure).to_json())))
    assert found.right.tolist() == right.tolist()
    assert (found.heads_right, found.failure) == (heads, failure)
    assert found.seconds == pytest.approx(seconds, abs=1e-3)


def outcome(text, failure=""):
    return Outcome(np.array([letter == "+" for letter in text], dtype=np.bool_), 0, 1.0, failure)


@pytest.mark.parametrize(
    ("own", "other", "wins"),
    [
        (outcome("++++"), outcome("----"), True),  # 4 won, 0 lost: 4 > 2
        (outcome("+---"), outcome("----"), False),  # 1 won: no more than its standard error
        (outcome("+++--"), outcome("---++"), False),  # 3 won, 2 lost: 1 < 2.24
        (outcome("+++++-"), outcome("-----+"), True),  # 5 won, 1 lost: 4 > 2.45
        (outcome("----"), outcome("++++"), False),
        (outcome("----"), outcome("", "no"), True),
        (outcome("", "no"), outcome("----"), False),
    ],
)
def test_better_outcomes_differ_by_more_than_the_standard_error(own, other, wins):
    assert better(own, other) is wins


def test_trials_and_evaluation_give_equal_scores(sentences):
    found = run_trial([Split(sentences[:30], sentences[30:])], FEW)
    scores = score_sentences(sentences[30:], list(train(FEW, sentences=sentences[:30]).parse(sentences[30:])))
    assert (found.las, found.uas) == (pytest.approx(scores.las), pytest.approx(scores.uas))
    assert len(found.right) == sum(map(len, sentences[30:]))


def test_failed_trials_report_the_reason(sentences, tmp_path):
    (tmp_path / "f.yaml").write_text("templates:\n- nonsense(Stack[0])\n")
    failing = replace(FEW, features=str(tmp_path / "f.yaml"))
    trials = Trials(Data(sentences[:30], sentences[30:]), tmp_path / "journal.jsonl", Budget(60))
    assert trials.attempt([failing], 1, 0) == [failing]
    assert "unknown column 'nonsense'" in trials.result(failing, 1).failure
    assert trials.result(failing, 1).las == 0.0


@pytest.mark.parametrize("dev", [True, False])
@pytest.mark.parametrize("step", [1, 3])
def test_every_sentence_is_parsed_once_by_a_parser_not_trained_on_it(sentences, dev, step):
    data = Data(sentences[:30], sentences[30:], 0) if dev else Data(sentences, None, 3)
    splits = data.splits(step)
    parsed = [sentence.id for split in splits for sentence in split.test]
    assert sorted(parsed) == sorted(sentence.id for sentence in (sentences[30:] if dev else sentences))
    for split in splits:
        assert not {own.id for own in split.train} & {own.id for own in split.test}
    assert data.all_words == sum(len(own) for split in data.splits(1) for own in split.train)


def test_different_data_has_different_keys(sentences):
    keys = {Data(sentences[:20], sentences[20:]).key, Data(sentences[:20], sentences[21:]).key}
    keys |= {Data(sentences[:21], sentences[21:]).key, Data(sentences, None, 3).key, Data(sentences, None, 4).key}
    assert len(keys) == 5


def trials(sentences, clock, seconds, folder):
    data = Data(sentences[:30], sentences[30:])
    return Trials(data, folder / "journal.jsonl", Budget(seconds, clock), run=clock.run)


def test_trials_that_exceed_the_budget_do_not_begin(sentences, tmp_path):
    clock = Clock()
    cost = sum(map(len, sentences[:30])) / 1000
    own = trials(sentences, clock, 5.1 * cost, tmp_path)
    done = own.attempt(configs(9), 1, 0)
    assert len(done) == len(clock.runs) == 4  # a fifth would end within the budget, but not with the caution factor
    assert own.attempt(configs(9), 1, 0) == done
    assert len(own.attempt(configs(9), 3, 0)) == 2  # two trials with a third of the sentences still fit
    assert len(own.attempt(configs(9), 3, 5 * cost)) == 2


def test_finished_trials_are_not_repeated(sentences, tmp_path):
    first, again, other = Clock(), Clock(), Clock()
    trials(sentences, first, 1e6, tmp_path).attempt(configs(3), 1, 0)
    own = trials(sentences, again, 1e6, tmp_path)
    assert len(own.attempt(configs(4), 1, 0)) == 4
    assert (own.known, own.trained, len(first.runs), len(again.runs)) == (3, 1, 3, 1)
    own.attempt(configs(1), 2, 0)
    assert len(again.runs) == 2
    trials([*sentences[1:], sentences[0]], other, 1e6, tmp_path).attempt(configs(3), 1, 0)
    assert first.runs == other.runs  # outcomes on other sentences do not count


def test_changed_feature_files_count_as_other_configs(sentences, tmp_path):
    clock, file = Clock(), tmp_path / "f.yaml"
    for template in ("form(Stack[0])", "form(Stack[1])", "form(Stack[0])"):
        file.write_text(f"templates:\n- {template}\n")
        trials(sentences, clock, 1e6, tmp_path).attempt([replace(configs(1)[0], features=str(file))], 1, 0)
    assert len(clock.runs) == 2


def test_damaged_lines_of_the_journal_are_ignored(sentences, tmp_path):
    trials(sentences, Clock(), 1e6, tmp_path).attempt(configs(3), 1, 0)
    file = tmp_path / "journal.jsonl"
    whole = file.read_bytes()
    for torn in (whole[:-20], whole[:-1], b"\xff\n" + whole[:-40] + b"\x00", whole + b"[]\n{}\n"):
        file.write_bytes(torn)
        own = trials(sentences, Clock(), 1e6, tmp_path)
        assert own.known in (2, 3)
        own.attempt(configs(4), 1, 0)
        assert trials(sentences, Clock(), 1e6, tmp_path).known == 4


def test_costs_are_estimated_from_finished_trials(sentences, tmp_path):
    own = trials(sentences, Clock(), 1e6, tmp_path)
    config = configs(1)[0]
    explored = replace(config, explore=1)
    own.attempt([config], 1, 0)
    words = own.data.all_words
    assert own.estimate(config, 1) == pytest.approx(module.CAUTION * words / 1000)
    assert own.estimate(config, 3) == pytest.approx(module.CAUTION * words / 3000)
    assert own.estimate(explored, 1) == pytest.approx(module.EXPLORING * module.CAUTION * words / 1000)
    strange = replace(config, guide={"learner": "maxent"})
    assert own.estimate(strange, 1) == pytest.approx(module.STRANGE * words / 1000)
