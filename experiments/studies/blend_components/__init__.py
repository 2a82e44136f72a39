"""The contribution of each component to a blend."""
