"""Tables of findings from results, and pages whose figures name their cells."""

from __future__ import annotations

import json
import re
from pathlib import Path

import crossarc
import pytest
from crossarc.experiments.harness import pages
from crossarc.experiments.harness.documentation import GENERATED
from crossarc.experiments.harness.findings import Findings, load_findings
from crossarc.experiments.harness.pages import faults, with_parts
from crossarc.experiments.harness.results import rounded
from crossarc.parser.base.errors import CrossarcError

ROOT = Path(crossarc.__file__).parent
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
  columns: {P0: P0, P1: pseudo-projective}
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
    (tmp_path / "tables.yaml").write_text(TABLES)
    return tmp_path


@pytest.fixture
def findings(folder: Path) -> Findings:
    return load_findings(folder)


def test_tables_mark_significant_differences_with_arrows(findings: Findings) -> None:
    assert findings.tables["las"].markdown().splitlines() == [
        "| LAS           |      P0 | pseudo-projective |",
        "| ------------- | ------: | ----------------: |",
        "| Gothic-PROIEL | 81.25   |           81.57 ↑ |",
        "| Danish-CDT    | 84.40   |           85.12   |",
    ]


def test_differences_without_a_value_are_dashes(findings: Findings) -> None:
    assert findings.tables["gains"].markdown().splitlines() == [
        "| treebank | parser | LAS |   P |",
        "| -------- | ------ | --: | --: |",
        "| Gothic   | P0     | 0.0 |   – |",
        "| Gothic   | P1     | 0.3 |   – |",
        "| Danish   | P0     | 0.0 |   – |",
        "| Danish   | P1     | 0.7 |   – |",
    ]


def test_column_keys_precede_titles_and_titles_must_be_unique(folder: Path) -> None:
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
        ("gains/Danish/P1/LAS", pytest.approx(0.72)),
        ("results:Danish/words", 10332),
        ("results:Gothic/tests/first=P1,second=P0/level", 0.01),
        ("las/Danish/P1 - las/Gothic/P1", pytest.approx(3.55)),
        ("las/Danish/P1 for las/Danish/P0", pytest.approx(100 * 0.72 / 15.6)),
    ],
)
def test_figures_are_found_by_the_names_of_their_cells(findings: Findings, name: str, value: float) -> None:
    assert findings.figure(name) == value


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lass/Gothic/P1", "lass/Gothic/P1: table 'lass' (did you mean 'las'?); allowed: las, gains"),
        ("las/Gotik/P1", "las/Gotik/P1: row 'Gotik'"),
        ("las/Gothic/P2", "las/Gothic/P2: column 'P2'"),
        ("results:Gothic/P3/las", "Gothic/P3/las: 'P3'"),
        ("results:Gothic/tests/first=P7,second=P0/level", "first=P7,second=P0 fits 0 of 2 entries, expected one"),
        ("results:Gothic/words/more", "Gothic/words/more: no value at step 'more'"),
        ("results:Gothic/P0", "results:Gothic/P0: found several figures, expected one"),
    ],
)
def test_errors_name_unknown_cells(findings: Findings, name: str, message: str) -> None:
    with pytest.raises(CrossarcError, match=re.escape(message)):
        findings.figure(name)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("corner:", "korner:", "las: unknown key 'korner' (did you mean 'corner'?)"),
        ("P1: pseudo-projective", "P1: {titel: P1}", "las: column: unknown key 'titel'"),
        ("{treebank}/{column}/las", "{treebank}/{column}/uas", "las: Gothic/P0/uas: 'uas'"),
        ("corner: LAS", "results: results-more", "las: no results in results-more.json"),
    ],
)
def test_invalid_tables_are_refused(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "tables.yaml").write_text(TABLES.replace(old, new))
    with pytest.raises(CrossarcError, match=re.escape(message)):
        load_findings(folder)


