"""Classifiers that score transitions."""
