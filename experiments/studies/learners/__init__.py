"""Comparison of learners."""
