"""What one client may ask for: sizes, times and numbers, so that none of them hurts the others."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ..errors import CrossarcError

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a service; each is a whole number, 1 or more, or CrossarcError is raised.

    body: bytes of a request. words: of a request. sentence: words of one sentence. seconds: until a request has
    arrived, and again until it is answered. waiting: requests that are read or parsed at a time; more are turned away.
    batch: words that are parsed at a time.
    """

    body: int = 16_000_000
    words: int = 200_000
    sentence: int = 2_000
    seconds: int = 60
    waiting: int = 1_000
    batch: int = 20_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not int or value < 1:
                raise CrossarcError(f"limit {field.name}: found {value!r}, expected a whole number, 1 or more")
