"""Races, greedy search over templates, and the options that tuning compares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from crossarc.features.template import parse_template
from crossarc.parser.config.config import Config, ExploreOptions, TrainingOptions
from crossarc.parser.config.feature_files import load_features
from crossarc.parser.config.loading import load_config
from crossarc.parser.config.ready import ready_features
from crossarc.parser.training.tuning.budget import Budget, work_of
from crossarc.parser.training.tuning.search import Change, Option, Search
from crossarc.parser.training.tuning.techniques import (
    candidate_of,
    explored,
    full_templates,
    graph_options,
    parameter_options,
    technique_options,
)
from crossarc.parser.training.tuning.templates import additions, pieces_of_feats, removals
from crossarc.parser.training.tuning.trial import Candidate, Outcome, Split
from crossarc.parser.training.tuning.trials import Data, Journal, Trials
from crossarc.parser.treebank import Sentence
from crossarc.parser.treebank.symbols import nameable_columns
from crossarc.transitions.registry import SYSTEMS, system_type

COLUMNS = nameable_columns(["form", "lemma", "upos", "xpos", "feats", "misc", "head"])
WORDS = 400
Worth = Callable[[Candidate, int], int]


def search(folder: Path, worth: Worth, start: Candidate, steps: tuple[int, ...] = (1,)) -> Search:
    """A search where a candidate gets the first ``worth(candidate, sentences)`` of 400 words right."""
    sentences = [Sentence.from_tokens(["a"], heads=[0], deprels=["root"]) for _ in range(8)]

    def run(splits: Sequence[Split], candidate: Candidate, keep: bool) -> tuple[Outcome, bytes]:
        right = np.arange(WORDS) < worth(candidate, len(splits[0].train))
        return Outcome(right, WORDS, 0.001), b""

    data = Data(sentences, sentences)
    trials = Trials(data, Journal(folder / "journal"), Budget(1e6, lambda: 0.0), folder / "models", run=run)
    return Search(trials, start, steps, lambda line: None)


def plain(*templates: str) -> Candidate:
    return Candidate(Config(), templates)


def test_the_finalist_that_is_best_on_all_sentences_wins(tmp_path: Path) -> None:
    values = {"form(Stack[0])": (100, 100), "form(Stack[1])": (190, 110), "form(Stack[2])": (180, 130)}
    values |= {"form(Stack[3])": (90, 390)}
    own = search(tmp_path, lambda candidate, n: values[candidate.templates[0]][n == 8], plain("form(Stack[0])"), (2, 1))
    options = [Option(line, plain(line)) for line in values]
    assert own.race("try", options[1:], 1.0)
    # Stack[3] is best on all sentences, but worst on half of them, so it leaves the race
    assert own.best == plain("form(Stack[2])")
    assert [row.name for row in own.rows if row.kept] == ["form(Stack[2])"]
    assert len([row for row in own.rows if row.sentences == 8]) == 2


def test_a_race_without_a_winner_changes_nothing(tmp_path: Path) -> None:
    own = search(tmp_path, lambda candidate, n: 100 + (len(candidate.templates) == 2), plain("form(Stack[0])"))
    assert not own.race("try", [Option("more", plain("form(Stack[0])", "form(Stack[1])"))], 1.0)
    assert own.best == plain("form(Stack[0])")


def test_greedy_search_finds_the_good_templates_of_groups(tmp_path: Path) -> None:
    good = {"form(Stack[3])", "lemma(Stack[2])", "upos(Lookahead[2])"}
    bad = {"xpos(Stack[1])"}

    def worth(candidate: Candidate, n: int) -> int:
        return 200 + 10 * len(good & set(candidate.templates)) - 12 * len(bad & set(candidate.templates))

    start = plain("form(Stack[0])", "xpos(Stack[1])", "xpos(Stack[0])")
    pool = [f"{column}(Stack[{place}])" for column in ("form", "lemma", "upos") for place in range(1, 5)]
    own = search(tmp_path, worth, start)
    fewer = own.greedy("backward", [Change("tags", ("xpos(Stack[1])", "xpos(Stack[0])"), False)], start, 1.0)
    assert "xpos(Stack[1])" not in fewer.templates
    changes = [Change("words", tuple(pool), True), Change("ahead", ("upos(Lookahead[2])", "form(Lookahead[2])"), True)]
    more = own.greedy("forward", changes, fewer, 1.0)
    assert good <= set(more.templates)


def test_halves_contain_all_templates_of_a_change() -> None:
    change = Change("words", tuple("abcde"), True)
    parts = change.halves()
    assert [own.templates for own in parts] == [("a", "b"), ("c", "d", "e")]
    assert parts[0].halves()[0].halves() == []
    assert change.applied(plain("a", "x")).templates == ("a", "x", "b", "c", "d", "e")
    assert Change("words", ("a",), False).applied(plain("a", "x")).templates == ("x",)


@pytest.mark.parametrize(("system", "model"), [(name, own) for name in SYSTEMS for own in ready_features()[name]])
def test_groups_cover_all_templates_and_additions_are_valid(system: str, model: str) -> None:
    lines = load_features(model, system, COLUMNS).lines()
    groups = removals(lines)
    assert sorted(line for group in groups for line in group.templates) == sorted(lines)
    assert (2 if SYSTEMS[system].chains else 3) < len(groups) < 12
    new = [line for change in additions(lines, COLUMNS) for line in change.templates]
    assert len(new) == len(set(new)) > 40
    there = {frozenset(parse_template(line, "there").parts) for line in lines}
    for line in new:
        template = parse_template(line, "new", COLUMNS, system_type(system).sources)
        assert frozenset(template.parts) not in there


def test_additions_read_only_columns_with_values() -> None:
    lines = ["form(Stack[0])", "form(Lookahead[0])", "form(Stack[1])"]
    new = [line for change in additions(lines, ["form", "upos", "colour"]) for line in change.templates]
    assert any("colour(Stack[0])" in line for line in new)
    assert not any(name in line for line in new for name in ("lemma", "xpos", "morph", "feats", "misc"))


def test_the_full_model_and_pieces_of_morphology_are_groups() -> None:
    lines = load_features("rich", "swap", COLUMNS).lines()
    pieces = ["feats/Case", "feats/Number"]
    full = full_templates("swap", [*COLUMNS, *pieces])
    assert "merge(upos(Stack[1]), upos(Stack[0]), feats(Stack[0], Case))" in full
    assert not any("Gender" in line for line in full)
    found = {change.name: change.templates for change in additions(lines, [*COLUMNS, *pieces], full)}
    assert next(iter(found)) == "the model full"
    assert not {*found["the model full"]} & {*lines}
    first = additions(lines, [*COLUMNS, *pieces])
    by_name = {change.name: change.templates for change in first}
    assert "feats(Stack[0], Case)" in by_name["pieces of morphology"]
    pair = "merge(upos(Stack[0]), feats(Stack[0], Number), upos(Stack[1]), feats(Stack[1], Number))"
    assert pair in by_name["pieces of morphology"]
    assert full_templates("three-step-left", COLUMNS) == []


@pytest.mark.parametrize(
    ("values", "pieces"),
    [
        (["Case=Nom|Number=Sing", "Case=Acc", "_"], ["feats/Case", "feats/Number"]),
        (["Case=Nom|1=a|odd name=b|a/b=c|Number[psor]=Sing"], ["feats/Case", "feats/Number[psor]"]),
        (["n-s", "v3p", "_"], ["feats/1", "feats/2", "feats/3"]),
        (["n-s", "n-p"], ["feats/3"]),
        (["n-s", "v3"], []),
        (["ab", "cd"], []),
        (["_", "_"], []),
        ([*["Case=Nom"] * 300, "Foreign=Yes"], ["feats/Case"]),
    ],
)
def test_pieces_of_feats_are_found_in_a_treebank(values: list[str], pieces: list[str]) -> None:
    sentence = Sentence.from_tokens(["w"] * len(values), feats=values)
    assert pieces_of_feats([sentence]) == pieces


def names(base: Config, percent: float) -> list[str]:
    return [own.name for own in technique_options(base, percent, COLUMNS)]


def test_techniques_depend_on_the_share_of_crossing_arcs() -> None:
    base = load_config("arc-standard")
    assert names(base, 0.05) == ["arc-eager", "arc-hybrid"]
    assert "swap" in names(base, 0.3)
    assert "covington" not in names(base, 0.3)
    assert {"covington", "arc-hybrid, pseudo-projective", "swap"} <= set(names(base, 2.0))
    assert "swap" not in names(load_config("swap"), 2.0)


def test_techniques_keep_the_settings_of_the_user(tmp_path: Path) -> None:
    features = tmp_path / "own.yaml"
    features.write_text("templates:\n- form(Stack[0])\n")
    settings = ["guide.learner=maxent", "transforms=[reversal, 'pseudo-projective:encoding=path']"]
    base = load_config("arc-standard", [*settings, f"features={features}"])
    options = {own.name: own.candidate for own in technique_options(base, 2.0, COLUMNS)}
    assert all(own.config.guide == {"learner": "maxent"} for own in options.values())
    assert options["pseudo-projective"].config.transforms == ("reversal", "pseudo-projective:encoding=head")
    assert options["swap"].config.transforms == ("reversal",)
    assert options["arc-standard"].templates == ("form(Stack[0])",)
    assert len(options["swap"].templates) > 50


def test_exploration_is_tried_only_with_a_dynamic_oracle() -> None:
    def option(name: str) -> Option:
        return Option(name, candidate_of(load_config(name), COLUMNS))

    (found,) = explored(option("arc-standard"))
    assert found.candidate.config.training.explore.rounds == 1
    assert explored(found) == []
    assert explored(option("swap")) == []
    assert explored(option("beam")) == []


def test_only_parameters_of_the_learner_are_varied() -> None:
    def values(name: str, parameter: str) -> list[str]:
        return [own.name for own in parameter_options(candidate_of(load_config(name), COLUMNS), parameter)]

    assert values("arc-standard", "C") == ["C 0.01", "C 0.018", "C 0.051", "C 0.09"]
    assert values("arc-standard", "min_count") == ["min_count 1", "min_count 3", "min_count 4"]
    assert values("arc-standard", "k") == values("knn", "C") == values("beam", "C") == []
    assert values("knn", "k") == ["k 3", "k 9", "k 15"]


def test_a_round_of_exploration_multiplies_the_cost_by_four() -> None:
    own = plain("form(Stack[0])")
    thorough = Candidate(Config(training=TrainingOptions(ExploreOptions(rounds=1))), own.templates)
    assert work_of(thorough, 10) == 4 * work_of(own, 10)


def test_graph_based_parsers_keep_treebank_and_root_settings() -> None:
    base = load_config("swap", ["root.single=false", "treebank.faulty=skip", "guide.C=0.3"])
    ((_, own),) = graph_options(base, COLUMNS, 3)
    assert (own.config.system, own.config.root.single, own.config.treebank.faulty) == ("graph", False, "skip")
    assert own.feature_model().lines() == list(own.templates)
    assert own.config.guide == load_config("graph").guide
