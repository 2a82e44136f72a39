"""Reproductions of published comparisons, one folder per paper."""
