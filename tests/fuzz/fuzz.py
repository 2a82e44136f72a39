"""Coverage-guided fuzzing of one target, by hand: ``python tests/fuzz/fuzz.py TARGET --cases N``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import atheris

sys.modules["numba"] = None  # type: ignore[assignment]  # it cannot compile what has been instrumented
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "support")]
with atheris.instrument_imports(include=["crossarc"]):
    import targets
import seeds  # noqa: E402
from mutators import changed_document, changed_model  # noqa: E402

SECONDS = 10
MEGABYTES = 2048
LONGEST = 20_000


def main() -> None:
    """Run until so many cases are through, or one of them is a finding, which libFuzzer writes down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=sorted(targets.TARGETS))
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=int, default=0, help="stop after so many seconds (0: not)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="fuzz.out", help="folder for the corpus and for findings")
    options = parser.parse_args()
    corpus = Path(options.out) / options.target
    corpus.mkdir(parents=True, exist_ok=True)
    target = targets.TARGETS[options.target]
    with atheris.instrument_imports(include=["crossarc"]):  # what is imported late, and takes its time
        for number, data in enumerate(seeds.SEEDS[options.target]()):
            (corpus / f"seed-{number}").write_bytes(data)
            targets.run(target, data)
    limits = [f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", f"-max_len={LONGEST}"]
    place = f"-artifact_prefix={options.out}/{options.target}-"
    words = [sys.argv[0], str(corpus), f"-runs={options.cases}", f"-seed={options.seed}", place, *limits]
    own = {}
    if options.target in targets.DOCUMENTS or options.target == "model":
        words.append("-cross_over=0")
        own["custom_mutator"] = changed_model if options.target == "model" else changed_document
    if options.seconds:
        words.append(f"-max_total_time={options.seconds}")
    atheris.Setup(words, lambda data: targets.run(target, data), **own)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
