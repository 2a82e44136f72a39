"""The lesson: its notebook runs from an empty folder, and its tasks have the answers that it promises."""

import json
import re
from pathlib import Path

import crossarc
import pytest
from crossarc.parser.plugins.analysis.derivation import system_derivation
from crossarc.transitions import plugins

HOME = Path(crossarc.__file__).parent / "experiments" / "lesson"
CELLS = json.loads((HOME / "lesson.ipynb").read_text("utf-8"))["cells"]
MOST_CELLS, MOST_WORDS = 30, 2500
"""What a class can read in 90 minutes."""


def source(cell):
    return "".join(cell["source"])


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The names that the cells have bound; each cell is run as a notebook runs it."""
    folder = tmp_path_factory.mktemp("lesson")
    names = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(
            plugins, "_PARTS", {group: {} for group in plugins.GROUPS}
        )  # the systems of the lesson go with it
        patch.setattr(plugins, "_LOADED", set())
        for cell in CELLS:
            if cell["cell_type"] == "code":
                exec(compile(source(cell), cell["id"], "exec"), names)
        names["folder"] = folder
        yield names


def test_the_lesson_fits_into_its_time():
    assert len(CELLS) <= MOST_CELLS
    assert sum(len(source(cell).split()) for cell in CELLS) <= MOST_WORDS
    assert all(cell["outputs"] == [] for cell in CELLS if cell["cell_type"] == "code")


def test_links_lead_to_pages():
    for link in re.findall(r"\]\(([^)]+)\)", "".join(map(source, CELLS))):
        assert (HOME / link).resolve().is_file()


def test_the_cells_show_what_the_text_says(ran):
    assert all(step.cost == 0 for step in ran["derivation"].steps)
    assert ran["derivation"].end.tree.heads == ran["dogs"].heads()
    assert ran["wrong"].steps[-1].cost == 2
    assert "<html" in (ran["folder"] / "quiz.html").read_text("utf-8")
    scores = ran["scores"]
    assert scores["swap"].las > scores["arc-standard"].las
    assert (scores["arc-standard"].nonprojective.all.labelled.recall or 0) == 0


def test_tables_of_notebooks_have_a_row_for_each_configuration(ran):
    derivation = ran["derivation"]
    assert derivation._repr_html_().count("<tr>") == len(derivation.steps) + 2
    assert f"<td>{ran['scores']['swap'].las:.2f}</td>" in ran["scores"]["swap"]._repr_html_()


def test_names_of_words_cannot_be_markup():
    sentence = crossarc.Sentence.from_tokens(["<b>", "&"], heads=[2, 0], deprels=["x", "root"])
    assert "<b>" not in system_derivation(sentence, "arc-standard")._repr_html_()


def test_the_bug_is_found_and_only_where_it_is(ran):
    faults = {name: [rule for rule, fault in crossarc.check_system(name) if fault] for name in ("mine", "hybrid")}
    assert faults["mine"]
    assert not faults["hybrid"]


def test_rules_are_a_table_in_which_faults_stand(ran):
    report = crossarc.check_system("mine")
    assert not report.ok
    table = report._repr_html_()
    assert table.count("<td>violated</td>") == sum(bool(fault) for _, fault in report)
    assert table.count("<tr>") == len(report)


def test_wrong_arcs_are_marked_beside_gold_ones(ran):
    gold = ran["english"]
    wrong = gold.with_tree([-1, 2, 3, 0, 3, 4, 7, 5, 4, 3], ["", *gold.deprels()[1:]])
    picture = crossarc.beside(gold, wrong)
    assert picture._repr_svg_().count("wrong-head") > crossarc.beside(gold, gold)._repr_svg_().count("wrong-head")
    with pytest.raises(crossarc.CrossarcError):
        crossarc.beside(gold, ran["czech"])
