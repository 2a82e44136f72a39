"""Nilsson (2009), chapter 9: a run on small generated treebanks."""

import re

import pytest
from command_line import write_splits
from reports import missing_tables, run_experiment

SETTINGS = """
treebanks:
  tiny: {train: train.conllu, dev: dev.conllu, test: test.conllu}
  other: {train: train.conllu, dev: dev.conllu, test: short.conllu}
labels: 3
parsers_blended: 3
curve: 4
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    home = tmp_path_factory.mktemp("chapter")
    write_splits(home, {"train": 50, "dev": 20, "test": 20}, rate=0.4, depth=1)
    short = (home / "test.conllu").read_text("utf-8").split("\n\n")[:7]
    (home / "short.conllu").write_text("\n\n".join(short) + "\n\n", "utf-8")
    return home


@pytest.fixture(scope="module")
def run(folder):
    return run_experiment("nilsson-2009-ch9", folder, settings=SETTINGS)


def test_row_and_curves_of_chapter_9_agree_with_development_scores(run):
    result, report = run.scores["tiny"], run.report
    row, dev = result["row"], result["dev"]
    assert len(dev) > 3
    names = [f"{kind}, {order}" for kind in ("inverted", "uninverted") for order in ("descending", "ascending")]
    assert {name: len(curve) for name, curve in result["curves"].items()} == dict.fromkeys(names, 4)
    for curve in result["curves"].values():
        assert curve[0] == pytest.approx(row["base"])
    assert row["blend"] == pytest.approx(result["curves"]["inverted, descending"][2])
    assert row["blend_uninverted"] == pytest.approx(result["curves"]["uninverted, descending"][2])
    better = [name for name in dev if dev[name] > dev["base"]]
    helpful = result["helpful"]
    assert sorted(better) == sorted(trial["transform"] for trial in helpful)
    assert [trial["dev"] for trial in helpful] == sorted((dev[name] - dev["base"] for name in better), reverse=True)
    assert (row["tried"], row["helpful"]) == (len(dev) - 1, len(better))
    assert row["helpful_test"] == sum(trial["test"] > 0 for trial in helpful)
    assert row["transform"] == (max(dev, key=lambda name: dev[name]) if better else None)
    assert row["best"] == (pytest.approx(row["base"] + helpful[0]["test"]) if better else None)
    assert {"figure9.3-average.svg", "figure9.3-tiny.svg"} <= {path.name for path in run.out.iterdir()}
    assert re.search(rf"^\| tiny +\| +{row['base']:.2f} \|", report, re.M)
    assert [title for title in missing_tables("nilsson-2009-ch9", report) if helpful or "better" not in title] == []
    assert re.search(r"^\| Arabic +\| +73.70 \| +75.90 \| +72.90 \| +child-swap Coord \| +75.00 \|", report, re.M)
    assert re.search(r"^\| Basque +\| +74.00 \| +– \| +– \| +– \| +74.20 \|", report, re.M)


def test_averages_of_chapter_9_count_the_words_of_all_treebanks(folder, run):
    words = [
        len(re.findall(r"^\d+\t", (folder / name).read_text("utf-8"), re.M)) for name in ("test.conllu", "short.conllu")
    ]
    parts, average = (run.scores["tiny"], run.scores["other"]), run.scores["average"]
    for system in ("base", "blend", "blend_uninverted"):
        together = sum(n * part["row"][system] for n, part in zip(words, parts, strict=True)) / sum(words)
        assert average["row"][system] == pytest.approx(together)
    for name, curve in average["curves"].items():
        own = [part["curves"][name] for part in parts]
        assert curve[-1] == pytest.approx(sum(n * las[-1] for n, las in zip(words, own, strict=True)) / sum(words))
    assert average["row"]["tried"] == sum(part["row"]["tried"] for part in parts)
    assert all((row["row"]["best"] is None) == (row["row"]["helpful"] == 0) for row in run.scores.values())
