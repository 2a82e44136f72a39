"""Pseudo-projective transforms: crossing arcs are lifted before training and lowered after parsing."""
