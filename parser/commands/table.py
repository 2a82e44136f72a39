"""The commands by name, in the order in which the help lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..base.plugins import declared
from ..console.help import EVERYDAY, RESEARCH, Command

GROUPS: Mapping[str, Mapping[str, tuple[str, str, str]]] = {
    EVERYDAY: {
        "train": ("train", "Train a parser or a blend of parsers.", "swap --train train.conllu --model my.model"),
        "parse": ("models", "Parse CoNLL files, words or text with a model.", "my.model test.conllu -o parsed.conllu"),
        "evaluate": ("evaluate", "Score parsed files, and test their differences.", "test.conllu parsed.conllu"),
        "check": ("treebanks", "Describe a treebank, its crossing arcs and its errors.", "train.conllu"),
        "info": ("models", "Describe a model: system, features, labels, training data, scores.", "my.model"),
        "list": ("listing", "List configs, systems, learners, transforms, features or config keys.", "learners svm"),
    },
    RESEARCH: {
        "transform": (
            "treebanks",
            "Transform the trees of a treebank, undo a transform, or measure its loss.",
            "pseudo-projective:encoding=head train.conllu -o lifted.conllu",
        ),
        "compile": ("compile", "Compile the inner loops now instead of at the first use.", ""),
    },
}
"""By group and command: its module, summary and example."""


class Commands(Mapping[str, Command]):
    """The commands of the core, and those of plugins, among them such as ``--plugin`` adds."""

    def _all(self) -> dict[str, Command]:
        core = {
            name: Command(f"{__package__}.{module}", summary, group, example)
            for group, rows in GROUPS.items()
            for name, (module, summary, example) in rows.items()
        }
        return {**core, **declared("COMMANDS"), **core}

    def __getitem__(self, name: str) -> Command:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


COMMANDS = Commands()
