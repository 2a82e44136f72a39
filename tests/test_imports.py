"""The direction of imports: from the upper floors of the house to the lower ones, without circles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import crossarc
import networkx as nx
import pytest

ROOT = Path(crossarc.__file__).parent
FLOORS = (
    ("version", "parser.base", "configs"),
    ("transitions",),
    ("oracles", "features"),
    ("parser.treebank", "parser.drawing", "parser.learners"),
    ("parser.transforms", "parser.config", "parser.search", "parser.evaluate", "parser.graph"),
    ("parser.blending",),
    ("parser.models",),
    ("parser.training",),
    ("parser.analysis",),
    ("parser.serving", "parser.interfaces"),
    ("parser.console",),
    ("parser.commands",),
    ("experiments.harness", "experiments.synthetic", "experiments.commands"),
    (
        "experiments.papers",
        "experiments.studies",
        "experiments.benchmark",
        "experiments.quickstart",
    ),
    ("__main__",),
)
"""The rooms from the ground up; a room imports those of the floors below it, and its neighbours where that makes no
circle of rooms."""
FLOOR = {room: number for number, floor in enumerate(FLOORS) for room in floor}
APART = {("oracles", "features"), ("features", "oracles")}
"""Neighbours that know nothing of each other, as nothing below ``parser`` knows its errors."""


class Import(NamedTuple):
    source: str
    target: str
    lazy: bool


def modules(root: Path) -> dict[str, Path]:
    """Every module of ours by its dotted name below the package; packages by their own name, the root as ""."""
    tops = ("transitions", "oracles", "features", "parser", "configs", "experiments")
    paths = [*root.glob("*.py"), *(path for name in tops for path in (root / name).rglob("*.py"))]
    return {
        ".".join(p for p in path.relative_to(root).with_suffix("").parts if p != "__init__"): path for path in paths
    }


def room_of(module: str) -> str:
    """The room of a module: its folder at one of the two top levels, or itself where it lies loose."""
    parts = module.split(".")
    return parts[0] if parts[0] in FLOOR else ".".join(parts[:2])


def imports(root: Path) -> Iterator[Import]:
    known = modules(root)
    for source, path in known.items():
        package = source.split(".") if path.name == "__init__.py" else source.split(".")[:-1]
        package = [part for part in package if part]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            for target in targets(node, package, known):
                yield Import(source, target, id(node) in inside)


def targets(node: ast.AST, package: list[str], known: dict[str, Path]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "crossarc")
    elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "crossarc":
        yield str(node.module)
    elif isinstance(node, ast.ImportFrom) and node.level:
        base = [*package[: len(package) - node.level + 1], *(node.module.split(".") if node.module else [])]
        for alias in node.names:
            submodule = ".".join([*base, alias.name])
            yield submodule if submodule in known else ".".join(base)


def faults(root: Path) -> list[str]:
    """What is wrong, one line for each import that points the wrong way, and for each circle."""
    known, found, files, rooms = modules(root), list[str](), nx.DiGraph(), nx.DiGraph()
    for source, target, lazy in imports(root):
        if target not in known:
            found.append(f"{source} imports {target}: no module of ours, or not by a relative import")
            continue
        files.add_edge(source, target)
        ours, theirs = room_of(source), room_of(target)
        if not source or ours == theirs:
            continue
        rooms.add_edge(ours, theirs)
        up = FLOOR.get(theirs, -1) > FLOOR.get(ours, -1)
        below_parser = ours in ("transitions", "oracles", "features")
        if (
            ours not in FLOOR
            or theirs not in FLOOR
            or up
            or (ours, theirs) in APART
            or (below_parser and theirs.startswith("parser"))
        ):
            found.append(f"{source} imports {target}{' inside a function' if lazy else ''}")
    found += [f"circle: {' -> '.join(circle)}" for circle in nx.simple_cycles(files)]
    return found + [f"circle of rooms: {' -> '.join(circle)}" for circle in nx.simple_cycles(rooms)]


def test_every_room_has_its_floor() -> None:
    assert {room_of(name) for name in modules(ROOT)} - {"", "parser", "experiments"} == set(FLOOR)


def test_imports_point_one_way() -> None:
    assert faults(ROOT) == []


def test_the_imports_are_seen() -> None:
    assert Import("oracles.oracle", "transitions.configuration", False) in set(imports(ROOT))
    assert len(modules(ROOT)) > 20


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"transitions/a.py": "from ..oracles import b", "oracles/b.py": ""}, ["transitions.a imports oracles.b"]),
        ({"features/a.py": "from ..oracles.b import c", "oracles/b.py": ""}, ["features.a imports oracles.b"]),
        (
            {"transitions/a.py": "from ..parser.base.errors import b", "parser/base/errors.py": ""},
            ["transitions.a imports parser.base.errors"],
        ),
        (
            {"parser/search/a.py": "def f():\n    from ..models.b import c", "parser/models/b.py": ""},
            ["parser.search.a imports parser.models.b inside a function"],
        ),
        ({"parser/models/a.py": "from ..search.b import c", "parser/search/b.py": ""}, []),
        (
            {"parser/commands/a.py": "from ...experiments.harness.b import c", "experiments/harness/b.py": ""},
            ["parser.commands.a imports experiments.harness.b"],
        ),
        (
            {"parser/attic/a.py": "from ..search.b import c", "parser/search/b.py": ""},
            ["parser.attic.a imports parser.search.b"],
        ),
        (
            {"parser/search/a.py": "from .b import c", "parser/search/b.py": "from . import a"},
            ["circle: parser.search.a -> parser.search.b"],
        ),
        (
            {"parser/search/a.py": "def f():\n    from .b import c", "parser/search/b.py": "from .a import d"},
            ["circle: parser.search.a -> parser.search.b"],
        ),
        (
            {
                "parser/search/a.py": "from ..config.b import c",
                "parser/search/d.py": "",
                "parser/config/b.py": "",
                "parser/config/e.py": "from ..search.d import f",
            },
            ["circle of rooms: parser.search -> parser.config"],
        ),
        (
            {"parser/search/a.py": "from crossarc.parser.search import b", "parser/search/b.py": ""},
            ["parser.search.a imports crossarc.parser.search: no module of ours, or not by a relative import"],
        ),
        ({"__init__.py": "from .parser.search.a import b", "parser/search/a.py": ""}, []),
    ],
)
def test_faults_are_found(tmp_path: Path, files: dict[str, str], expected: list[str]) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
    assert [in_order(fault) for fault in faults(tmp_path)] == [in_order(fault) for fault in expected]


MAY_PRINT = re.compile(
    r"parser\.(commands|console)\..+|__main__"
    r"|experiments\.(harness\.(command|pages)|synthetic\.command)"
    r"|experiments\.(quickstart|benchmark\.__main__)"
)


def prints(path: Path) -> bool:
    """Whether a module prints, or takes hold of standard output or standard error."""
    return any(
        (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print")
        or (isinstance(node, ast.Attribute) and node.attr in ("stdout", "stderr", "__stdout__", "__stderr__"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
    )


def test_only_commands_print() -> None:
    found = {name for name, path in modules(ROOT).items() if prints(path)}
    assert {name for name in found if not MAY_PRINT.fullmatch(name)} == {"parser.treebank.writer"}
    assert len(found) > 5


def test_printing_is_seen(tmp_path: Path) -> None:
    for text in ("print(1)", "import sys\nsys.stderr.write('')", "import sys\nout = sys.stdout"):
        (tmp_path / "a.py").write_text(text)
        assert prints(tmp_path / "a.py")
    (tmp_path / "a.py").write_text("pprint(1)\nsys.stdin")
    assert not prints(tmp_path / "a.py")


def in_order(fault: str) -> tuple[str, ...]:
    """A circle may be told from any of its members."""
    return tuple(sorted(re.split(r" -> |: ", fault)))
