"""Comparison of techniques for crossing arcs on nine treebanks."""
