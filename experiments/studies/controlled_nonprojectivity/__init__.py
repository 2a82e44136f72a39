"""How often, how far, how deep: techniques on a generated treebank."""
