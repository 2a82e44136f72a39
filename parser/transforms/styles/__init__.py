"""Transforms between styles of annotation: of coordination, and of verb groups."""
