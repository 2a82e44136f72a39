"""Lacroix & Béchet (2014): three-step parsing with valencies."""
