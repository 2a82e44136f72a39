"""Settings of experiments: files, precedence of options, and messages about mistakes."""

import re
from pathlib import Path

import crossarc.experiments
import pytest
from command_line import write_splits
from crossarc import load_config, read_sentences
from crossarc.experiments.harness.experiment import ExperimentTreebank
from crossarc.experiments.harness.registry import experiments
from crossarc.experiments.harness.settings import available, load_settings
from crossarc.parser.config.feature_files import load_features
from crossarc.parser.treebank.symbols import nameable_columns
from installed import needs
from refusals import refusal

ROOT = Path(crossarc.experiments.__file__).parent
KN = "kuhlmann-nivre-2010"


@pytest.mark.parametrize("name", experiments())
def test_installed_settings_of_every_experiment_are_valid(name):
    settings = load_settings(name)
    assert settings.values
    assert len({entry.name for entry in settings.treebanks}) == len(settings.treebanks)


@needs("levels")
def test_files_of_parsers_are_relative_to_the_file_and_levels_have_the_guide(tmp_path, monkeypatch):
    """Wherever the run is started."""
    (tmp_path / "there").mkdir()
    write_splits(tmp_path, {"train": 12, "test": 4}, rate=0.2)
    entries = {
        "swap": "{config: swap, constraints: c.yaml, also: [b.conllu]}",
        "level": "{config: fast, features: f.yaml}",
    }
    parsers = "".join(f"  {name}: {entry}\n" for name, entry in entries.items())
    splits = f"{{train: {tmp_path}/train.conllu, test: {tmp_path}/test.conllu}}"
    text = f"experiment: cross-validation\nguide: {{learner: maxent}}\ntreebanks: {{A: {splits}}}\nparsers:\n{parsers}"
    (tmp_path / "there" / "own.yaml").write_text(text)
    (tmp_path / "there" / "f.yaml").write_text("templates: ['form(Stack[0])']\n")
    monkeypatch.chdir(tmp_path)
    settings = load_settings("cross-validation", "there/own.yaml")
    (entry,) = settings.treebanks
    configs = ExperimentTreebank(entry, settings, {}).configs
    assert configs["swap"].constraints == str(tmp_path / "there" / "c.yaml")
    assert configs["swap"].also == (str(tmp_path / "there" / "b.conllu"),)
    assert configs["level"].features == str(tmp_path / "there" / "f.yaml")
    assert [config.guide["learner"] for config in configs.values()] == ["maxent", "maxent"]


def test_features_of_p2_and_p3_only_extend_those_of_p0():
    parsers = load_settings(KN).parsers
    columns = nameable_columns(["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel"])
    lines = {
        name: set(
            load_features(next(iter(parsers[name].feature_names.values())), parsers[name].system, columns).lines()
        )
        for name in ("P0", "P1", "P2", "P3", "P2+", "P3+")
    }
    assert lines["P1"] == lines["P0"]
    assert lines["P3"] - lines["P0"] == {"xpos(Swapped[0])"}
    assert all("Stack[3]" in line for line in lines["P2"] - lines["P0"])
    assert lines["P0"] < lines["P2"]
    assert lines["P3"] < lines["P3+"]
    assert len(lines["P3+"]) == len(lines["P3"]) + 7


def test_file_names_are_found_here_or_beside_installed_settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    installed = load_settings("exploration", "small.yaml")
    assert installed.values["sentences"] == 300
    assert installed.command == "crossarc experiment exploration --config small.yaml"
    Path("small.yaml").write_text("sentences: 7\n")
    assert load_settings("exploration", "small.yaml").values["sentences"] == 7
    installed_with = "installed with nilsson-2009-ch5: ch5-curves.yaml, ch5-searches.yaml, ch5-treebanks.yaml"
    message = f"--config ch5-other.yaml: there is no such file; {installed_with}"
    assert refusal(lambda: load_settings("nilsson-2009-ch5", "ch5-other.yaml")) == message


