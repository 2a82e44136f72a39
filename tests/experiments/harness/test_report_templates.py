"""The report of every experiment over its committed results, as a run with these figures would write it."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import crossarc
import pytest
from crossarc.experiments.harness.registry import experiments, report_template
from crossarc.experiments.harness.reports import Report
from crossarc.experiments.harness.tables import TableMaker

FILES = sorted(Path(crossarc.__file__).parent.glob("experiments/**/results*.json"))
EXPERIMENTS = {file: re.search('"experiment": "(.*)"', file.read_text("utf-8"))[1] for file in FILES}
REPORTED = [file for file, name in EXPERIMENTS.items() if name in experiments() and report_template(name).is_file()]


@pytest.mark.parametrize("file", REPORTED, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_reports_of_committed_results(file, tmp_path):
    """Each treebank stands for one of the paper, too, so that there are rows of published figures."""
    document = json.loads(file.read_text("utf-8"))
    template = report_template(EXPERIMENTS[file])
    twins = dict.fromkeys(document["treebanks"], ("German", "published"))
    report = Report(tmp_path, TableMaker(template.parent, document["figures"], twins))
    text = report.render(template)
    assert report.tables or [*tmp_path.glob("*.svg")]
    assert all(table.markdown() in f"{text}\n" for table in report.tables)
    assert len([*tmp_path.glob("tables/*.csv")]) == len(report.tables) == len([*tmp_path.glob("tables/*.tex")])
    for chart in tmp_path.glob("*.svg"):
        assert f"({chart.name})" in text
        ElementTree.parse(chart)
