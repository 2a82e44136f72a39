"""Nilsson (2009), chapter 7: combining classifiers."""

from __future__ import annotations

import argparse

from .nilsson_2009 import run_blends

__all__ = ["NAME", "run"]

NAME = "nilsson-2009-ch7"


def run(options: argparse.Namespace) -> int:
    """Compute what is not there yet, and write report.md and results.json."""
    return run_blends(NAME, "Nilsson (2009), chapter 7: combining classifiers", options)
