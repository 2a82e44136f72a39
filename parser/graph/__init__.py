"""Graph-based parsing: a tree is scored by its factors, and the best one is found by a chart or a spanning tree."""
