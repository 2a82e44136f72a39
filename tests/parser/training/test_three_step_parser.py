"""Three-step parsers: training, anchors, model files, and diagnosis of the passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from crossarc.parser.analysis.pass_diagnosis import first_step, refused_cycles
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.config.config import AnchorOptions, Config, PassOptions, TreebankOptions
from crossarc.parser.models.files import load_model, save_model
from crossarc.parser.models.transition_model import TransitionModel
from crossarc.parser.search.stage import Stage
from crossarc.parser.training.passes import projective_target
from crossarc.parser.training.train import train
from crossarc.parser.treebank import Sentence, read_treebank
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import is_projective, is_tree
from refusals import refusal

PLAIN = PassOptions("plain")
SHOWN = [("he", 3, "subj"), ("it", 4, "obj"), ("has", 0, "root"), ("seen", 3, "aux")]
"""The arcs from "seen" to "it" and from "has" to "he" cross."""


def conllx(sentences: Sequence[Sequence[tuple[object, ...]]]) -> str:
    """CoNLL-X text of words with form, head, deprel, and optionally phead and pdeprel."""
    text = ""
    for sentence in sentences:
        for word, (form, head, deprel, *anchor) in enumerate(sentence, 1):
            phead, pdeprel = anchor or ("_", "_")
            text += f"{word}\t{form}\t{form}\t{form}\t{form}\t_\t{head}\t{deprel}\t{phead}\t{pdeprel}\n"
        text += "\n"
    return text


def chosen(folder: Path, text: str, **options: object) -> Config:
    path = folder / "t.conll"
    path.write_text(text, "utf-8")
    treebank = TreebankOptions(train=str(path), format="conllx")
    base = Config(system="three-step", features="small", guide={"learner": "svm", "min_count": 1}, treebank=treebank)
    return replace(base, **options)  # type: ignore[arg-type]


def parsed(model: TransitionModel, config: Config) -> list[tuple[list[int], list[str]]]:
    sentences = read_treebank(config.treebank.train, "conllx").sentences
    return [(own.heads(), own.deprels()) for own in model.parse(sentences)]


@pytest.fixture(scope="module")
def model(small_treebank: Path) -> TransitionModel:
    treebank = TreebankOptions(train=str(small_treebank))
    rich = PassOptions("rich")
    return train(Config(system="three-step", features="small", left=rich, right=rich, treebank=treebank))


def test_the_passes_add_crossing_arcs_to_the_first_step(model: TransitionModel, sentences: list[Sentence]) -> None:
    first = [own.heads() for own in first_step(model, sentences)]
    final = [own.heads() for own in model.parse(sentences)]
    assert all(map(is_projective, first))
    assert all(map(is_tree, final))
    assert sum(not is_projective(heads) for heads in final) >= 15
    assert [stage.system.name for stage in model.stages] == ["arc-eager", "three-step-left", "three-step-right"]
    assert len({stage.system.single_root for stage in model.stages}) == 1
    assert [stage.label_count for stage in model.stages] == [len(model.labels)] * 3


def test_a_model_file_keeps_all_three_stages(model: TransitionModel, sentences: list[Sentence], tmp_path: Path) -> None:
    save_model(model, str(tmp_path / "m"))
    read = load_model(str(tmp_path / "m"))
    assert read.config["first"] == "arc-eager"
    assert read.config["left"]["features"] == "rich"
    trees = [[(own.heads(), own.deprels()) for own in m.parse(sentences)] for m in (model, read)]
    assert trees[0] == trees[1]


@pytest.mark.parametrize("order", [(1, 0, 2), (0, 1, 0), (2, 1)])
def test_misplaced_stages_are_refused(model: TransitionModel, tmp_path: Path, order: tuple[int, ...]) -> None:
    stages: tuple[Stage, ...] = tuple(model.stages[number] for number in order)
    save_model(replace(model, stages=stages), str(tmp_path / "m"))
    with pytest.raises(CrossarcError, match=r"damaged model: stages\[\d\]\.system: found a system for another stage"):
        load_model(str(tmp_path / "m"))


def test_refused_cycles_are_counted_for_each_pass(model: TransitionModel, sentences: list[Sentence]) -> None:
    refused = refused_cycles(model, sentences)
    assert list(refused) == ["three-step-left", "three-step-right"]
    assert all(0 <= count.wanted <= count.steps for count in refused.values())


@pytest.mark.parametrize("first", ["arc-eager", "arc-standard", "covington-projective"])
def test_any_projective_system_can_be_the_first_step(first: str, tmp_path: Path) -> None:
    config = chosen(tmp_path, conllx([SHOWN] * 4), first=first, left=PLAIN, right=PLAIN)
    model = train(config)
    assert model.stages[0].system.name == first
    assert parsed(model, config)[0] == ([-1, 3, 4, 0, 3], ["", "subj", "obj", "root", "aux"])


def test_a_projective_treebank_trains_passes_that_change_nothing(tmp_path: Path) -> None:
    config = chosen(tmp_path, conllx([[("he", 2, "subj"), ("sleeps", 0, "root")]] * 3))
    assert parsed(train(config), config)[0] == ([-1, 2, 0], ["", "subj", "root"])


def test_the_first_step_learns_given_anchors(tmp_path: Path) -> None:
    """The anchor of word 2 is word 1 with a separate label; projectivization would not give this anchor."""
    given = [(*row, 1, "anchor") if row[0] == "it" else (*row, row[1], row[2]) for row in SHOWN]
    config = chosen(tmp_path, conllx([given] * 4), anchors=AnchorOptions("phead", "pdeprel"))
    model = train(config)
    assert "anchor" in model.labels
    sentences = read_treebank(config.treebank.train, "conllx").sentences
    first = next(iter(first_step(model, sentences)))
    assert (first.heads(), first.deprels()) == ([-1, 3, 1, 0, 3], ["", "subj", "anchor", "root", "aux"])
    assert parsed(model, config)[0] == ([-1, 3, 4, 0, 3], ["", "subj", "obj", "root", "aux"])


def test_artificial_anchors_keep_their_labels() -> None:
    tree = Tree([-1, 3, 4, 0, 3], ["", "subj", "obj", "root", "aux"], {})
    assert projective_target(tree, "here", None) == Tree([-1, 3, 3, 0, 3], tree.deprels, {})


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        (["3", "x", "0", "3"], "s1: word 2: anchor head 'x' in column phead; allowed: 0 to 4"),
        (["3", "5", "0", "3"], "s1: word 2: anchor head '5' in column phead; allowed: 0 to 4"),
        (["2", "1", "0", "3"], "s1: column phead: cycle of words 1 2"),
    ],
)
def test_anchor_columns_without_a_tree_are_refused(heads: list[str], message: str) -> None:
    tree = Tree([-1, 3, 4, 0, 3], ["", "a", "b", "c", "d"], {"phead": heads, "pdeprel": ["a"] * 4})
    assert refusal(lambda: projective_target(tree, "s1", ("phead", "pdeprel"))) == message
