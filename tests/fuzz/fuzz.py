"""Coverage-guided fuzzing of one target, by hand: ``python tests/fuzz/fuzz.py TARGET --cases N``."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import atheris

sys.modules["numba"] = None  # type: ignore[assignment]  # it cannot compile what has been instrumented
with atheris.instrument_imports(include=["crossarc", "targets"]):
    sys.path.insert(0, str(Path(__file__).parent))
    import targets

SECONDS = 10
MEGABYTES = 2048
LONGEST = 200_000


def main() -> None:
    """Run until so many cases are through, or one of them is a finding, which libFuzzer writes down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=sorted(targets.TARGETS))
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="fuzz.out", help="folder for the corpus and for findings")
    options = parser.parse_args()
    corpus = Path(options.out) / options.target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(targets.seeds(options.target)):
        (corpus / f"seed-{number}").write_bytes(data)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as scratch:
        targets.SCRATCH = Path(scratch)
        limits = [f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", f"-max_len={LONGEST}"]
        place = f"-artifact_prefix={options.out}/{options.target}-"
        words = [sys.argv[0], str(corpus), f"-runs={options.cases}", f"-seed={options.seed}", place, *limits]
        atheris.Setup(words, lambda data: targets.run(options.target, data))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
