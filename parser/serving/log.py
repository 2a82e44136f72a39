"""The log of a service: one JSON line per event."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from typing import Any


def entry(**facts: Any) -> str:
    """Return the line for an event: the time in UTC to the second, then the facts (JSON values)."""
    return json.dumps({"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **facts})


def log_warnings(log: Callable[[str], None]) -> None:
    """Write warnings of libraries and reports of compiling to the log."""
    logging.basicConfig(level=logging.WARNING, handlers=[_Lines(log)], force=True)


class _Lines(logging.Handler):
    def __init__(self, log: Callable[[str], None]) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        self._log(entry(level=record.levelname.lower(), message=record.getMessage()))
