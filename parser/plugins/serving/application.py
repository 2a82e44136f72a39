"""The web application: paths, limits and answers, with the interface of UDPipe's service and a JSON interface.

UDPipe's REST interface (lindat.mff.cuni.cz/services/udpipe, API reference) has the paths ``/models`` and ``/process``,
with the parameters model, data, input, output, tagger and parser. As there, ``tokenizer`` asks for raw text to be
split.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial, wraps
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import yaml
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...base import __version__
from ...base.errors import CrossarcError, check_names, choices
from ...base.parameters import shown
from ...treebank.source import compression
from .batching import Batcher, EndedError
from .editing import ChangedError, EditedFile
from .exchange import (
    GENERIC,
    INPUT_OPTIONS,
    INPUTS,
    OUTPUT_OPTIONS,
    OUTPUTS,
    TEXTS,
    named,
    read_form,
    read_format,
    to_text,
    wanted_model,
    without_repeats,
)
from .limits import Limits, TooMuchError
from .page import form_page, trees_page
from .worker import Done, ParsingRequest

LOGGER = logging.getLogger(__name__)
Answer = Callable[[Request], Awaitable[Response]]
LINGER_SECONDS, LINGER_TIMES = 2, 4
"""Limits for reading the rest of a too large body: time in seconds, and multiple of the largest allowed body."""
FORM, PARTS, JSON = "application/x-www-form-urlencoded", "multipart/form-data", "application/json"
PLAIN = "identity"
"""Name of the encoding of an unencoded body."""
NOT = "none"
"""Value with which UDPipe's clients switch a step off."""
SMALL = 2**16
"""Maximum number of bytes processed in the main thread; for so few, starting a thread takes longer."""
OPENAPI: Any = yaml.safe_load(Path(__file__).with_name("openapi.yaml").read_text("utf-8"))
"""The description of the service."""
OPENAPI["info"]["version"] = __version__
PARAMETERS = [parameter["name"] for parameter in OPENAPI["paths"]["/process"]["get"]["parameters"]]
ALLOW = "allow_empty_columns"
JSON_QUERY = (ALLOW, "keep", "scores", "tagger")
RAW_QUERY = (*JSON_QUERY, "model", "tokenizer")
CHARSET = re.compile(r"charset=\"?([\w.-]+)", re.IGNORECASE)
UTF8 = ("utf-8", "utf8", "us-ascii")
"""Parameters of ``/parse``, which takes the model of JSON from the body."""


