"""TableMaker of experiments: rendering, and the rows of the papers' tables from scores counted by hand."""

import re
from pathlib import Path
from statistics import NormalDist, fmean

import pytest
from crossarc.experiments.harness.charts import Chart, charts_of, parser_colours
from crossarc.experiments.harness.comparisons import RATIO, base_test, over_sentences, pair_test
from crossarc.experiments.harness.figures import over
from crossarc.experiments.harness.settings import load_settings
from crossarc.experiments.harness.tables import TableMaker, column, each, markdown_table, picked, published_rows
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.evaluate.mcnemar import mcnemar_of
from crossarc.parser.plugins.drawing.charts import ranks
from handmade import evaluate, words_tree

ROW = load_settings("kuhlmann-nivre-2010").measures["arcs"]
OVERALL = ("las", "uas", "lem", "uem")


def test_markdown_is_aligned_and_escaped():
    assert markdown_table(["a", "long"], [["x|y", "1"], ["z", "22.00"]]).splitlines() == [
        "| a    |  long |",
        "| ---- | ----: |",
        "| x\\|y |     1 |",
        "| z    | 22.00 |",
    ]


def make(figures, *arguments, **more):
    return TableMaker(Path(), documents={"results": figures}).make(*arguments, **more)


def texts(*arguments, **more):
    """The cells of a table as text, by rows."""
    return [[cell.text for cell in row] for row in make(*arguments, **more).rows.values()]


def test_the_highest_compared_figure_of_a_row_is_bold():
    figures = {"A": {"x": 1.0, "y": 2.0, "z": 3.0}, "B": {"x": 2.004, "y": 2.001, "z": None}}
    table = figures, "{t}/{x}", {"t": ["A", "B"]}, {"x": ["x", "y", "z"]}
    assert texts(*table, bold=["x", "y"]) == [["1.00", "**2.00**", "3.00"], ["**2.00**", "**2.00**", "–"]]
    assert texts(*table, bold=True) == [["1.00", "2.00", "**3.00**"], ["**2.00**", "**2.00**", "–"]]


def test_columns_are_combinations_of_values_or_described_one_by_one():
    figures = {"A": {"x": {"1": 1.0, "2": 2.0}, "y": {"1": 3.0, "2": 4.0}}, "n": 5}
    product = make(figures, "{t}/{v}/{n}", {"t": ["A"]}, {"v": {"x": "X", "y": "Y"}, "n": "*"})
    assert product.columns == {"x, 1": "X: 1", "x, 2": "X: 2", "y, 1": "Y: 1", "y, 2": "Y: 2"}
    assert [cell.figure for cell in product.rows[("A", "A"),]] == [1.0, 2.0, 3.0, 4.0]
    described = column("n", "all", "n", digits=0) + each("v", ["x", "y"], digits=1) + column("last", n="2", v="y")
    assert texts(figures, "{t}/{v}/{n}", {"t": ["A"]}, described, n="1") == [["5", "1.0", "3.0", "4.00"]]
    with pytest.raises(CrossarcError, match="several columns x; give them different keys"):
        make(figures, "{t}/{v}/1", {"t": ["A"]}, each("v", ["x"]) + column("x", "again", v="y"))


def test_the_highest_figure_of_a_column_is_bold_for_each_treebank():
    figures = {"A": {"P0": {"x": 1.0, "y": 9.0}, "P1": {"x": 2.0, "y": 8.0}}}
    figures["B"] = {"P0": {"x": 4.001, "y": 1.0}, "P1": {"x": 4.004, "y": 2.0}}
    rows = {"t": ["A", "B"], "p": ["P0", "P1"]}
    table = texts(figures, "{t}/{p}/{x}", rows, {"x": ["x", "y"]}, best=["x"])
    assert table == [["1.00", "9.00"], ["**2.00**", "8.00"], ["**4.00**", "1.00"], ["**4.00**", "2.00"]]


def test_a_figure_is_divided_by_another_of_the_same_results():
    columns = column("x", "time", "{t}/x", per="A/x", digits=1) + column("y", per="{t}/x")
    figures = {"A": {"x": 2.0, "y": 1}, "B": {"x": 5.0, "y": None}}
    assert texts(figures, "{t}/y", {"t": ["A", "B"]}, columns) == [["1.0", "0.50"], ["2.5", "–"]]


