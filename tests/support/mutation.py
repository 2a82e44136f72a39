"""Mutation testing: draw random small changes to the code, and report the changes that no test notices.

    python tests/support/mutation.py FOLDER [--count 60] [--seed 1] [--first 1] [--minutes 9]

A mutant is one change: another comparison or operator, a negated condition, another number, truth value or text, a
deleted call whose value is not used, or None as return value. Docstrings, annotations, ``__all__`` and error messages
are not changed. Each mutant runs in a separate process until a test fails. A mutant that exceeds the limit of CPU time,
for instance in an endless loop, counts as noticed.

Nothing is written to the checkout: the changed module is compiled from its syntax tree. Processes that tests start run
the original code, so tests that start processes notice fewer mutants.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import NamedTuple

import hypothesis
import networkx
import pytest
import sklearn.svm
import yaml

PRELOADED = (networkx, sklearn.svm, yaml)
"""Packages that are imported once, before processes are forked."""
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
LEFT_ALONE = ("annotation", "returns", "exc")
"""Fields of syntax nodes whose contents are not changed."""
SUSPECT = "XX"
"""Prefix of changed texts."""
DERIVATIONS = (
    "oracles/test_*.py",
    "conformance/test_systems.py",
    "conformance/test_passes.py",
    "parser/search/test_beam.py",
)
TESTS = {
    "transitions": (
        "test_values.py",
        "transitions/test_*.py",
        "parser/transforms/lifting/test_projectivize.py",
        *DERIVATIONS,
    ),
    "oracles": ("test_values.py", *DERIVATIONS, "parser/analysis/test_oracle_report.py"),
    "features": ("test_values.py", "features/test_*.py", "parser/config/test_feature_files.py"),
    "parser/transforms": (
        "test_values.py",
        "parser/transforms/**/test_*.py",
        "parser/commands/test_treebank_commands.py",
    ),
    "parser/evaluate": ("test_values.py", "parser/evaluate/test_*.py", "parser/commands/test_evaluate_commands.py"),
}
"""Tests that should notice the mutants of each folder."""
SLOW = ("test_systems", "test_dynamic_costs", "test_beam", "test_evaluate_commands", "test_feature_files")
NAMES = {
    **{
        name.replace("-", "_"): name
        for name in ("arc-eager", "arc-hybrid", "arc-standard", "attardi", "covington", "swap")
    },
    "three_step": "three or passes",
}
"""Expression for pytest's option -k that selects the tests of a transition system, by its module."""


class Mutant(NamedTuple):
    """A change: its module, its number among all changes of the module, and its description."""

    path: Path
    number: int
    change: str


def changes(tree: ast.Module) -> Iterator[tuple[ast.AST, Callable[[], None]]]:
    """All possible changes of a module: the node, and a function that changes it in place."""
    for node in _code(tree):
        yield from ((node, change) for change in _changes_of(node))


def mutants(path: Path) -> list[Mutant]:
    """All mutants of a module, in the order of its lines."""
    text = path.read_text("utf-8")
    found = []
    for number, (node, _) in enumerate(changes(ast.parse(text))):
        own, change = next(pair for k, pair in enumerate(changes(ast.parse(text))) if k == number)
        before = ast.unparse(own).split("\n")[0]
        change()
        after = ast.unparse(own).split("\n")[0]
        found.append(Mutant(path, number, f"{path}:{getattr(node, 'lineno', 0)}: {before}  ->  {after}"))
    return found


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """The descendants of a node without docstrings, annotations, ``__all__`` and raised exceptions."""
    for name, value in ast.iter_fields(node):
        below = value if isinstance(value, list) else [value]
        if name in LEFT_ALONE:
            continue
        for own in below:
            documents = isinstance(own, ast.Expr) and isinstance(own.value, ast.Constant)
            names = isinstance(own, ast.Assign) and ast.unparse(own.targets[0]) == "__all__"
            if isinstance(own, ast.AST) and not documents and not names and not isinstance(own, ast.JoinedStr):
                yield own
                yield from _code(own)


