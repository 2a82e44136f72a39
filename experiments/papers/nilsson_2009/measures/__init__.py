"""Measures of the chapters of Nilsson (2009), and rows of tables in the form of the thesis."""
