"""Treebank formats in and out, and columns to integers."""
