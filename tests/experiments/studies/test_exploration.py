"""Exploration: measures compared with naive counts, and a run on a generated treebank."""

import numpy as np
import pytest
from crossarc.experiments.studies.exploration.experiment import AFTER, LENGTHS, after_first_error, by_length
from hypothesis import given, strategies as st
from reports import missing_tables, refused_experiment, run_experiment

SENTENCES = st.lists(st.lists(st.booleans(), min_size=1, max_size=40), min_size=1, max_size=6)
TINY = """\
experiment: exploration
features: small
seeds: [1, 2]
systems: [arc-eager, arc-hybrid-swap]
parsers:
  static: {config: arc-standard}
  dynamic: {config: explored}
  beam: {config: beam, guide.epochs: 1, beam: 2}
generated:
  tiny: {train: 30, test: 20, rate: 0.5}
treebanks: {}
"""


def arrays(sentences):
    return np.array([word for sentence in sentences for word in sentence]), np.array(
        [len(sentence) for sentence in sentences]
    )


@given(SENTENCES)
def test_error_rates_after_the_first_error_agree_with_naive_counts(sentences):
    counts = {name: [0, 0] for name in AFTER}
    for sentence in sentences:
        if all(sentence):
            continue
        first = sentence.index(False)
        for distance, right in enumerate(sentence[first + 1 :], 1):
            (name,) = [name for name, (least, most) in AFTER.items() if least <= distance <= (most or distance)]
            counts[name][0] += not right
            counts[name][1] += 1
    expected = {name: 100 * wrong / words if words else None for name, (wrong, words) in counts.items()}
    assert after_first_error(*arrays(sentences)) == pytest.approx(expected)


@given(SENTENCES)
def test_accuracy_by_sentence_length_agrees_with_naive_counts(sentences):
    for name, (least, most) in LENGTHS.items():
        words = [
            word for sentence in sentences if least <= len(sentence) <= (most or len(sentence)) for word in sentence
        ]
        expected = 100 * sum(words) / len(words) if words else None
        assert by_length(*arrays(sentences))[name] == pytest.approx(expected)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return run_experiment("exploration", tmp_path_factory.mktemp("study"), settings=TINY)


def test_runs_train_every_system_in_every_way(run):
    figures = run.figures["tiny"]
    assert list(figures) == ["static", "dynamic", "beam"]
    for way, rows in figures.items():
        assert list(rows) == ["arc-eager", "arc-hybrid-swap"]
        for row in rows.values():
            assert 10 < row["las"] <= row["uas"] <= 100
            assert min(row["pre"], row["post"]) <= 100 - row["las"] + 0.01
            assert max(row["pre"], row["post"]) >= 100 - row["las"] - 0.01
            assert (row["gain"] is None) == (row["p"] is None) == (way == "static")
        if way != "static":
            for system, row in rows.items():
                assert row["gain"] == pytest.approx(row["las"] - figures["static"][system]["las"], abs=0.011)
                assert 0 < row["p"] <= 1
                assert row["better"] in (0, 1, 2)
    assert figures["static"]["arc-eager"]["recall"] == 0  # cannot derive crossing arcs
    assert figures["static"]["arc-hybrid-swap"]["recall"] > 0
    assert missing_tables("exploration", run.report) == []
    assert "| dynamic | arc-hybrid-swap |" in run.report


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("systems=[arc-eagre]", "systems: found 'arc-eagre' (did you mean 'arc-eager'?)"),
        ("systems=[swap]", "explore: swap has no dynamic oracle"),
        ("seeds=[1, 1]", "seeds: found [1, 1]; allowed: different whole numbers, 0 or more"),
        ("generated={}", "treebanks: found none"),
    ],
)
def test_invalid_settings_are_refused(tmp_path, setting, message, capsys):
    assert message in refused_experiment(capsys, "exploration", tmp_path, "--set", setting, settings=TINY)
