"""Tables from results, and pages that are rendered from templates."""

import json
import re
from pathlib import Path

import crossarc
import pytest
from crossarc.experiments.harness import pages
from crossarc.experiments.harness.documentation import generated_parts
from crossarc.experiments.harness.pages import load_findings, with_parts
from crossarc.experiments.harness.results import rounded
from crossarc.parser.base.errors import CrossarcError
from refusals import refusal

ROOT = Path(crossarc.__file__).parent
FIGURES = {
    "Gothic": {
        "P0": {"las": 81.25, "p": None},
        "P1": {"las": 81.57, "p": 65.06},
        "tests": [{"first": "P0", "second": "P1", "b": 52, "c": 18}, {"first": "P1", "second": "P2", "b": 1, "c": 1}],
        "words": 10114,
    },
    "Danish": {
        "P0": {"las": 84.4, "p": None},
        "P1": {"las": 85.12, "p": 65.75},
        "tests": [{"first": "P0", "second": "P1", "b": 9, "c": 5}],
        "words": 10332,
    },
}
TABLES = """
{{ define("las", "{treebank}/{parser}/las", corner="LAS",
   rows={"treebank": {"Gothic": "Gothic-PROIEL", "Danish": "Danish-CDT"}},
   columns={"parser": {"P0": "P0", "P1": "pseudo-projective"}},
   test="{treebank}/tests/first=P0,second={parser}", arrows="P0, McNemar's test") -}}
{{ define("gains", "{treebank}/{parser}/{score}", digits=1,
   rows={"treebank": ["Gothic", "Danish"], "parser": ["P0", "P1"]},
   columns={"score": {"las": "LAS", "p": "P"}}) -}}
"""

SCORES = '{"score": {"las": "LAS", "p": "P"}}'

SCORES = '{"score": {"las": "LAS", "p": "P"}}'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "results.json").write_text(json.dumps({"figures": FIGURES}), "utf-8")
    (tmp_path / "README.md.j2").write_text(TABLES)
    return tmp_path


@pytest.fixture
def findings(folder):
    return load_findings(folder)


def test_tables_mark_significant_differences_with_arrows(findings):
    assert findings.tables["las"].markdown().splitlines() == [
        "| LAS           |    P0 | pseudo-projective |",
        "| ------------- | ----: | ----------------: |",
        "| Gothic-PROIEL | 81.25 |           81.57 ↑ |",
        "| Danish-CDT    | 84.40 |           85.12   |",
    ]


def test_column_keys_precede_titles_and_titles_must_be_unique(folder):
    (folder / "README.md.j2").write_text(
        '{{ define("t", "{bank}/P1/{score}", {"bank": ["Gothic"]}, '
        'each("score", {"las": "p", "p": "P"}) + column("n", "P", "{bank}/words")) }}'
    )
    figure = load_findings(folder).cell
    assert figure("t/Gothic/p") == 65.06
    assert "column 'P'" in refusal(lambda: figure("t/Gothic/P"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("las/Gothic/P1", 81.57),
        ("gains/Danish/P1/LAS", 85.12),
        ("results:Danish/words", 10332),
        ("results:Gothic/tests/first=P1,second=P2/b", 1),
    ],
)
def test_figures_are_found_by_the_names_of_their_cells(findings, name, value):
    assert findings.cell(name) == value


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
def test_errors_name_unknown_cells(findings, name, message):
    assert message in refusal(lambda: findings.cell(name))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{treebank}/{parser}/las", "{treebank}/{parser}/uas", "line 2: las: Gothic/P0/uas: 'uas'"),
        ("{treebank}/{parser}/las", "{bank}/{parser}/las", "line 2: las: {bank}/{parser}/las: no variable 'bank'"),
        ('corner="LAS"', 'results="results-more"', "line 2: las: no results in results-more.json"),
        ('corner="LAS"', 'korner="LAS"', "line 2: las: unknown argument 'korner' (did you mean 'corner'?)"),
        ('corner="LAS"', 'corner="above " ~ cell("las/Gothic/P0")', "line 2: las: arguments depend on figures"),
        ('corner="LAS"', 'treebank="Gothic"', "line 2: las: treebank: has values in the rows, too"),
        ('corner="LAS"', 'published="tables/4"', "line 2: las: published: is for tables of reports"),
        ('"gains"', '"las"', "line 6: las: is made twice"),
        ("{parser}/{score}", "{parser}/las", "line 6: gains: column las: unknown argument 'score'"),
        ("{parser}/{score}", "{}/{parser}/{score}", "line 6: gains: {treebank}/{}/{parser}/{score}: "),
        (SCORES, 'column("las", score="las", digit=1)', "line 6: gains: column las: unknown argument 'digit'"),
        (SCORES, 'each("p", ["las"])', "line 6: variable 'p' is an argument"),
        (SCORES, 'column("las", score="p", treebank="Danish")', "line 6: gains: column las: treebank: has values in"),
    ],
)
def test_invalid_tables_are_refused(folder, old, new, message):
    (folder / "README.md.j2").write_text(TABLES.replace(old, new))
    assert message in refusal(lambda: load_findings(folder))


