"""Techniques for crossing arcs on generated treebanks."""
