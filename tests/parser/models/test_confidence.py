"""Confidences of ``parse --scores``: their values, and the output apart from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from crossarc.__main__ import main
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.config.config import Config, TreebankOptions
from crossarc.parser.models.files import save_model
from crossarc.parser.models.transition_model import ConfidenceRecorder, TransitionModel
from crossarc.parser.models.words import SentenceWords
from crossarc.parser.search.greedy import derive
from crossarc.parser.training.train import train
from crossarc.parser.treebank import Sentence, read_treebank
from crossarc.transitions.configuration import Bools, Configuration
from crossarc.transitions.registry import SYSTEMS
from crossarc.transitions.step import Decision

Trained = Callable[[str], TransitionModel]


def confidences(misc: tuple[str, ...]) -> list[float]:
    return [float(entry.rpartition("Confidence=")[2]) for entry in misc]


@pytest.mark.parametrize("system", SYSTEMS)
def test_confidences_do_not_change_the_trees(system: str, trained: Trained, sentences: list[Sentence]) -> None:
    plain = list(trained(system).parse(sentences))
    scored = list(trained(system).parse(sentences, confidences=True))
    for one, other in zip(plain, scored, strict=True):
        assert (one.heads(), one.deprels(), one.comments) == (other.heads(), other.deprels(), other.comments)
        assert all(0 <= value <= 1 for value in confidences(other.column("misc")))
    assert np.mean([value for own in scored for value in confidences(own.column("misc"))]) > 0.3


def test_arcs_have_the_confidence_of_their_transition(trained: Trained, sentences: list[Sentence]) -> None:
    """Confidences are recomputed step by step; in arc-standard, each transition determines the word of its arc."""
    model = trained("arc-standard")
    (stage,) = model.stages
    sentence = max(sentences, key=len)
    [batch] = model.batches(SentenceWords([sentence]))
    expected = np.zeros(len(sentence) + 1)

    class Guide:
        def decide(self, c: Configuration, legal: Bools) -> Decision:
            scores = stage.learner.scores(stage.extractor.keys(c, batch.ids))[0]
            permissible = legal[0, stage.inventory[:, 0]]
            best = int(np.argmax(np.where(permissible, scores, -np.inf)))
            move, label = stage.inventory[best]
            powers = np.exp(4 * scores[permissible].astype(float))
            if stage.system.moves[move].labelled:
                word = c.stack(1) if stage.system.moves[move].name == "LEFT-ARC" else c.stack(0)
                expected[word[0]] = np.exp(4 * float(scores[best])) / powers.sum()
            return Decision(np.array([move]), np.array([label]))

    derive(stage.system, Guide(), stage.system.initial(np.array([len(sentence)])), stage.fallback)
    (parsed,) = model.parse([sentence], confidences=True)
    assert confidences(parsed.column("misc")) == pytest.approx(expected[1:].tolist(), abs=0.0051)
    assert len({round(value, 2) for value in expected[1:]}) > 1


def test_arcs_of_default_transitions_have_no_confidence(trained: Trained, small_treebank: Path) -> None:
    (stage,) = trained("arc-standard").stages
    others = np.flatnonzero(stage.inventory[:, 0] != 0)
    kept = np.zeros((1, 5))

    class Silent:
        n_classes = len(stage.inventory)

        def scores(self, keys: np.ndarray) -> np.ndarray:
            scores = np.zeros((len(keys), self.n_classes), np.float32)
            scores[:, others] = -np.inf
            return scores

        def confidences(self, scores: np.ndarray) -> np.ndarray:
            return np.exp(scores)

    silent = replace(stage, learner=Silent())  # type: ignore[arg-type]
    ids = {
        name: np.zeros((1, 5, *([size.most] if size.most else [])), int)
        for name, size in stage.extractor.columns.items()
    }
    recorder = ConfidenceRecorder(stage.system, silent.learner.confidences, kept)
    silent.derive(stage.system.initial(np.array([3])), ids, recorder)
    assert kept.tolist() == [[0.0] * 5]


def test_misc_is_kept_and_old_confidences_are_replaced(trained: Trained, sentences: list[Sentence]) -> None:
    sentence = sentences[0]
    misc = ["_"] * len(sentence)
    misc[0] = "SpaceAfter=No|Confidence=0.5|Gloss=x"
    (parsed,) = trained("arc-standard").parse([sentence.with_columns({"misc": tuple(misc)})], confidences=True)
    first, *others = parsed.column("misc")
    assert first.startswith("SpaceAfter=No|Gloss=x|Confidence=")
    assert first.count("Confidence") == 1
    assert all(entry.startswith("Confidence=") for entry in others)


def test_confidences_follow_their_words_through_reversal(small_treebank: Path, sentences: list[Sentence]) -> None:
    model = train(
        Config(features="small", transforms=("reversal",), treebank=TreebankOptions(train=str(small_treebank)))
    )
    scored = list(model.parse(sentences, confidences=True))
    assert [own.heads() for own in scored] == [own.heads() for own in model.parse(sentences)]
    for sentence, own in zip(sentences, scored, strict=True):
        backwards = sentence.with_columns(
            {name: column[::-1] for name in sentence.format.names for column in [sentence.column(name)]}
        )
        [batch] = replace(model, transforms=()).batches(SentenceWords([backwards]))
        kept = np.zeros((1, len(sentence) + 2))
        (stage,) = model.stages
        recorder = ConfidenceRecorder(stage.system, stage.learner.confidences, kept)
        model.derive(batch, [recorder])
        assert confidences(own.column("misc")) == pytest.approx(kept[0, -2:0:-1].tolist(), abs=0.0051)


def test_formats_without_misc_are_refused(
    trained: Trained, small_treebank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = small_treebank.read_text("utf-8")
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    (tmp_path / "x.conll").write_text("\n".join(rows) + "\n\n", "utf-8")
    save_model(trained("arc-standard"), str(tmp_path / "model"))
    arguments = [str(tmp_path / "model"), str(tmp_path / "x.conll"), "--format", "conllx", "--scores"]
    assert main(["parse", *arguments]) == 1
    assert "CoNLL-X has no column MISC for confidences; use CoNLL-U with all columns" in capsys.readouterr().err
    with pytest.raises(CrossarcError):
        list(trained("arc-standard").parse(read_treebank(tmp_path / "x.conll", "conllx").sentences, confidences=True))
