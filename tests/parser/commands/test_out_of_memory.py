"""Training without enough memory names what takes less."""

import pytest
from command_line import conllu, run
from crossarc.parser.commands import train
from installed import needs


@pytest.mark.parametrize(
    ("config", "settings", "remedy"),
    [
        ("most-accurate", [], "the level accurate"),
        ("accurate", [], "the level fast"),
        ("fast", [], "a higher guide.min_count, or fewer sentences"),
        ("swap", [], "features=small"),
        ("swap", ["features=small"], "a higher guide.min_count, or fewer sentences"),
        ("arc-standard", ["features=small", "guide={learner: knn}"], "fewer sentences"),
        ("graph", [], "fewer sentences"),
    ],
)
@needs("blending", "graph", "levels")
def test_the_remedy_fits_the_config(config, settings, remedy, tmp_path, monkeypatch, capsys):
    (tmp_path / "train.conllu").write_text(conllu(1, 40))

    def too_large(*arguments):
        raise MemoryError

    monkeypatch.setattr(train, "train_any", too_large)
    more = [word for setting in settings for word in ("--set", setting)]
    names = ["--train", tmp_path / "train.conllu", "--model", tmp_path / "my.model"]
    assert run("-q", "train", config, *names, *more) == 1
    assert capsys.readouterr().err == f"crossarc: out of memory; try {remedy}\n"
