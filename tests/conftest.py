"""Fixtures and hooks for all tests."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from crossarc import CrossarcError
from crossarc.transitions import plugins
from hypothesis import settings
from installed import uses_removed

settings.register_profile("crossarc", deadline=None, derandomize=True, max_examples=10)
settings.register_profile("thorough", settings.get_profile("crossarc"), max_examples=200)
settings.load_profile("crossarc")
# Containers often forbid Python to store compiled modules. Many tests start processes, whose imports then take 1.8 CPU
# seconds instead of 0.7.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_ignore_collect(collection_path):
    """Leave out test files that need a plugin that was removed, beside the one in whose folder they are."""
    return (collection_path.suffix == ".py" and uses_removed(collection_path)) or None


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
