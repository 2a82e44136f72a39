"""Kuhlmann & Nivre (2010): techniques for non-projective parsing compared."""
