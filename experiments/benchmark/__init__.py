"""The benchmark of training and parsing."""
