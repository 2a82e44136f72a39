"""The log of a service: one JSON line per record of the loggers below ``crossarc``."""

from __future__ import annotations

import json
import logging
import time


class JsonFormatter(logging.Formatter):
    """Formats a record as JSON: time in UTC to the second, level, message and the values of ``facts`` in ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
        said = {"time": when, "level": record.levelname.lower(), "message": record.getMessage()}
        return json.dumps(said | getattr(record, "facts", {}))


def log_as_json(level: int) -> None:
    """Write the records of crossarc from a level on, and warnings of libraries, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("crossarc").setLevel(level)
