"""Ready experiment configs, feature models and treebank locations (data, installed with the package)."""
