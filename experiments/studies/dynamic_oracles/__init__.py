"""CPU time of dynamic oracles."""
