"""Loading and checking of YAML configs and feature models."""
