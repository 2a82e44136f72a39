"""The command that collects the annotated sentences of all rounds."""

from __future__ import annotations

import argparse
from collections import Counter

from ...base.data_warnings import warn
from ...console.options import OUTPUT, Options, refuse_overwriting, refuse_repeated
from ...console.progress import progress_of
from ...console.reading import read_input, reading
from ...treebank import write_sentences
from .rounds import decided, open_tags, settled

COLLECT: Options = {
    "FILE...": "annotated sentences; in files with marks (Keep in MISC), words whose head is not decided lose HEAD and "
    "DEPREL; marks and Conf go",
    **reading(),
    **OUTPUT,
}


def run_collect(options: argparse.Namespace) -> int:
    """Run ``crossarc collect``; return its exit status."""
    refuse_repeated("collect", options.file)
    refuse_overwriting(options.output, *options.file)
    with progress_of(options, output=options.output) as progress:
        files = [list(read_input(options, file)) for file in options.file]
        sentences = [sentence for of_file in files for sentence in settled(of_file)]
        if number := sum(map(open_tags, files)):
            warn(f"{number} words have a decided arc and open tags; collected, their tags count as decided, too")
        times = Counter((sentence.comment("sent_id"), sentence.column("form")) for sentence in sentences)
        if several := sum(count - 1 for count in times.values()):
            warn(f"{several} sentences stand in the files more than once, with the same name and words; all are kept")
        write_sentences(sentences, options.output)
        words = sum(map(len, sentences))
        progress(f"collected: {len(sentences)} sentences, {words} words, {decided(sentences)} of them decided")
    return 0
