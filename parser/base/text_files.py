"""Reading of small text files, often hand-written: configs, feature models, profiles, weights."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from .errors import CrossarcError

QUOTE = '"'
SPECIAL = frozenset('"\t\r\n')
"""Characters that make quotes necessary in a table."""


def read_text(path: str | os.PathLike[str], what: str) -> str:
    """Return the text of a UTF-8 file, without a byte order mark.

    what: kind of the file, for the message.

    Raises CrossarcError, ``path: cannot read the what: why``.
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
    """Encode a text for a file that crossarc reads again.

    File names may contain bytes that are not UTF-8. They become escapes such as ``\\udce9``, which JSON and YAML accept
    in quotes.
    """
    return text.encode("utf-8", "backslashreplace")


def tsv_row(cells: Iterable[object]) -> str:
    """Return a row of a table with tabs between its cells.

    Cells with quotes, tabs or line ends are quoted, as pandas, R and spreadsheets read them.

    >>> print(tsv_row([1, 'say "x" now']).split("\\t")[1].strip())
    "say ""x"" now"
    """
    texts = map(str, cells)
    quoted = (f'"{text.replace(QUOTE, 2 * QUOTE)}"' if not SPECIAL.isdisjoint(text) else text for text in texts)
    return "\t".join(quoted) + "\n"


def file_name(text: str) -> str:
    """Return a file name that a text file contains. The name is UTF-8 in the file, whatever the encoding of the system.

    Raises CrossarcError for an impossible name, with a null character or half a surrogate pair.
    """
    try:
        if "\0" in text:
            raise ValueError
        return os.fsdecode(text.encode("utf-8", "surrogateescape"))
    except ValueError:
        raise CrossarcError(f"{text!a}: not a valid file name") from None
