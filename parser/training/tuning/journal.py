"""The journal of finished trials: no trial is run twice, even by later runs."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ...base.errors import CrossarcError
from .trial import Candidate, Outcome


class Journal:
    """A file of JSON lines, one for each finished trial, under a key of everything that decides its outcome.

    Lines that are not whole, as a killed run may leave behind, are passed over. Raises CrossarcError if the file cannot
    be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._outcomes: dict[str, Outcome] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = path.read_bytes() if path.exists() else b""
            if lines and not lines.endswith(b"\n"):
                with open(path, "ab") as file:
                    file.write(b"\n")
        except OSError as error:
            raise CrossarcError(f"{path}: {error.strerror or error}") from error
        for line in lines.decode("utf-8", "replace").splitlines():
            try:
                entry = json.loads(line)
                self._outcomes[entry["key"]] = Outcome.from_json(entry)
            except (ValueError, KeyError, TypeError):
                continue

    def __len__(self) -> int:
        return len(self._outcomes)

    def get(self, key: str) -> Outcome | None:
        return self._outcomes.get(key)

    def add(self, key: str, candidate: Candidate, outcome: Outcome) -> None:
        """Write a finished trial to the disk at once."""
        self._outcomes[key] = outcome
        entry = {"key": key, **outcome.to_json(), "trained": candidate.identity()}
        try:
            with open(self.path, "a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise CrossarcError(f"{self.path}: {error.strerror or error}") from error
