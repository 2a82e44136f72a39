"""One page that holds everything: style, script and data inside, nothing from a network."""

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


def interactive_page(kind: str, scripts: tuple[str, ...], title: str, data: Any) -> str:
    """The page whose body is ``KIND.html`` of ``assets``, with the scripts in that order, and data for them.

    Nothing in title or data can end the element that it stands in.
    """
    template = Template(_asset(f"{kind}.html") + SCRIPTS)
    script = "\n".join(map(_asset, ("elements.js", *scripts)))
    body = template.substitute(title=escape(title), data=_json(data), script=script)
    return framed(kind, title, body, scripts="'unsafe-inline'")


def framed(kind: str, title: str, body: str, *, scripts: str = "'none'") -> str:
    """A whole page. kind: the class of its body. scripts: which ones its security policy allows.

    Characters that a page cannot carry, such as lone surrogates, become U+FFFD.
    """
    page = Template(_asset("page.html"))
    text = page.substitute(kind=kind, title=escape(title), style=_asset("style.css"), body=body, scripts=scripts)
    return UNPRINTABLE.sub("\ufffd", text)


def _json(data: Any) -> str:
    """JSON that neither ends a script element nor begins a comment in it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")


def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text("utf-8")
