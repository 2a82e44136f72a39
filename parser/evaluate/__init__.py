"""Scores of predicted against gold trees, error analysis and significance tests."""
