"""From a config to a model."""