@pytest.mark.parametrize("page", sorted(ROOT.rglob("README.md")), ids=lambda page: page.parent.name)
def test_settings_files_that_pages_name_exist(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, file in re.findall(r"experiment\s+([\w-]+)\s+--config\s+([\w./-]+\.yaml)", page.read_text("utf-8")):
        load_settings(name, file)
    named = re.findall(r"`--config\s+([\w./-]+\.yaml)", page.read_text("utf-8"))
    assert [file for file in named if not any(page.parent.rglob(file))] == []


def test_options_override_files_and_files_override_defaults(tmp_path, monkeypatch):
    monkeypatch.setenv("MINE", "/data")
    path = tmp_path / "mine.yaml"
    path.write_text(
        "split: test\ntreebanks:\n  A: {train: a.conllu, test: $MINE/b, dev: $UNSET_HERE/c, sentences: 7}\n"
    )
    settings = load_settings(KN, str(path))
    assert settings.values["split"] == "test"
    (entry,) = settings.treebanks
    assert entry.part("train").path == str(tmp_path / "a.conllu")
    assert entry.part("train").limit == 7
    assert (entry.part("test").path, entry.part("test").limit) == ("/data/b", 0)
    assert entry.part("dev").path == "$UNSET_HERE/c"
    changed = load_settings(KN, str(path), ["split=dev", "parsers.P2.underivable=skip"])
    assert changed.values["split"] == "dev"
    assert changed.parsers["P2"].underivable == "skip"
    assert changed.parsers["P0"] == settings.parsers["P0"]


def test_setting_guide_replaces_the_guides_of_all_parsers():
    for config in load_settings(KN, settings=["guide={learner: svm, C: 0.5}"]).parsers.values():
        assert config.guide == {"learner": "svm", "C": 0.5}


@pytest.mark.parametrize(
    ("text", "settings", "message"),
    [
        ("spilt: dev", [], r"mine.yaml: unknown key 'spilt' \(did you mean 'split'\?\); allowed: "),
        ("split: [dev]", [], r"mine.yaml: split: found \['dev'\], expected a value like 'dev'"),
        ("a: [", [], "mine.yaml: line 1: not YAML: "),
        ("split: !!bool z", [], "mine.yaml: line 1: tag 'tag:yaml.org,2002:bool'"),
        ("{}", ["guide"], "--set guide: expected KEY=VALUE"),
        ("guide: 3", [], "mine.yaml: guide: found 3, expected a value like a mapping"),
        ("treebanks: {A: {train: x, spilt: y}}", [], "treebank A: unknown key 'spilt'"),
        ("treebanks: {A: {}}", [], "treebank A: expected a mapping with files for train, dev, test"),
        ("parsers: {P: {config: swap, features: larg}}", [], "parser P: features: found 'larg'"),
        ("parsers: {P: {system: swap}}", [], "parser P: expected a mapping with the key 'config'"),
        ("parsers: {P: {config: swap, transforms: [coord]}}", [], "parser P: unknown transform 'coord'"),
        ("parsers: {P: {config: nowhere.yaml}}", [], r"parser P: .*nowhere.yaml: cannot read the config"),
        ("parsers: {P: {config: most-accurate}}", [], "parser P: most-accurate is a blend; allowed: fast"),
        ("guide: {learner: svn}", [], "parser P0: guide.learner: found 'svn'"),
    ],
)
def test_mistakes_are_reported_in_one_line(tmp_path, text, settings, message):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    assert re.search(message, refusal(lambda: load_settings(KN, str(path), settings)))


def test_unknown_treebanks_and_splits_are_refused(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("treebanks: {A: {train: x}, B: {train: y}}\n")
    (only,) = load_settings(KN, str(path), only=["B"]).treebanks
    assert only.name == "B"
    assert "treebank 'C'; allowed: A, B" in refusal(lambda: load_settings(KN, str(path), only=["C"]))
    assert "treebank B: no file for 'dev'; allowed: train" in refusal(lambda: only.part("dev"))


def test_absent_treebanks_are_skipped_unless_all_are_absent(tmp_path):
    (tmp_path / "a").write_text("")
    path = tmp_path / "mine.yaml"
    path.write_text("treebanks: {A: {train: a}, B: {train: $CROSSARC_NO_SUCH/b}}\n")
    lines = []
    entries = load_settings(KN, str(path)).treebanks
    assert [entry.name for entry in available(entries, lines.append)] == ["A"]
    assert lines == ["B: skipped: $CROSSARC_NO_SUCH/b: the environment variable CROSSARC_NO_SUCH is not set"]
    assert "found no treebank" in refusal(lambda: available(entries[1:], lines.append))


def test_levels_choose_a_config_for_each_treebank(tmp_path):
    write_splits(tmp_path, {"train": 40}, rate=0.9, depth=3)
    (tmp_path / "mine.yaml").write_text(
        "parsers: {A: {config: accurate, guide.C: 0.5}, P0: {config: arc-standard}}\n"
        "treebanks: {T: {train: train.conllu}}"
    )
    settings = load_settings(KN, str(tmp_path / "mine.yaml"))
    parsers = ExperimentTreebank(settings.treebanks[0], settings, {}).parsers
    expected = load_config("accurate", ["guide.C=0.5"], sentences=list(read_sentences(tmp_path / "train.conllu")))
    assert list(parsers) == ["A", "P0"]
    assert parsers["A"] == expected
    assert parsers["P0"].system == "arc-standard"
