"""Browser that all tests of pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import Browser, chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium; tests are skipped if it is not installed."""
    command = chromium()
    if command is None:
        pytest.skip("no Chromium on this machine")
    with Browser(command) as started:
        yield started
