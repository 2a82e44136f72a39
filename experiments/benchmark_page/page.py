"""The page that says what was measured, and its chart: generated, never edited by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...parser.drawing.line_chart import line_chart
from ...parser.treebank import atomic_output
from .measure import FEATURES, FOR_LABELS, LONG, SHORT, measured

__all__ = ["RESULTS", "generate", "page_text"]

RESULTS = "results.json"
PAGE = "README.md"
CHART = "growth.svg"
CHARTED = 1_000_000
PUBLISHED = (
    ("MaltParser 1.9.2, LIBLINEAR, default features, steady state", 17_500),
    ("MaltParser 1.9.2, its extended feature model, one pass over the test file", 5_918),
    ("MaltParser 1.9.2, LIBSVM with a quadratic kernel", 570),
    ("UDPipe 1 (ufal.udpipe)", 9_900),
    ("spaCy 3.8, parser alone", 9_000),
)
"""Tokens per CPU second of other parsers, measured before on a machine of the same kind, on English-EWT: at best."""

LIMITS = """\
## What stands in the way of more

Profiles of the rich arc-standard parser of English-EWT (719,000 features, 87 classes, 111 slots), taken on a busy
machine: shares hold, times are too long.

- **The compiled loop** takes four fifths of a command. A quarter of its time it waits for memory: rows of weights, and
  places of keys, that were asked for ahead. A fifth is adding rows up. The rest is finding values, making keys and
  choosing, in many small parts. Rows of at most 8 weights as pairs, keys in buckets of one line of memory that are
  compared at once, and values and factors without choices brought a command from 8.3 to 5.9 microseconds a token,
  measured in turns. Vectors of 512 bits in place of 256, and 3 to 12 sentences in turns in place of 6, made no
  difference. What is not the loop is Python and numpy: two slices of bytes a word, and the numbers of tokens.
- **numpy alone**: 27 % of the time are sums of weight rows (scipy's product of a sparse matrix with float32 rows; 82
  rows a configuration, 40 nanoseconds each), 17 % making keys, 14 % looking them up, 9 % transitions, 5 % labels in
  their places. The table of keys is a quarter full: with half as many places a step tried 20 of them one after another
  for the last of its keys, and a command took a fifth longer (26.0 in place of 21.8 microseconds a token, in turns).
  Tried for the sums: rows padded to whole lines of memory (3.7 in place of 3.9 microseconds a configuration), short
  rows apart as pairs (4.0), rows side by side and `np.add.reduceat` (16 in place of 3.5). numpy cannot have rows
  fetched ahead, nor add rows of 16 bits into sums of 32 without a copy. What is not done: sums kept by word, which
  would be made once a word in place of twice for 45 of 111 slots.
- **Two jobs** share what follows the start. Python and its modules, unpacking the model and making its tables are done
  in one process before others are forked: a quarter to a third of what 250,000 tokens take. To be 1.8 times as fast it
  may be a ninth. At a start of half a second and 5.8 microseconds a token that is so from 700,000 tokens on, by
  arithmetic: the faster the loop, the longer the file has to be. CPU time is nearly that of one job.
- **A mapped model**: the file is compressed. In a trial with English-EWT it was stored as it is, 20.9 MB in place of
  8.4, and one sentence took 0.56 CPU seconds in place of 0.63; mapped, 0.55. Memory was the same, 91 MB: all keys are
  looked at to make tables of them. Jobs share what was loaded before they were forked. So files stay compressed, and
  nothing is kept beside them.
- **Reading and writing**: two slices of bytes a word are two fifths of it. `bytes.split` at marks, and `map` with
  slices, took half as long again.
- **Training on a large treebank**: rows of 64 bits for all features took most of Slovak-SNK's 4.9 GB. Features that
  occur four times at most, two in three of Gothic-PROIEL, have pairs of class and weight in their place, until they
  have more than eight. Weights are LIBLINEAR's to the last bit; the solver takes a tenth longer. When all features
  began with pairs the peak was 2.9 GB, where the features of all configurations are put together, but the solver took
  half as long again; with pairs for rare ones it is about as much, by arithmetic. Without numba LIBLINEAR itself takes
  what it takes.
- **Several parsers of one blend** share reading, the numbers of tokens, equal symbol tables and writing; transforms and
  votes work on the trees of many sentences at once. On Gothic-PROIEL the blend took 84 microseconds a token with
  compiled loops before that, and 44 after it, 5.1 times the average of its parts alone. Of 43 microseconds 34 are the
  compiled loops of the six, which are 4.1 times that average by themselves; lowering lifted words is 3, the votes are
  1.4, all else 4. Features, tables of keys and weights are the parts' own. Marks in labels make three times as many
  classes, so that the loop of a pseudo-projective part takes 7 microseconds in place of 4: six of them cannot take 4.5
  times what one parser without marks takes.
