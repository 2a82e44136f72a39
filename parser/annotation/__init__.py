"""Help for annotators: calibrated probabilities that arcs are right."""
