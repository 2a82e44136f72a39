"""Measures of the chapters of Nilsson (2009), and their tables in the form of the thesis."""
