"""Generator of treebanks of an invented language."""