TEMPLATE = """# Page

On Gothic P1 has {{ cell("las/Gothic/P1") | digits }}.

{{ table("las") }}
"""
FIRST = """# First page

<!-- generated: learners -->
<!-- end -->

<!-- table: own:gains -->
<!-- end -->
"""


@pytest.fixture
def site(tmp_path, folder, monkeypatch):
    """A repository with a first page and a folder ``own`` with results."""
    home = tmp_path / "experiments" / "papers" / "own"
    home.mkdir(parents=True)
    (folder / "results.json").rename(home / "results.json")
    (folder / "README.md.j2").unlink()
    (home / "README.md.j2").write_text(TABLES.lstrip() + TEMPLATE)
    (tmp_path / "README.md").write_text(FIRST)
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    return tmp_path


def test_command_renders_templates_and_writes_generated_parts(site, capsys):
    first, path = site / "README.md", site / "experiments" / "papers" / "own" / "README.md"
    assert pages.main(["--check"]) == 1
    assert sorted(line.partition(": ")[0] for line in capsys.readouterr().err.splitlines()) == [str(first), str(path)]
    assert first.read_text() == FIRST
    assert not path.exists()
    assert pages.main([]) == 0
    tables = load_findings(path.parent).tables
    legend = "[Arrows](../../README.md#arrows): against P0; McNemar's test, variance times 2.2, 2 tests."
    assert path.read_text() == f"# Page\n\nOn Gothic P1 has 81.57.\n\n{tables['las'].markdown()}\n{legend}\n"
    parts = generated_parts()["learners"]().strip(), tables["gains"].markdown()
    assert [part in first.read_text() for part in parts] == [True, True]
    assert pages.main(["--check"]) == 0
    path.write_text(path.read_text().replace("81.57", "81.75"))
    assert pages.main(["--check"]) == 1
    (path.parent / "README.md.j2").write_text(TABLES.lstrip() + TEMPLATE.replace("Gothic/P1", "Gothic/P2"))
    capsys.readouterr()
    assert pages.main([]) == 1
    assert capsys.readouterr().err.startswith(f"{path}: line 10: las/Gothic/P2: column 'P2'")


