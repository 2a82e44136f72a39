"""Comparisons of our own, a folder a question."""
