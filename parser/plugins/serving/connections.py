"""Connections of a service: limits on their number, on requests' heads, and on clients that do not read."""

from __future__ import annotations

import asyncio
from typing import Any, TypeAlias

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD = 2**17
"""Maximum number of bytes of a request outside of bodies: its head, and text between or after the chunks of a body."""


LEAST_READ = 2**16
"""Minimum number of bytes that a client must read of a waiting answer within the time limit."""
MOST_FILES = 10_240
"""Maximum number of files that a service needs. macOS allows no more."""
LONGEST_BACKLOG = 2048
Idle: TypeAlias = dict["BoundedProtocol", None]


def shares(files: int) -> tuple[int, int, int]:
    """Divide the number of files that a process may open; an eighth is left for models and the log.

    Return the maximum number of connections without a request that are kept open, the maximum number of requests that
    are handled at the same time, and the number of new connections that are accepted together.

    If no file is left for a new connection, asyncio waits for a second before it accepts more, and writes a line to the
    log for each waiting one.
    """
    return files // 2, files // 4, min(LONGEST_BACKLOG, files // 8)


def allowed_files() -> int:
    """Return the number of files that this process may open, at most :data:`MOST_FILES`, after raising its limit."""
    try:
        import resource
    except ImportError:  # Windows
        return 512
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    now, most = (MOST_FILES if limit == resource.RLIM_INFINITY else min(limit, MOST_FILES) for limit in limits)
    if now == most:
        return now
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, limits[1]))
    except (OSError, ValueError):  # some systems allow less than they say
        return now
    return most


class BoundedProtocol(HttpToolsProtocol):  # type: ignore[misc]  # uvicorn is not looked into
    """Closes a connection if the request exceeds :data:`HEAD` outside its body, or if its head takes too long.

    httptools stores an incomplete header and copies it with each received block. A header of some megabytes would keep
    all other clients waiting. The application can limit a request only after its head is complete.

    seconds: time limit of a head, and of reading :data:`LEAST_READ` bytes of an answer.
    idle: the connections without a request whose head is complete, the oldest first; shared by all connections.
    most: maximum number of these; the oldest is closed, so that new clients are answered.
    """

    def __init__(self, seconds: float, idle: Idle, most: int, **options: Any) -> None:
        super().__init__(**options)
        self._seconds, self._idle, self._most = seconds, idle, most
        self._unread: asyncio.TimerHandle | None = None
        self._beside_body = 0
        self._too_late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._wait()
        self._become_idle()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():  # another request may follow already
            self._become_idle()

    def _become_idle(self) -> None:
        self._idle[self] = None
        if len(self._idle) > self._most:
            oldest = next(iter(self._idle))
            del self._idle[oldest]
            oldest.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._too_late)
        self._idle.pop(self, None)
        _cancel(self._unread)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._unread)

    def _watch(self, unread: int) -> None:
        """Close the connection unless the client reads enough of the ``unread`` bytes in time."""
        self._unread = self.loop.call_later(self._seconds, self._check_reading, unread)

    def _check_reading(self, before: int) -> None:
        unread = self.transport.get_write_buffer_size()
        if before - unread < LEAST_READ:
            self.transport.abort()
        else:
            self._watch(unread)

    def data_received(self, data: bytes) -> None:
        self._beside_body += len(data)
        super().data_received(data)
        if self._beside_body > HEAD and not self.transport.is_closing():
            self.send_400_response(f"A request of more than {HEAD} bytes beside its body.")

    def on_message_begin(self) -> None:
        self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        _cancel(self._too_late)
        self._idle.pop(self, None)
        self._beside_body = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._beside_body = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._beside_body = 0
        super().on_message_complete()

    def _wait(self) -> None:
        _cancel(self._too_late)
        self._too_late = self.loop.call_later(self._seconds, self.transport.close)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
