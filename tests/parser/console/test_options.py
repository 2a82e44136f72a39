"""Options: those that are given twice, and those of other programs."""

import argparse

import pytest
from command_line import run
from crossarc.__main__ import COMMANDS
from crossarc.parser.console.line import command_parser
from crossarc.parser.console.options import Once, Setting
from installed import needs


@pytest.mark.parametrize("name", COMMANDS)
@needs("raw_text")
def test_options_with_one_value_are_refused_twice(name):
    """In every command; options that repeat by design keep all values."""
    parser = command_parser(COMMANDS, name)
    for action in parser._actions:
        if not action.option_strings or action.nargs == 0:
            continue
        values = argparse.Namespace(**{action.dest: action.default})
        action(parser, values, "a", action.option_strings[-1])
        if isinstance(action, Setting):
            action(parser, values, "b=1", action.option_strings[-1])
            with pytest.raises(argparse.ArgumentError, match="b is given twice, expected one value"):
                action(parser, values, "b=2", action.option_strings[-1])
        elif not isinstance(action, Once):
            action(parser, values, "b", action.option_strings[-1])
            assert getattr(values, action.dest)[-2:] == ["a", "b"]
        else:
            with pytest.raises(argparse.ArgumentError, match="is given twice, expected one value"):
                action(parser, values, "b", action.option_strings[-1])


def test_repeated_options_end_the_command(capsys):
    with pytest.raises(SystemExit) as ended:
        run("train", "swap", "--train", "a", "--dev", "b", "--dev", "c", "--model", "m")
    assert ended.value.code == 2
    assert "argument --dev: is given twice, expected one value" in capsys.readouterr().err
    assert run("train", "swap", "--train", "a", "--set", "treebank.train=b", "--model", "m") == 1
    assert "--train and --set treebank.train are the same" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["parse", "m", "in", "--output=conllu"], "is a format of UDPipe; leave it out for the format of the input"),
        (["parse", "m", "--tokenize", "in"], "crossarc parse MODEL FILE --format text"),
        (["parse", "m", "--outfile=x", "in"], "here -o FILE names the output"),
        (["parse", "-c", "m", "-m", "parse", "-i", "in", "-o", "out"], "MaltParser's name of a model is an argument"),
        (["train", "-pp", "head"], "crossarc train pseudo-projective"),
    ],
)
def test_options_of_other_programs_are_answered_with_ours(words, hint, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        run(*words)
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert hint in said.splitlines()[-1]
    assert not list(tmp_path.iterdir())


@needs("annotation")
def test_keep_takes_decisions_and_derived_columns(here):
    text = (here / "test.conllu").read_text("utf-8").replace("\troot\t_\t", "\troot\t0:root\t")
    (here / "in.conllu").write_text(text, "utf-8")
    assert run("-q", "parse", "m", "in.conllu", "--keep", "given", "--keep", "deps", "-o", "out") == 0
    assert (here / "out").read_text("utf-8") == text
    assert run("-q", "parse", "m", "in.conllu", "--keep", "given", "-o", "out") == 0
    assert "0:root" not in (here / "out").read_text("utf-8")
    assert run("-q", "parse", "m", "in.conllu", "--keep", "given", "--keep", "marked", "-o", "out") == 1
