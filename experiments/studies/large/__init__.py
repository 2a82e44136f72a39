"""Memory and time of training on millions of words."""
