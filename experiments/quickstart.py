"""The quick start: train two parsers on a generated treebank, compare them, and suggest the next commands."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from .. import CrossarcError, Sentence, read_sentences
from ..parser.commands.table import COMMANDS as OF_PARSER
from ..parser.console.line import run_line
from ..parser.drawing.text_tree import draw_tree
from ..transitions.trees import nonprojective_arcs
from .commands import COMMANDS as OF_EXPERIMENTS

TRAINING, HELD_OUT = 2500, 500
SYSTEMS = ("arc-standard", "swap")
LENGTH_SHOWN = 8
NEXT = """
Next, with your own treebank in CoNLL-U, CoNLL-X or CoNLL-2009 format:

  {crossarc} check yours-train.conllu
  {crossarc} train accurate --train yours-train.conllu --dev yours-dev.conllu --model yours.model
  {crossarc} parse yours.model yours-test.conllu -o parsed.conllu
  {crossarc} evaluate yours-test.conllu parsed.conllu

'{crossarc} init' writes a config for a treebank, '{crossarc} train' lists the ready configs. The tutorial in
experiments/tutorial takes an hour. After '. .venv/bin/activate', 'crossarc' alone runs the command."""


def main(folder: str = "quickstart") -> int:
    """Run the quick start and keep its files in ``folder``; returns 0, or the status of the command that failed."""
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    train, test, *parsed = (home / f"{name}.conllu" for name in ("train", "test", *SYSTEMS))
    generate = ["generate", "--seed", "1", "--sentences"]
    commands = [
        [*generate, str(TRAINING), "-o", str(train)],
        [*generate, str(HELD_OUT), "--first", str(TRAINING + 1), "-o", str(test)],
    ]
    for system, output in zip(SYSTEMS, parsed, strict=True):
        model = str(home / f"{system}.model")
        commands.append(["train", system, "--train", str(train), "--model", model])
        commands.append(["parse", model, str(test), "-o", str(output)])
    for command in [*commands, ["evaluate", str(test), *map(str, parsed)]]:
        print(f"\n$ crossarc {shlex.join(command)}", flush=True)
        if status := run_line({**OF_PARSER, **OF_EXPERIMENTS}, command):
            return status
    gold, standard, swap = (list(read_sentences(file)) for file in (test, *parsed))
    if (shown := telling_sentence(gold, swap, standard)) is not None:
        right, wrong = (
            draw_tree(own[shown].heads(), own[shown].deprels(), own[shown].column("form")) for own in (swap, standard)
        )
        print(f"\nSentence {gold[shown].id} has a crossing arc (double line, *). Swap finds it:\n\n{right}\n")
        print(f"arc-standard cannot:\n\n{wrong}")
    program = Path(sys.executable).with_name("crossarc")
    nearest = program.relative_to(Path.cwd()) if program.is_relative_to(Path.cwd()) else program
    print(NEXT.format(crossarc=nearest if program.exists() else "crossarc"))
    return 0


def telling_sentence(gold: Sequence[Sentence], right: Sequence[Sentence], wrong: Sequence[Sentence]) -> int | None:
    """The number of a short non-projective sentence that one parser parses correctly and the other does not."""
    found = [
        (abs(len(sentence) - LENGTH_SHOWN), number)
        for number, sentence in enumerate(gold)
        if any(nonprojective_arcs(sentence.heads()))
        and right[number].heads() == sentence.heads()
        and wrong[number].heads() != sentence.heads()
    ]
    return min(found)[1] if found else None


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:2]))
    except CrossarcError as error:
        sys.exit(f"crossarc: {error}")
