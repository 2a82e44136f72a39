"""Old models: models of each format version still load and give the same trees."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from crossarc.parser.models.files import FORMAT_VERSION, load_model
from crossarc.parser.treebank import read_sentences

SHELF = Path(__file__).parents[2] / "data" / "models"
MODELS = sorted(SHELF.glob("version-*/*.model"))


def trees(path: Path) -> str:
    """The model's trees of the sentences in its folder: one line per sentence, HEAD:DEPREL per word."""
    parsed = load_model(path).parse(read_sentences(str(path.parent / "sentences.conllu")))
    rows = (zip(own.heads()[1:], own.deprels()[1:], strict=True) for own in parsed)
    return "".join(" ".join(f"{head}:{deprel}" for head, deprel in row) + "\n" for row in rows)


@pytest.mark.parametrize("path", MODELS, ids=[f"{path.parent.name} {path.stem}" for path in MODELS])
@pytest.mark.parametrize("kernel", ["numpy", "numba"])
def test_old_models_give_the_same_trees(path: Path, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSARC_KERNEL", kernel)
    assert trees(path) == path.with_suffix(".trees").read_text("utf-8")
    assert load_model(path).to_text()


def test_every_format_version_has_models() -> None:
    versions = {path.parent.name for path in MODELS}
    assert versions == {f"version-{number}" for number in range(1, FORMAT_VERSION + 1)}


if __name__ == "__main__":
    for name in sys.argv[1:]:  # new models, whose trees are recorded
        Path(name).with_suffix(".trees").write_text(trees(Path(name)), "utf-8")
