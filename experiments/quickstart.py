"""The quick start: train two parsers on a generated treebank, compare them, and suggest the next commands."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from ..parser.commands.table import COMMANDS as OF_PARSER
from ..parser.console.line import run_line
from .commands import COMMANDS as OF_EXPERIMENTS

TRAINING, HELD_OUT = 2500, 500
SYSTEMS = ("swap", "arc-standard")
SHOWN = "nonprojective and length <= 8 and errors = 0 and errors2 > 0"
"""Short sentences whose crossing arcs the first parser finds and the second does not."""
NEXT = """
Next, with your own treebank in CoNLL-U, CoNLL-X or CoNLL-2009 format:

  {crossarc} check yours-train.conllu
  {crossarc} train accurate --train yours-train.conllu --dev yours-dev.conllu --model yours.model
  {crossarc} parse yours.model yours-test.conllu -o parsed.conllu
  {crossarc} evaluate yours-test.conllu parsed.conllu

'{crossarc} init' writes a config for a treebank, '{crossarc} train' lists the ready configs. The tutorial,
experiments/guides/tutorial.md, takes an hour. After '. .venv/bin/activate', 'crossarc' alone runs the command."""


def main(folder: str = "quickstart") -> int:
    """Run the quick start and keep its files in ``folder``; returns 0, or the status of the command that failed."""
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    train, test, *parsed = (str(home / f"{name}.conllu") for name in ("train", "test", *SYSTEMS))
    commands = [
        ["generate", "--sentences", str(TRAINING), "-o", train],
        ["generate", "--sentences", str(HELD_OUT), "--set", f"first={TRAINING + 1}", "-o", test],
    ]
    for system, output in zip(SYSTEMS, parsed, strict=True):
        model = str(home / f"{system}.model")
        commands.append(["train", system, "--train", train, "--model", model])
        commands.append(["parse", model, test, "-o", output])
    for command in [*commands, ["evaluate", test, *parsed], ["show", test, *parsed, "--where", SHOWN]]:
        print(f"\n$ crossarc {shlex.join(command)}", flush=True)
        if status := run_line({**OF_PARSER, **OF_EXPERIMENTS}, command):
            return status
    program = Path(sys.executable).with_name("crossarc")
    nearest = program.relative_to(Path.cwd()) if program.is_relative_to(Path.cwd()) else program
    print(NEXT.format(crossarc=nearest if program.exists() else "crossarc"))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
