"""The plugins that are there: each may be removed with its own tests, and the other tests still pass."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import pytest
from crossarc.__main__ import COMMANDS
from crossarc.parser.base.plugins import found_plugins

PLUGINS = {plugin.__name__.rpartition(".")[2] for plugin in found_plugins()}
Case = TypeVar("Case", bound=Sequence)


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
