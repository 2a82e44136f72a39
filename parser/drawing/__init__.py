"""Drawing: trees as text, charts as SVG."""
