"""The checks of Universal Dependencies by the library of its official validator, udtools."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..base.lazy import needed
from .faults import Fault
from .source import opened

LEVELS = range(1, 6)
"""Levels of the validator: format, universal format, universal guidelines, labels and contents of a language."""
LAST_SHARED = 3
"""The last level whose checks are the same for all languages."""


def universal_faults(path: str | Path, language: str, level: int) -> Iterator[Fault]:
    """The errors and warnings of the official validator for a CoNLL-U file, and what it could not check.

    path: file, compressed or not.
    language: ISO 639 code. For a language without a list of labels and features, the levels above
        :data:`LAST_SHARED` are left out.
    level: the last one of :data:`LEVELS`.

    Words without DEPREL, among others, stop the validator with an exception. Then the last level that it completes
    counts, and an error of the kind "UD" names the next one. Raises CrossarcError if udtools is not installed.
    """
    udtools = needed("udtools", "check --ud")
    features = Path(udtools.__file__).parent.joinpath("data", "feats.json").read_text("utf-8")
    if level > LAST_SHARED and language not in json.loads(features)["features"]:
        message = f"udtools has no lists for the language {language!r}; checked up to level {LAST_SHARED}"
        yield Fault(1, "UD", message, True)
        level = LAST_SHARED
    with TemporaryDirectory(prefix="crossarc-") as folder, opened(path, str(path)) as stream:
        file = Path(folder, "treebank.conllu")
        file.write_bytes(stream.read())
        incidents: list[Any] = []
        stopped = ""
        for last in range(level, 0, -1):
            try:
                incidents = _incidents(str(file), language, last)
                break
            except Exception as error:  # the library has no error class of its own
                stopped = f"level {last} ({type(error).__name__}: {error})"
    if stopped:
        yield Fault(1, "UD", f"udtools stops at {stopped}; mend the other faults first")
    for incident in incidents:
        warning = incident.get_type().name == "WARNING"
        yield Fault(max(1, incident.lineno), f"UD {incident.testid}", incident.message, warning)


def _incidents(path: str, language: str, level: int) -> list[Any]:
    from udtools.validator import Validator

    state = Validator(lang=language, level=level, output=io.StringIO()).validate_files([path])
    return list(state.error_tracker)
