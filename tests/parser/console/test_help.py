"""Help: one screen per command, valid examples, and lists of all names."""

import re
import shlex

import pytest
from command_line import run
from crossarc.__main__ import COMMANDS
from crossarc.parser.base import plugins
from crossarc.parser.base.parameters import parameters_of, value_text
from crossarc.parser.config.config import all_keys
from crossarc.parser.config.ready import LEVELS, ready_blends, ready_configs
from crossarc.parser.console.help import WIDEST
from crossarc.parser.console.line import parse_line
from crossarc.parser.learners.registry import LEARNERS
from crossarc.parser.transforms.registry import TRANSFORMS
from crossarc.transitions.registry import SYSTEMS
from installed import needs

SCREEN = 40


def helped(capsys, monkeypatch, *words):
    monkeypatch.setenv("COLUMNS", "102")
    with pytest.raises(SystemExit) as caught:
        run(*words)
    assert caught.value.code == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_commands_fits_a_screen_and_ends_with_an_example(name, capsys, monkeypatch):
    lines = helped(capsys, monkeypatch, name, "--help")
    assert lines == helped(capsys, monkeypatch, "help", name)
    assert COMMANDS[name].summary in " ".join(" ".join(lines).split())
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= WIDEST
    assert lines[-2:] == ["example:", f"  crossarc {name} {COMMANDS[name].example}".rstrip()]


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_of_commands_are_valid(name):
    words = [name, *shlex.split(COMMANDS[name].example)]
    assert parse_line(COMMANDS, words).command == name


@pytest.mark.parametrize("words", [[], ["help"], ["--help"], ["-h"]])
def test_the_overview_has_each_command_once_in_its_group(words, capsys, monkeypatch):
    lines = helped(capsys, monkeypatch, *words)
    group = ""
    seen = {}
    for line in lines:
        if heading := re.fullmatch(r"(\S.*):", line):
            group = heading[1]
        elif (entry := re.match(r"  (\w[\w-]*)", line)) and entry[1] in COMMANDS:
            assert entry[1] not in seen
            seen[entry[1]] = group
    assert seen == {name: command.group for name, command in COMMANDS.items()}
    assert list(seen)[:2] == ["train", "parse"]
    assert max(map(len, lines)) <= WIDEST


def listed(capsys, *words):
    assert run("list", *words) == 0
    out = capsys.readouterr().out
    assert out.endswith("\n")
    assert not out.endswith("\n\n")
    return out


@pytest.mark.parametrize("kinds", [LEARNERS, TRANSFORMS], ids=["learners", "transforms"])
def test_learners_and_transforms_list_their_parameters(kinds, capsys):
    out = listed(capsys, "learners" if kinds is LEARNERS else "transforms")
    blocks = {block.partition(":")[0]: " ".join(block.split()) for block in out.split("\n\n")}
    assert [name for name in blocks if name in kinds] == list(kinds)  # other tests register their own
    for name, kind in kinds.items():
        assert kind.summary in blocks[name]
        for parameter in parameters_of(kind).values():
            assert parameter.meaning in blocks[name]
            assert f" {parameter.name} {value_text(parameter.default) or '-'} " in blocks[name]
    assert max(map(len, out.splitlines())) <= WIDEST


def names(text):
    """The first words of the lines that are not indented."""
    return [re.split("[: ]", line)[0] for line in text.splitlines() if not line.startswith(" ")]


def test_all_names_are_listed_by_topic(capsys):
    assert [line.split()[:3] for line in listed(capsys).splitlines()] == [
        ["crossarc", "list", topic]
        for topic in ("configs", "systems", "learners", "transforms", "features", "keys", "plugins")
    ]
    assert names(listed(capsys, "configs")) == [*LEVELS, *ready_configs(), *ready_blends()]
    assert listed(capsys, "configs", "swap").startswith("swap  ")
    assert names(listed(capsys, "systems")) == list(SYSTEMS)
    assert "  oracles   lazy, eager\n" in listed(capsys, "systems", "swap")
    models = "full, full-inflected, full-places, full-positional, plain, rich, small\n"
    assert f"arc-standard: {models}" in listed(capsys, "features")
    assert listed(capsys, "features", "swap") == f"swap: {models}"
    assert names(listed(capsys, "keys")) == list(all_keys())
    assert names(listed(capsys, "keys", "root")) == ["root.single", "root.label"]


@needs("serving")
def test_plugins_are_listed_with_their_commands_and_missing_libraries(capsys, monkeypatch):
    text = listed(capsys, "plugins")
    folders = {path.name for path in plugins.FOLDER.iterdir() if (path / "__init__.py").is_file()}
    assert {line.partition(":")[0] for line in text.splitlines() if not line.startswith(" ")} == folders
    assert "  commands  serve" in text
    monkeypatch.setattr(plugins, "find_spec", lambda name: None)
    assert "not installed  starlette, uvicorn" in listed(capsys, "plugins", "serving")
