"""The two minutes after installation: two parsers trained on a generated treebank, compared, and what to do next."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..parser.base.errors import CrossarcError
from ..parser.commands.table import COMMANDS as OF_PARSER
from ..parser.console.line import run_line
from ..parser.drawing.text_tree import draw_tree
from ..parser.evaluate import Scores, score_sentences
from ..parser.models.files import load_model
from ..parser.treebank import Sentence, read_sentences
from ..transitions.trees import nonprojective_arcs
from .commands import COMMANDS as OF_EXPERIMENTS

__all__ = ["main"]

TRAINING, HELD_OUT = 2500, 500
SYSTEMS = ("arc-standard", "swap")
LENGTH_SHOWN = 8
NEXT = """
Next, with a CoNLL-U (or CoNLL-X, CoNLL-2009) treebank of your own:

  {crossarc} check yours-train.conllu
  {crossarc} train swap --train yours-train.conllu --dev yours-dev.conllu --model yours.model
  {crossarc} parse yours.model yours-test.conllu -o parsed.conllu
  {crossarc} evaluate yours-test.conllu parsed.conllu

'{crossarc} init' writes a config for a treebank, '{crossarc} train' lists the ready ones; experiments/tutorial takes an
hour. '. .venv/bin/activate' makes the command known by its name alone."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A parser on the held-out sentences: scores, words per CPU second, and the sentences as parsed."""

    scores: Scores
    speed: float
    parsed: list[Sentence]


def main(folder: str = "quickstart") -> int:
    """Run it all, with what is made kept in ``folder``; 0, or the status of the command that failed."""
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
    outcomes = {system: _outcome(home / f"{system}.model", gold) for system in SYSTEMS}
    print(f"\n{HELD_OUT} held-out sentences:\n\n{comparison(outcomes)}")
    shown = telling_sentence(gold, outcomes["swap"].parsed, outcomes["arc-standard"].parsed)
    if shown is not None:
        right, wrong = (outcomes[system].parsed[shown] for system in ("swap", "arc-standard"))
        print(f"\n{_drawings(gold[shown], right, wrong)}")
    program = Path(sys.executable).with_name("crossarc")
    print(NEXT.format(crossarc=_nearest(program) if program.exists() else "crossarc"))
    return 0


def comparison(outcomes: dict[str, Outcome]) -> str:
    """The table: a row for each parser."""
    lines = [
        "                               crossing arcs      words per",
        "                 LAS    UAS   precision  recall  CPU second",
    ]
    for system, outcome in outcomes.items():
        scores = outcome.scores
        arcs = scores.nonprojective.all.unlabelled
        precision, recall = (_percentage(value) for value in (arcs.precision, arcs.recall))
        attachment = f"{scores.las:>5.2f}  {scores.uas:>5.2f}"
        lines.append(f"{system:<14} {attachment}   {precision:>9}  {recall:>6}  {outcome.speed:>10,.0f}")
    return "\n".join(lines)


def telling_sentence(gold: Sequence[Sentence], right: Sequence[Sentence], wrong: Sequence[Sentence]) -> int | None:
    """The number of a short non-projective sentence that one parser has right and the other has not."""
    found = [
        (abs(len(sentence) - LENGTH_SHOWN), number)
        for number, sentence in enumerate(gold)
        if any(nonprojective_arcs(sentence.heads()))
        and right[number].heads() == sentence.heads()
        and wrong[number].heads() != sentence.heads()
    ]
    return min(found)[1] if found else None


def _outcome(model: Path, gold: list[Sentence]) -> Outcome:
    parser = load_model(model)
    list(parser.parse(gold))  # compiled code is compiled now
    start = time.process_time()
    parsed = list(parser.parse(gold))
    seconds = time.process_time() - start
    return Outcome(score_sentences(gold, parsed), sum(map(len, gold)) / seconds, parsed)


def _drawings(gold: Sentence, right: Sentence, wrong: Sentence) -> str:
    forms = gold.column("form")
    trees = [draw_tree(sentence.heads(), sentence.deprels(), forms) for sentence in (right, wrong)]
    return (
        f"Sentence {gold.id} has a crossing arc (double line, *). Swap finds it:\n\n{trees[0]}\n\n"
        f"arc-standard cannot:\n\n{trees[1]}"
    )


def _percentage(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _nearest(program: Path) -> str:
    """The program's path, from the working directory if it is below."""
    here = Path.cwd()
    return str(program.relative_to(here) if program.is_relative_to(here) else program)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:2]))
    except CrossarcError as error:
        sys.exit(f"crossarc: {error}")
