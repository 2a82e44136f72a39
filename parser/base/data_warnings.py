"""Warnings about data: Python warnings that commands print whether or not they print progress."""

from __future__ import annotations

import warnings


class DataWarning(UserWarning):
    """A fact about the input that makes results worse than users may expect."""


def warn(line: str) -> None:
    """Issue a warning about data."""
    warnings.warn(line, DataWarning, stacklevel=2)
