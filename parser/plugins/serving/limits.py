"""Limits on size, time and number of requests, so that no client harms others."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.errors import CrossarcError
from ...base.parameters import check_parameters, parameter, whole


class TooMuchError(CrossarcError):
    """A request exceeds the limits."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a service. Raises CrossarcError unless each is a whole number, 1 or more."""

    body: int = parameter(16_000_000, whole(1), "bytes of a request")
    words: int = parameter(200_000, whole(1), "words of a request")
    sentence: int = parameter(2_000, whole(1), "words of a sentence")
    seconds: int = parameter(60, whole(1), "seconds until the answer, half of them for parsing")
    waiting: int = parameter(1_000, whole(1), "requests handled at the same time")
    batch: int = parameter(20_000, whole(1), "words parsed in one batch")

    @property
    def job(self) -> float:
        """Seconds for parsing a batch: half of the time of a request, so that waiting requests are answered in time."""
        return self.seconds / 2

    def __post_init__(self) -> None:
        check_parameters(self, "limit ")
