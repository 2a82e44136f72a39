"""Björkelund & Kuhn (2012)."""
