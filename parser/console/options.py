"""Options that several commands share, and JSON output."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from ..base.errors import CrossarcError
from .help import GIVEN
from .streams import CONTROLS

Options: TypeAlias = dict[str, "str | Mapping[str, Any]"]
"""By spelling the meaning of an option, or arguments of ``add_argument``, as from :func:`option`."""


def option(meaning: str, **settings: Any) -> Mapping[str, Any]:
    """Return the meaning of an option with further arguments of ``add_argument``."""
    return {"help": meaning, **settings}


def positive(text: str, least: int = 1) -> int:
    """Convert a text to a whole number, ``least`` or more, for argparse."""
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < least:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a whole number, {least} or more")
    return number


def _jobs(text: str) -> int | str:
    """Return a number of processes, or the address of a Dask scheduler."""
    name, _, address = text.partition("=")
    return address if name == "dask" and address else positive(text)


def named(text: str) -> str:
    """Check the name of a file or folder, for argparse. Refuses an empty name, which would mean "not given"."""
    if not text:
        raise argparse.ArgumentTypeError("found '', expected a name")
    return text


ONE_OF = "one of"
"""Heading of a group of options of which at most one may be given."""


class Once(argparse.Action):
    """Stores the value of an option that may be given once; others repeat by design."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        key = f"{self.dest}{GIVEN}"
        if hasattr(namespace, key):
            raise argparse.ArgumentError(self, "is given twice, expected one value")
        setattr(namespace, key, True)
        setattr(namespace, self.dest, values)


class Setting(argparse.Action):
    """Appends KEY=VALUE to the values of an option; each key may be set once."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        from ..base.yaml_values import keys_set  # imports PyYAML, which most commands do not need

        before = getattr(namespace, self.dest)
        if twice := keys_set(values) & set[str]().union(*map(keys_set, before)):
            raise argparse.ArgumentError(self, f"{min(twice)} is given twice, expected one value")
        setattr(namespace, self.dest, [*before, values])


class OptionGroup(dict[str, "str | Mapping[str, Any]"]):
    """Options under a heading of their own, or under :data:`ONE_OF`."""


OUTPUT: Options = {"-o, --output FILE": option("file to write (default: standard output)", default="-")}
JSON: Options = {"--json": "print JSON"}
SET: Options = {"--set KEY=VALUE...": option("set a key of the config (crossarc list keys)", action=Setting)}
JOBS: Options = {
    "--jobs N": option(
        "number of worker processes, or dask=ADDRESS of a Dask scheduler, e.g. dask=tcp://head:8786 (default: 1)",
        type=_jobs,
        default=1,
    )
}
TYPES: Mapping[str, Callable[[str], Any]] = {"N": positive, "FILE": named, "FOLDER": named}
"""Types of the values of options by their names in the help."""
NUMBERS = {(False, False): None, (True, False): "?", (False, True): "+", (True, True): "*"}


def declare(parser: argparse._ActionsContainer, options: Mapping[str, str | Mapping[str, Any]]) -> None:
    """Add arguments and options.

    ``MODEL`` is an argument, ``[FILE]`` an optional one, ``FILE...`` stands for one or more. ``--full`` is a flag,
    ``--beam N`` a whole number above 0, ``--learn FILE`` a name, any other value a text. ``--id ID...`` may be
    repeated. A :class:`OptionGroup` has a heading instead of a spelling.
    """
    for spelling, declared in options.items():
        if isinstance(declared, OptionGroup):
            alone = spelling == ONE_OF
            declare(parser.add_mutually_exclusive_group() if alone else parser.add_argument_group(spelling), declared)
            continue
        flags, value = spelling.rsplit(" ", 1) if re.search(r" [^-]", spelling) else (spelling, "")
        several, value = value.endswith("..."), value.removesuffix("...")
        keywords: dict[str, Any] = {"metavar": value, "type": TYPES.get(value, str)}
        if not spelling.startswith("-"):
            value = spelling.strip("[.]")
            flags = value.lower()
            keywords = {"metavar": value, "nargs": NUMBERS[spelling.startswith("["), spelling.endswith("...")]}
        elif not value:
            keywords = {"action": "store_true"}
        elif several:
            keywords = {"metavar": value, "action": "append", "default": []}
        else:
            keywords["action"] = Once
        attributes = {"help": declared} if isinstance(declared, str) else declared
        parser.add_argument(*flags.split(", "), **{**keywords, **attributes})


def print_json(value: object) -> None:
    """Print a value as JSON; control characters that JSON allows are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    print(CONTROLS.sub(lambda control: f"\\u{ord(control[0]):04x}", text))


def refuse_repeated(command: str, files: Sequence[str]) -> None:
    """Raise CrossarcError if a command names a file twice."""
    if repeated := next((name for name in files if files.count(name) > 1), None):
        raise CrossarcError(f"{command}: {repeated}: given twice; give each file once")


def refuse_overwriting(output: str | Path | Sequence[str], *inputs: str) -> None:
    """Raise CrossarcError if an output file is one of the inputs, also through another name or link.

    output: one file, or several.
    inputs: "-" is the file that standard input is redirected from, if any. Names of missing files and "" are ignored.

    Every command that writes a file calls this function.
    """
    outputs = [output] if isinstance(output, str | Path) else output
    existing = [name for name in outputs if str(name) != "-" and os.path.isfile(name)]
    read = set()
    for name in inputs if existing else ():
        with suppress(OSError):
            status = os.fstat(sys.stdin.fileno()) if name == "-" else os.stat(name)
            read.add((status.st_dev, status.st_ino))
    for written in existing:
        with suppress(OSError):
            status = os.stat(written)
            if (status.st_dev, status.st_ino) in read:
                raise CrossarcError(f"{written}: cannot be written, since it is also an input; write another file")
