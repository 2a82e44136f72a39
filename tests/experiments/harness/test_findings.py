"""Tables of findings from results, and pages whose figures name their cells."""

from __future__ import annotations

import json
import re
from pathlib import Path

import crossarc
import numpy as np
import pytest
from crossarc.experiments.harness import pages
from crossarc.experiments.harness.findings import Findings, load_findings, lookup
from crossarc.experiments.harness.pages import (
    findings_of,
    page_folders,
    pages_with_tables,
    stale_figures,
    unsourced_figures,
    unsourced_tables,
    with_tables,
)
from crossarc.experiments.harness.results import differing, rounded
from crossarc.parser.errors import CrossarcError
from crossarc.parser.evaluate import mcnemar

FIGURES = {
    "Gothic": {
        "P0": {"las": 81.25, "p": None},
        "P1": {"las": 81.57, "p": 65.06},
        "tests": [
            {"first": "P0", "second": "P1", "winner": "second", "level": 0.05},
            {"first": "P1", "second": "P0", "winner": "first", "level": 0.01},
        ],
        "words": 10114,
    },
    "Danish": {
        "P0": {"las": 84.4, "p": None},
        "P1": {"las": 85.12, "p": 65.75},
        "tests": [{"first": "P0", "second": "P1", "winner": None, "level": None}],
        "words": 10332,
    },
}
TABLES = """
las:
  corner: LAS
  rows: {treebank: {Gothic: Gothic-PROIEL, Danish: Danish-CDT}}
  columns: {P0: P0, P1: pseudo-projective, words: {title: words, cell: "{treebank}/words"}}
  cell: "{treebank}/{column}/las"
  test: "{treebank}/tests/first=P0,second={column}"
gains:
  rows: {treebank: [Gothic, Danish], parser: [P0, P1]}
  columns: {las: LAS, p: P}
  cell: "{treebank}/{parser}/{column} - {treebank}/P0/{column}"
  digits: 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "results.json").write_text(json.dumps({"figures": FIGURES}), "utf-8")
    (tmp_path / "tables.yaml").write_text(TABLES.replace(', words: {title: words, cell: "{treebank}/words"}', ""))
    return tmp_path


@pytest.fixture
def findings(folder: Path) -> Findings:
    return load_findings(folder)


def test_a_table_with_arrows(findings: Findings) -> None:
    assert findings.tables["las"].markdown().splitlines() == [
        "| LAS           |      P0 | pseudo-projective |",
        "| ------------- | ------: | ----------------: |",
        "| Gothic-PROIEL | 81.25   |           81.57 ↑ |",
        "| Danish-CDT    | 84.40   |           85.12   |",
    ]


def test_differences_and_what_is_undefined(findings: Findings) -> None:
    assert findings.tables["gains"].markdown().splitlines() == [
        "| treebank | parser | LAS |   P |",
        "| -------- | ------ | --: | --: |",
        "| Gothic   | P0     | 0.0 |   – |",
        "| Gothic   | P1     | 0.3 |   – |",
        "| Danish   | P0     | 0.0 |   – |",
        "| Danish   | P1     | 0.7 |   – |",
    ]


def test_a_column_of_its_own(folder: Path) -> None:
    text = TABLES.replace('cell: "{treebank}/words"}', 'cell: "{treebank}/words", test: ""}')
    (folder / "tables.yaml").write_text(text)
    assert "| Gothic-PROIEL | 81.25   |           81.57 ↑ | 10114 |" in load_findings(folder).tables["las"].markdown()


def test_a_key_goes_before_a_title_and_a_title_of_two_columns_names_none(folder: Path) -> None:
    (folder / "tables.yaml").write_text(
        "t: {rows: {bank: [Gothic]}, cell: '{bank}/P1/{column}', "
        "columns: {las: p, p: P, n: {title: P, cell: '{bank}/words'}}}"
    )
    figure = load_findings(folder).figure
    assert figure("t/Gothic/p") == 65.06
    with pytest.raises(CrossarcError, match="column 'P'"):
        figure("t/Gothic/P")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("las/Gothic/P1", 81.57),
        ("las/Gothic-PROIEL/pseudo-projective", 81.57),
        ("gains/Danish/P1/LAS", pytest.approx(0.72)),
        ("results:Danish/words", 10332),
        ("results:Gothic/tests/first=P1,second=P0/level", 0.01),
        ("las/Danish/P1 - las/Gothic/P1", pytest.approx(3.55)),
        ("las/Danish/P1 for las/Danish/P0", pytest.approx(100 * 0.72 / 15.6)),
    ],
)
def test_cells_have_names(findings: Findings, name: str, value: float) -> None:
    assert findings.figure(name) == value


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lass/Gothic/P1", "lass/Gothic/P1: table 'lass' (did you mean 'las'?); allowed: las, gains"),
        ("las/Gotik/P1", "las/Gotik/P1: row 'Gotik'"),
        ("las/Gothic/P2", "las/Gothic/P2: column 'P2'"),
        ("gains/Danish/LAS", "gains/Danish/LAS: row 'Danish'"),
        ("results:Gothic/P3/las", "Gothic/P3/las: 'P3'"),
        ("results:Gothic/tests/first=P7,second=P0/level", "first=P7,second=P0 fits 0 of 2, not one"),
        ("results:Gothic/words/more", "Gothic/words/more: nothing below 'more'"),
        ("results:Gothic/P0", "results:Gothic/P0: not a figure"),
        ("las/Gothic/P1 - gains/Gothic/P0/p", "gains/Gothic/P0/p: not a number"),
    ],
)
def test_unknown_cells_are_named(findings: Findings, name: str, message: str) -> None:
    with pytest.raises(CrossarcError, match=re.escape(message)):
        findings.figure(name)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("corner:", "korner:", "las: unknown key 'korner' (did you mean 'corner'?)"),
        ("{title: words,", "{titel: words, title: words,", "las: column: unknown key 'titel'"),
        ("{treebank}/{column}/las", "{treebank}/{column}/uas", "las: Gothic/P0/uas: 'uas'"),
        ("corner: LAS", "results: results-more", "las: no results in results-more.json"),
    ],
)
def test_what_is_wrong_with_tables(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "tables.yaml").write_text(TABLES.replace(old, new))
    with pytest.raises(CrossarcError, match=re.escape(message)):
        load_findings(folder)


PAGE = """# Page

