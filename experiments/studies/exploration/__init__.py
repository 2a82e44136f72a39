"""Gain by exploration and by beams."""
