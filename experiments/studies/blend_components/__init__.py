"""What each component adds to a blend."""
