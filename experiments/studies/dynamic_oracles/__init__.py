"""The cost of dynamic oracles in time per configuration."""