@pytest.mark.parametrize(
    ("rows", "widest", "parts"),
    [
        ("AB", 6, [["n v w x y z", "A 1 2 3 4 5", "B 6 7 8 9 10"]]),
        ("AB", 4, [["n A B", "v 1 6", "w 2 7", "x 3 8", "y 4 9", "z 5 10"]]),
        ("ABC", 3, [["n v", "A 1", "B 6", "C 11"], ["n w x", "A 2 3", "B 7 8", "C 12 13"]]),
    ],
)
def test_a_wide_table_is_transposed_or_printed_in_parts(rows, widest, parts):
    figures = {own: dict(zip("vwxyz", range(1 + 5 * at, 6 + 5 * at), strict=True)) for at, own in enumerate("ABC")}
    table = make(figures, "{t}/{x}", {"t": list(rows)}, {"x": list("vwxyz")}, corner="n")
    printed = table.markdown(widest).rstrip("\n").split("\n\n")
    tables = [[" ".join(line.replace("|", " ").split()) for line in part.splitlines()] for part in printed]
    assert [[head, *body] for head, _, *body in tables][: len(parts)] == parts
    assert len(tables) == (3 if widest == 3 else 1)


def charts(name, *table, **chart):
    """The charts of a table by their names."""
    return charts_of(name, make(*table), Chart(**chart))


def test_a_chart_has_a_row_for_each_row_and_a_dot_for_each_figure():
    figures = {"A": {"x": 1.0, "y": 2.0}, "B": {"x": 2.0, "y": None}}
    columns = {"x": {"x": "first", "y": "second"}}
    (drawn,) = charts("own", figures, "{t}/{x}", {"t": ["A", "B"]}, columns, x="LAS").values()
    assert [text for text in ("A", "B", "first", "second", "LAS") if f">{text}</text>" not in drawn] == []
    assert (drawn.count("<circle"), drawn.count('width="8"')) == (2 + 1, 1 + 1)  # with those of the legend


def test_a_chart_has_a_line_for_each_column_and_a_file_for_each_value_in_its_name():
    rows = {"t": {"A": "first", "B": "B"}, "size": "*"}
    figures = {own: {"10": {"las": 1.0, "cpu": 2.0}, "20": {"las": 3.0, "cpu": None}} for own in "AB"}
    lines = {"across": "size", "title": "{t}", "x": "size", "y": "%"}
    table = figures, "{t}/{size}/{measure}", rows, {"measure": ["las", "cpu"]}
    drawn = charts("{t}-las", *table, **lines)
    assert list(drawn) == ["A-las.svg", "B-las.svg"]
    assert [text for text in ("first", "las", "cpu", "%") if f">{text}</text>" not in drawn["A-las.svg"]] == []
    assert drawn["A-las.svg"].count("<circle") + drawn["A-las.svg"].count('width="8"') == 3 + 2  # with the legend
    assert len(charts("all", *table, **lines)) == 1
    (speed,) = charts("speed", *table, across="las", x="LAS", y="CPU s", log="xy").values()
    shown = [text for text in ("first, 10", "first, 20", "B, 10", "B, 20", "CPU s") if f">{text}</text>" in speed]
    assert shown == ["first, 10", "B, 10", "CPU s"]  # the others have no figures


def test_a_parser_has_the_same_colour_on_all_charts():
    def colours(*names):
        return ranks(names, parser_colours()).values()

    assert [*colours("swap", "accurate, words")] == [*colours("swap", "accurate (1 000)")] == [2, 0]
    assert [*colours("other", "accurate", "more", "accurate, words")] == [1, 0, 2, 3]
    assert sorted({*parser_colours().values()}) == list(range(8))


def test_measures_over_documents_are_measures_of_each_figure():
    runs = [{"las": 80.0, "by": {"a": 1.0, "b": None}, "text": "x"}, {"las": 82.0, "by": {"a": 2.0, "b": 3.0}}]
    assert over(runs, fmean) == {"las": 81.0, "by": {"a": 1.5, "b": None}}
    assert over([{"p": "0.1"}, {"p": "0.2"}], fmean) == {"p": None}


