"""Reading the small text files that people write: configs, feature models, profiles, weights."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import CrossarcError

__all__ = ["read_text"]


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
