"""Techniques for crossing arcs on nine treebanks: accuracy, cost and coverage."""