"""

HEAD = """\
# benchmark_page: what parsing costs

This page is generated: `python -m crossarc.experiments.benchmark --page` measures all of it in one run, writes
`results.json`, and this page and its chart from that. `commands.py` has what a command costs, `material.py` the files
and models that are measured, `phases.py` where the time goes, `measure.py` the list of what is measured, `page.py` this
text. **Imports** everything but other experiments. **Read first** `measure.py`.

**One more figure** is an entry of the dictionary that `measure.measured` makes, and a table in `page.page_text`.

Every figure is that of the command line in a process of its own, files in and files out, with one thread. Tokens per
CPU second (user and system) are those of steady state: what a file of {long:,} tokens costs more than one of {short:,}.
Python's modules are compiled, as pip leaves them, and so are the loops, as a first parse of a longer file leaves them.
Treebank: {treebank}. The machine has {cores} cores, and a load of {load:.1f} when it began: where that is above 1,
figures are lower than on a quiet one, and compare among one another only. A table without rows was not measured
in this run.
"""


def generate(
    folder: Path, files: Mapping[str, str], most: int, peers: Mapping[str, str], tell: Callable[[str], None]
) -> None:
    """Measure, and write results, page and chart into a folder. The other arguments: see :func:`.measure.measured`."""
    found = {**measured(files, most, peers, tell), "treebank": Path(files["test"]).parent.name}
    content = json.loads(json.dumps(found))  # keys as JSON has them, whether measured now or read from the file
    text = json.dumps(_rounded(content), indent=1, ensure_ascii=False) + "\n"
    for name, written in ((RESULTS, text), (PAGE, page_text(_rounded(content))), (CHART, chart(_rounded(content)))):
        with atomic_output(folder / name) as out:
            out.write(written.encode())


def page_text(found: Mapping[str, Any]) -> str:
    """The page, from what ``results.json`` has."""
    machine = found["machine"]
    head = HEAD.format(short=SHORT, long=LONG, treebank=found["treebank"], cores=machine["cores"], load=machine["load"])
    jobs = found["jobs"]
    one = jobs["1"]
    parts = [
        head,
        _table(
            "Features and kernels",
            ["config", "loops", "tokens per CPU s", "memory MB"],
            [
                [config, kernel, _whole(own["cpu"]), _whole(own["memory"])]
                for config, kernels in found["features"].items()
                for kernel, own in kernels.items()
            ],
        ),
        _table(
            "Sentences in lockstep (batch size)",
            ["sentences", "tokens per CPU s", "memory MB"],
            [[size, _whole(own["cpu"]), _whole(own["memory"])] for size, own in found["batch"].items()],
        ),
        _table(
            "Length of sentences",
            ["words in each", "tokens per CPU s", "memory MB"],
            [[length, _whole(own["cpu"]), _whole(own["memory"])] for length, own in found["length"].items()],
        ),
        _table(
            "Number of labels (small model)",
            ["labels", "tokens per CPU s", "memory MB"],
            [[labels, _whole(own["cpu"]), _whole(own["memory"])] for labels, own in found["labels"].items()],
        ),
        _blend(found.get("blend", {})),
        _table(
            f"Jobs, {one['tokens']:,} tokens",
            ["jobs", "seconds", "times as fast", "CPU s", "CPU of one job"],
            [
                [
                    number,
                    f"{own['wall']:.1f}",
                    f"{one['wall'] / own['wall']:.2f}",
                    f"{own['cpu']:.1f}",
                    f"{own['cpu'] / one['cpu']:.2f}",
                ]
                for number, own in jobs.items()
            ],
        ),
        _table(
            "Start: one sentence",
            ["config", "loops", "CPU s", "memory MB"],
            [
                [config, kernel, f"{own['cpu']:.2f}", _whole(own["memory"])]
                for config, kernels in found["one sentence"].items()
                for kernel, own in kernels.items()
            ],
        ),
        _table(
            "Training",
            ["config", "CPU s", "memory MB", "model MB"],
            [
                [config, f"{own['cpu']:.1f}", _whole(own["memory"]), f"{own['model']:.1f}"]
                for config, own in found["training"].items()
            ],
        ),
        f"## Growth\n\n![CPU seconds by tokens: a line]({CHART})\n\n"
        + _rows(
            ["loops", "tokens", "CPU s", "microseconds a token", "memory MB"],
            [
                [
                    kernel,
                    f"{own['tokens']:,}",
                    f"{own['cpu']:.2f}",
                    f"{own['cpu'] / own['tokens'] * 1e6:.1f}",
                    _whole(own["memory"]),
                ]
                for kernel, line in found["growth"].items()
                for own in line
            ],
        ),
        _table(
            "Where the time goes (microseconds a token)",
            ["what", *found["phases"]],
            [
                [what, *(f"{own[what]:.2f}" for own in found["phases"].values())]
                for what in next(iter(found["phases"].values()))
            ],
        ),
        _traffic(found),
        _peers(found),
        LIMITS,
    ]
    return "\n".join(part.rstrip() + "\n" for part in parts)


def chart(found: Mapping[str, Any]) -> str:
    """Growth as SVG."""
    lines = {
        f"{FEATURES[1]}, {kernel}": [(own["tokens"] / CHARTED, own["cpu"]) for own in line]
        for kernel, line in found["growth"].items()
    }
    straight = {f"a straight line ({name})": [(0.0, 0.0), points[-1]] for name, points in lines.items()}
    return line_chart(
        {**lines, **straight},
        title="Growth",
        x_label="million tokens",
        y_label="CPU seconds",
    )


def _blend(found: Mapping[str, Mapping[str, float | None]]) -> str:
    """found: tokens a CPU second, of a parser, the parts of the blend alone, and the blend."""
    one, *parts, blend = found or ("one", "blend")
    rows, said = [], []
    for kernel in found.get(one, ()):
        times = {name: 1e6 / (own[kernel] or math.nan) for name, own in found.items()}
        rows += [
            [name, kernel, _whole(found[name][kernel]), f"{time:.1f}", f"{time / times[one]:.1f}"]
            for name, time in times.items()
        ]
        average = sum(times[name] for name in parts) / len(parts)
        said.append(f"{times[blend] / average:.1f} times the average of its parts with {kernel}")
    names = ["parser", "loops", "tokens per CPU s", "microseconds a token", f"times {one}"]
    table = _table(f"Several parsers: {blend}, trained on {FOR_LABELS:,} sentences", names, rows)
    return table + (f"\nThe blend takes {', '.join(said)}.\n" if said else "")


def _traffic(found: Mapping[str, Any]) -> str:
    rows = []
    for config, own in found["traffic"].items():
        best = max((kernel["cpu"] or 0.0 for kernel in found["features"].get(config, {}).values()), default=0.0)
        rows.append(
            [
                config,
                f"{own['rows']:.1f}",
                f"{own['long rows']:.1f}" if "long rows" in own else "all",
                _whole(own["bytes"]),
                f"{own['weights'] / 1e6:.0f}",
                f"{own['rate']:.1f}",
                _whole(own["bound"]),
                f"{100 * best / own['bound']:.0f} %" if best else "not measured",
            ]
        )
    names = [
        "config",
        "rows a transition",
        "long ones",
        "bytes of them",
        "weights MB",
        "GB a CPU s",
        "bound, tokens per CPU s",
        "reached",
    ]
    return (
        "## How far from the bound of memory traffic\n\n"
        "Scores are sums of rows of weights, whose places are as good as random; rows of few weights are short "
        "([search](../../parser/search/README.md)). The bound is what could be parsed if "
        "nothing were done but reading them, at the rate at which this machine reads such rows in a table of that "
        "size, with two transitions a token.\n\n" + _rows(names, rows)
    )


def _peers(found: Mapping[str, Any]) -> str:
    rows = [[name, _whole(own["cpu"]), f"`{own['command']}`"] for name, own in found["peers"].items()]
    rows += [[name, _whole(figure), "published or measured before, not in this run"] for name, figure in PUBLISHED]
    return (
        "## Other parsers\n\nThose in this run are given as commands: "
        "`--peer 'UDPipe=udpipe --parse --outfile={out} model.udpipe {file}'`; with the Python package `ufal.udpipe`, "
        "`udpipe_peer.py` trains such a model and parses with it: `--peer 'UDPipe=python -m "
        "crossarc.experiments.benchmark_page.udpipe_peer parse model.udpipe {file} {out}'`. `malt_peer.py` does so "
        "with MaltParser's jar, where there is Java: `python -m crossarc.experiments.benchmark_page.malt_peer train "
        "maltparser-1.9.2.jar train.conllu malt`, then `--peer 'MaltParser=python -m "
        "crossarc.experiments.benchmark_page.malt_peer parse maltparser-1.9.2.jar malt {conllx} {out}'`.\n\n"
        + _rows(["parser", "tokens per CPU s", "command"], rows)
    )


def _table(title: str, names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return f"## {title}\n\n{_rows(names, rows)}"


def _rows(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [names, ["---"] * len(names), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def _whole(value: float | None) -> str:
    if value is None:
        return "not measurable"
    return f"{round(value, -2 if value >= 10_000 else 0):,.0f}"


def _rounded(value: Any) -> Any:
    """Numbers with four digits that count: more were never measured."""
    if isinstance(value, dict):
        return {key: _rounded(own) for key, own in value.items()}
    if isinstance(value, list):
        return list(map(_rounded, value))
    return float(f"{value:.4g}") if isinstance(value, float) else value
