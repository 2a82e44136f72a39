"""Any configs on any treebank, by folds."""
