"""Nilsson (2009): tree transformations, combination, error propagation."""
