"""``check --ud``: the official validator's messages beside ours, for every level, listed language or not."""

import io
import json
from itertools import product

import pytest
from command_line import run
from crossarc import CrossarcError, check
from crossarc.parser.treebank.universal import LEVELS

udtools = pytest.importorskip("udtools")

SENTENCE = (
    "# sent_id = {0}\n# text = Dogs bark\n"
    "1\tDogs\tdog\tNOUN\t_\tNumber=Plur\t2\t{1}\t_\t_\n2\tbark\tbark\t{2}\t_\t{3}\t0\troot\t_\t_\n\n"
)
FEATS = "Mood=Ind|VerbForm=Fin"
FAULTS = {
    "no label": ("a", "_", "VERB", FEATS),
    "unknown label": ("a", "objj", "VERB", FEATS),
    "unknown part of speech": ("a", "nsubj", "VERV", FEATS),
    "repeated feature": ("a", "nsubj", "VERB", "Mood=Ind|Mood=Imp"),
}


def written(folder, *rows):
    file = folder / "treebank.conllu"
    file.write_text("".join(SENTENCE.format(*row) for row in rows), "utf-8")
    return str(file)


def told_by_validator(file, language, level):
    from udtools.validator import Validator

    state = Validator(lang=language, level=level, output=io.StringIO()).validate_files([file])
    return sorted((incident.lineno, f"UD {incident.testid}") for incident in state.error_tracker)


@pytest.mark.parametrize("level", LEVELS)
def test_messages_are_those_of_the_validator(level, tmp_path):
    file = written(tmp_path, ("a", "nsubj", "VERB", FEATS), ("a", "nsubj", "VERB", FEATS))
    faults = [fault for fault in check(file, ud="en", level=level).faults if fault.kind.startswith("UD")]
    assert sorted((fault.line, fault.kind) for fault in faults) == told_by_validator(file, "en", level)
    assert ("UD non-unique-sent-id" in {fault.kind for fault in faults}) == (level > 1)


@pytest.mark.parametrize(
    ("fault", "language", "level"),
    [*product(["no label"], ("en", "ug", "ud", "zz"), LEVELS[2:]), *product(FAULTS, ("en", "zz"), [LEVELS[0]])],
)
def test_every_fault_is_told_at_every_level_and_in_every_language(fault, language, level, tmp_path):
    """Faults at which the library stops do not hide its other messages."""
    report = check(written(tmp_path, ("a", "nsubj", "VERB", FEATS), FAULTS[fault]), ud=language, level=level)
    kinds = {told.kind for told in report.faults if told.kind.startswith("UD")}
    assert ("UD non-unique-sent-id" in kinds) == (level > 1)
    assert ("UD" in {told.kind for told in report.faults if told.warning}) == (language in ("ud", "zz") and level > 3)


def test_the_command_counts_errors_of_the_validator(tmp_path, capsys):
    file = written(tmp_path, ("a", "nsubj", "VERB", FEATS), ("a", "nsubj", "VERB", FEATS))
    assert run("check", file) == 0
    capsys.readouterr()
    assert run("check", file, "--ud", "en", "--level", "2", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert not report["ok"]
    kinds = {fault["kind"] for fault in report["faults"] if not fault["warning"]}
    assert kinds == {"UD non-unique-sent-id"}


def test_only_files_of_conllu_are_validated(tmp_path):
    with pytest.raises(CrossarcError, match="file"):
        check(io.StringIO(SENTENCE.format("a", "nsubj", "VERB", FEATS)), ud="en")
    other = tmp_path / "other.conll"
    other.write_text("1\tDogs\tdog\tN\tN\t_\t2\tSBJ\t_\t_\n2\tbark\tbark\tV\tV\t_\t0\tROOT\t_\t_\n\n")
    with pytest.raises(CrossarcError, match="CoNLL-U"):
        check(str(other), "conllx", ud="en")
