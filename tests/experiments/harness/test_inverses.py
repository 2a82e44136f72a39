"""Parsers that differ in the search for heads alone are trained once and parse as each would by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from crossarc.experiments.harness.parsing import Part, parses, parses_alike, trained_alike
from crossarc.parser.config.config import Config


def parser(**values: object) -> Config:
    return Config(features="small", **values)


PARSERS = {
    "P0": parser(),
    "P1": parser(transforms=("pseudo-projective:encoding=head,search=papers",)),
    "capped": parser(transforms=("pseudo-projective:encoding=head,search=papers,label_cap=1",)),
    "P1v": parser(transforms=("pseudo-projective:encoding=head,search=verified",)),
    "path": parser(transforms=("pseudo-projective:encoding=path",)),
    "capped v": parser(transforms=("pseudo-projective:encoding=head,label_cap=1",)),
}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Part, Part]:
    """Random trees with two deprels, parsed by who was trained on them: the searches disagree about many words."""
    dice = np.random.default_rng(1)
    lines = []
    for sentence in range(40):
        order = dice.permutation(np.arange(1, 9))
        head = {int(word): int(dice.choice(order[:k])) if k else 0 for k, word in enumerate(order)}
        for word in range(1, 9):
            deprel = "root" if not head[word] else ("a", "b")[int(dice.integers(2))]
            lines.append(f"{word}\tw{sentence}.{word}\t_\tX\tX\t_\t{head[word]}\t{deprel}\t_\t_\n")
        lines.append("\n")
    path = tmp_path_factory.mktemp("treebank") / "train.conll"
    path.write_text("".join(lines), "utf-8")
    return Part(str(path)), Part(str(path))


def test_groups() -> None:
    assert [list(group) for group in trained_alike(PARSERS)] == [
        ["P0"],
        ["P1", "P1v"],
        ["capped", "capped v"],
        ["path"],
    ]


def test_one_training_gives_what_two_would(parts: tuple[Part, Part]) -> None:
    group = {name: PARSERS[name] for name in ("capped", "capped v")}
    together: Any = parses_alike(group, *parts)
    for name, config in group.items():
        alone: Any = parses(config, parts[0], {name: parts[1]})
        assert alone["parts"][name] == together["parts"][name]
        assert {key: alone["cost"][key] for key in ("train_words", "labels")} == {
            key: together["cost"][key] for key in ("train_words", "labels")
        }
        assert alone["cost"]["words"][name] == together["cost"]["words"][name]
    trees = [own["heads"] for own in together["parts"].values()]
    assert trees[0] != trees[1]