def test_arrows_follow_the_tests_of_pairs_in_either_order_and_holms_correction():
    tests = [
        {"first": "a", "second": "b, c", "b": 100, "c": 200},
        {"first": "d", "second": "a", "b": 20, "c": 46},  # p = 0.038, three tests
        {"first": "a", "second": "e", "b": 22, "c": 22},
    ]
    figures = {**dict.fromkeys("ade", 1.0), "b, c": 1.0, "tests": tests}
    for rows, arrows in (["a", "b, c", "d"], " ⇓↑"), (["a", "b, c", "d", "e"], " ⇓  "):
        table = texts(figures, "{p}", {"p": rows}, column("x"), test="tests/first=a,second={p}")
        assert table == [[f"1.00 {arrow}"] for arrow in arrows]


def test_arrows_follow_probabilities_beside_figures():
    figures = {"A": {"las": 80.0, "p": None}, "B": {"las": 81.5, "p": "2e-16 *"}, "C": {"las": 79.0, "p": 0.0099}}
    tested = {"p": "{t}/p", "base": "A/las", "arrows": "A, randomization test over sentences"}
    table = make(figures, "{t}/las", {"t": ["A", "B", "C"]}, column("las"), **tested)
    cells = [cell for (cell,) in table.rows.values()]
    assert [cell.text for cell in cells] == ["80.00  ", "81.50 ⇑", "79.00 ⇓"]
    tests = [cell.test and (cell.test.difference, cell.test.p) for cell in cells]
    assert tests == [None, (1.5, 4e-16), (-1.0, pytest.approx(0.00995))]
    assert table.family == 2


def test_tests_over_words_count_with_the_variance_over_sentences():
    normal = NormalDist()
    first, second = (2 - 2 * normal.cdf(z) for z in (3.0, 3.0 / RATIO**0.5))
    assert over_sentences(first) == pytest.approx(second)
    figures = {
        "A": {"las": 80.0},
        "B": {"las": 81.0, "p": first},
        "C": {"las": 81.0, "p": first, "over_sentences": 0.5},
    }
    test, exact = (base_test(figures, f"{name}/p", 81.0, "A/las", mcnemar=True) for name in "BC")
    assert test.p == pytest.approx(second, abs=0.001)
    assert exact.p == pytest.approx(0.5, abs=0.001)
    pair = {"first": "A", "second": "B", "b": 40, "c": 20}
    tests = {"las": [pair], "lem": [pair], "uas": [{**pair, "over_sentences": 0.3}]}
    las, lem, uas = (pair_test({"all": tests}, f"all/{score}/first=A,second=B").p for score in ("las", "lem", "uas"))
    assert lem == mcnemar_of(40, 20).p < over_sentences(lem) == las
    assert uas == pytest.approx(0.3, abs=0.001)


def test_rows_of_scores_agree_with_counts_by_hand():
    # the arcs 1 -> 3 and 4 -> 2 of the first gold tree cross; the second tree is projective and parsed correctly
    gold = [
        words_tree([-1, 0, 4, 1, 1], ["", "r", "x", "x", "x"], ["a", "b", "c", "d"]),
        words_tree([-1, 0, 1], ["", "r", "x"], ["a", "b"]),
    ]
    parsed = [words_tree([-1, 0, 1, 1, 1], ["", "r", "x", "x", "x"], ["a", "b", "c", "d"]), gold[1]]
    scores = evaluate(gold, parsed)
    row = picked(scores, ROW)
    assert [row[score] for score in OVERALL] == [500 / 6, 500 / 6, 50.0, 50.0]
    assert len(row) == 4 + 11
    assert (row["all_projective_p"], row["all_projective_r"]) == (500 / 6, 100.0)
    assert (row["all_nonprojective_p"], row["all_nonprojective_r"]) == (None, 0.0)
    assert (row["projective_projective_p"], row["projective_projective_r"]) == (100.0, 100.0)
    assert (row["nonprojective_projective_p"], row["nonprojective_projective_r"]) == (75.0, 100.0)
    assert row["nonprojective_nonprojective_r"] == 0.0


