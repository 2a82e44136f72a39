"""Report pages: parts as HTML, escaped text, and no scripts or external resources."""

import re
from base64 import b64decode

import pytest
from crossarc.parser.plugins.drawing.report_page import Chart, Heading, ReportTable, Text, report_page
from drawn import HOSTILE, Elements

PARTS = (
    Heading(1, "A title"),
    Text("A paragraph with 1 < 2."),
    ReportTable(["treebank", "LAS"], [["a | b", "81.25"], ["c", "-"]]),
    Chart("<svg/>", "Figure 4"),
)


def body(page):
    return page.split("<main>\n")[1].split("\n</main>")[0]


def test_parts_are_written_as_html():
    written = body(report_page("t", PARTS))
    assert "<p>A paragraph with 1 &lt; 2.</p>" in written
    assert '<tr><td class="left">a | b</td><td>81.25</td></tr>' in written
    (image,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)" alt="Figure 4"', written)
    assert b64decode(image) == b"<svg/>"


def test_hostile_text_does_not_become_markup():
    for text in HOSTILE:
        parts = [Heading(1, text), Text(text), ReportTable([text], [[text]]), Chart(text, text)]
        harmless = [Heading(1, "a"), Text("a"), ReportTable(["a"], [["a"]]), Chart("a", "a")]
        found, expected = (Elements(report_page(*own)).tags for own in ((text, parts), ("a", harmless)))
        assert [tag for tag, _ in found] == [tag for tag, _ in expected]


def test_notes_are_below_their_table():
    page = report_page("t", [ReportTable(["", "P"], [["x", "1"]], notes=[("P", "precision & <more>")]), Text("after")])
    assert '</table></div><dl class="notes"><dt>P</dt><dd>precision &amp; &lt;more&gt;</dd></dl>' in page
    assert "<dl" not in report_page("t", [ReportTable(["", "P"], [["x", "1"]])])


@pytest.mark.parametrize("dark", [False, True])
def test_charts_are_inverted_in_dark_mode(browser, tmp_path, dark):
    text = report_page("t", [Chart("<svg/>", "chart")])
    browser.show(text.replace("<html", '<html data-ready="true"'), tmp_path, dark=dark)
    style = "getComputedStyle(document.querySelector('img')).filter"
    assert browser.evaluate(style) == ("invert(0.91) hue-rotate(180deg)" if dark else "none")


def test_page_has_no_scripts_or_external_resources():
    page = report_page("t", PARTS)
    assert re.findall(r"\w+://", page) == []
    assert "<script" not in page
