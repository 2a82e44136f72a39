"""Connections of a service: limits on the size and the duration of request heads."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD = 2**17
"""Maximum number of bytes of a request outside of bodies: its head, and text between or after the chunks of a body."""


class BoundedProtocol(HttpToolsProtocol):  # type: ignore[misc]  # uvicorn is not looked into
    """Closes a connection if the request exceeds :data:`HEAD` outside its body, or if its head takes too long.

    httptools stores an incomplete header and copies it with each received block. A header of some megabytes would keep
    all other clients waiting. The application can limit a request only after its head is complete.
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
