"""Messages of calls that are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from crossarc import CrossarcError

__all__ = ["needs_full", "refusal"]

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")


def refusal(call: Callable[[], object], kind: type[Exception] = CrossarcError) -> str:
    """The message of the exception that a call raises, which must have one line."""
    with pytest.raises(kind) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    return message
