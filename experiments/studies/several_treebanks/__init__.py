"""What a second treebank brings to parsers, if it is told apart from the first."""
