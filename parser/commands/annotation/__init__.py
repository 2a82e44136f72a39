"""Commands for annotators: calibrated scores."""
