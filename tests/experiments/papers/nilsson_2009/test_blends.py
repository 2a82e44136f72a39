"""Nilsson (2009), chapters 7 and 8: runs on small generated treebanks."""

import json

import pytest
from command_line import write_splits
from reports import missing_tables, refused_experiment, run_experiment

TREEBANKS = """\
treebanks:
  tiny: {train: train.conllu, dev: dev.conllu, test: test.conllu}
  other: {train: other-train.conllu, dev: dev.conllu, test: other-test.conllu}
"""
LEARNERS = """\
combinations: {all: [linear, maxent, memory], without memory: [linear, maxent], only maxent: [maxent]}
folds: 5
parsers:
  linear: {config: arc-eager, features: small}
  maxent: {config: arc-eager, features: small, guide: {learner: maxent}}
  memory: {config: arc-eager, features: small, guide: {learner: knn}}
"""
BLENDS = """\
weights: [pos, equal]
apart: [swap]
parsers:
  arc-eager: {config: arc-eager, features: small}
  arc-eager reversed: {config: arc-eager, features: small, transforms: [reversal]}
  covington: {config: covington, features: small}
  swap: {config: swap, features: small}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("treebanks")
    write_splits(folder, {"train": 50, "dev": 20, "test": 20, "other-train": 40, "other-test": 15}, rate=0.4, depth=1)
    return folder


@pytest.fixture(scope="module")
def learners(folder):
    return run_experiment("nilsson-2009-ch7", folder, settings=TREEBANKS + LEARNERS, out="ch7")


@pytest.fixture(scope="module")
def blends(folder):
    return run_experiment("nilsson-2009-ch8", folder, settings=TREEBANKS + BLENDS, out="ch8")


def gold_words(file):
    """(head, deprel) of all words of a treebank, read without our reader."""
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return [(row[6], row[7]) for row in rows]


def parsed_words(out, cell, part):
    """(head, deprel) of all words of a part in the result of a cell."""
    (file,) = (out / "cells").glob(f"{cell}-[0-9a-f]*.json")
    row = json.loads(file.read_text("utf-8"))["result"]["parts"][part]
    heads = [str(head) for tree in row["heads"] for head in tree]
    return list(zip(heads, (row["labels"][number] for tree in row["deprels"] for number in tree), strict=True))


def las(pairs):
    """LAS in per cent over all (gold, parsed) pairs of treebanks."""
    right = [own == other for gold, parsed in pairs for own, other in zip(gold, parsed, strict=True)]
    return 100 * sum(right) / len(right)


def test_vote_of_a_single_parser_gives_its_own_trees(learners):
    results, _, _ = learners
    for row in (results["together"], *results["treebanks"].values()):
        alone = row["scores"]["maxent"]
        for level in ("TL", "GL"):
            for by in ("equal", "accuracy", "deprel"):
                voted = row["scores"][f"{level} only maxent, {by}"]
                assert all(voted[key] == alone[key] for key in ("las", "uas", "la", "lem"))
    different = {row["las"] for name, row in results["together"]["scores"].items() if "all" in name}
    assert len(different) > 2


def test_las_of_all_treebanks_together_counts_all_words(folder, learners):
    results, report, out = learners
    gold = {"tiny": gold_words(folder / "test.conllu"), "other": gold_words(folder / "other-test.conllu")}
    for system in ("linear", "memory", "TL all, deprel"):
        both = [(words, parsed_words(out, f"{name}-learners", f"test {system}")) for name, words in gold.items()]
        own = results["together"]["scores"][system]["las"]
        assert own == pytest.approx(las(both))
        assert own != pytest.approx(sum(las([pair]) for pair in both) / 2)
        assert f"{own:.2f}" in report


def test_every_fifth_sentence_is_held_out(folder, learners):
    _, _, out = learners
    blocks = (folder / "train.conllu").read_text("utf-8").strip().split("\n\n")
    words = sum(len(gold_rows) for gold_rows in ([x for x in b.split("\n") if x[0] != "#"] for b in blocks[4::5]))
    assert len(parsed_words(out, "tiny-learners", "held out linear")) == words


def test_chapter_7_reports_its_tables_and_the_published_ones(learners):
    results, report, _ = learners
    best = results["together"]["best"]
    single = max(("linear", "maxent", "memory"), key=lambda name: results["together"]["scores"][name]["las"])
    assert list(best) == [single, "best TL", "best GL"]
    scores = results["together"]["scores"]
    for level in ("TL", "GL"):
        combined = {name: row["las"] for name, row in scores.items() if name.startswith(f"{level} ")}
        assert len(combined) == 9
        assert combined[best[f"best {level}"]] == max(combined.values())
    test = results["together"]["significance"][single]
    tokens = scores[single]["tokens"]
    gained = (scores[best["best GL"]]["las"] - scores[single]["las"]) * tokens / 100
    assert test["b"] - test["c"] == pytest.approx(gained)
    for name, system in best.items():
        rows, own = results["analysis"][name], scores[system]
        errors = {part: own["propagation"]["las"][part]["rate"] for part in ("pre", "post")}
        assert {part: 100 - rows["pre_post"][part] for part in errors} == pytest.approx(errors)
        clusters = own["propagation"]["las"]["clusters"].items()
        assert rows["error rate"] == {step: cluster["rate"] for step, cluster in clusters}
        assert rows["normalised"] == {step: cluster["normalised"] for step, cluster in clusters}
        assert rows["root"]["root_precision"] == own["root"]["labelled"]["precision"]
    before, after = (results["analysis"][name]["pre_post"] for name in (single, "best GL"))
    assert before["pre_reduction"] is None
    assert after["post_reduction"] == pytest.approx(100 * (after["post"] - before["post"]) / (100 - before["post"]))
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in report.splitlines()]
    assert missing_tables("nilsson-2009-ch7", report) == []
    assert ["after parsing", "without SVM(L)", "79.15", "79.88", "80.07"] in cells
    assert [[single, str(test["c"]), str(test["b"])]] == [
        row[:3] for row in cells if len(row) == 6 and row[0] == single
    ]


def test_las_of_blends_of_all_treebanks_together_counts_all_words(folder, blends):
    results, _, out = blends
    gold = {"tiny": gold_words(folder / "test.conllu"), "other": gold_words(folder / "other-test.conllu")}
    parsers = ("arc-eager", "arc-eager reversed", "covington", "swap")

    def parsed(name, parser):
        return parsed_words(out, f"{name}-{parser.replace(' ', '-')}", "test")

    for parser in parsers:
        both = [(words, parsed(name, parser)) for name, words in gold.items()]
        assert results["together"]["scores"][parser]["las"] == pytest.approx(las(both))
    chosen = {name: results["treebanks"][name]["chosen"]["single"] for name in gold}
    for name, best in chosen.items():
        assert best == max(parsers[:3], key=lambda parser: las([(gold[name], parsed(name, parser))]))
    single = [(words, parsed(name, chosen[name])) for name, words in gold.items()]
    row = results["together"]["blends"]["pos"]
    assert row["las_single"] == pytest.approx(las(single))
    assert row["las"] == results["together"]["scores"]["blend pos"]["las"]
    words = sum(map(len, gold.values()))
    blended = sum(
        round(results["treebanks"][name]["scores"]["blend pos"]["las"] * len(gold[name]) / 100) for name in gold
    )
    assert row["las"] == pytest.approx(100 * blended / words)


def test_error_reductions_follow_their_definitions(blends):
    results, report, _ = blends
    reductions = []
    for own in (*results["treebanks"].values(), results["together"]):
        row = own["blends"]["pos"]
        first = own["scores"]["arc-eager"]["las"]
        assert row["las_reduction"] == pytest.approx(100 * (row["las"] - row["las_single"]) / (100 - row["las_single"]))
        assert row["las_baseline_reduction"] == pytest.approx(100 * (row["las"] - first) / (100 - first))
        printed = 100 * (row["las"] - row["las_single"]) / (100 - row["las"])
        assert row["las_printed_reduction"] == pytest.approx(printed)
        reductions.append(row["las_reduction"])
    assert results["together"]["means"]["pos"]["las_reduction"] == pytest.approx(sum(reductions[:2]) / 2)
    assert f"| {reductions[2]:.2f} |" in report.replace("  ", " ")


def test_chapter_8_reports_its_tables_and_the_published_ones(blends):
    results, report, out = blends
    assert results["treebanks"]["tiny"]["chosen"]["right to left"] == "arc-eager reversed"
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in report.splitlines()]
    assert any(row[0] == "Italian" and {"82.48", "82.40", "82.87"} < set(row) for row in cells if row)
    assert missing_tables("nilsson-2009-ch8", report) == []
    assert ["LAS", "blend", "81.70", "88.67", "77.72", "5.19", "9.69"] in cells
    [test, *_] = results["together"]["significance"]["las"]
    assert [test["first"], test["second"], str(test["c"]), str(test["b"])] in [row[:4] for row in cells]
    names = [f"figure{name}.svg" for name in ("4.1", "8.4-length")]
    assert set(names) <= {file.name for file in out.iterdir()}


@pytest.mark.parametrize(
    ("chapter", "text", "message"),
    [
        ("ch7", LEARNERS + "  swap: {config: swap}\n", "parser swap: parsers may differ only in their guides"),
        ("ch7", LEARNERS.replace("[maxent]", "[max]"), "combinations: only maxent: 'max' (did you mean"),
        ("ch7", LEARNERS + "weights: [pos]\n", "weights: 'pos'; allowed: equal, accuracy, deprel"),
        ("ch8", BLENDS.replace("apart: [swap]", "apart: [swop]"), "apart: 'swop' (did you mean 'swap'?)"),
        ("ch8", BLENDS + "baseline: swap\n", "baseline: 'swap'; allowed: arc-eager, arc-eager reversed, covington"),
        ("ch8", BLENDS.replace("weights: [pos, equal]", "weights: []"), "weights: found none"),
    ],
)
def test_invalid_settings_are_refused_in_one_line(folder, capsys, chapter, text, message):
    assert message in refused_experiment(capsys, f"nilsson-2009-{chapter}", folder, settings=TREEBANKS + text)
