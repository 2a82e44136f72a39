"""Imports follow the contracts in ``pyproject.toml``, and only commands print."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import crossarc
import pytest
from crossarc.experiments.harness.codebase import messages, messages_by_section, read_first

ROOT = Path(crossarc.__file__).parent
FOLDERS = ("transitions", "oracles", "features", "parser", "configs", "experiments")
PATHS = [*ROOT.glob("*.py"), *(path for name in FOLDERS for path in (ROOT / name).rglob("*.py"))]
MODULES = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in PATHS}


def test_imports_follow_the_contracts():
    pytest.importorskip("importlinter")
    command = [Path(sys.executable).with_name("lint-imports"), "--config", ROOT / "pyproject.toml", "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout
    assert f"Analyzed {len(MODULES)} files" in done.stdout


def test_every_package_is_in_a_layer():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (row["layers"] for row in contracts if row["type"] == "layers")
    listed = set(re.findall(r"crossarc\.([\w.]+)", " ".join(layers)))
    tops = {name.split(".")[0] for name in MODULES} & listed
    packages = {own[0] if own[0] in tops else ".".join(own[:2]) for own in (name.split(".") for name in MODULES)}
    assert packages - {"__init__", "parser", "experiments"} == listed


def test_the_map_and_the_page_of_messages_leave_out_nothing():
    folders = {"/".join(name.split(".")) for name in MODULES if MODULES[name].name == "__init__.py"}
    wanted = re.compile(r"transitions|oracles|features|parser/(?!plugins$)\w+|parser/plugins/\w+|experiments/\w+")
    first = read_first()
    assert {folder for folder in folders if wanted.fullmatch(folder)} == first.keys()
    assert all((ROOT / folder / file).is_file() for folder, files in first.items() for file in files.split(", "))
    sections = [message for _, _, messages_of in messages_by_section() for message in messages_of]
    assert sorted(sections) == sorted(messages())


MAY_PRINT = re.compile(
    r"parser\.(commands|console)\..+|parser\.plugins\.\w+\.(\w+_)?commands?|__main__"
    r"|experiments\.(harness\.(command|pages)|synthetic\.command)"
    r"|experiments\.(quickstart|harness\.programs|studies\.large\.cluster)"
)


def prints(path):
    """Whether a module calls ``print``, or uses standard output or standard error."""
    return any(
        (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print")
        or (isinstance(node, ast.Attribute) and node.attr in ("stdout", "stderr", "__stdout__", "__stderr__"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
    )


def test_only_commands_print():
    found = {name for name, path in MODULES.items() if prints(path)}
    assert {name for name in found if not MAY_PRINT.fullmatch(name)} == {"parser.treebank.writer"}
    assert len(found) > 5
