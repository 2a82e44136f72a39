"""The gain of tuning and its time."""
