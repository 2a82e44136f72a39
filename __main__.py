"""``crossarc COMMAND``, or ``python -m crossarc COMMAND``: the commands of the parser and of the experiments."""

from __future__ import annotations

import sys
from collections import ChainMap
from collections.abc import Mapping, Sequence

from .experiments.commands import COMMANDS as OF_EXPERIMENTS
from .parser.commands.table import COMMANDS as OF_PARSER
from .parser.console.help import Command
from .parser.console.line import run_line

__all__ = ["COMMANDS", "main"]

COMMANDS: Mapping[str, Command] = ChainMap(dict(OF_EXPERIMENTS), OF_PARSER)  # type: ignore[arg-type]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status, see :func:`~crossarc.parser.console.line.run_line`."""
    return run_line(COMMANDS, arguments)


if __name__ == "__main__":
    sys.exit(main())
