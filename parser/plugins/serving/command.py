"""The command that serves models over HTTP."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import socket
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType

from ...base.errors import CrossarcError, choices
from ...base.parameters import parameters_of
from ...console.options import Options, option, positive
from .limits import Limits
from .log import log_as_json

LOGGER = logging.getLogger(__name__)
LIMITS = parameters_of(Limits)


def run_serve(options: argparse.Namespace) -> int:
    """Run ``crossarc serve``; return its exit status."""
    try:
        import uvicorn

        from .application import make_application
        from .batching import Batcher
        from .connections import BoundedProtocol, allowed_files, shares
        from .editing import EditedFile
    except ImportError as error:
        raise CrossarcError(f"serve: needs {error.name}; install crossarc with the extra: crossarc[serve]") from None
    paths = _paths(options.model)
    edited = EditedFile(options.edit) if options.edit else None
    limits = Limits(**dict(options.limit))
    idle, most_open, backlog = shares(allowed_files())
    limits = replace(limits, waiting=min(limits.waiting, most_open))
    log_as_json(logging.WARNING if options.quiet else logging.INFO)
    # signal handling before the service answers requests and after the last ones
    signal.signal(signal.SIGTERM, _leave)
    with _listening(options.host, options.port) as listening, ExitStack() as stack:
        batchers: dict[str, Batcher] = {}
        for name, path in paths.items():
            batchers[name] = Batcher(name, path, limits)
            stack.callback(batchers[name].stop)
        for batcher in batchers.values():
            batcher.wait()
        settings = uvicorn.Config(
            make_application(batchers, limits, edited),
            http=partial(BoundedProtocol, limits.seconds, {}, idle),
            backlog=backlog,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=max(1, limits.seconds - 1),
        )
        address = f"http://{_authority(options.host, listening.getsockname()[1])}"
        LOGGER.info("listening", extra={"facts": {"listening": address, "models": [*paths]}})
        uvicorn.Server(settings).run(sockets=[listening])
    return 0


def _leave(signum: int, frame: FrameType | None) -> None:
    sys.exit(0)


def _paths(specs: list[str]) -> dict[str, str]:
    paths: dict[str, str] = {}
    for spec in specs:
        name, equals, path = spec.partition("=")
        if not equals or Path(spec).exists():
            name, path = Path(spec).stem, spec
        if name in paths:
            raise CrossarcError(f"{spec}: a second model called {name}; give it another name, NAME={path}")
        paths[name] = path
    return paths


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=2048)
        # Connections inherit it. Otherwise Nagle's algorithm waits 40 ms for the client's delayed acknowledgement.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except OSError as error:
        raise CrossarcError(f"{_authority(host, port)}: cannot listen: {os.strerror(error.errno or 0)}") from None


def _authority(host: str, port: int) -> str:
    """Return host and port as in a URL (RFC 3986, section 3.2.2)."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _limit(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if name not in LIMITS:
        raise argparse.ArgumentTypeError(f"limit {choices(name, LIMITS)}")
    return name, positive(number)


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
    if not 0 <= number < 2**16:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a port, 0 to 65535")
    return number


ALL_LIMITS = ", ".join(f"{name} ({limit.default} {limit.meaning})" for name, limit in LIMITS.items())
SERVE: Options = {
    "MODEL...": "model file, or NAME=FILE; the first is the default model",
    "--port PORT": option("port to listen on; 0 chooses a free port (default: 8001)", type=_port, default=8001),
    "--host ADDRESS": option("address to listen on (default: 127.0.0.1, this machine)", default="127.0.0.1"),
    "--edit FILE": "CoNLL-U file to correct in the browser, at /edit; each change is stored at once",
    "--limit NAME=N...": option(f"change a limit; repeat for several. Names and defaults: {ALL_LIMITS}", type=_limit),
}
