"""Drawing: trees, derivations and reports as text, SVG, LaTeX and pages for browsers."""

READ_FIRST = "arcs.py, tree_svg.py"
REPORTS = {".html": "reports:write_page", "/": "reports:write_charts"}