<!-- table: las -->
what was here before
<!-- end -->

On Gothic P1 has 81.57<!-- las/Gothic/P1 -->, 0.3<!-- gains/Gothic/P1/LAS --> more.
"""


def test_tables_come_between_their_markers(findings: Findings) -> None:
    made = with_tables(PAGE, findings)
    assert made == PAGE.replace("what was here before\n", f"\n{findings.tables['las'].markdown()}\n")
    assert with_tables(made, findings) == made
    assert stale_figures(made, findings) == []


def test_parts_that_are_made_from_code_are_left_alone(findings: Findings) -> None:
    page = "<!-- generated: keys -->\n\n| a |\n\n<!-- end -->\n"
    assert with_tables(page + PAGE, findings) == page + with_tables(PAGE, findings)
    assert stale_figures(page, findings) == []


def test_a_page_elsewhere_names_the_folder_of_a_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = folder / "elsewhere" / "oracles" / "README.md"
    page.parent.mkdir(parents=True)
    page.write_text(
        f"<!-- table: {folder.name}:las -->\n<!-- end -->\n\nOn 81.57<!-- {folder.name}:las/Gothic/P1 -->.\n"
    )
    (folder / "README.md").write_text(PAGE)
    monkeypatch.setattr(pages, "page_folders", lambda: [folder])
    monkeypatch.setattr(pages, "ROOT", folder / "elsewhere")
    (folder / "elsewhere" / "README.md").write_text(f"# None, <!-- source: {folder.name}:las -->\n")
    assert pages_with_tables() == [folder / "README.md", page]
    assert pages.main([]) == 0
    assert "| Gothic-PROIEL | 81.25" in page.read_text("utf-8")
    page.write_text(page.read_text("utf-8").replace("On 81.57", "On 81.75"))
    text = page.read_text("utf-8")
    assert stale_figures(text, findings_of(page)) == [
        f"line 10: {folder.name}:las/Gothic/P1 is 81.57, the page says 81.75"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n<!-- table: las -->\n", "line 2: table 'las' has no end"),
        ("<!-- end -->\n", "line 1: end of a table that has not begun"),
        ("<!-- table: uas -->\n<!-- end -->", "line 1: no table is called 'uas'; there are las, gains"),
        (
            "<!-- table: las -->\n<!-- table: gains -->\n<!-- end -->",
            "line 2: table within a table; 'las' of line 1 has no end",
        ),
    ],
)
def test_markers_that_do_not_pair_up(findings: Findings, text: str, message: str) -> None:
    with pytest.raises(CrossarcError, match=f"^{re.escape(message)}$"):
        with_tables(text, findings)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("81.58<!-- las/Gothic/P1 -->", ["line 1: las/Gothic/P1 is 81.57, the page says 81.58"]),
        ("81.6 %<!-- las/Gothic/P1 -->", []),
        ("81.5<!-- las/Gothic/P1 -->", ["line 1: las/Gothic/P1 is 81.57, the page says 81.5"]),
        ("82<!-- las/Gothic/P1 -->", []),
        ("\n-0.3<!-- gains/Gothic/P1/LAS -->", ["line 2: gains/Gothic/P1/LAS is 0.32, the page says -0.3"]),
        ("0.32 less<!-- gains/Gothic/P1/LAS -->", ["line 1: no figure before the comment 'gains/Gothic/P1/LAS'"]),
        ("0.32<!-- las/Gothic/P0 - las/Gothic/P1 -->", []),
        ("0.32<!-- las/Gothic/P0 -\nlas/Gothic/P1 -->", []),
        ("+0.32<!-- gains/Gothic/P1/las -->", []),
        ("+0.3<!-- results:Gothic/words -->", ["line 1: results:Gothic/words is 10114.00, the page says +0.3"]),
        ("0.3<!-- gains/Gothic/P0/p -->", ["line 1: gains/Gothic/P0/p: not a number"]),
    ],
)  # fmt: skip
def test_stale_figures_are_found(findings: Findings, text: str, wrong: list[str]) -> None:
    assert stale_figures(text, findings) == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("LAS 81.57, 12 % of 7", ["line 1: no cell and no source: 81.57, 12 %"]),
        ("LAS 81.57<!-- las/Gothic/P1 --> and 3.5", ["line 1: no cell and no source: 3.5"]),
        ("LAS 81.57<!-- las/Gothic/P1 -->, -0.3 %<!-- gains/Gothic/P1/LAS -->", []),
        ("LAS 81.57 <!-- las/Gothic/P1 -->", ["line 1: no cell and no source: 81.57"]),
        ("LAS 81.57 and\n3.5 more <!-- source: a run -->", []),
        ("LAS 81.57 <!-- source:  -->", ["line 1: no cell and no source: 81.57"]),
        ("- 1.5 <!-- source: a run -->\n- 2.5\n- 3", ["line 2: no cell and no source: 2.5"]),
        ("1. 1.5 <!-- source: a run -->\n2. 2.5", ["line 2: no cell and no source: 2.5"]),
        ("1.5 <!-- source: a run -->\n\n2.5", ["line 3: no cell and no source: 2.5"]),
        ("# a\n\n<!-- source: a run -->\n\n1.5\n\n- 2.5\n\n# b\n\n3.5", ["line 11: no cell and no source: 3.5"]),
        ("| 1.5 |\n\n    1.5\n\n```\n1.5\n```\n\n`C=1.5` [it](1.5) <!-- table: a -->\n\n1.5\n\n<!-- end -->", []),
        ("tables 1.1, 2.2 and 3.3, section 4.1 at C 0.03 (0.05, p < 0.0001), MaltParser 1.9.2, v1.5", []),
        ("0.05 %", ["line 1: no cell and no source: 0.05"]),
    ],
)
def test_figures_without_a_cell_and_a_source_are_found(text: str, wrong: list[str]) -> None:
    assert unsourced_figures(text) == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("| a |\n|---|\n| 1.5 |\n\nText.", ["line 1: a table with figures and no source: 1.5"]),
        ("\n| a |\n|---|\n| 12 % |\n", ["line 2: a table with figures and no source: 12 %"]),
        ("| a |\n|---|\n| 1.5 |\n\n<!-- source: a run -->\n", []),
        ("| a |\n|---|\n| 15 | `1.5` |\n", []),
        ("<!-- table: a -->\n\n| a |\n|---|\n| 1.5 |\n\n<!-- end -->\n", []),
        ("<!-- generated: a -->\n\n| a |\n|---|\n| 1.5 |\n\n<!-- end -->\n", []),
    ],
)
def test_tables_by_hand_have_a_source(text: str, wrong: list[str]) -> None:
    assert unsourced_tables(text) == wrong


ROOT = Path(crossarc.__file__).parent
PAGES = [ROOT / "README.md", *(page for room in pages.ROOMS for page in sorted((ROOT / room).rglob("README.md")))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.parent.relative_to(ROOT)))
def test_every_figure_of_the_pages_has_a_cell_or_a_source(page: Path) -> None:
    text = page.read_text("utf-8")
    assert unsourced_figures(text) == []
    assert unsourced_tables(text) == []


def test_the_command_writes_pages_and_tells_what_is_stale(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = folder / "README.md"
    page.write_text(PAGE)
    monkeypatch.setattr(pages, "page_folders", lambda: [folder])
    assert pages.main(["--check"]) == 1
    assert page.read_text() == PAGE
    assert "tables are not those of the results" in capsys.readouterr().err
    assert pages.main([]) == 0
    assert "| Gothic-PROIEL | 81.25" in page.read_text()
    assert pages.main(["--check"]) == 0
    page.write_text(page.read_text().replace("81.57<!--", "81.75<!--"))
    capsys.readouterr()
    assert pages.main([]) == 1
    assert capsys.readouterr().err == f"{page}: line 12: las/Gothic/P1 is 81.57, the page says 81.75\n"


def test_results_are_rounded_and_have_no_breakdowns() -> None:
    value = {"las": 81.2537, "p": 0.071571, "by_deprel": {}, "propagation": {}, "list": [1.234, {"z": 1.999}], "n": 3}
    assert rounded(value) == {"las": 81.25, "p": 0.0716, "list": [1.23, {"z": 2.0}], "n": 3}


def test_differing_pairs_have_the_better_parser_first() -> None:
    right = {"A": 40 * [True] + 5 * [False], "B": 45 * [True], "C": 20 * [True] + 25 * [False]}
    pairs = [("A", "B"), ("A", "C"), ("C", "B")]
    tests = {pair: mcnemar(*(np.array(right[name]) for name in pair)) for pair in pairs}
    assert [test.level for test in tests.values()] == [None, 0.01, 0.01]
    assert differing(tests) == {"0.01": "A > C, B > C", "0.05": "–"}


def test_paths() -> None:
    assert lookup({"a": [{"k": 1, "v": 2}, {"k": 2, "v": 3}]}, "a/k=2/v") == 3


def test_the_pages_are_those_of_the_committed_results(capsys: pytest.CaptureFixture[str]) -> None:
    """``make findings`` would change nothing, and every figure that names a cell is what the cell says."""
    assert pages.main(["--check"]) == 0, capsys.readouterr().err


RESULTS = sorted((ROOT / "experiments").rglob("results*.json"))


@pytest.mark.parametrize("file", RESULTS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_committed_results_say_what_they_are_of(file: Path) -> None:
    """Every file of results is what a run wrote: with its setting, versions, and the treebanks by their checksums."""
    document = json.loads(file.read_text("utf-8"))
    assert {"crossarc", "python", "numpy", "scipy", "scikit-learn"} <= document["versions"].keys()
    assert document["setting"]
    assert document["figures"]
    files = [split for own in document["treebanks"].values() for split in own.values() if isinstance(split, dict)]
    assert all(any(isinstance(split, dict) for split in own.values()) for own in document["treebanks"].values())
    assert files or document["setting"]["generated"], "reads no treebank, nor makes one"
    assert all(re.fullmatch("[0-9a-f]{64}", own["sha256"]) for own in files)


def test_figures_of_others_name_their_source() -> None:
    """What is beside results in a folder of findings was printed by others, or measured of their programs."""
    others = [file for folder in page_folders() for file in folder.glob("*.json") if file not in RESULTS]
    assert {file.stem for file in others} == {"published", "peers"}
    for file in others:
        document = json.loads(file.read_text("utf-8"))
        if file.stem == "peers":
            assert document["source"]
            assert document["commands"]
        else:
            assert all(table["source"] for table in document["tables"].values())
