"""Deriving trees: the greedy driver, the guide that asks a learner, and a trained stage of a parser."""
