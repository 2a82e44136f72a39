"""Drawing: trees, derivations and reports as text, SVG, LaTeX and pages for browsers."""

REPORTS = {".html": "reports:write_page", "/": "reports:write_charts"}
