"""One page that holds everything: style, script and data inside, nothing from a network."""

from __future__ import annotations

import json
import re
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

__all__ = ["assemble", "fill"]

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def assemble(template: str, scripts: tuple[str, ...], title: str, data: Any) -> str:
    """The page ``template`` (a file of ``assets``) with its title, the scripts in that order, and data for them.

    Nothing in title or data can end the element that it stands in.
    """
    script = "\n".join(['"use strict";', *map(_asset, scripts)])
    return fill(template, title, data=_json(data), script=script)


def fill(template: str, title: str, **parts: str) -> str:
    """The page ``template`` with its title, the style of all pages, and further parts, which are put in as they are.

    Characters that a page cannot carry, such as lone surrogates, become U+FFFD.
    """
    page = Template(_asset(template)).substitute(title=escape(title), style=_asset("style.css"), **parts)
    return UNPRINTABLE.sub("\ufffd", page)


def _json(data: Any) -> str:
    """JSON that neither ends a script element nor begins a comment in it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")


def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text("utf-8")
