"""Shared parts of experiments: cells, settings, tables, and the registry."""
