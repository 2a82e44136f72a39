"""Counters of a service in the format of Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """Counters of one service; services in the same process have separate counters."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "crossarc_requests", "Requests by path and status", ("path", "status"), registry=self._registry
        )
        self.sentences = Counter(
            "crossarc_sentences", "Sentences parsed, by model", ("model",), registry=self._registry
        )
        self.words = Counter("crossarc_words", "Words parsed, by model", ("model",), registry=self._registry)
        self.open = Gauge("crossarc_open_requests", "Requests being read or parsed", registry=self._registry)
        self.seconds = Histogram(
            "crossarc_seconds", "Seconds from a request's head to its answer", registry=self._registry
        )

    def text(self) -> bytes:
        """Return all counters in Prometheus' text format."""
        return generate_latest(self._registry)
