"""The site: the pages of the repository with a search, and a reference of Python from docstrings (``make site``).

Sphinx builds it: MyST reads the pages as they are, autodoc the docstrings, and a link without a target is an error.
"""

import re

import crossarc

project = "crossarc"
author = "The crossarc developers"
release = crossarc.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
root_doc = "README"
exclude_patterns = [".venv", "build", "dist", "quickstart", "**/.*_cache", ".github/ISSUE_TEMPLATE"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "crossarc"
autodoc_typehints = "description"

CONTENTS = {
    "Guides": ["experiments/guides/*", "experiments/lesson/*"],
    "Reference": [
        "configs/*",
        "configs/features/*",
        "features/*",
        "transitions/*",
        "oracles/*",
        "parser/commands/*",
        ".github/site/python",
        "parser/plugins/interfaces/*",
        ".github/GLOSSARY",
        ".github/CHANGELOG",
    ],
    "Findings": ["experiments/README", "experiments/papers/**", "experiments/studies/**", "experiments/synthetic/*"],
    "Internals": ["parser/README", "parser/**", "experiments/harness/*", "tests/*", ".github/*"],
}
"""The table of contents: pages by heading."""
PARAMETER = re.compile(r"^(\w+(?:, \w+)*): ")
"""The beginning of a line of a docstring that explains parameters or attributes."""


def add_contents(app, name, source):
    """Add the table of contents to the first page, so that the page in the repository needs none."""
    if name == root_doc:
        for title, pages in CONTENTS.items():
            source[0] += "\n```{toctree}\n:hidden:\n:glob:\n:caption: " + "\n".join([f"{title}\n", *pages]) + "\n```\n"


def list_parameters(app, what, name, object, options, lines):
    """Make lists of the parameters in a docstring, whose texts go on with four spaces, as those of lists do."""
    marked = lines[:1]
    for line in lines[1:]:
        begins = PARAMETER.match(line)
        if begins and marked and marked[-1] and not marked[-1].startswith(("*   ", "    ")):
            marked.append("")
        marked.append(PARAMETER.sub(r"*   ``\1``: ", line))
    lines[:] = marked


def skip_foreign(app, what, name, object, skip, options):
    """Leave out the methods that scikit-learn makes for its routing of metadata."""
    return True if re.fullmatch(r"set_\w+_request|\w+_metadata_routing", name) else None


def setup(app):
    """Register the functions above."""
    app.connect("source-read", add_contents)
    app.connect("autodoc-process-docstring", list_parameters)
    app.connect("autodoc-skip-member", skip_foreign)
