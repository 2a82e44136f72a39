"""Derivation of trees: the greedy driver, the guide that uses a learner, and a trained stage of a parser."""
