"""Nilsson (2009), chapter 6: coordination and verb groups."""

from __future__ import annotations

import argparse

from .nilsson_2009_transforms import run_transforms

__all__ = ["NAME", "run"]

NAME = "nilsson-2009-ch6"


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    return run_transforms(NAME, "Nilsson (2009), chapter 6: coordination and verb groups", options)
