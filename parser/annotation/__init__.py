"""Help for annotators: calibrated probabilities of arcs, kept arcs, and constraints on labels."""
