"""Gain by tuning."""
