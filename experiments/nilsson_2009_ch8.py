"""Nilsson (2009), chapter 8: combining transition-based parsers."""

from __future__ import annotations

import argparse

from .nilsson_2009 import run_blends

__all__ = ["NAME", "run"]

NAME = "nilsson-2009-ch8"


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    return run_blends(NAME, "Nilsson (2009), chapter 8: combining transition-based parsers", options)
