"""Messages name commands and options that exist: in the code, and in what commands print about wrong input.

An option belongs to the command ``crossarc NAME`` before it in the message, otherwise to the command that is run.
"""

import ast
import re
from pathlib import Path

import pytest
from command_line import run
from crossarc.__main__ import COMMANDS
from crossarc.parser.console.line import command_parser
from installed import needs

ROOT = Path(__file__).resolve().parents[3]
NAMED = re.compile(r"crossarc (?P<command>[a-z][\w-]*)|(?<![\w-])(?P<option>--[a-z][\w-]*)")
OPTIONS = {
    name: {option for action in command_parser(COMMANDS, name)._actions for option in action.option_strings}
    for name in COMMANDS
}
INFORMAL = {"lexicon", "model", "reads", "that", "with"}
"""Words after "crossarc" in sentences about the program."""


def wrong(message, commands):
    """The commands and options in a message that do not exist. commands: those that may print the message."""
    found = []
    for row in NAMED.finditer(message):
        if row["command"]:
            commands = {row["command"]} & COMMANDS.keys()
            found += [] if commands or row["command"] in INFORMAL else [row[0]]
        elif commands and not any(row["option"] in OPTIONS[name] for name in commands):
            found.append(row[0])
    return found


def messages(path):
    """The arguments of errors and warnings that are texts, with placeholders as ``{}``."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            for argument in node.args:
                parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
                yield "".join(
                    str(contribution.value) if isinstance(contribution, ast.Constant) else "{}"
                    for contribution in parts
                )


@needs("annotation")
def test_options_in_messages_of_the_code_exist():
    homes = {
        name: command.home.removeprefix("crossarc.").replace(".", "/") + ".py" for name, command in COMMANDS.items()
    }
    found = {}
    number = 0
    for path in (path for part in ("parser", "experiments") for path in (ROOT / part).rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        here = {name for name, home in homes.items() if home == place} or set(COMMANDS)
        for message in (message for message in messages(path) if " " in message):
            number += bool(NAMED.search(message))
            found |= {f"{place}: {message}": faults for faults in [wrong(message, here)] if faults}
    assert found == {}
    assert number > 40


INPUTS = {
    "prose": "Dogs bark at night, and cats do not.\n",
    "words": "Dogs\nbark\n\n",
    "narrow": "1\tDogs\t_\n\n",
    "no tags": "1\tDogs,\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
    "other tags": "# tagger = other 1.0\n1\tDogs,\t_\tQ\tQ\t_\t0\troot\t_\t_\n\n",
}
CALLS = (
    *("check x", "init x", "show x", "show x --derivation m", "arcs x", "suspects x", "oracle swap x"),
    *("transform reversal x", "blend x test.conllu", "evaluate x test.conllu"),
    *("train swap --train x --model new --set features=few.yaml", "calibrate m x -o new"),
    *("parse m x", "tag m x", "tokenize m x"),
)


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.usefixtures("here")
@needs("annotation", "tagging")
def test_options_in_messages_about_input_exist(kind, capsys):
    Path("x").write_text(INPUTS[kind], "utf-8")
    for call in CALLS:
        run(*call.split())
        for shown in capsys.readouterr():
            assert wrong(shown, {call.split()[0]}) == [], f"{call}: {shown}"
