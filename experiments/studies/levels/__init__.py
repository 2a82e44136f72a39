"""Which rules choose a parser for a treebank that nobody has seen, and how well they transfer."""
