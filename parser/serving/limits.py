"""What one client may ask for: sizes, times and numbers, so that none of them hurts the others."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ..base.errors import CrossarcError
from ..base.parameters import parameter, whole


class TooMuchError(CrossarcError):
    """A request that asks for more than the limits allow."""


class TooLongError(TooMuchError):
    """A sentence with more words than the model can parse in time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a service; each is a whole number, 1 or more, or CrossarcError is raised."""

    body: int = parameter(16_000_000, whole(1), "bytes of a request")
    words: int = parameter(200_000, whole(1), "words of a request")
    sentence: int = parameter(2_000, whole(1), "words of a sentence")
    seconds: int = parameter(60, whole(1), "seconds until a request is answered, half of them for parsing")
    waiting: int = parameter(1_000, whole(1), "requests at a time")
    batch: int = parameter(20_000, whole(1), "words parsed at a time")

    @property
    def job(self) -> float:
        """Seconds for a batch: half of those of a request, so that others that wait for it are answered in time."""
        return self.seconds / 2

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not int or value < 1:
                raise CrossarcError(f"limit {field.name}: found {value!r}, expected a whole number, 1 or more")
