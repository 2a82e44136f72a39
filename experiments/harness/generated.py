"""Treebanks of the invented language that an experiment generates beside its results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...parser.base.errors import CrossarcError, check_names
from ...parser.base.parameters import parameters_of
from ...parser.treebank import write_sentences
from ..synthetic.generator import GeneratorOptions, generate
from .settings import SPLITS, TreebankEntry

OPTIONS = tuple(name for name in parameters_of(GeneratorOptions) if name not in ("sentences", "first"))


def generated_entries(specs: Mapping[str, Mapping[str, Any]], folder: Path) -> list[TreebankEntry]:
    """Generate treebanks into ``folder/treebanks``.

    specs: for each treebank, by name, the number of sentences of its splits, and options of the generator.

    Sentences are numbered consecutively in the order train, dev, test, so that no sentence is in two splits. Raises
    CrossarcError for unknown options and for a folder that cannot be written.
    """
    home = folder / "treebanks"
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrossarcError(f"{home}: cannot be written: {error.strerror or error}") from error
    found = []
    for name, spec in specs.items():
        check_names(f"generated treebank {name}: unknown key", spec, (*SPLITS, *OPTIONS))
        changes = {key: value for key, value in spec.items() if key in OPTIONS}
        files, first = {}, 1
        for split in (own for own in SPLITS if own in spec):
            files[split] = str(home / f"{name.replace(' ', ',')}.{split}.conllu")
            options = GeneratorOptions(sentences=spec[split], first=first, **changes)
            write_sentences(generate(options), files[split])
            first += spec[split]
        found.append(TreebankEntry(name, files, "conllu"))
    return found