def _changes_of(node: ast.AST) -> Iterator[Callable[[], None]]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                yield lambda place=place, other=other: node.ops.__setitem__(place, other())  # type: ignore[misc]
    elif isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp):
        if other := OPERATORS.get(type(node.op)):
            yield lambda: setattr(node, "op", other())
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.Not | ast.Invert):
            yield lambda: setattr(node, "operand", ast.UnaryOp(node.op, node.operand))
        elif isinstance(node.op, ast.USub):
            yield lambda: setattr(node, "op", ast.UAdd())
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield lambda: setattr(node, "value", not node.value)
        elif isinstance(node.value, int | float):
            yield lambda: setattr(node, "value", node.value + 1)
        elif isinstance(node.value, str):
            yield lambda: setattr(node, "value", f"{SUSPECT}{node.value}")
    elif _has_an_effect(node):
        yield lambda: setattr(node, "value", ast.Constant(value=None))


def _has_an_effect(node: ast.AST) -> bool:
    """Whether a node is a call whose value is not used, or a return statement with a value."""
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return called or (isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None")


def notices(mutant: Mutant, tests: Sequence[Path], seconds: int) -> bool:
    """Whether a test fails or takes too long with a mutant.

    tests: test files. Files with a name like the module run first, slow ones last. For a transition system or its
        oracles, only the tests with its name run.
    seconds: limit of CPU time.
    """
    words = set(mutant.path.stem.split("_"))
    near = [test for test in tests if words & set(test.stem.split("_"))]
    slow = [test for test in tests if test.stem in SLOW and test not in near]
    other = [test for test in tests if test not in near and test not in slow]
    chosen = NAMES.get(mutant.path.stem.removeprefix("dynamic_"))
    options = ["-k", chosen] if chosen else []
    return any(_fails(mutant, own, options, seconds) for own in (near, other, slow) if own)


def _fails(mutant: Mutant | None, tests: Sequence[Path], options: Sequence[str], seconds: int) -> bool:
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if mutant:
            _install(mutant)
            with open(os.devnull, "w") as nothing:
                os.dup2(nothing.fileno(), 1)
                os.dup2(nothing.fileno(), 2)
        common = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore", "--tb=short"]
        code = pytest.main([*common, *options, *map(str, tests)], plugins=[_WithoutShrinking()])
        os._exit(code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED))
    return os.waitpid(child, 0)[1] != 0


def _install(mutant: Mutant) -> None:
    """Make the import system load the mutant in place of its module."""
    tree = ast.parse(mutant.path.read_text("utf-8"))
    _, change = next(pair for k, pair in enumerate(changes(tree)) if k == mutant.number)
    change()
    code = compile(ast.fix_missing_locations(copy.deepcopy(tree)), str(mutant.path), "exec")
    usual = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return code if os.path.samefile(loader.path, mutant.path) else usual(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


class _WithoutShrinking:
    """A pytest plugin: hypothesis does not search for smaller failing examples."""

    @staticmethod
    def pytest_sessionstart() -> None:
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile("mutation", hypothesis.settings.get_profile("crossarc"), phases=phases)
        hypothesis.settings.load_profile("mutation")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", choices=TESTS, help="folder whose modules are changed")
    parser.add_argument("--count", type=int, default=60, help="number of mutants to draw (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the draw (default: 1)")
    parser.add_argument("--first", type=int, default=1, help="number of the first drawn mutant to try (default: 1)")
    parser.add_argument("--only", type=int, nargs="+", help="numbers of the drawn mutants to try (default: all)")
    parser.add_argument("--minutes", type=float, default=1e9, help="time limit of the run (default: none)")
    parser.add_argument("--seconds", type=int, default=60, help="limit of CPU seconds for each mutant (default: 60)")
    options = parser.parse_args()
    began = time.monotonic()
    everything = [mutant for path in sorted(Path(options.folder).rglob("*.py")) for mutant in mutants(path)]
    drawn = random.Random(options.seed).sample(everything, min(options.count, len(everything)))
    tests = [path for name in TESTS[options.folder] for path in sorted(Path("tests").glob(name))]
    if options.first == 1 and not options.only and _fails(None, tests, [], options.seconds):
        print("tests fail without a mutant, or take too long", file=sys.stderr)
        return 1
    survivors = tried = 0
    for number, mutant in enumerate(drawn[options.first - 1 :], options.first):
        if options.only and number not in options.only:
            continue
        if time.monotonic() - began > 60 * options.minutes:
            print(f"time is over; continue with --first {number}")
            break
        tried += 1
        if not notices(mutant, tests, options.seconds):
            survivors += 1
            print(f"{number}: {mutant.change}", flush=True)
    print(f"{options.folder}: {tried - survivors} of {tried} mutants noticed, of {len(everything)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
