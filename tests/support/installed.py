"""The plugins that are there: each may be removed with its own tests, and the other tests still pass."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import crossarc
import pytest
from crossarc.__main__ import COMMANDS
from crossarc.parser.base.plugins import found_plugins

PLUGINS = {plugin.__name__.rpartition(".")[2] for plugin in found_plugins()}
IMPORTED = re.compile(r"^(?:from|import) (?:crossarc)?\.parser\.plugins\.(\w+)\S*(?: import (\([^)]*\)|.*))?$", re.M)
"""The plugin of an import, and the imported names."""
STUB = Path(crossarc.__file__).with_suffix(".pyi").read_text("utf-8")
REMOVED = {
    name
    for plugin, names in IMPORTED.findall(STUB)
    if plugin not in PLUGINS
    for name in re.findall(r"\w+ as (\w+)", names)
}
"""The public names of plugins that were removed."""
PUBLIC = re.compile(r"^from crossarc import (\([^)]*\)|.*)$", re.M)
Case = TypeVar("Case", bound=Sequence)


def uses_removed(file: Path) -> bool:
    """Whether a test file, or a module of this folder that it imports, needs a plugin that was removed."""
    text = file.read_text("utf-8")
    plugins = {plugin for plugin, _ in IMPORTED.findall(text)}
    names = {name for imported in PUBLIC.findall(text) for name in re.findall(r"\w+", imported)}
    helpers = (Path(__file__).with_name(f"{name}.py") for name in re.findall(r"^from (\w+) import ", text, re.M))
    return not plugins <= PLUGINS or bool(names & REMOVED) or any(map(uses_removed, filter(Path.is_file, helpers)))


def needs(*plugins: str) -> pytest.MarkDecorator:
    """A mark for tests that use plugins beside the one whose tests they are, or beside the core."""
    missing = sorted({*plugins} - PLUGINS)
    return pytest.mark.skipif(bool(missing), reason=f"without the plugin {', '.join(missing)}")


def of_installed(cases: Mapping[str, Case]) -> dict[str, Case]:
    """The cases of installed commands. A case is a command line, or begins with one; plugins may follow its message."""

    def is_installed(case: Case) -> bool:
        words, *more = [case] if isinstance(case[0], str) else case
        command = next(word for word in words if not word.startswith("-"))
        return command in COMMANDS and PLUGINS.issuperset(more[1:])

    return {name: case for name, case in cases.items() if is_installed(case)}
