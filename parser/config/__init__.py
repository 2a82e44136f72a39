"""YAML to typed configs and feature models."""
