"""Tree transformations that are applied before training and inverted after parsing."""
