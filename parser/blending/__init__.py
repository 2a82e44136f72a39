"""Blending: votes of several parsers, their weights, and the best tree for the votes."""
