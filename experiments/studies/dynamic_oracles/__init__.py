"""What dynamic oracles cost: the time that each takes for a configuration."""
