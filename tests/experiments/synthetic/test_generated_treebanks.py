"""Generated treebanks: coordinations in the style of Alpino, specifications, and learning curves of chapter 5."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from crossarc.experiments.harness.generated import generated_entries
from crossarc.experiments.harness.parsing import Part
from crossarc.experiments.synthetic.coordination import alpino_coordination
from crossarc.experiments.synthetic.generator import GeneratorOptions, generate
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.transforms import parse_transform
from crossarc.parser.treebank import conll_text
from crossarc.parser.treebank.check import check
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import is_tree, nonprojective_arcs, roots
from hypothesis import given, settings, strategies as st
from reports import refused_experiment, run_experiment


def experiment(folder: Path, chapter: str, text: str) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Run a chapter with settings. Return its scores, and the rows of its report by their first two cells."""
    scores, report, _ = run_experiment(f"nilsson-2009-{chapter}", folder, settings=text)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in report.splitlines() if line.startswith("|")]
    return scores, {" ".join(row[:2]): row[2:] for row in rows}


def arcs(tree: str) -> tuple[list[int], list[str]]:
    """(heads, deprels) of a tree written as ``2:det 0:root``."""
    pairs = [arc.split(":") for arc in tree.split()]
    return [-1, *(int(head) for head, _ in pairs)], ["", *(label for _, label in pairs)]


@pytest.mark.parametrize(
    ("ud", "alpino"),
    [
        # cats and dogs sleep
        ("4:nsubj 3:cc 1:conj 0:root", "2:cnj 4:nsubj 2:cnj 0:root"),
        # sleep and eat , that: the comma and "that" depend on the first verb in UD, on the second in Alpino
        ("0:root 3:cc 1:conj 5:punct 1:obj", "2:cnj 0:root 2:cnj 5:punct 3:obj"),
        # A and B or C: the first coordination is a conjunct of the second
        ("0:root 3:cc 1:conj 5:cc 1:conj", "2:cnj 4:cnj 2:cnj 0:root 4:cnj"),
        # A and [B or C]
        ("0:root 3:cc 1:conj 5:cc 3:conj", "2:cnj 0:root 4:cnj 2:cnj 4:cnj"),
        # A , B and C: the comma depends on the word to its left
        ("6:nsubj 3:punct 1:conj 5:cc 1:conj 0:root", "4:cnj 1:punct 4:cnj 6:nsubj 4:cnj 0:root"),
        # A and B , C: no conjunction follows, so C keeps the label conj; its head is the last conjunct before it
        ("0:root 3:cc 1:conj 5:punct 1:conj", "2:cnj 0:root 2:cnj 5:punct 3:conj"),
        # A , B: no conjunction
        ("0:root 3:punct 1:conj", "0:root 3:punct 1:conj"),
        # A and [B or C] . : the full stop depends on C
        ("0:root 3:cc 1:conj 5:cc 3:conj 1:punct", "2:cnj 0:root 4:cnj 2:cnj 4:cnj 5:punct"),
        # A and B [C and D]: the second coordination depends on A in UD, on B in Alpino
        ("0:root 3:cc 1:conj 1:obj 6:cc 4:conj", "2:cnj 0:root 2:cnj 5:cnj 3:obj 5:cnj"),
    ],
)
def test_conversion_of_coordinations_to_alpino_style(ud: str, alpino: str) -> None:
    assert alpino_coordination(*arcs(ud)) == arcs(alpino)


options = st.builds(
    GeneratorOptions,
    sentences=st.just(12),
    seed=st.integers(0, 2**40),
    rate=st.floats(0, 1),
    coordination=st.just("ud"),
)


@settings(max_examples=10)
@given(options)
def test_alpino_style_changes_only_coordinations(chosen: GeneratorOptions) -> None:
    """The numbers of crossing arcs and of other labels do not change. Only conjuncts depend on conjunctions."""
    for sentence in generate(chosen):
        heads, deprels = alpino_coordination(sentence.heads(), sentence.deprels())
        assert is_tree(heads)
        assert len(roots(heads)) == 1
        assert sum(nonprojective_arcs(heads)) == sum(nonprojective_arcs(sentence.heads()))
        conjunctions = {head for head, label in zip(heads, deprels, strict=True) if label == "cnj"}
        assert conjunctions == {word for word, label in enumerate(sentence.deprels()) if label == "cc"}
        for word, head in enumerate(heads[1:], 1):
            assert (deprels[word] == "cnj") == (head in conjunctions)
        for label in {*sentence.deprels()} - {"cc", "conj"}:
            lost = [k for k, own in enumerate(sentence.deprels()) if own == label and deprels[k] != label]
            assert all(deprels[k] == "cnj" for k in lost)
            assert deprels.count(label) == sentence.deprels().count(label)


@pytest.mark.parametrize("style", ["collins", "melcuk"])
def test_transforms_of_alpino_style_are_invertible(style: str) -> None:
    transform = parse_transform(f"coordination:profile=alpino,style={style}")
    wanted = [
        Tree(own.heads(), own.deprels(), {})
        for own in generate(GeneratorOptions(sentences=200, rate=0.36, coordination="alpino"))
    ]
    applied = [transform.apply(tree) for tree in wanted]
    assert sum(tree != own for tree, own in zip(wanted, applied, strict=True)) > 25
    assert [transform.invert(tree) for tree in applied] == wanted


