"""Analysis of treebanks, oracles and parsers: coverage, explanations, choice of a parser, diagnoses."""
