"""What tuning brings, within how much time."""
