"""Graph-based parsing: factors score a tree, and a chart or a spanning tree algorithm finds the best tree."""
