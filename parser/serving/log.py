"""The log of a service: a line of JSON for whatever happens."""

from __future__ import annotations

import json
import time
from typing import Any

__all__ = ["entry"]


def entry(**facts: Any) -> str:
    """The line of facts (JSON values), the time before them in UTC to the second."""
    return json.dumps({"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **facts})
