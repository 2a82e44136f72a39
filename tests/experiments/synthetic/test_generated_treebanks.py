"""Generated treebanks of experiments, and parts of several folds."""

from pathlib import Path

import pytest
from crossarc.experiments.harness.parsing import TreebankPart
from crossarc.experiments.harness.settings import generated_entries
from crossarc.experiments.synthetic.generator import GeneratorOptions, generate
from refusals import refusal


def forms(part):
    return [sentence.column("form") for sentence in part.sentences()]


def test_splits_have_consecutive_sentences(tmp_path):
    sizes = {"test": 3, "train": 5, "dev": 4}
    (entry,) = generated_entries({"made up": {**sizes, "rate": 0.4, "seed": 3}}, tmp_path)
    assert {split: Path(path).name for split, path in entry.files.items()} == {
        split: f"made,up.{split}.conllu" for split in ("train", "dev", "test")
    }
    made = [sentence.column("form") for sentence in generate(GeneratorOptions(sentences=12, rate=0.4, seed=3))]
    assert [own for split in ("train", "dev", "test") for own in forms(entry.part(split))] == made


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"train": 3, "ratio": 0.4}, "generated treebank own: unknown key 'ratio' (did you mean 'rate'?)"),
        ({"train": 3, "sentences": 4}, "generated treebank own: unknown key 'sentences'"),
        ({"train": 3, "rate": 4}, "rate: found 4; allowed: a probability from 0 to 1"),
    ],
)
def test_invalid_specifications_of_generated_treebanks_are_refused(tmp_path, spec, message):
    assert refusal(lambda: generated_entries({"own": spec}, tmp_path)).startswith(message)


def test_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "treebanks").write_text("")
    assert "treebanks: cannot be written: " in refusal(lambda: generated_entries({"own": {"train": 1}}, tmp_path))


def test_parts_can_consist_of_several_folds(tmp_path):
    (entry,) = generated_entries({"own": {"train": 23}}, tmp_path)
    whole = entry.part("train")
    every = forms(whole)

    def folds(numbers, outside=False):
        return forms(TreebankPart(whole.path, folds=10, fold=tuple(numbers), outside=outside))

    assert folds([0, 9]) == [every[number - 1] for number in (9, 10, 19, 20)]
    assert folds([3]) == forms(TreebankPart(whole.path, folds=10, fold=3))
    assert folds([1, 2, 3, 4, 5, 6, 7, 8]) == folds([0, 9], outside=True)
