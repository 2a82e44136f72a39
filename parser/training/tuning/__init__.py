"""Tuning: technique, features and parameters chosen on development data within a budget of time."""

from __future__ import annotations

from .search import TuningResult, tune
from .trials import Budget

__all__ = ["Budget", "TuningResult", "tune"]
