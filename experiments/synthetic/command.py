"""The command that generates treebanks."""

from __future__ import annotations

import argparse
from functools import partial

from ...parser.base.errors import check_names
from ...parser.base.parameters import parameters_of, value_text
from ...parser.base.progress import counted
from ...parser.base.yaml_values import load_yaml
from ...parser.console.options import OUTPUT, Options, Setting, option, positive
from ...parser.console.progress import progress_of
from ...parser.treebank import write_sentences
from .generator import GeneratorOptions, generate

DESCRIBED = {name: parameter for name, parameter in parameters_of(GeneratorOptions).items() if name != "sentences"}
KEYS = "; ".join(
    f"{name}: {parameter.meaning} ({value_text(parameter.default)})" for name, parameter in DESCRIBED.items()
)
GENERATE: Options = {
    "--sentences N": option("number of sentences", type=partial(positive, least=0), required=True),
    **OUTPUT,
    "--set KEY=VALUE...": option(f"set an option of the generator; repeat for several: {KEYS}", action=Setting),
}


def run_generate(options: argparse.Namespace) -> int:
    """``crossarc generate``. Raises CrossarcError for invalid options and for a file that cannot be written."""
    pairs = [text.partition("=")[::2] for text in options.set]
    check_names("--set: unknown key", [key for key, _ in pairs], DESCRIBED)
    values = {key: load_yaml(value, f"--set {key}={value}") for key, value in pairs}
    sentences = generate(GeneratorOptions(**{**values, "sentences": options.sentences}))
    with progress_of(options, output=options.output) as progress:
        made = counted(sentences, progress, "generating", "sentences", options.sentences)
        write_sentences(made, options.output)
    return 0
