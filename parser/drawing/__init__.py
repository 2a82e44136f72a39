"""Drawings of trees as text, SVG, TikZ and HTML pages, and charts as SVG."""
