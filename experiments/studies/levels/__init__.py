"""Rules that choose a parser for a new treebank."""