class Metrics:
    """Counters of one service; services in the same process have separate counters."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.requests = Counter(
            "crossarc_requests", "Requests by path and status", ("path", "status"), registry=registry
        )
        self.sentences = Counter("crossarc_sentences", "Sentences parsed, by model", ("model",), registry=registry)
        self.words = Counter("crossarc_words", "Words parsed, by model", ("model",), registry=registry)
        self.open = Gauge("crossarc_open_requests", "Requests being read or parsed", registry=registry)
        self.processes = Counter(
            "crossarc_processes",
            "Processes that took over, by model and reason",
            ("model", "reason"),
            registry=registry,
        )
        self.seconds = Histogram("crossarc_seconds", "Seconds from a request's head to its answer", registry=registry)


def make_application(batchers: Mapping[str, Batcher], limits: Limits, edited: EditedFile | None = None) -> Starlette:
    """Return the web application for one or more models. Its logger has one record per request.

    batchers: queues of the models by name; requests that name no model use the first.
    limits: limits of requests.
    edited: file that is edited at ``/edit``.
    """
    service = _Service(batchers, limits, edited)
    routes = [
        Route("/models", service.guarded(service.list_models), methods=["GET", "POST"]),
        Route("/process", service.guarded(service.process), methods=["GET", "POST"]),
        Route("/parse", service.guarded(service.parse), methods=["POST"]),
        Route("/", service.guarded(service.page), methods=["GET", "POST"], include_in_schema=False),
        Route("/edit", service.guarded(service.edit), methods=["GET", "POST"], include_in_schema=False),
        Route("/health", service.health, methods=["GET"]),
        Route("/ready", service.ready, methods=["GET"]),
        Route("/metrics", service.show_metrics, methods=["GET"]),
        Route("/openapi.json", service.describe, methods=["GET"]),
    ]
    counting = Middleware(_Counting, count=service.count)
    return Starlette(routes=routes, middleware=[counting], lifespan=service.lifespan)


class _Counting:
    """Counts requests as open until clients have read the answers, as far as the server's buffers do not hold them.

    count: receives 1 and -1.
    """

    def __init__(self, application: ASGIApp, count: Callable[[int], None]) -> None:
        self._application, self._count = application, count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def split(message: Message) -> None:
            """Send the end of a body by itself: the server then waits until the client has read the rest."""
            if message["type"] == "http.response.body" and message.get("body"):
                await send({**message, "more_body": True})
                message = {"type": message["type"], "body": b"", "more_body": False}
            await send(message)

        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        self._count(1)
        try:
            await self._application(scope, receive, split)
        finally:
            self._count(-1)


class _Service:
    def __init__(self, batchers: Mapping[str, Batcher], limits: Limits, edited: EditedFile | None) -> None:
        self._batchers = batchers
        self._limits = limits
        self._edited = edited
        self._metrics = Metrics()
        self._open = 0

    @asynccontextmanager
    async def lifespan(self, application: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(batcher.run()) for batcher in self._batchers.values()]
        for name, batcher in self._batchers.items():
            batcher.on_replaced = partial(self._count_process, name)
        tasks.append(asyncio.create_task(self._compile()))

        def upgrade() -> None:
            tasks.extend(asyncio.create_task(batcher.upgrade_from_file()) for batcher in self._batchers.values())

        with suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, upgrade)
        yield
        for task in tasks:
            task.cancel()
        for batcher in self._batchers.values():
            batcher.stop()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _count_process(self, model: str, reason: str) -> None:
        self._metrics.processes.labels(model, reason).inc()

    async def _compile(self) -> None:
        """Compile the code of the models one after the other while numpy answers; then compiled code takes over."""
        for name, batcher in self._batchers.items():
            if batcher.compiling:
                try:
                    await batcher.upgrade("compiled")
                except Exception as error:  # the service goes on with numpy
                    reason = str(error) or type(error).__name__
                    LOGGER.warning(f"not compiled: {reason}", extra={"facts": {"model": name}})

    def guarded(self, answer: Answer) -> Answer:
        """Wrap an answer function: enforce the limits, count and log requests, and report errors in one line."""

        @wraps(answer)
        async def run(request: Request) -> Response:
            start = time.monotonic()
            response = await self._answered(answer, request)
            seconds = time.monotonic() - start
            self._metrics.seconds.observe(seconds)
            self._metrics.requests.labels(request.url.path, response.status_code).inc()
            client = request.client.host if request.client else ""
            told = {"status": response.status_code, "ms": round(1000 * seconds, 1), **request.state.facts}
            LOGGER.info("request", extra={"facts": {"client": client, "path": request.url.path, **told}})
            return response

        return run

    def count(self, more: int) -> None:
        """Count open requests."""
        self._open += more
        self._metrics.open.set(self._open)

    async def _answered(self, answer: Answer, request: Request) -> Response:
        request.state.facts = {}
        try:
            if self._open > self._limits.waiting:
                raise HTTPException(503, f"busy with {self._limits.waiting} requests; try again later")
            async with asyncio.timeout(self._limits.seconds):
                return await answer(request)
        except HTTPException as error:
            status, reason = error.status_code, error.detail
        except CrossarcError as error:
            status, reason = 413 if isinstance(error, TooMuchError) else 400, str(error)
        except ClientDisconnect:
            status, reason = 499, "the client has gone"
        except TimeoutError as error:
            status, reason = 408, str(error) or f"not done within {self._limits.seconds} seconds"
        except (MemoryError, EndedError) as error:
            status, reason = 503, str(error) or "out of memory"
        except Exception as error:  # internal errors, too, must give an answer in one line and an entry in the log
            status, reason = 500, f"internal error: {type(error).__name__}: {' '.join(str(error).split())}"
        request.state.facts["error"] = reason
        headers = {"connection": "close"} if status in (408, 413, 503) else None
        return PlainTextResponse(f"{reason}\n", status, headers)

    async def list_models(self, request: Request) -> Response:
        """List the models and the default one, as UDPipe's service does."""
        models = {name: batcher.steps for name, batcher in self._batchers.items()}
        return JSONResponse({"models": models, "default_model": next(iter(models))})

    async def health(self, request: Request) -> Response:
        """Say that the service answers, its version and its models."""
        return JSONResponse({"status": "ok", "version": __version__, "models": list(self._batchers)})

    async def ready(self, request: Request) -> Response:
        """Say whether all models can answer (status 200 or 503), and which of them still compile their code."""
        without = [name for name, batcher in self._batchers.items() if not batcher.ready]
        compiling = [name for name, batcher in self._batchers.items() if batcher.compiling]
        status = "waiting for a process" if without else "ready"
        return JSONResponse({"status": status, "compiling": compiling}, 503 if without else 200)

    async def show_metrics(self, request: Request) -> Response:
        """Give counters in the text format of Prometheus."""
        return Response(generate_latest(self._metrics.registry), media_type="text/plain; version=0.0.4")

    async def describe(self, request: Request) -> Response:
        """Describe the service in the format of OpenAPI."""
        return JSONResponse(OPENAPI)

    async def process(self, request: Request) -> Response:
        """Tag and parse text, with the parameters of UDPipe's service."""
        form = await self._parameters(request)
        parsing, tagging = (form.get(name, NOT) != NOT for name in ("parser", "tagger"))
        split = None if form.get("tokenizer", NOT) == NOT else form["tokenizer"]
        if "data" not in form:
            raise CrossarcError("data: found none, expected text to parse")
        said = form.get("input") or "conllu"
        if split is None and said.partition("=")[0] == GENERIC:
            said, split = "conllu", said.partition("=")[2]
        source = read_format(said, "input", INPUTS, INPUT_OPTIONS)
        if split is not None and source != "conllu":
            raise CrossarcError(f"input: found {source}, but with tokenizer the data are raw text; omit one of them")
        format = source if source in OUTPUTS else "conllu"
        output = read_format(form.get("output") or format, "output", (*OUTPUTS, *TEXTS), OUTPUT_OPTIONS)
        if output != format and not (output in TEXTS and format == "conllu"):
            raise CrossarcError(f"output: found {output}, expected {format}, the format of the input")
        work = ParsingRequest(form["data"], source, parsing, _flag(form, ALLOW), tagging, split)
        name, done = await self._done(request, form.get("model", ""), work)
        result = await _elsewhere(to_text, done.result, output) if output in TEXTS else done.result
        return JSONResponse({"model": name, "acknowledgements": [], "result": result, **_warned(done)})

    async def parse(self, request: Request) -> Response:
        """Parse raw text, or sentences given as JSON; the answer has heads (0 for the root) and deprels."""
        body = await self._body(request)
        query = without_repeats(request.query_params.multi_items())
        said = request.headers.get("content-type", "")
        raw = said.partition(";")[0].strip().lower() == "text/plain"
        if (charset := CHARSET.search(said)) and charset[1].lower() not in UTF8:
            raise HTTPException(415, f"Content-Type: charset {charset[1]}; allowed: utf-8")
        check_names("parameter", sorted(query), RAW_QUERY if raw else JSON_QUERY)
        split = query.get("tokenizer", "") if raw else None
        scores, keep = (_flag(query, name) for name in ("scores", "keep"))
        work = ParsingRequest(body, "", True, _flag(query, ALLOW), query.get("tagger", NOT) != NOT, split, scores, keep)
        wanted = query.get("model", "") if raw else await _elsewhere(wanted_model, body, self._limits)
        name, done = await self._done(request, wanted, work)
        return JSONResponse({"model": name, "sentences": done.result, **_warned(done)})

    async def page(self, request: Request) -> Response:
        """Show a form for raw text, or the trees of the text, which can be corrected."""
        form = await self._form(request) if request.method == "POST" else {}
        check_names("parameter", sorted(form), ("data", "model"))
        if not form.get("data", "").strip():
            return HTMLResponse(form_page(self._batchers))
        name = self._named(form.get("model", ""))
        scores = "scores" in self._batchers[name].steps
        name, done = await self._done(
            request, name, ParsingRequest(form["data"], "conllu", tokenizer="", scores=scores)
        )
        return HTMLResponse(await _elsewhere(trees_page, done.result, name, scores, done.warnings))

    async def edit(self, request: Request) -> Response:
        """Show the page of the edited file, or replace one of its sentences: ``number``, ``before`` and ``after``."""
        if self._edited is None:
            raise HTTPException(404, "no file is edited; start the service with --edit FILE")
        _require_own_page(request)
        if request.method == "GET":
            name = self._named("")
            scores = "scores" in self._batchers[name].steps
            page = await asyncio.to_thread(self._edited.page, name, scores)
            return HTMLResponse(page, headers={"X-Frame-Options": "DENY"})
        said = request.headers.get("content-type", "")
        if said.partition(";")[0].strip().lower() != JSON:  # pages of other addresses can send other types unasked
            raise HTTPException(415, f"Content-Type {choices(said, [JSON])}")
        try:
            change = json.loads(await self._body(request))
            number, before, after = int(change["number"]), str(change["before"]), str(change["after"])
        except (ValueError, KeyError, TypeError) as error:
            expected = "expected an object with number, before and after"
            raise CrossarcError(f"found {type(error).__name__}: {shown(str(error))}, {expected}") from None
        try:
            await asyncio.to_thread(self._edited.replace, number, before, after)
        except ChangedError as error:
            raise HTTPException(409, str(error)) from None
        return JSONResponse({"saved": number})

    def _named(self, wanted: str) -> str:
        """Return the name of a model; the first model is the default."""
        name = named(wanted, self._batchers) if wanted else next(iter(self._batchers))
        if name is None:
            raise HTTPException(404, f"model {choices(wanted, self._batchers)}")
        return name

    async def _done(self, request: Request, wanted: str, work: ParsingRequest) -> tuple[str, Done]:
        """Return the name of the model and its answer."""
        name = self._named(wanted)
        if work.tagging and "tagger" not in self._batchers[name].steps:
            raise CrossarcError(f"tagger: the model {name} has none; send words with tags, or train a model with tags")
        if work.tokenizer is not None and "tokenizer" not in self._batchers[name].steps:
            raise CrossarcError(
                f"tokenizer: the model {name} has none; send words, such as input=horizontal, "
                "or train a model with input=text"
            )
        done = await self._batchers[name].answer(work)
        if work.parsing or work.tagging:
            self._metrics.sentences.labels(name).inc(done.sentences)
            self._metrics.words.labels(name).inc(done.words)
            request.state.facts |= {"model": name, "sentences": done.sentences, "words": done.words, **_warned(done)}
        return name, done

    async def _parameters(self, request: Request) -> dict[str, str]:
        """Return the parameters of the query and of the form."""
        parameters = read_form(request.scope["query_string"])
        if request.method == "POST":
            form = await self._form(request)
            if twice := parameters.keys() & form.keys():
                raise CrossarcError(f"parameter {min(twice)} is given twice, in the query and in the form")
            parameters |= form
        check_names("parameter", sorted(parameters), PARAMETERS)
        return parameters

    async def _form(self, request: Request) -> dict[str, str]:
        body = await self._body(request)
        if not body:  # all parameters are in the query
            return {}
        said = request.headers.get("content-type", "")
        kind = said.partition(";")[0].strip().lower()
        if kind not in (FORM, PARTS):
            raise HTTPException(415, f"Content-Type {choices(said, [FORM, PARTS])}")
        if kind == FORM:
            fields: dict[str, str] = await _elsewhere(read_form, body)
            return fields

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        try:
            await _elsewhere(bytes.decode, body)  # the form parser would read invalid UTF-8 as Latin-1
            form = await Request(request.scope, receive).form(
                max_files=10, max_fields=100, max_part_size=self._limits.body
            )
            return without_repeats(
                [
                    (name, content if isinstance(content, str) else (await content.read()).decode())
                    for name, content in form.multi_items()
                ]
            )
        except (HTTPException, MultiPartException) as error:
            reason = getattr(error, "detail", None) or getattr(error, "message", error)
            raise CrossarcError(f"invalid form: {reason}") from None
        except UnicodeDecodeError:
            raise CrossarcError("the form is not UTF-8") from None

    async def _linger(self, request: Request) -> None:
        """Read and discard some more of a refused body; clients that are still sending would miss the answer."""
        size = 0
        with suppress(TimeoutError, ClientDisconnect, RuntimeError):
            async with asyncio.timeout(LINGER_SECONDS):
                async for part in request.stream():
                    size += len(part)
                    if size > LINGER_TIMES * self._limits.body:
                        return

    async def _body(self, request: Request) -> bytes:
        """Return the body. It is refused as soon as it exceeds the limit."""
        most = self._limits.body
        coding = request.headers.get("content-encoding", PLAIN)
        if coding.strip().lower() != PLAIN:
            raise HTTPException(415, f"Content-Encoding {choices(coding, [PLAIN])}")
        said = request.headers.get("content-length", "0")
        if said.isascii() and said.isdigit() and int(said[:20]) > most:
            await self._linger(request)
            raise TooMuchError(f"a request of {said[:20]} bytes; allowed: {most} at most")
        parts: list[bytes] = []
        size = 0
        async for part in request.stream():
            size += len(part)
            if size > most:
                await self._linger(request)
                raise TooMuchError(f"a request of {size} bytes or more; allowed: {most} at most")
            parts.append(part)
        body = b"".join(parts)
        if kind := compression(body):
            raise HTTPException(415, f"the body is compressed as {kind}; send the text itself")
        return body


def _require_own_page(request: Request) -> None:
    """Refuse requests for the edited file from pages of other addresses, and by names that others may have chosen."""
    host = request.url.hostname or ""
    try:
        known = host == "localhost" or bool(ip_address(host))
    except ValueError:
        known = False
    origin = request.headers.get("origin")
    if not known or (origin is not None and origin != f"{request.url.scheme}://{request.headers.get('host')}"):
        raise HTTPException(
            403, "the file is edited at the address of this service only, such as http://127.0.0.1:8001/edit"
        )


def _flag(parameters: Mapping[str, str], name: str) -> bool:
    said = parameters.get(name, "0")
    if said not in ("0", "1"):
        raise CrossarcError(f"{name}: found {shown(said)}, expected 0 or 1")
    return said == "1"


def _warned(done: Done) -> dict[str, Any]:
    return {"warnings": done.warnings} if done.warnings else {}


async def _elsewhere(function: Callable[..., Any], data: Any, *values: Any) -> Any:
    """Call a function. Large data are processed in another thread, so that other clients do not wait."""
    if len(data) <= SMALL:
        return function(data, *values)
    return await asyncio.to_thread(function, data, *values)
