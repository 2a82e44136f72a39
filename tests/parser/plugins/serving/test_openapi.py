"""The description of the service: every path and status occurs, and answers have the declared fields."""

import asyncio
import json
from collections.abc import Mapping
from functools import cache

import crossarc
import pytest
from command_line import conllu
from service import form

for name in ("starlette", "uvicorn", "python_multipart", "prometheus_client"):
    pytest.importorskip(name, reason=f"{name} is not installed: the extra crossarc[serve]")

from crossarc.parser.plugins.serving.application import make_application  # noqa: E402
from crossarc.parser.plugins.serving.batching import EndedError  # noqa: E402
from crossarc.parser.plugins.serving.exchange import INPUTS, OUTPUTS  # noqa: E402
from crossarc.parser.plugins.serving.limits import Limits  # noqa: E402
from crossarc.parser.plugins.serving.worker import WorkParser  # noqa: E402

LIMITS = Limits(body=10_000, waiting=1)
URLENCODED = "application/x-www-form-urlencoded"


class Queue:
    """A queue without a process; some words make it fail."""

    steps = ("parser",)
    compiling = False

    def __init__(self, parser):
        self._parser, self.ready = parser, True

    async def answer(self, work):
        for word, error in ((b"@slow", TimeoutError), (b"@end", EndedError)):
            if word in (work.data if isinstance(work.data, bytes) else work.data.encode()):
                raise error
        [answer] = self._parser([work])
        if isinstance(answer, Exception):
            raise answer
        return answer


@cache
def application(service):
    queue = Queue(WorkParser(crossarc.open_parser(service.model), LIMITS))
    return make_application({"small": queue}, LIMITS)


def ask(application, method, path, body=b"", kind=URLENCODED):
    """The status and the body of the answer to a request."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": body}

    async def send(message):
        sent.append(message)

    headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body))]
    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": headers}
    asyncio.run(application(scope, receive, send))
    return sent[0]["status"], b"".join(node.get("body", b"") for node in sent)


def as_json(words, **more):
    return json.dumps({"sentences": [words], **more}).encode()


TEXT = conllu(1, 1)
TAGGED = [{"form": "der", "xpos": "DET"}]
REQUESTS: Mapping[tuple[str, int], tuple[bytes, str]] = {
    ("/process", 200): (form(data=TEXT, parser=""), URLENCODED),
    ("/process", 400): (form(date=TEXT), URLENCODED),
    ("/process", 404): (form(data=TEXT, parser="", model="big"), URLENCODED),
    ("/process", 408): (form(data="@slow", parser=""), URLENCODED),
    ("/process", 413): (b"data=" + b"x" * LIMITS.body, URLENCODED),
    ("/process", 415): (b"data=x", "text/plain"),
    ("/process", 503): (form(data="@end", parser=""), URLENCODED),
    ("/parse", 200): (as_json(TAGGED), ""),
    ("/parse", 400): (b"{", ""),
    ("/parse", 404): (as_json(TAGGED, model="big"), ""),
    ("/parse", 408): (as_json(["@slow"]), ""),
    ("/parse", 413): (b" " * (LIMITS.body + 1), ""),
    ("/parse", 503): (as_json(["@end"]), ""),
}
"""A request that gives each status. Other paths answer any request."""


def check(value, schema):
    """Check a JSON value against the part of JSON Schema that the description uses."""
    assert isinstance(value, {"object": dict, "array": list, "string": str, "integer": int}[schema["type"]])
    if schema["type"] == "array":
        for own in value:
            check(own, schema["items"])
    if schema["type"] == "object":
        fields, others = schema.get("properties", {}), schema.get("additionalProperties")
        assert {*schema.get("required", ())} <= value.keys()
        assert others or not fields or value.keys() <= fields.keys()
        for name, own in value.items():
            if name in fields or others:
                check(own, fields.get(name, others))


def test_every_declared_status_occurs_and_answers_have_the_declared_fields(service):
    app = application(service)
    description = json.loads(ask(app, "GET", "/openapi.json")[1])
    assert {route.path for route in app.routes if route.include_in_schema} == description["paths"].keys()
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"]
            for status, response in operation["responses"].items():
                body, kind = REQUESTS.get((path, int(status)), (b"", ""))
                if path not in ("/process", "/parse") and status == "503":
                    continue  # below
                if method == "get" and body:
                    continue  # queries have the same answers as forms
                found, answer = ask(app, method.upper(), path, body, kind)
                assert found == int(status), (path, method, answer)
                if schema := response["content"].get("application/json"):
                    check(json.loads(answer), schema["schema"])
    told = {row["name"]: row["description"] for row in description["paths"]["/process"]["get"]["parameters"]}
    assert f": {', '.join(INPUTS)} (" in told["input"]
    assert f": {', '.join(OUTPUTS)} (" in told["output"]


def test_a_model_without_a_process_is_not_ready(service):
    queue = Queue(None)
    queue.ready, queue.compiling = False, True
    status, answer = ask(make_application({"m": queue}, LIMITS), "GET", "/ready")
    assert (status, json.loads(answer)["compiling"]) == (503, ["m"])


def test_requests_above_the_number_of_open_ones_are_refused(service):
    """The other request never ends."""
    app = application(service)

    async def run():
        statuses = []

        async def receive():
            await asyncio.sleep(1)
            return {"type": "http.request", "body": b""}

        async def send(message):
            statuses.extend([message["status"]] if "status" in message else [])

        headers = [(b"content-type", URLENCODED.encode())]
        scope = {"type": "http", "path": "/process", "query_string": b"", "headers": headers}
        waiting = asyncio.ensure_future(app({**scope, "method": "POST"}, receive, send))
        await asyncio.sleep(0.05)
        for path in ("/models", "/process", "/parse"):
            await app({**scope, "method": "POST", "path": path}, receive, send)
        waiting.cancel()
        return statuses

    assert asyncio.run(run()) == [503, 503, 503]
