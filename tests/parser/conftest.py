"""A small generated treebank, and parsers trained on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from crossarc.experiments.synthetic import GeneratorOptions, generate, to_conllu
from crossarc.parser.config import Config, TreebankOptions
from crossarc.parser.model import ParserModel
from crossarc.parser.train import train


@pytest.fixture(scope="session")
def small_treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 sentences of 500 words, half of them not projective."""
    path = tmp_path_factory.mktemp("treebank") / "small.conllu"
    path.write_text("".join(map(to_conllu, generate(GeneratorOptions(40, rate=0.5)))), "utf-8")
    return path


@pytest.fixture(scope="session")
def trained(small_treebank: Path) -> Callable[[str], ParserModel]:
    """The parser of a system with the small feature model, trained once."""

    @cache
    def model(system: str) -> ParserModel:
        return train(Config(system=system, features="small", treebank=TreebankOptions(train=str(small_treebank))))

    return model
