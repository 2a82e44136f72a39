"""Models as a web service. Waiting requests are parsed in one batch; each client receives its own answer."""

from __future__ import annotations

from ...console.help import EVERYDAY, Command

READ_FIRST = "application.py"
NEEDS = ("starlette", "uvicorn", "prometheus_client")
COMMANDS = {
    "serve": Command(
        f"{__name__}.command",
        "Serve models over HTTP, with the interface of UDPipe's service.",
        EVERYDAY,
        "my.model --port 8001",
    )
}