def test_published_tables_have_the_columns_of_our_tables():
    arcs = [name for name in ROW if name not in OVERALL]
    for table, columns in (("2", OVERALL), ("3", arcs), ("4", OVERALL), ("5", arcs)):
        rows = published_rows("kuhlmann-nivre-2010", table, language="German")
        assert [row["parser"] for row in rows] == ["P0", "P1", "P2", "P3"]
        assert all(set(columns) <= set(row) for row in rows)
    assert published_rows("kuhlmann-nivre-2010", "4", language="German", parser="P1")[0]["las"] == 84.07


RUN = {
    "T": {"scores": {"P0": {"las": 80.0, "n": 5}, "P1": {"las": None, "n": 6}}, "tests": []},
    "U": {"scores": {"P9": {"las": 79.0, "n": 6}}},
    "average": {"las": 79.5},
}
PUBLISHED = {"published": {"rows": [{"language": "Czech", "parser": "P0", "las": 79.65, "n": 7}]}}


@pytest.mark.parametrize(("title", "difference"), [("published", True), ("published for Czech", False)])
def test_reports_have_published_figures_below_our_rows(title, difference):
    table = TableMaker(Path(), RUN, {"T": ("Czech", title), "U": ("", "")}, PUBLISHED).make(
        "{treebank}/scores/{parser}/{score}",
        {"treebank": "*", "parser": "*"},
        {"score": {"las": "LAS", "n": "n"}},
        test="{treebank}/tests/first=P0,second={parser}",
        published="rows/language={treebank},parser={parser}/{score}",
    )
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.markdown().splitlines()[2:]]
    assert cells == [
        ["T", "P0", "80.00", "5"],
        ["T", f"*P0, {title}*", "79.65", "7"],
        *([["T", "*P0, difference*", "+0.35", "-2"]] if difference else []),
        ["T", "P1", "–", "6"],
        ["U", "P9", "79.00", "6"],
    ]


def test_published_figures_have_the_digits_of_their_column_and_no_place_in_columns_without_them():
    run, twins = {"T": {"las": 80.25, "p": 0.5}}, {"T": ("Czech", "published")}
    published = {"published": {"rows": [{"language": "Czech", "las": 79.65}]}}
    columns = each("score", {"las": "LAS"}, digits=1) + column("p", cell="{treebank}/p")
    table = TableMaker(Path(), run, twins, published).make(
        "{treebank}/{score}", {"treebank": "*"}, columns, published="rows/language={treebank}/{score}"
    )
    texts_of_rows = [[cell.text for cell in row] for row in table.rows.values()]
    assert texts_of_rows == [["80.2", "0.50"], ["79.7", "–"], ["+0.60", "–"]]


def test_all_values_of_rows_are_those_of_every_column():
    figures = {"P0": {"A": 1.0, "C": 0.0}, "P1": {"A": 2.0, "B": 3.0}, "A P2": 5.0}
    table = make(figures, "{p}/{t}", {"t": "*"}, {"p": ["P0", "P1"]}, missing=True)
    assert [key[0][0] for key in table.rows] == ["A", "C", "B"]
    named = make(figures, "{t} P2", {"t": "*"}, column("P2"))
    assert [key[0][0] for key in named.rows] == ["A"]


def test_reports_have_the_figures_of_the_run_alone():
    with pytest.raises(CrossarcError, match="results: found 'reslts'"):
        TableMaker(Path(), RUN).make("{treebank}/las", {"treebank": "*"}, column("las"), results="reslts")


def test_columns_without_figures_are_left_out_of_reports():
    table = TableMaker(Path(), RUN).make("{treebank}/scores/{parser}/las", {"treebank": "*"}, {"parser": "*"})
    assert (list(table.columns), [key[0][0] for key in table.rows]) == (["P0", "P9"], ["T", "U"])


def test_dots_have_intervals_where_both_ends_are_known():
    columns = {"score": {"las": "LAS", "las low": "from", "las high": "to", "uas": "UAS"}}

    def lines(**ends):
        row = {"las": 5.0, "uas": 2.0, "las low": None, "las high": None}
        figures = {"one": row | ends, "other": row}
        (chart,) = charts("gains", figures, "{parser}/{score}", {"parser": ["one", "other"]}, columns, x="LAS").values()
        assert "from" not in chart
        return len(re.findall('<line[^>]*stroke="(?!#(?:000|ddd|eee)")', chart))

    assert (lines(**{"las low": 4.0, "las high": 7.0}), lines(**{"las low": 4.0}), lines()) == (1, 0, 0)