def test_generator_has_an_option_for_the_style_of_coordination() -> None:
    ud, alpino = (generate(GeneratorOptions(sentences=30, seed=2, coordination=style)) for style in ("ud", "alpino"))
    pairs = list(zip(ud, alpino, strict=True))
    assert all(alpino_coordination(own.heads(), own.deprels())[0] == other.heads() for own, other in pairs)
    assert any(own.heads() != other.heads() for own, other in pairs)
    assert all(own.column("form") == other.column("form") for own, other in pairs)
    assert check(io.BytesIO("".join(conll_text(other) for _, other in pairs).encode())).ok
    with pytest.raises(CrossarcError, match=r"^coordination: found 'alpin' \(did you mean 'alpino'\?\)"):
        GeneratorOptions(sentences=1, coordination="alpin")


def forms(part: Part) -> list[tuple[str, ...]]:
    return [sentence.column("form") for sentence in part.sentences()]


def test_splits_have_consecutive_sentences(tmp_path: Path) -> None:
    sizes = {"test": 3, "train": 5, "dev": 4}
    (entry,) = generated_entries({"made up": {**sizes, "rate": 0.4, "seed": 3}}, tmp_path)
    assert {split: Path(path).name for split, path in entry.files.items()} == {
        split: f"made,up.{split}.conllu" for split in ("train", "dev", "test")
    }
    made = [own.column("form") for own in generate(GeneratorOptions(sentences=12, rate=0.4, seed=3))]
    assert [own for split in ("train", "dev", "test") for own in forms(entry.part(split))] == made


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"train": 3, "ratio": 0.4}, "generated treebank own: unknown key 'ratio' (did you mean 'rate'?)"),
        ({"train": 3, "sentences": 4}, "generated treebank own: unknown key 'sentences'"),
        ({"train": 3, "rate": 4}, "rate: found 4; allowed: a probability from 0 to 1"),
    ],
)
def test_invalid_specifications_of_generated_treebanks_are_refused(
    tmp_path: Path, spec: dict[str, object], message: str
) -> None:
    with pytest.raises(CrossarcError) as caught:
        generated_entries({"own": spec}, tmp_path)
    assert str(caught.value).startswith(message)


def test_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "treebanks").write_text("")
    with pytest.raises(CrossarcError, match="treebanks: cannot be written: "):
        generated_entries({"own": {"train": 1}}, tmp_path)


def test_parts_can_consist_of_several_folds(tmp_path: Path) -> None:
    (entry,) = generated_entries({"own": {"train": 23}}, tmp_path)
    whole = entry.part("train")
    every = forms(whole)

    def folds(numbers: Sequence[int], outside: bool = False) -> list[tuple[str, ...]]:
        return forms(Part(whole.path, folds=10, fold=tuple(numbers), outside=outside))

    assert folds([0, 9]) == [every[number - 1] for number in (9, 10, 19, 20)]
    assert folds([3]) == forms(Part(whole.path, folds=10, fold=3))
    assert folds([1, 2, 3, 4, 5, 6, 7, 8]) == folds([0, 9], outside=True)


CURVES = """
treebanks: {}
generated: {made: {train: 60, dev: 20, test: 20, rate: 0.5}}
curve_sets: 10
curve: [10, 80]
curve_treebanks: [made]
parsers:
  none: {config: arc-eager, features: small, underivable: best-effort}
  head: {config: arc-eager, features: small, transforms: ["pseudo-projective:encoding=head"]}
"""


def test_learning_curves_train_on_sets_1_to_8_and_test_on_0_and_9(tmp_path: Path) -> None:
    result, rows = experiment(tmp_path, "ch5", CURVES)
    own = result["made"]
    assert all(list(points) == ["10", "80"] for points in own["curve"].values())
    before, after = own["curve"]["none"], own["curve"]["head"]
    wanted = [100 * (after[share] - before[share]) / (100 - before[share]) for share in ("10", "80")]
    assert list(own["error_reduction"]["head"].values()) == pytest.approx(wanted)
    assert rows["made head"] == [f"{value:.2f}" for value in wanted]
    keys = [
        json.loads(path.read_text("utf-8"))["key"]["arguments"]
        for path in (tmp_path / "out" / "cells").glob("made-head-[18]0-sets-*")
    ]
    trained, tested = zip(*((train["folds"], *tests.values()) for _, train, tests in keys), strict=True)
    assert sorted(trained) == [[10, [1], False], [10, [1, 2, 3, 4, 5, 6, 7, 8], False]]
    assert [test["folds"] for test in tested] == [[10, [0, 9], False]] * 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("curve_sets: 10", "curve_sets: 5", "curve_sets: found 5; allowed: 0 or 10"),
        ("[10, 80]", "[10, 90]", "curve: found 90; allowed with 10 sets: multiples of 10 up to 80"),
        ("[10, 80]", "[15]", "curve: found 15; allowed with 10 sets: multiples of 10 up to 80"),
    ],
)
def test_invalid_sets_and_shares_of_curves_are_refused(
    tmp_path: Path, old: str, new: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CURVES.replace(old, new)
    assert message in refused_experiment(capsys, "nilsson-2009-ch5", tmp_path, settings=text)
