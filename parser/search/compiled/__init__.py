"""Greedy parsing with linear learners, compiled by numba; see README.md."""
