"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("crossarc", deadline=None, derandomize=True)
settings.load_profile("crossarc")


@pytest.fixture(scope="session")
def treebanks() -> Path:
    """The folder of treebank folders, or a skip where there is none."""
    folder = os.environ.get("CROSSARC_TREEBANKS", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("CROSSARC_TREEBANKS names no folder of treebanks")
    return Path(folder)
