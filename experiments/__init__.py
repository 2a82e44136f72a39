"""Reproduced tables, the synthetic treebank and benchmarks: one module and one YAML each."""
