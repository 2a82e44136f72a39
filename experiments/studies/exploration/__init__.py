"""The gain of exploration and beams."""
