"""Output files of drawing commands and their names."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath

from ..base.text_files import utf8
from ..treebank import atomic_output


def terminal_width() -> int:
    """The columns of the terminal, 0 where the output is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def write_text(path: str | Path, content: str) -> None:
    """Write a text to a file, or to standard output for "-"."""
    if path == "-":
        print(content, end="")
        return
    with atomic_output(path) as out:
        out.write(utf8(content))


def file_name(number: int, name: str) -> str:
    """The name of a sentence's file without its ending, from its number and its name."""
    return f"{number:05}-{plain(name)}"


def plain(name: str) -> str:
    """The last 100 bytes of a name, as part of a file name."""
    return re.sub(r"[^\w.-]+", "_", name).encode()[-100:].decode(errors="ignore")


def short_names(files: Sequence[str]) -> list[str]:
    """The files by as little of the ends of their paths as tells them apart."""
    parts = [PurePath(name).parts[-4:] for name in files]
    for length in range(1, 4):
        names = ["/".join(own[-length:]) for own in parts]
        if len(set(names)) == len(names):
            return ["standard input" if name == "-" else name for name in names]
    return list(files)
