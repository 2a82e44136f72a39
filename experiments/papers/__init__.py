"""Published comparisons, a folder a paper."""
