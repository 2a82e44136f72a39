"""The command that shows what rounds of annotation have brought."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain

from ...base.data_warnings import warn
from ...base.errors import CrossarcError
from ...base.progress import counted
from ...config.loading import load_config
from ...config.ready import fast_config
from ...console.options import JSON, Options, print_json, refuse_repeated
from ...console.progress import progress_of
from ...console.reading import read_input, reading
from ...evaluate.align import score_sentences
from ...evaluate.report import ReportTable, format_table
from ...training.partial import require_decided
from ...training.train import train
from ...treebank import Sentence
from ...treebank.overlap import SHARE, overlap, sample_of
from .rounds import rounds

ROUNDS: Options = {
    "FILE...": "for each round the parsed text and the corrected sentences: PARSED CORRECTED PARSED CORRECTED ...",
    "--first FILE": "sentences that were annotated before the first round",
    "--held FILE": "annotated sentences that are never learned from: adds the LAS on them of a parser (fast) per round",
    **reading(),
    **JSON,
}
HEADINGS = (
    "round",
    "sentences",
    "words",
    "decided",
    "compared",
    "corrections",
    "LAS before",
    "all decided",
    "LAS held",
)


def run_rounds(options: argparse.Namespace) -> int:
    """Run ``crossarc rounds``; return its exit status."""
    if len(options.file) % 2:
        raise CrossarcError(f"rounds: found {len(options.file)} files, expected two for each round: PARSED CORRECTED")
    refuse_repeated("rounds", [*options.file, *filter(None, [options.first, options.held])])
    files = [list(read_input(options, name)) for name in options.file]
    first = list(read_input(options, options.first)) if options.first else []
    held = list(read_input(options, options.held)) if options.held else []
    require_decided(held)
    if held and (share := overlap(held, sample_of([*first, *chain.from_iterable(files[1::2])]))) >= SHARE:
        known = f"about {100 * share:.0f} % of the sentences of {options.held} are learned from"
        warn(f"{known}: scores on them say nothing about other text")

    def score(sentences: Sequence[Sentence]) -> float | None:
        if not held:
            return None
        config = load_config(fast_config(), sentences=sentences)
        parsed = train(config, sentences=sentences).parse_chunk(held)
        return score_sentences(held, parsed).las

    with progress_of(options) as progress:
        batches = list(zip(files[::2], files[1::2], strict=True))
        measured = list(counted(rounds(batches, first, score), progress, "measuring", "rounds", len(batches)))
    if options.json:
        print_json({"rounds": [figures._asdict() for figures in measured]})
        return 0
    rows = [[str(number), *map(_text, figures)] for number, figures in enumerate(measured, 1)]
    print(format_table(ReportTable(list(HEADINGS), rows)), end="")
    return 0


def _text(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
