"""Transforms between annotation styles of coordination and of verb groups."""
