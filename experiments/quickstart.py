"""The quick start: train two parsers on a generated treebank, compare them, and suggest the next commands."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from .. import CrossarcError, Sentence, load_model, read_sentences, score_sentences
from ..parser.commands.table import COMMANDS as OF_PARSER
from ..parser.console.line import run_line
from ..parser.drawing.text_tree import draw_tree
from ..transitions.trees import nonprojective_arcs
from .commands import COMMANDS as OF_EXPERIMENTS

TRAINING, HELD_OUT = 2500, 500
SYSTEMS = ("arc-standard", "swap")
LENGTH_SHOWN = 8
HEADINGS = """
                               crossing arcs      words per
                 LAS    UAS   precision  recall  CPU second"""
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
    train, test = home / "train.conllu", home / "test.conllu"
    generate = ["generate", "--seed", "1", "--sentences"]
    commands = [
        [*generate, str(TRAINING), "-o", str(train)],
        [*generate, str(HELD_OUT), "--first", str(TRAINING + 1), "-o", str(test)],
    ]
    for system in SYSTEMS:
        model, parsed = home / f"{system}.model", home / f"{system}.conllu"
        commands.append(["train", system, "--train", str(train), "--model", str(model)])
        commands.append(["parse", str(model), str(test), "-o", str(parsed)])
    for command in commands:
        print(f"\n$ crossarc {shlex.join(command)}", flush=True)
        if status := run_line({**OF_PARSER, **OF_EXPERIMENTS}, command):
            return status
    gold = list(read_sentences(test))
    print(f"\n{HELD_OUT} held-out sentences:\n{HEADINGS}")
    standard, swap = (_compared(home / f"{system}.model", gold) for system in SYSTEMS)
    shown = telling_sentence(gold, swap, standard)
    if shown is not None:
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


def _compared(model: Path, gold: list[Sentence]) -> list[Sentence]:
    """Print a parser's row of the table, and return the sentences that it parsed."""
    parser = load_model(model)
    list(parser.parse(gold))  # compiled code is compiled now
    start = time.process_time()
    parsed = list(parser.parse(gold))
    speed = sum(map(len, gold)) / (time.process_time() - start)
    scores = score_sentences(gold, parsed)
    arcs = scores.nonprojective.all.unlabelled
    precision, recall = ("-" if value is None else f"{value:.1f}" for value in (arcs.precision, arcs.recall))
    attachment = f"{scores.las:>5.2f}  {scores.uas:>5.2f}"
    print(f"{model.stem:<14} {attachment}   {precision:>9}  {recall:>6}  {speed:>10,.0f}")
    return parsed


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:2]))
    except CrossarcError as error:
        sys.exit(f"crossarc: {error}")
