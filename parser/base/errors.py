"""CrossarcError, the error for all user errors, and the phrasing of allowed values in messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LONGEST = 100
"""Maximum number of characters of a wrong value that a message repeats; all valid names are shorter."""
LEAST_BEGINNING = 3
"""Minimum number of letters from which the rest of a name is guessed."""


class CrossarcError(Exception):
    """A user error in the input, the config or the command line.

    The message is one line. Line ends and other control characters, for example in file names, are escaped.

    >>> import crossarc
    >>> try:
    ...     crossarc.load_config("swop")
    ... except crossarc.CrossarcError as error:
    ...     print(str(error).partition(";")[0])
    swop: cannot read the config: No such file or directory
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(CONTROL.sub(lambda control: repr(control[0])[1:-1], str(message)))


class UnknownPartError(CrossarcError):
    """A model needs a part that is not registered here: a user-defined part or a part of another version."""


def choices(wrong: object, allowed: Iterable[object]) -> str:
    """Return the end of an error message: the wrong value, the most similar allowed value, and all allowed values.

    >>> choices("arc-stanard", ["arc-eager", "arc-standard"])
    "'arc-stanard' (did you mean 'arc-standard'?); allowed: arc-eager, arc-standard"
    """
    names = [str(value) for value in allowed]
    text = str(wrong)
    told = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
    return f"{told!r}{did_you_mean(wrong, names)}; allowed: {', '.join(names) if names else 'none'}"


def check_names(where: str, names: Iterable[object], allowed: Iterable[object]) -> None:
    """Raise CrossarcError for the first of some names that is not allowed.

    where: beginning of the message, before the wrong name.
    """
    known = list(allowed)
    for name in names:
        if name not in known:
            raise CrossarcError(f"{where} {choices(name, known)}")


def did_you_mean(wrong: object, names: Iterable[str]) -> str:
    """Return a suggestion in parentheses: the name with almost the same letters or the same beginning; "" if none.

    >>> did_you_mean("Swop", ["attardi", "swap"])
    " (did you mean 'swap'?)"
    >>> did_you_mean("pseudo", ["coordination", "pseudo-projective"])
    " (did you mean 'pseudo-projective'?)"
    >>> did_you_mean("xyz", ["swap"])
    ''
    """
    by_letters = {name.lower(): name for name in names}
    letters = str(wrong)[:LONGEST].lower()
    near = get_close_matches(letters, by_letters, n=1) or [
        name for name in by_letters if len(letters) >= LEAST_BEGINNING and name.startswith(letters)
    ]
    return f" (did you mean {by_letters[near[0]]!r}?)" if near else ""
