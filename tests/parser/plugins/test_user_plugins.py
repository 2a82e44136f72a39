"""Plugins of users: one file for each kind of part, registered through the door that the plugins of crossarc use."""

import os

import crossarc
import pytest
from command_line import run
from crossarc.parser.config import ready
from crossarc.transitions import plugins
from installed import needs

pytestmark = pytest.mark.usefixtures("no_other_parts")

COMMAND = """
import crossarc
from crossarc.parser.console.help import EVERYDAY, Command

LONGEST = {"FILE": "CoNLL file"}

def run_longest(options):
    print(max(map(len, crossarc.read_sentences(options.file))))
    return 0

COMMANDS = {"longest": Command(__name__, "Print the length of the longest sentence.", EVERYDAY, "train.conllu")}
"""
LEVEL = """
from crossarc.parser.config.ready import Level

def choose(sentences, name, decided):
    short = max(map(len, sentences)) < 99
    reason = "all sentences are short" if short else "some sentence is long"
    return {"system": "swap" if short else "arc-standard", "features": "small"}, [(reason, {"system"})]

LEVELS = {"by-length": Level("Level: swap for short sentences.", choose)}
"""
TRANSFORM = '''
from dataclasses import dataclass
from crossarc.parser.transforms.transform import Transform

@dataclass(frozen=True, eq=False)
class Upper(Transform):
    """Labels in capitals while parsing."""
    name = "upper"
    summary = "writes labels in capitals"

    def apply(self, tree):
        return tree._replace(deprels=[label.upper() for label in tree.deprels])

    def invert(self, tree):
        return tree._replace(deprels=[label.lower() for label in tree.deprels])

TRANSFORMS = {"upper": Upper}
'''
LEARNER = """
from sklearn.tree import DecisionTreeClassifier
import crossarc

@crossarc.register_learner
class SmallTree(DecisionTreeClassifier):
    name = "small-tree"
"""
STEP = '''
from crossarc.parser.models.steps import Step

class Length(Step):
    """Fills XPOS with the number of letters of words without XPOS."""
    kind = "length"
    fills = ("xpos",)

    def annotate(self, words):
        if "xpos" not in words.tagged:
            numbers, forms = words.values("form")
            words.fill("xpos", words.to_tag("xpos"), (numbers, [str(len(form)) for form in forms]))

    def state(self):
        return {}, {}

    @classmethod
    def from_state(cls, values, arrays):
        return cls()

STEPS = {"length": Length}
'''
REPORT = """
def write_csv(output, files, scores, tests, note):
    with open(output, "w") as file:
        for name, own in scores.items():
            print(name, f"{own.las:.2f}", sep=",", file=file)

REPORTS = {".csv": write_csv}
"""
SAMPLE = """
from crossarc import Sentence
from crossarc.parser.treebank.samples import SampleType

class Telegram:
    def __init__(self, text, tree=None):
        self.text, self.tree = text, tree

def read(telegram):
    return Sentence.from_tokens(telegram.text.split(" stop ")[0].split())

SAMPLE_TYPES = {"my_sample.Telegram": SampleType("a Telegram", read, lambda old, parsed: Telegram(old.text, parsed))}
"""
KIND = '''
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from crossarc.parser.config.config import ParserConfig
from crossarc.parser.models.trained import TrainedParser

@dataclass(frozen=True)
class ChainConfig(ParserConfig):
    kind: ClassVar[str] = "chain"
    systems: ClassVar = ("chain",)
    feature_names: ClassVar = {"arc-standard": "small"}

@dataclass(frozen=True, kw_only=True, repr=False)
class Chain(TrainedParser):
    """Each word depends on the word before it, with the most frequent label."""
    kind: ClassVar[str] = "chain"
    single_root: ClassVar = True
    best: int
    label_places = property(lambda self: (self.labels, self.labels))

    def groups(self, lengths):
        return [[number] for number in range(len(lengths))]

    def parse_batch(self, batch, margins):
        (length,) = batch.lengths
        return np.arange(length), np.full(length, self.best)

    def labelled(self, words, trees, open):
        return trees

    def state(self):
        return {**self._values(), "best": self.best}, {}

    @classmethod
    def from_state(cls, values, arrays):
        return cls(best=values["best"], **cls._fields(values))

def fit(config, features, data, common, progress):
    counts = Counter(label for tree in data.trees for label in tree.deprels[1:])
    return Chain(best=data.labels.index(counts.most_common(1)[0][0]), **common)

KINDS, TRAINERS, MODELS = {"chain": ChainConfig}, {"chain": fit}, {"chain": Chain}
'''
FILES = {
    "command": COMMAND,
    "level": LEVEL,
    "transform": TRANSFORM,
    "learner": LEARNER,
    "step": STEP,
    "report": REPORT,
    "sample": SAMPLE,
    "kind": KIND,
}


