"""Reproduced tables, studies and the synthetic treebank."""
