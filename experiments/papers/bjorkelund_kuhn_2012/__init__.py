"""Björkelund & Kuhn (2012): treatments of non-projective arcs in graph-based parsing."""