@pytest.fixture
def here(tmp_path, monkeypatch, small_treebank):
    """A folder with a treebank and a file for each kind of plugin."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(plugins.VARIABLE, "")
    monkeypatch.setattr(plugins, "_LOADED", set())
    (tmp_path / "train.conllu").write_text(small_treebank.read_text("utf-8"), "utf-8")
    for name, text in FILES.items():
        assert len([line for line in text.split("\n") if line.strip()]) < 40
        (tmp_path / f"my_{name}.py").write_text(text, "utf-8")
    return tmp_path


TRAIN = ["--train", "train.conllu", "--model", "m", "-q"]


def test_a_command(here, capsys):
    assert run("longest", "train.conllu", "--plugin", "my_command.py") == 0
    longest = max(map(len, crossarc.read_sentences("train.conllu")))
    assert capsys.readouterr().out == f"{longest}\n"
    assert run("list", "plugins", "my_command") == 0
    assert "longest" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "config", "settings", "system"),
    [
        ("level", "by-length", [], "swap"),
        ("transform", "arc-standard", ["transforms=upper", "features=small"], "arc-standard"),
        ("learner", "arc-standard", ["guide.learner=small-tree", "features=small"], "arc-standard"),
    ],
)
@needs("further_learners")
def test_parts_of_a_parser(here, kind, config, settings, system):
    more = [word for setting in settings for word in ("--set", setting)]
    assert run("train", config, *more, *TRAIN, "--plugin", f"my_{kind}.py") == 0
    assert run("parse", "m", "train.conllu", "-o", "out", "--plugin", f"my_{kind}.py") == 0
    labels = {label for sentence in crossarc.read_sentences("out") for label in sentence.column("deprel")}
    assert labels <= {
        label for sentence in crossarc.read_sentences("train.conllu") for label in sentence.column("deprel")
    }
    assert crossarc.load_model("m").config["system"] == system


def test_a_kind_of_parser(here):
    (here / "chain.yaml").write_text("system: chain\n")
    assert run("train", "chain.yaml", *TRAIN, "--plugin", "my_kind.py") == 0
    assert run("parse", "m", "train.conllu", "-o", "out", "--plugin", "my_kind.py") == 0
    assert all(sentence.heads() == list(range(-1, len(sentence))) for sentence in crossarc.read_sentences("out"))


def test_a_step(here):
    assert run("train", "arc-standard-small", *TRAIN, "--plugin", "my_step.py") == 0
    from my_step import Length

    crossarc.save_model(crossarc.load_model("m").with_step(Length()), "m")
    bare = [crossarc.Sentence.from_tokens(["three", "short", "words"], upos=["X", "X", "X"])]
    (parsed,) = crossarc.load_model("m").parse(bare)
    assert parsed.column("xpos") == ("5", "5", "5")


def test_a_type_of_sentences(here):
    plugins.load_file("my_sample.py")
    from my_sample import Telegram

    model = crossarc.train(crossarc.load_config("arc-standard-small", [], {"treebank.train": "train.conllu"}))
    telegrams = [Telegram("all is well stop"), Telegram("no news")]
    parsed = list(model.parse(telegrams, allow_empty_columns=True))
    assert [sentence.column("form") for sentence in parsed] == [("all", "is", "well", "stop"), ("no", "news")]
    with pytest.raises(crossarc.CrossarcError, match="a Telegram"):
        crossarc.as_sentence(3)


def test_a_report(here):
    assert run("evaluate", "train.conllu", "train.conllu", "-o", "x.csv", "--plugin", "my_report.py") == 0
    assert (here / "x.csv").read_text() == "train.conllu,100.00\n"


def test_names_of_installed_parts_stay_theirs(here):
    (here / "my_train.py").write_text(COMMAND.replace("longest", "train").replace("LONGEST", "TRAIN"))
    assert run("train", "arc-standard-small", *TRAIN, "--plugin", "my_train.py") == 0
    assert os.path.exists("m")


def test_only_packages_bring_ready_configs(here):
    """What stands beside a plugin in one file is not its own, and cannot take the name of a ready config."""
    (here / "my_folder.py").write_text("LEVELS = {}\n")
    (here / "configs").mkdir()
    (here / "configs" / "swap-small.yaml").write_text("system: covington\nfeatures: small\n")
    ready._ready_texts.cache_clear()
    assert run("train", "swap-small", *TRAIN, "--plugin", "my_folder.py") == 0
    ready._ready_texts.cache_clear()
    assert crossarc.load_model("m").config["system"] == "swap"
