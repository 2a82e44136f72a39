"""Kuhlmann & Nivre (2010): comparison of techniques for non-projective parsing."""