def test_unknown_generated_parts_are_refused(findings):
    with pytest.raises(CrossarcError, match=r"^generated part 'learner' \(did you mean 'learners'\?\)"):
        with_parts("<!-- generated: learner -->\n<!-- end -->", findings)
    with pytest.raises(CrossarcError, match=r"^table 'lass'"):
        with_parts("<!-- table: lass -->\n<!-- end -->", findings)


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ('{{ cell("las/Gothic/P1") | digits(1) }}', "81.6"),
        ('{{ (cell("las/Gothic/P1") - cell("las/Gothic/P0")) | digits(2, "+") }}', "+0.32"),
        ('{{ cell("results:Danish/words") | digits(0) }}', "10332"),
        ('{{ reduction("las/Danish/P0", "las/Danish/P1") | digits }}', "4.62"),
        ('{{ better("las/Gothic/P1", than="P0") }}', "better than P0"),
        ('{{ better("las/*/P1") }}', "better on Gothic"),
        ('{{ better("las/*/P1", level=0.01) }}', "nowhere significantly better"),
        ('{{ worse("las/*/P1", than="P0") }}', "nowhere significantly worse than P0"),
        ('{{ same("las/Danish/P1") }}', "not significantly different"),
        ('{{ differs("las/*/P1", at="at") }}', "significantly different at Gothic"),
        ('{{ higher("las/*/P1", "las/*/P0") }}', "higher on Gothic and Danish"),
        ('{{ lower("las/Gothic/P0", "las/Gothic/P1") }}', "lower"),
        ('{{ gain("las/Gothic/P1", "las/Gothic/P0", 1) }} ({{ tests("las") }})', "0.3 (2)"),
        ('{{ count("las/*/P1", 85) }}', "1 of 2"),
        ('{{ count("las/*/P1", "las/*/P0") }}', "2 of 2"),
        ('{{ count(1, "gains/*/P0/p") }}', "0 of 0"),
        ('low{{ check(cell("las/Gothic/P1") < 82) }}', "low"),
        ("text {#- source: a run #}.", "text."),
    ],
)
def test_expressions_of_templates(findings, tmp_path, text, rendered):
    (tmp_path / "page.md.j2").write_text(text)
    assert findings.render(tmp_path / "page.md.j2") == rendered


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('\n{{ cell("gains/Gothic/P0/p") | digits }}', "line 2: gains/Gothic/P0/p: found no value, expected a number"),
        ('{{ check(cell("las/Gothic/P1") > 82) }}', "line 1: check does not hold"),
        ('{{ worse("las/Gothic/P1") }}', "line 1: las/Gothic/P1: the results do not show 'worse'"),
        ('{{ better("las/Gothic/P1", "las/Danish/P1") }}', "line 1: las/Gothic/P1, las/Danish/P1: the results do not"),
        ('{{ same("las/Gothic/P1", "las/Danish/P1") }}', "line 1: las/Gothic/P1, las/Danish/P1: the results do not"),
        ('{{ better("las/Gothic/P1", level=0.01) }}', "line 1: las/Gothic/P1: the results do not show 'better'"),
        ('{{ better("las/Gothic/P0") }}', "line 1: las/Gothic/P0: the results do not show 'better'"),
        ('{{ better("las/Gothic/P1", "las/Gothic/P0") }}', "line 1: las/Gothic/P1, las/Gothic/P0: the results do not"),
        ('{{ better("las/*/P1", "las/Danish/P1") }}', "line 1: las/*/P1, las/Danish/P1: the results show 'better' for"),
        ('{{ higher("las/Gothic/P0", "las/Gothic/P1") }}', "line 1: las/Gothic/P0, las/Gothic/P1: the results do not"),
        ('{{ gain("las/Gothic/P0", "las/Gothic/P1") }}', "line 1: las/Gothic/P0: -0.32 is no gain over las/Gothic/P1"),
        ("{{ cels }}", "line 1: 'cels' is undefined"),
        ('{{ better("gains/*/P0/las") }}', "line 1: gains/*/P0/las: no row has such a figure or test"),
        ('{{ better("las/*/P7/P1") }}', "line 1: las/*/P7/P1: fits no row"),
        ('{{ count("gains/*/*/las", 1) }}', "line 1: gains/*/*/las: expected one *"),
        ("{{ count(1, 2) }}", "line 1: "),
        ("a\n{{ cell(", "line 2: "),
    ],
)
def test_errors_in_templates_name_their_line(findings, tmp_path, text, message):
    (tmp_path / "page.md.j2").write_text(text)
    with pytest.raises(CrossarcError, match=f"^{re.escape(message)}"):
        findings.render(tmp_path / "page.md.j2")


def test_results_are_rounded_and_have_no_breakdowns():
    value = {"las": 81.2537, "p": 0.071571, "by_deprel": {}, "propagation": {}, "list": [1.234, {"z": 1.999}], "n": 3}
    assert rounded(value) == {"las": 81.25, "p": 0.0716, "list": [1.23, {"z": 2.0}], "n": 3}


RESULTS = sorted((ROOT / "experiments").rglob("results*.json"))


@pytest.mark.parametrize("file", RESULTS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_committed_results_have_setting_versions_and_checksums(file):
    document = json.loads(file.read_text("utf-8"))
    assert {"crossarc", "python", "numpy", "scipy", "scikit-learn"} <= document["versions"].keys()
    assert document["setting"]
    assert document["figures"]
    files = [split for own in document["treebanks"].values() for split in own.values() if isinstance(split, dict)]
    assert all(any(isinstance(split, dict) for split in own.values()) for own in document["treebanks"].values())
    assert files or document["setting"]["generated"], "reads no treebank, nor makes one"
    assert all(re.fullmatch("[0-9a-f]{64}", row["sha256"]) for row in files)


def test_measurements_of_other_parsers_name_their_source():
    """Further JSON files have published figures, see ``papers/test_published.py``."""
    others = [file for file in (ROOT / "experiments").rglob("*.json") if file not in RESULTS]
    (measured,) = (json.loads(file.read_text("utf-8")) for file in others if file.stem != "published")
    assert measured["source"]
    assert measured["commands"]
