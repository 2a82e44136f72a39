"""The description of the service in the format of OpenAPI 3.1, made from its routes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from starlette.routing import BaseRoute, Route

from ..base import __version__
from .exchange import INPUTS, OUTPUTS

ALLOW = "allow_empty_columns"
PARAMETERS = {
    "model": "name of a model, or its beginning (default: the first model)",
    "data": "text in the format of the input",
    "input": f"format of the data: {', '.join(INPUTS)} (default: conllu)",
    "output": f"format of the answer: {', '.join(OUTPUTS)} (default: that of the input)",
    "parser": "if given, predict trees",
    "tagger": "if given, predict tags",
    "tokenizer": "if given, split raw text; options, separated by semicolons: presegmented (one sentence per line), "
    "ranges (TokenRange in MISC)",
    ALLOW: "1: parse words without tags",
}
"""The parameters of ``/process`` and their meanings."""
CORRECTING = {
    "scores": "1: give the probabilities of arcs (conf: head and label, conf_head: head), for calibrated models",
    "keep": "1: keep the head and deprel of words that have them",
}
"""The parameters that ``/parse`` has besides."""
REASONS = {
    400: "invalid request",
    404: "unknown model",
    408: "not done in time",
    413: "request above the limits",
    415: "body that is neither form nor multipart form",
    503: "too many open requests, or the model cannot be used",
}
STRING = {"type": "string"}


def _list(of: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


def _object(optional: Sequence[str] = (), **fields: Mapping[str, Any]) -> dict[str, Any]:
    required = [name for name in fields if name not in optional]
    return {"type": "object", "properties": fields, "required": required}


def _mapping(of: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": of}


CONF = _list({"type": "number"})
HEADS = _list({"type": "integer"})
TREE = _object(["conf", "conf_head"], heads=HEADS, deprels=_list(STRING), conf=CONF, conf_head=CONF)
TREE |= {"additionalProperties": _list(STRING)}
WARNINGS = {"warnings": _list(STRING)}
ANSWERS: Mapping[str, tuple[Mapping[str, Any] | None, Sequence[int]]] = {
    "/models": (_object(models=_mapping(_list(STRING)), default_model=STRING), (503,)),
    "/process": (
        _object(["warnings"], model=STRING, acknowledgements=_list(STRING), result=STRING, **WARNINGS),
        (400, 404, 408, 413, 415, 503),
    ),
    "/parse": (_object(["warnings"], model=STRING, sentences=_list(TREE), **WARNINGS), (400, 404, 408, 413, 503)),
    "/health": (_object(status=STRING, version=STRING, models=_list(STRING)), ()),
    "/metrics": (None, ()),
    "/openapi.json": (_object(openapi=STRING, info=_mapping(STRING), paths={"type": "object"}), ()),
}
"""For each path, the JSON schema of the answer (None: text), and the statuses of errors."""
FIELDS = _object([*PARAMETERS], **{name: STRING | {"description": told} for name, told in PARAMETERS.items()})
HEAD = {"type": ["integer", "string"]}
WORD = {"anyOf": [STRING, _object(["head"], form=STRING, head=HEAD) | {"additionalProperties": STRING}]}
BODIES: Mapping[str, Mapping[str, Any]] = {
    "/process": {"application/x-www-form-urlencoded": FIELDS, "multipart/form-data": FIELDS},
    "/parse": {
        "application/json": _object(["model"], model=STRING, sentences=_list(_list(WORD))),
        "text/plain": STRING,
    },
}
"""For each path with requests that have a body, the schema of the body by media type."""
QUERIES = {"/process": [*PARAMETERS], "/parse": ["model", "tokenizer", "tagger", ALLOW, *CORRECTING]}


def description(routes: Iterable[BaseRoute]) -> dict[str, Any]:
    """Return the description of a service with these routes as JSON values."""
    paths = {
        route.path: {method.lower(): _operation(route, method) for method in sorted(route.methods - {"HEAD"})}
        for route in routes
        if isinstance(route, Route) and route.include_in_schema
    }
    info = {"title": "crossarc", "version": __version__}
    return {"openapi": "3.1.0", "info": info, "paths": paths}


def _operation(route: Route, method: str) -> dict[str, Any]:
    schema, errors = ANSWERS[route.path]
    good = {"application/json": {"schema": schema}} if schema else {"text/plain": {"schema": STRING}}
    told: dict[str, Any] = {
        "summary": (route.endpoint.__doc__ or "").partition("\n")[0],
        "parameters": [
            {"name": name, "in": "query", "description": {**PARAMETERS, **CORRECTING}[name], "schema": STRING}
            for name in QUERIES.get(route.path, ())
        ],
        "responses": {"200": {"description": "success", "content": good}}
        | {
            str(status): {"description": REASONS[status], "content": {"text/plain": {"schema": STRING}}}
            for status in errors
        },
    }
    if method == "POST" and route.path in BODIES:
        told["requestBody"] = {"content": {kind: {"schema": own} for kind, own in BODIES[route.path].items()}}
    return told
