"""Memory-based learning: the k nearest of the stored instances vote."""
