"""The generator of treebanks of an invented language."""
