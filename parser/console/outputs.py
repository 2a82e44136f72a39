"""Output files of drawing commands and their names."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath

from ..base.errors import CrossarcError
from ..base.text_files import tsv_row, utf8
from ..treebank import atomic_output
from .options import refuse_overwriting

FOLDER = "/"
"""Form of the output if its name has no suffix: several files in a folder."""


def terminal_width() -> int:
    """Return the width of the terminal in columns, or 0 if the output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def write_text(path: str | Path, content: str) -> None:
    """Write a text to a file, or to standard output for "-"."""
    if path == "-":
        print(content, end="")
        return
    with atomic_output(path) as out:
        out.write(utf8(content))


def write_pictures(folder: str, pictures: Iterable[tuple[str, str]], *inputs: str) -> None:
    """Write SVG files, each with a name without suffix, into a folder. Raises CrossarcError for one of the inputs."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, picture in pictures:
        path = Path(folder) / f"{name}.svg"
        refuse_overwriting(path, *inputs)
        write_text(path, picture)


def form_of(output: str | None, *suffixes: str) -> str:
    """Return the form that the suffix of an output file chooses, :data:`FOLDER` for a folder, and "" without a file or
    for standard output (-).

    Raises CrossarcError for other suffixes.
    """
    if output in (None, "-"):
        return ""
    suffix = FOLDER if output.endswith("/") else PurePath(output).suffix or FOLDER
    if suffix not in suffixes:
        names = (f"a file name that ends in {suffix}" if suffix != FOLDER else "a folder" for suffix in suffixes)
        raise CrossarcError(f"-o {output}: expected {' or '.join(names) or 'no -o, since this is printed'}")
    return suffix


def write_rows(path: str, rows: Iterable[Iterable[object]]) -> None:
    """Write rows to a file with tabs between their values, see :func:`~..base.text_files.tsv_row`."""
    write_text(path, "".join(map(tsv_row, rows)))


def plain(name: str) -> str:
    """Return the last 100 bytes of a name, with characters that are safe in file names."""
    return re.sub(r"[^\w.-]+", "_", name).encode()[-100:].decode(errors="ignore")


def short_names(files: Sequence[str]) -> list[str]:
    """Return the shortest ends of the paths that distinguish the files."""
    parts = [PurePath(name).parts[-4:] for name in files]
    for length in range(1, 4):
        names = ["/".join(part[-length:]) for part in parts]
        if len(set(names)) == len(names):
            return ["standard input" if name == "-" else name for name in names]
    return list(files)
