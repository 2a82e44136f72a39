"""Training and running parsers: treebanks, transforms, guides, the greedy driver, evaluation, the command line."""
