"""The connections of a service: how large the head of a request may be, and how long it may take."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD = 2**17
"""Bytes of a request outside of bodies: its head, and what stands between or behind the parts of a body in chunks."""


class BoundedProtocol(HttpToolsProtocol):  # type: ignore[misc]  # uvicorn is not looked into
    """Closes a connection when more of a request than :data:`HEAD` comes that is no body, or its head comes too late.

    httptools holds a header until it is complete, and copies it with each block that comes: some megabytes of one
    would keep all other clients waiting. The application sees a request, and limits it, only when its head is there.
    """

    def __init__(self, seconds: float, **options: Any) -> None:
        super().__init__(**options)
        self._seconds = seconds
        self._beside_body = 0
        self._too_late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._beside_body += len(data)
        super().data_received(data)
        if self._beside_body > HEAD and not self.transport.is_closing():
            self.send_400_response(f"A request of more than {HEAD} bytes beside its body.")

    def on_message_begin(self) -> None:
        self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._wait_no_more()
        self._beside_body = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._beside_body = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._beside_body = 0
        super().on_message_complete()

    def _wait(self) -> None:
        self._wait_no_more()
        self._too_late = self.loop.call_later(self._seconds, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._too_late is not None:
            self._too_late.cancel()
