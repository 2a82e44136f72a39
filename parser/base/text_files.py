"""Small text files, often written by hand: configs, feature models, profiles, weights."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import CrossarcError


def read_text(path: str | os.PathLike[str], what: str) -> str:
    """The text of a UTF-8 file, without a byte order mark.

    what: the kind of file, for the message. Raises CrossarcError, ``path: cannot read the what: why``.
    """
    try:
        return Path(path).read_text("utf-8-sig")
    except OSError as error:
        reason = error.strerror or str(error)
    except UnicodeDecodeError:
        reason = "not UTF-8"
    except ValueError as error:  # a null character in the name
        reason = str(error)
    raise CrossarcError(f"{path}: cannot read the {what}: {reason}")


def utf8(text: str) -> bytes:
    """The text as it goes to files that are read again. What stands in it for bytes of a file name that are not UTF-8
    becomes an escape, such as ``\\udce9``, which JSON and YAML have in quotes."""
    return text.encode("utf-8", "backslashreplace")


def file_name(text: str) -> str:
    """A file name from a text file, where it is UTF-8 whatever encoding the system has for those of its own.

    Raises CrossarcError for what no file can be called: with a null character, or half a surrogate pair.
    """
    try:
        if "\0" in text:
            raise ValueError
        return os.fsdecode(text.encode("utf-8", "surrogateescape"))
    except ValueError:
        raise CrossarcError(f"{text!a}: not a valid file name") from None
