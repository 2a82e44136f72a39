"""Tuning: technique, features and parameters chosen on development data within a budget of time."""

from __future__ import annotations

from .files import TuningResult
from .search import tune
from .trials import Budget

__all__ = ["Budget", "TuningResult", "tune"]
