"""A driver of headless Chromium: it uses the DevTools protocol through a pipe, and needs no additional package."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["Browser", "chromium"]

PATIENCE = 30.0
"""Time limit of a wait in seconds."""
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
)
KEY_CODES = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Escape": 27, "Tab": 9, "Enter": 13}
KEY_CODES |= {"Home": 36, "End": 35, " ": 32}


def chromium() -> str | None:
    """The path of Chromium; None if it is not installed."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """One tab of a browser.

    complaints: exceptions and console errors.
    requests: addresses that the page requested.
    """

    def __init__(self, command: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        # The protocol uses the file descriptors 3 and 4; a shell can assign them, Popen cannot.
        line = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        arguments = [command, *QUIET, f"--user-data-dir={self._folder.name}", "--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", line, "bash", *arguments],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        os.set_blocking(self._read, False)
        self._numbers = itertools.count(1)
        self._pending = b""
        self._session = ""
        self._loaded = False
        self.complaints: list[str] = []
        self.requests: list[str] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)
        os.close(self._write)
        os.close(self._read)
        self._folder.cleanup()

    def open(
        self, page: Path | str, *, width: int = 1280, height: int = 900, dark: bool = False, fragment: str = ""
    ) -> float:
        """Open a page, a file or an address, at a fragment of its address; return the seconds until it is ready."""
        self.resize(width, height)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._ask("Emulation.setEmulatedMedia", features=scheme)
        self.complaints.clear()
        self.requests.clear()
        self._ask("Page.navigate", url="about:blank")
        start = time.monotonic()
        self._ask("Page.navigate", url=f"{page if isinstance(page, str) else page.as_uri()}#{fragment}")
        self.wait("document.documentElement?.dataset.ready === 'true'")
        return time.monotonic() - start

    def show(self, page: str, folder: Path, **options: Any) -> float:
        """Write a page to a file in a folder, and open it. options: see :meth:`open`."""
        path = folder / "page.html"
        path.write_text(page, encoding="utf-8")
        return self.open(path, **options)

    def resize(self, width: int, height: int) -> None:
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; a promise is awaited. Raises AssertionError if it throws."""
        answer = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, f"{expression}: {answer['exceptionDetails']}"
        return answer["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until a JavaScript expression is true. Raises AssertionError after :data:`PATIENCE` seconds."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            assert time.monotonic() < end, f"not within {PATIENCE} s: {expression}; {self.complaints}"
            time.sleep(0.02)

    def press(self, *keys: str) -> None:
        """Press keys in sequence, by their names in JavaScript."""
        for key in keys:
            code = KEY_CODES.get(key, ord(key.upper()) if len(key) == 1 else 0)
            given = {"key": key, "windowsVirtualKeyCode": code}
            typed = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            self._ask("Input.dispatchKeyEvent", type="keyDown" if typed else "rawKeyDown", **given, **typed)
            self._ask("Input.dispatchKeyEvent", type="keyUp", **given)

    def hover(self, x: float, y: float) -> None:
        self._ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for received in self._received():
                if received.get("id") == number:
                    assert "error" not in received, f"{method}: {received['error']}"
                    return received["result"]
                self._note(received)
        raise TimeoutError(f"{method}: no answer within {PATIENCE} s")

    def _received(self) -> list[dict[str, Any]]:
        try:
            self._pending += os.read(self._read, 1 << 20)
        except BlockingIOError:
            time.sleep(0.002)
            return []
        *messages, self._pending = self._pending.split(b"\0")
        return [json.loads(message) for message in messages]

    def _note(self, event: dict[str, Any]) -> None:
        parameters = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                self.complaints.append(details.get("exception", {}).get("description", details["text"]))
            case "Runtime.consoleAPICalled" if parameters["type"] in ("error", "warning", "assert"):
                self.complaints.append(str(parameters["args"]))
            case "Log.entryAdded" if parameters["entry"]["level"] in ("error", "warning"):
                self.complaints.append(parameters["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
