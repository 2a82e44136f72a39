"""parse --explain: transitions, labels, features and neighbours."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from crossarc.__main__ import main
from crossarc.parser.analysis.explanation import explain
from crossarc.parser.config.config import Config, TreebankOptions
from crossarc.parser.models.files import save_model
from crossarc.parser.models.transition_model import TransitionModel
from crossarc.parser.training.train import train
from crossarc.parser.treebank import Sentence, read_treebank, write_sentences
from crossarc.transitions.registry import SYSTEMS

Trained = Callable[[str], TransitionModel]
TAKEN = re.compile(
    r"  ([A-Z0-9-]+)(?:\((.+?)\))?, score (\S+), confidence (\d\.\d\d)(?:; runner-up (\S+), (\S+) below)?"
)


def lines(model: TransitionModel, path: Path, number: int = 0) -> list[str]:
    return list(explain(model, read_treebank(path).sentences[number]))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_transition_is_explained(
    system: str, trained: Trained, small_treebank: Path, sentences: list[Sentence]
) -> None:
    sentence = sentences[0]
    found = lines(trained(system), small_treebank)
    assert found[0] == f"# {sentence.id}"
    steps = [line for line in found if line.startswith("stack [")]
    taken = [match for line in found if (match := TAKEN.match(line))]
    defaults = [line for line in found if ", the default: " in line]
    assert len(steps) == len(taken) + len(defaults) >= len(sentence)
    assert steps[0].startswith("stack [0 ROOT] | buffer [1 ")
    assert all(float(match[6]) >= 0 for match in taken if match[6])
    assert all(0 <= float(match[4]) <= 1 for match in taken)


def test_labels_are_those_of_the_parsed_tree(trained: Trained, small_treebank: Path, sentences: list[Sentence]) -> None:
    model = trained("arc-standard")
    (parsed,) = model.parse(sentences[:1])
    labels = [match[2] for line in lines(model, small_treebank) if (match := TAKEN.match(line)) and match[2]]
    assert sorted(labels) == sorted(parsed.deprels()[1:])


def test_features_have_the_values_of_the_words(
    trained: Trained, small_treebank: Path, sentences: list[Sentence]
) -> None:
    found = lines(trained("arc-standard"), small_treebank)
    sentence = sentences[0]
    features = [line.strip().split("  ", 1) for line in found if re.match(r"    [+-]\d", line)]
    assert len(features) > len(sentence)
    tags = {*sentence.column("upos"), "-", "ROOT"}
    named = [part for _, text in features for part in text.split(" & ") if part.startswith("upos(")]
    assert named
    assert {part.split(" = ")[1] for part in named} <= tags


def test_top_of_the_stack_is_next_to_the_buffer(trained: Trained, small_treebank: Path) -> None:
    """SHIFT moves the first node of the buffer to the top of the stack; the far ends of long lists are omitted."""
    found = lines(trained("arc-standard"), small_treebank)
    shifts = [k for k, line in enumerate(found) if line.startswith("  SHIFT")]
    for k in shifts:
        after = next(line for line in found[k:] if line.startswith("stack ["))
        (first,) = re.findall(r"\| buffer \[(\d+ [^],]+)", found[k - 1])
        assert re.match(rf"stack \[(.+, )?{re.escape(first)}\] \| buffer \[", after)
    assert found[2].endswith("confidence 1.00: no other is permissible")
    assert any(line.startswith("stack [..., ") for line in found)
    assert any(line.endswith(", ...]") for line in found)


def test_neighbours_are_listed_for_memory_based_guides(small_treebank: Path) -> None:
    options = TreebankOptions(train=str(small_treebank))
    found = lines(train(Config(guide={"learner": "knn"}, treebank=options)), small_treebank)
    nearest = [line for line in found if line.startswith("    distance ")]
    assert nearest
    assert all(re.fullmatch(r"    distance \d+\.\d{3}: .+ \d+", line) for line in nearest)
    taken = next(k for k, line in enumerate(found) if (m := TAKEN.match(line)) and m[5])
    assert found[taken + 1].startswith("    distance 0.000: " + found[taken].split(",")[0].strip())


def test_explanations_are_printed_to_standard_output_only(
    trained: Trained,
    small_treebank: Path,
    sentences: list[Sentence],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    model = str(tmp_path / "model")
    save_model(trained("swap"), model)
    few = tmp_path / "few.conllu"
    write_sentences(sentences[:5], few)
    assert main(["parse", model, str(few), "--explain"]) == 0
    assert capsys.readouterr().out.count("\n# ") == 4
    assert main(["parse", model, str(small_treebank), "--explain", "-o", str(tmp_path / "out")]) == 1
    assert "--explain prints to standard output; omit -o" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    with pytest.raises(SystemExit):
        main(["parse", model, str(small_treebank), "--explain", "--scores"])
