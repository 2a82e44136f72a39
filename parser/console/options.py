"""Options that several commands share, and JSON output."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..base.errors import CrossarcError
from ..treebank import AUTO, FORMATS, WORD_FORMATS, Sentence, read_sentences
from .help import CommandParser
from .streams import CONTROLS

INPUT = "CoNLL file, or - for standard input"
JOBS = "number of worker processes (default: 1)"


def declare(parser: argparse._ActionsContainer, table: Mapping[str, str], **defaults: Any) -> None:
    """Add arguments and options from a table of their names and meanings.

    ``MODEL`` is an argument, ``--json`` a flag, ``--beam N`` a whole number above 0, ``--html FILE`` and
    ``--svg FOLDER`` are names, any other value a text. ``--id ID...`` may be repeated.

    defaults: by name (default: None; an empty list for repeated options).
    """
    for spelling, meaning in table.items():
        name, _, value = spelling.partition(" ")
        repeated = re.fullmatch(r"(.*\w)\.\.\.", value)
        metavar = repeated[1] if repeated else value
        dest = name.lstrip("-").lower().replace("-", "_")
        own: dict[str, Any] = {"default": defaults[dest]} if dest in defaults else {}
        if not name.startswith("-"):
            parser.add_argument(dest, metavar=name, help=meaning)
        elif not value:
            parser.add_argument(name, action="store_true", help=meaning, **own)
        elif repeated:
            parser.add_argument(name, action="append", metavar=metavar, help=meaning, **{"default": [], **own})
        else:
            parser.add_argument(name, type=TYPES.get(metavar, str), metavar=metavar, help=meaning, **own)


def add_format(parser: argparse.ArgumentParser, words: bool = False) -> None:
    """Add ``--format`` of the input.

    words: whether the input may be plain words.
    """
    names = (*FORMATS, *((*WORD_FORMATS, "text") if words else ()))
    parser.add_argument(
        "--format",
        choices=(AUTO, *names),
        default=AUTO,
        metavar="FORMAT",
        help=f"format of the input: {', '.join(names)} (default: detected)",
    )


def _rare(parser: argparse.ArgumentParser) -> argparse.ArgumentParser | argparse._ArgumentGroup:
    """Return the group for rarely used options; parsers other than those of commands have none."""
    return parser.rare if isinstance(parser, CommandParser) else parser


def add_reading(parser: argparse.ArgumentParser, columns: str | None = "gold", words: bool = False) -> None:
    """Add ``--format`` of the input, and ``--columns`` of CoNLL-2009 files.

    columns: default of ``--columns``; None uses those of the model, or gold without a model.
    words: whether the input may be plain words.
    """
    add_format(parser, words)
    _rare(parser).add_argument(
        "--columns",
        choices=("gold", "predicted"),
        default=columns,
        metavar="COLUMNS",
        help=f"CoNLL-2009 columns to read: gold or predicted (default: {columns or 'as the model, or gold'})",
    )


def read_input(options: argparse.Namespace, path: str) -> Iterator[Sentence]:
    """Read the sentences of a file with the options of :func:`add_reading`."""
    return read_sentences(path, options.format, options.columns)


def add_backend(parser: argparse.ArgumentParser) -> None:
    """Add ``--backend``, which chooses where jobs run."""
    _rare(parser).add_argument(
        "--backend",
        type=_scheduler,
        metavar="dask=ADDRESS",
        help="Dask scheduler whose workers run the jobs, e.g. dask=tcp://head:8786 (default: this machine)",
    )


def _scheduler(text: str) -> str:
    """Return the address of the scheduler."""
    name, _, address = text.partition("=")
    if name != "dask" or not address:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected dask=ADDRESS")
    return address


def print_json(value: object) -> None:
    """Print a value as JSON; control characters that JSON allows are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    print(CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def named(text: str) -> str:
    """Check the name of a file or folder, for argparse. Refuses an empty name, which would mean "not given"."""
    if not text:
        raise argparse.ArgumentTypeError("found '', expected a name")
    return text


def positive(text: str, least: int = 1) -> int:
    """Convert a text to a whole number, ``least`` or more, for argparse."""
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < least:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a whole number, {least} or more")
    return number


TYPES: Mapping[str, Callable[[str], Any]] = {"N": positive, "FILE": named, "FOLDER": named}
"""Types of the values of options by their names in the help."""


def add_input(
    parser: argparse.ArgumentParser, optional: bool = False, columns: str | None = "gold", words: bool = False
) -> None:
    parser.add_argument("file", nargs="?" if optional else None, default="-", metavar="FILE", help=INPUT)
    parser.set_defaults(file_is_optional=optional)
    add_reading(parser, columns, words)


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="file to write (default: standard output)")


def refuse_overwriting(output: str | Path, *inputs: str) -> None:
    """Raise CrossarcError if an output file is one of the inputs, also through another name or link.

    inputs: "-" is the file that standard input is redirected from, if any. Names of missing files and "" are ignored.

    Every command that writes a file calls this function.
    """
    if str(output) == "-" or not os.path.isfile(output):
        return
    for name in inputs:
        with suppress(OSError):
            read = os.fstat(sys.stdin.fileno()) if name == "-" else os.stat(name)
            if os.path.samestat(os.stat(output), read):
                raise CrossarcError(f"{output}: cannot be written, since it is also an input; write another file")
