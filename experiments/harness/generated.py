"""Treebanks of the invented language that an experiment generates for itself, beside its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from ...parser.base.errors import CrossarcError, choices
from ...parser.treebank import atomic_output
from ..synthetic.generator import GeneratorOptions, generate, to_conllu
from .settings import SPLITS, TreebankEntry

__all__ = ["generated_entries"]

OPTIONS = tuple(own.name for own in fields(GeneratorOptions) if own.name not in ("sentences", "first"))


def generated_entries(specs: Mapping[str, Mapping[str, Any]], folder: Path) -> list[TreebankEntry]:
    """Generate treebanks into ``folder/treebanks``.

    specs: of each treebank, by name, the number of sentences of its splits, and options of the generator. The splits
    are numbered through in the order train, dev, test, so that no sentence is in two of them.
    Raises CrossarcError for what the generator does not know and for a folder that cannot be written.
    """
    treebanks = folder / "treebanks"
    try:
        treebanks.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrossarcError(f"{treebanks}: cannot be written: {error.strerror or error}") from error
    return [_entry(name, spec, treebanks) for name, spec in specs.items()]


def _entry(name: str, spec: Mapping[str, Any], folder: Path) -> TreebankEntry:
    for key in spec:
        if key not in (*SPLITS, *OPTIONS):
            raise CrossarcError(f"generated treebank {name}: unknown key {choices(key, (*SPLITS, *OPTIONS))}")
    changes = {key: value for key, value in spec.items() if key in OPTIONS}
    first = 1
    files = {}
    for split in SPLITS:
        if split not in spec:
            continue
        path = folder / f"{name.replace(' ', ',')}.{split}.conllu"
        options = GeneratorOptions(sentences=spec[split], first=first, **changes)
        with atomic_output(path) as out:
            out.writelines(to_conllu(sentence).encode() for sentence in generate(options))
        files[split] = str(path)
        first += spec[split]
    return TreebankEntry(name, files, "conllu")
