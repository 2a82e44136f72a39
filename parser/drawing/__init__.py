"""Drawing: trees as text, SVG, TikZ and pages for a browser; charts as SVG."""
