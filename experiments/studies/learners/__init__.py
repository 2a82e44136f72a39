"""Learners compared."""
