"""Brown clusters: losses against the definition, clusters of an invented language, columns that features can name."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from crossarc.experiments.synthetic.generator import GeneratorOptions, generate, to_conllu
from crossarc.experiments.word_clusters.__main__ import main
from crossarc.experiments.word_clusters.brown import Window, brown_clusters
from crossarc.experiments.word_clusters.columns import with_clusters
from crossarc.parser.config.loading import load_config
from crossarc.parser.errors import CrossarcError
from crossarc.parser.models.files import load_model, save_model
from crossarc.parser.training.train import train
from crossarc.parser.treebank import Sentence, read_treebank
from hypothesis import given, settings
from hypothesis import strategies as st

TEXTS = st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=9), min_size=1, max_size=12)


def information(pairs: np.ndarray, left: np.ndarray, right: np.ndarray) -> float:
    """The mutual information of adjacent clusters (Brown et al. 1992, section 3)."""
    return sum(
        pairs[i, j] * np.log(pairs[i, j] / (left[i] * right[j])) for i, j in zip(*np.nonzero(pairs), strict=True)
    )


def loss(window: Window, first: int, second: int) -> float:
    pairs, left, right = window.pairs.copy(), window.left.copy(), window.right.copy()
    before = information(pairs, left, right)
    pairs[first] += pairs[second]
    pairs[:, first] += pairs[:, second]
    left[first] += left[second]
    right[first] += right[second]
    kept = np.arange(len(left)) != second
    return before - information(pairs[np.ix_(kept, kept)], left[kept], right[kept])


@settings(max_examples=20)
@given(TEXTS, st.integers(2, 5))
def test_losses_are_those_of_the_definition_at_every_step(texts: list[list[str]], clusters: int) -> None:
    checked = []

    class Checked(Window):
        def losses(self) -> np.ndarray:
            found = super().losses()
            places = [(i, j) for i in np.flatnonzero(self.used) for j in np.flatnonzero(self.used) if i < j]
            assert np.isfinite(found).sum() == len(places)
            for first, second in places:
                assert found[first, second] == pytest.approx(loss(self, first, second), abs=1e-9)
            checked.append(len(places))
            return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("crossarc.experiments.word_clusters.brown.Window", Checked)
        found = brown_clusters(texts, clusters, 7)
    words = {word for text in texts for word in text}
    assert len(found) == min(7, len(words)) <= len(words)
    assert len(set(found.values())) == min(clusters, len(found))
    assert len(checked) == max(0, len(found) - 1)


def test_paths_are_those_of_a_binary_tree() -> None:
    generator = random.Random(3)
    texts = [[generator.choice("abcdefghijkl") for _ in range(7)] for _ in range(30)]
    paths = sorted(set(brown_clusters(texts, 6, 12).values()))
    assert len(paths) == 6
    assert not any(other.startswith(path) for path in paths for other in paths if other != path)
    assert sum(2.0 ** -len(path) for path in paths) == 1


def test_words_of_a_kind_come_into_one_cluster() -> None:
    """Three kinds of words that follow each other in turn, whichever words they are."""
    generator = random.Random(5)
    kinds = [[f"{kind}{number}" for number in range(6)] for kind in "xyz"]
    texts = [[generator.choice(kinds[place % 3]) for place in range(9)] for _ in range(300)]
    together = defaultdict(set)
    for word, path in brown_clusters(texts, 3, 100).items():
        together[path].add(word)
    assert sorted(map(sorted, together.values())) == kinds


def test_a_text_of_one_word_and_one_without_words() -> None:
    assert brown_clusters([["a", "a"]], 4, 10) == {"a": ""}
    assert brown_clusters([], 4, 10) == {}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clusters")
    for name, first, count in (("train", 1, 120), ("test", 121, 30)):
        text = "".join(map(to_conllu, generate(GeneratorOptions(sentences=count, first=first, rate=0.2))))
        (path / f"{name}.conllu").write_text(text, "utf-8")
    files = [str(path / "train.conllu"), str(path / "test.conllu")]
    options = ["--text", files[0], "--clusters", "12", "--words", "60", "--out", str(path / "out")]
    assert main([*files, *options]) == 0
    return path


def test_features_look_at_the_columns(folder: Path, tmp_path: Path) -> None:
    templates = ["cluster(Stack[0])", "merge(cluster4(Stack[1]), cluster6(Stack[0]))", "cluster(Lookahead[0])"]
    (tmp_path / "f.yaml").write_text("templates:\n" + "".join(f"  - {own}\n" for own in templates))
    overrides = {"treebank.train": str(folder / "out" / "train.conllup")}
    config = load_config("arc-standard", [f"features={tmp_path / 'f.yaml'}"], overrides)
    save_model(train(config), str(tmp_path / "m"))
    model = load_model(str(tmp_path / "m"))
    assert model.looked_at == {"cluster", "cluster4", "cluster6"}
    gold = read_treebank(str(folder / "out" / "test.conllup")).sentences
    parsed = list(model.parse(gold))
    blank = [own.columns[:-3] + (("_",) * len(own),) * 3 for own in gold]
    without = [replace(own, columns=columns) for own, columns in zip(gold, blank, strict=True)]
    assert [own.heads() for own in model.parse(without)] != [own.heads() for own in parsed]
    with pytest.raises(CrossarcError, match="no column 'cluster'"):
        list(model.parse(read_treebank(str(folder / "test.conllu")).sentences))


def test_nothing_else_of_a_treebank_changes(folder: Path) -> None:
    before = read_treebank(str(folder / "train.conllu")).sentences
    after = read_treebank(str(folder / "out" / "train.conllup")).sentences
    width = len(before[0].columns)
    assert [own.columns[:width] for own in after] == [own.columns for own in before]
    assert after[0].format.names == (*before[0].format.names, "cluster", "cluster4", "cluster6")
    for sentence in after:
        for path, four, six in zip(*sentence.columns[width:], strict=True):
            assert (four, six) == (path[:4], path[:6])


def test_multiword_tokens_get_the_columns_too() -> None:
    sentence = Sentence.from_tokens(["im", "Haus"], heads=[2, 0])
    sentence = Sentence(sentence.format, sentence.columns, ("# a",), ((0, "1-2\timHaus" + "\t_" * 8),))
    first, second = with_clusters([sentence, sentence], {"im": "01"}, [1])
    assert first.comments[1:] == second.comments == ("# a",)
    assert first.column("cluster1") == ("0", "_")
    assert first.extras == ((0, "1-2\timHaus" + "\t_" * 10),)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{out}/train.conllup", "--text", "{train}"], "found a column cluster; allowed: CoNLL-U and CoNLL-X without"),
        (["{train}", "{train}", "--text", "{train}"], "treebanks: found two that are called alike"),
        (["{train}", "--text", "{out}/none.txt"], "none.txt: cannot read the text"),
    ],
)
def test_mistakes_take_one_line(
    folder: Path, tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [own.format(train=folder / "train.conllu", out=folder / "out") for own in arguments]
    assert main([*given, "--out", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
