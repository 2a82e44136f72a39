"""Self-contained HTML pages: style, script and data are inside; nothing is loaded from a network."""

from __future__ import annotations

import json
import re
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
SCRIPTS = """
<noscript><p>This page draws with JavaScript, which is switched off.</p></noscript>
<script type="application/json" id="data">$data</script>
<script>
"use strict";
$script
</script>"""


def interactive_page(kind: str, scripts: tuple[str, ...], title: str, data: Any, connect: str = "'none'") -> str:
    """Return a page from ``assets/KIND.html``, with the scripts in the given order, and their data.

    connect: addresses that the page's security policy allows scripts to ask.

    Title and data are escaped so that they cannot end their elements.
    """
    template = Template(_asset(f"{kind}.html") + SCRIPTS)
    script = "\n".join(map(_asset, ("elements.js", *scripts)))
    body = template.substitute(title=escape(title), data=_json(data), script=script)
    return framed(kind, title, body, scripts="'unsafe-inline'", connect=connect)


def framed(kind: str, title: str, body: str, *, scripts: str = "'none'", connect: str = "'none'") -> str:
    """Return a complete page.

    kind: CSS class of the body.
    scripts, connect: scripts and connections that the page's security policy allows.

    Characters that are invalid in HTML, such as lone surrogates, become U+FFFD.
    """
    page = Template(_asset("page.html"))
    rules = ("default-src 'none'", "style-src 'unsafe-inline'", f"script-src {scripts}", f"connect-src {connect}")
    policy = "; ".join([*rules, "img-src data:"])
    text = page.substitute(kind=kind, title=escape(title), style=_asset("style.css"), body=body, policy=policy)
    return UNPRINTABLE.sub("\ufffd", text)


def _json(data: Any) -> str:
    """Return JSON in which nothing can end a script element or begin a comment."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")


def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text("utf-8")
