"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("crossarc", deadline=None, derandomize=True)
settings.load_profile("crossarc")


class _Collection:
    """Keeps pytest from importing the checkout, which is a package, once more under the name of its folder."""

    @staticmethod
    def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        return pytest.Dir.from_parent(parent, path=path) if path == parent.config.rootpath else None


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Collection())


@pytest.fixture(scope="session")
def treebanks() -> Path:
    """The folder of treebank folders, or a skip where there is none."""
    folder = os.environ.get("CROSSARC_TREEBANKS", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("CROSSARC_TREEBANKS names no folder of treebanks")
    return Path(folder)
