"""Tree transforms: applied to trees before training, inverted after parsing."""
