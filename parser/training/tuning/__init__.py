"""Tuning: technique, parameters and features chosen on development data within a budget of time."""

from __future__ import annotations

from .phases import TuningResult, tune

__all__ = ["TuningResult", "tune"]
