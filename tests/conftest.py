"""Fixtures and hooks for all tests."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from crossarc import CrossarcError
from crossarc.transitions import plugins
from hypothesis import settings
from installed import PLUGINS

settings.register_profile("crossarc", deadline=None, derandomize=True, max_examples=10)
settings.register_profile("thorough", settings.get_profile("crossarc"), max_examples=200)
settings.load_profile("crossarc")
# Containers often forbid Python to store compiled modules. Many tests start processes, whose imports then take 1.8 CPU
# seconds instead of 0.7.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


FILES_OF_SEVERAL = {
    "analysis": [
        "conformance",
        "parser/plugins/drawing/test_derivations.py",
        "parser/plugins/drawing/test_derivation_page.py",
        "parser/plugins/graph/test_graph_model.py",
    ],
    "blending": ["parser/plugins/graph/test_graph_model.py"],
}
"""Test files that need a plugin beside the one in whose folder they are; left out if it was removed."""
collect_ignore = [path for plugin, paths in FILES_OF_SEVERAL.items() if plugin not in PLUGINS for path in paths]


class _Collection:
    """Prevents pytest from importing the checkout, which is a package, a second time under the name of its folder."""

    @staticmethod
    def pytest_collect_directory(path, parent):
        return pytest.Dir.from_parent(parent, path=path) if path == parent.config.rootpath else None


def pytest_configure(config):
    config.pluginmanager.register(_Collection())


def _skipping_without_numba():
    """Skip tests of graph-based parsing if numba is not installed."""
    try:
        yield
    except CrossarcError as error:
        if find_spec("numba") is None and "needs numba" in str(error):
            pytest.skip("numba is not installed")
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup():
    yield from _skipping_without_numba()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    yield from _skipping_without_numba()


@pytest.fixture(scope="session")
def treebanks():
    """The folder of treebanks, from CROSSARC_TREEBANKS. Skips the test if it does not exist."""
    folder = os.environ.get("CROSSARC_TREEBANKS", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("CROSSARC_TREEBANKS names no folder of treebanks")
    return Path(folder)


@pytest.fixture
def no_other_parts(monkeypatch):
    """Tests add parts to registries of their own."""
    monkeypatch.setattr(plugins, "_PARTS", {group: {} for group in plugins.GROUPS})
    monkeypatch.setattr(plugins, "_LOADED", set())
    monkeypatch.setenv(plugins.VARIABLE, "")