PAGE = """# Page

<!-- table: las -->
old
<!-- end -->

On Gothic P1 has 81.57<!-- las/Gothic/P1 -->, 0.3<!-- gains/Gothic/P1/LAS --> more.
"""
FIRST = """# First page

<!-- generated: learners -->
<!-- end -->

On Gothic 81.57<!-- own:las/Gothic/P1 -->.
"""


@pytest.fixture
def site(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a first page and a folder ``own`` with findings."""
    home = tmp_path / "experiments" / "papers" / "own"
    home.mkdir(parents=True)
    for name in ("results.json", "tables.yaml"):
        (folder / name).rename(home / name)
    (home / "README.md").write_text(PAGE)
    (tmp_path / "README.md").write_text(FIRST)
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    return tmp_path


def test_command_writes_generated_parts_and_checks_figures(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, own = site / "README.md", site / "experiments" / "papers" / "own" / "README.md"
    assert pages.main(["--check"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{page}: generated parts are not up to date; run: make docs" for page in (first, own)
    ]
    assert (first.read_text(), own.read_text()) == (FIRST, PAGE)
    assert pages.main([]) == 0
    las = load_findings(own.parent).tables["las"].markdown()
    assert own.read_text() == PAGE.replace("old\n", f"\n{las}\n")
    assert first.read_text() == FIRST.replace("<!-- end", f"\n{GENERATED['learners']()}\n<!-- end")
    assert pages.main(["--check"]) == 0
    first.write_text(first.read_text().replace("81.57", "81.75") + "\n<!-- table: own:uas -->\n<!-- end -->\n")
    own.write_text(own.read_text().replace("81.57<!--", "81.75<!--"))
    capsys.readouterr()
    assert pages.main([]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{first}: line {first.read_text().count(chr(10)) - 1}: unknown part 'table: own:uas' "
        "(did you mean 'table: own:las'?); allowed: table: own:las, table: own:gains",
        f"{own}: line 12: las/Gothic/P1 is 81.57, the page says 81.75",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n<!-- table: las -->\n", "line 2: <!-- table: las --> has no counterpart"),
        ("<!-- table: a -->\n<!-- generated: b -->\n<!-- end -->", "line 1: <!-- table: a --> has no counterpart"),
        ("\n<!-- table: a -->\n<!-- end -->", "line 2: unknown part 'table: a'; allowed: "),
    ],
)
def test_unpaired_and_unknown_markers_are_refused(text: str, message: str) -> None:
    with pytest.raises(CrossarcError, match=f"^{re.escape(message)}"):
        with_parts(text, {})


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("81.58<!-- las/Gothic/P1 -->", ["line 1: las/Gothic/P1 is 81.57, the page says 81.58"]),
        ("81.5<!-- las/Gothic/P1 -->", ["line 1: las/Gothic/P1 is 81.57, the page says 81.5"]),
        ("12 less<!-- gains/Gothic/P1/LAS -->", ["line 1: no figure before the comment 'gains/Gothic/P1/LAS'"]),
        ("0.32<!-- las/Gothic/P1 - las/Gothic/P0 -->", []),
        ("+0.32<!-- gains/Gothic/P1/las -->", []),
        ("+0.3<!-- results:Gothic/words -->", ["line 1: results:Gothic/words is 10114.00, the page says +0.3"]),
        ("0.3<!-- gains/Gothic/P0/p -->", ["line 1: gains/Gothic/P0/p: found no value, expected a number"]),
        ("`81.58<!-- las/Gothic/P1 -->`", []),
        ("LAS 81.57, 12 % of 7", ["line 1: no cell and no source: 81.57, 12 %"]),
        ("LAS 81.57<!-- las/Gothic/P1 --> and 3.5", ["line 1: no cell and no source: 3.5"]),
        ("LAS 81.57 and\n3.5 more <!-- source: a run -->", []),
        ("- 1.5 <!-- source: a run -->\n- 2.5\n- 3", ["line 2: no cell and no source: 2.5"]),
        ("1.5 <!-- source: a run -->\n\n2.5", ["line 3: no cell and no source: 2.5"]),
        ("# a\n\n<!-- source: a run -->\n\n1.5\n\n- 2.5\n\n# b\n\n3.5", ["line 11: no cell and no source: 3.5"]),
        ("    1.5\n\n```\n1.5\n```\n\n`C=1.5` [it](1.5) <!-- table: a -->\n\n1.5\n\n<!-- end -->", []),
        ("tables 1.1, 2.2 and 3.3, section 4.1 at C 0.03 (0.05, p < 0.0001), MaltParser 1.9.2, v1.5", []),
        ("p < 0.3<!-- gains/Gothic/P1/LAS -->", ["line 1: gains/Gothic/P1/LAS is 0.32, the page says <0.3"]),
        ("↑<!-- las/Gothic/P1 -->", []),
        ("⇑<!-- las/Gothic/P1 -->", ["line 1: las/Gothic/P1 is 81.57 ↑, the page says ⇑"]),
        ("↑<!-- las/Danish/P1 -->", ["line 1: las/Danish/P1 is 85.12  , the page says ↑"]),
        ("1 of 2<!-- count: las/*/P1 - las/*/P0 > 0.5 -->", []),
        ("2 of 2<!-- count: las/*/P1 >= 85.12 -->", ["line 1: count: las/*/P1 >= 85.12 holds for 1 of 2, "]),
        ("0 of 2<!-- count: gains/*/P1/p < 1 -->", ["line 1: count: gains/*/P1/p < 1 holds for 0 of 0, the page "]),
        ("1 of 2<!-- count: las -->", ["line 1: count: found 'las', expected TABLE/*/COLUMN, a sign and a figure"]),
        ("\n| a |\n|---|\n| 1.5 |\n| 12 % |\n\nText.", ["line 2: no cell and no source: 1.5, 12 %"]),
        ("1.5\n\n<!-- source: a run -->\n", ["line 1: no cell and no source: 1.5"]),
        ("<!-- generated: a -->\n\n| a |\n|---|\n| 1.5 |\n\n<!-- end -->\n", []),
    ],
)  # fmt: skip
def test_figures_need_the_value_of_their_cell_or_a_source(findings: Findings, text: str, wrong: list[str]) -> None:
    found = faults(text, findings)
    assert len(found) == len(wrong)
    assert all(own.startswith(start) for own, start in zip(sorted(found), sorted(wrong), strict=True)), found


def test_results_are_rounded_and_have_no_breakdowns() -> None:
    value = {"las": 81.2537, "p": 0.071571, "by_deprel": {}, "propagation": {}, "list": [1.234, {"z": 1.999}], "n": 3}
    assert rounded(value) == {"las": 81.25, "p": 0.0716, "list": [1.23, {"z": 2.0}], "n": 3}


RESULTS = sorted((ROOT / "experiments").rglob("results*.json"))


@pytest.mark.parametrize("file", RESULTS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_committed_results_have_setting_versions_and_checksums(file: Path) -> None:
    document = json.loads(file.read_text("utf-8"))
    assert {"crossarc", "python", "numpy", "scipy", "scikit-learn"} <= document["versions"].keys()
    assert document["setting"]
    assert document["figures"]
    files = [split for own in document["treebanks"].values() for split in own.values() if isinstance(split, dict)]
    assert all(any(isinstance(split, dict) for split in own.values()) for own in document["treebanks"].values())
    assert files or document["setting"]["generated"], "reads no treebank, nor makes one"
    assert all(re.fullmatch("[0-9a-f]{64}", own["sha256"]) for own in files)


def test_figures_of_others_name_their_source() -> None:
    """Other JSON files beside tables have published figures, or measurements of other parsers."""
    others = [
        file
        for tables in (ROOT / "experiments").rglob("tables.yaml")
        for file in tables.parent.glob("*.json")
        if file not in RESULTS
    ]
    assert {file.stem for file in others} == {"published", "peers"}
    for file in others:
        document = json.loads(file.read_text("utf-8"))
        if file.stem == "peers":
            assert document["source"]
            assert document["commands"]
        else:
            assert all(table["source"] for table in document["tables"].values())
