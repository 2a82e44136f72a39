"""Comparison of crossarc with other parsers."""
