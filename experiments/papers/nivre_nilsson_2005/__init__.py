"""Nivre & Nilsson (2005): pseudo-projective parsing."""
