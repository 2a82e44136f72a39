"""The direction of imports: transitions <- oracles, features <- parser <- experiments, and no circles."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import crossarc
import networkx as nx
import pytest

ROOT = Path(crossarc.__file__).parent
MAY_IMPORT = {
    "transitions": {"transitions"},
    "oracles": {"oracles", "transitions"},
    "features": {"features", "transitions"},
    "parser": {"parser", "oracles", "features", "transitions", "version"},
    "experiments": {"experiments", "parser", "oracles", "features", "transitions", "version"},
    "configs": {"configs"},
    "version": set[str](),
}
MAY_START_EXPERIMENTS = {"parser.cli", "parser.commands"}
"""The modules that may import experiments, and only inside functions, when a command asks for one."""


class Import(NamedTuple):
    source: str
    target: str
    lazy: bool


def modules(root: Path) -> dict[str, Path]:
    """Every module of ours by its dotted name below the package; packages by their own name, the root as ""."""
    paths = [*root.glob("*.py"), *(path for name in MAY_IMPORT for path in (root / name).rglob("*.py"))]
    return {
        ".".join(p for p in path.relative_to(root).with_suffix("").parts if p != "__init__"): path for path in paths
    }


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
    known, found, graph = modules(root), list[str](), nx.DiGraph()
    for source, target, lazy in imports(root):
        if target not in known:
            found.append(f"{source} imports {target}: no module of ours, or not by a relative import")
            continue
        if not lazy:
            graph.add_edge(source, target)
        ours, theirs = source.split(".")[0], target.split(".")[0]
        if not ours or theirs in MAY_IMPORT.get(ours, set()):
            continue
        if not (lazy and theirs == "experiments" and source in MAY_START_EXPERIMENTS):
            found.append(f"{source} imports {target}{' inside a function' if lazy else ''}")
    return found + [f"circle: {' -> '.join(circle)}" for circle in nx.simple_cycles(graph)]


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
            {"parser/a.py": "def f():\n    from ..experiments.b import c", "experiments/b.py": ""},
            ["parser.a imports experiments.b inside a function"],
        ),
        ({"parser/cli.py": "def f():\n    from ..experiments.b import c", "experiments/b.py": ""}, []),
        (
            {"parser/cli.py": "from ..experiments.b import c", "experiments/b.py": ""},
            ["parser.cli imports experiments.b"],
        ),
        (
            {"parser/a.py": "from .b import c", "parser/b.py": "from . import a"},
            ["circle: parser.a -> parser.b"],
        ),
        (
            {"parser/a.py": "from crossarc.parser import b", "parser/b.py": ""},
            ["parser.a imports crossarc.parser: no module of ours, or not by a relative import"],
        ),
        ({"__init__.py": "from .parser.a import b", "parser/a.py": "from .. import version", "version.py": ""}, []),
    ],
)
def test_faults_are_found(tmp_path: Path, files: dict[str, str], expected: list[str]) -> None:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = [fault.replace("parser.b -> parser.a", "parser.a -> parser.b") for fault in faults(tmp_path)]
    assert found == expected
