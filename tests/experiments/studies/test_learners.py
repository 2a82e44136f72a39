"""Comparison of learners: a run on generated treebanks, and the accuracy of transitions."""

import pytest
from command_line import write_splits
from crossarc import Config, TreebankOptions, read_treebank, train
from crossarc.experiments.harness.settings import load_settings
from crossarc.experiments.studies.learners.experiment import transition_accuracy
from crossarc.parser.config.feature_files import load_features
from crossarc.parser.treebank.symbols import nameable_columns
from reports import missing_tables, run_experiment

PARSERS = (
    "parsers={SVM(L): {config: arc-standard, features: small}, "
    "MBL: {config: knn, guide.threshold: 99}, mine: {config: swap, features: small}}"
)


@pytest.fixture
def folder(tmp_path):
    write_splits(tmp_path, {"train": 40, "dev": 15}, rate=0.4)
    (tmp_path / "mine.yaml").write_text("treebanks:\n  tiny: {train: train.conllu, dev: dev.conllu, sentences: 30}\n")
    return tmp_path


def test_report_has_the_scores_and_costs_of_every_learner(folder):
    scores, report, _ = run_experiment("learners", folder, "--set", PARSERS)
    rows = scores["tiny"]
    assert list(rows) == ["SVM(L)", "MBL", "mine"]
    words = read_treebank(folder / "train.conllu").sentences[:30]
    for row in rows.values():
        assert 30 < row["transitions"] <= 100
        assert 10 < row["las"] <= row["uas"] <= 100
        assert row["train_words"] == sum(map(len, words))
        assert min(row["train_cpu"], row["speed"], row["megabytes"], row["load"]) > 0
    assert f"{rows['MBL']['las']:.2f}" in report
    assert missing_tables("learners", report) == []
    assert "| SVM(Q)  | 79.18 |" in report


def test_memory_based_learner_repeats_the_oracle_on_its_training_set(folder):
    """The nearest neighbour of a configuration is itself, unless other configurations have equal features."""
    file = str(folder / "train.conllu")
    model = train(Config(guide={"learner": "knn", "k": 1}, treebank=TreebankOptions(train=file)))
    sentences = read_treebank(file).sentences
    right, total = transition_accuracy(model, sentences)
    assert total == 2 * sum(map(len, sentences))
    assert 0.98 * total < right <= total


def test_transitions_with_labels_unknown_to_the_model_count_as_wrong(folder):
    file = str(folder / "train.conllu")
    model = train(Config(features="small", treebank=TreebankOptions(train=file)))
    sentences = read_treebank(file).sentences
    right, total = transition_accuracy(model, sentences)
    foreign = [sentence.with_tree(sentence.heads(), ["", *["nowhere"] * len(sentence)]) for sentence in sentences]
    lost, again = transition_accuracy(model, foreign)
    assert again == total
    assert lost <= total - sum(map(len, sentences)) < right


def test_all_learners_except_svm_with_merges_have_the_same_features():
    parsers = load_settings("learners").parsers
    columns = nameable_columns(["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel"])
    seen = {
        name: load_features(next(iter(config.feature_names.values())), config.system, columns).lines()
        for name, config in parsers.items()
    }
    plain = load_features("plain", "arc-standard", columns).lines()
    assert [name for name, lines in seen.items() if lines != plain] == ["SVM(L) merges"]
    assert {config.system for config in parsers.values()} == {"arc-standard"}
