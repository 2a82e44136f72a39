"""Folder READMEs: the Python examples on each page run."""

import re
from pathlib import Path

import crossarc
import pytest

ROOT = Path(crossarc.__file__).parent
PAGES = sorted(
    path
    for name in ("transitions", "oracles", "features", "parser", "configs", "experiments")
    for path in (ROOT / name).rglob("README.md")
    if path.parent.name != "tutorial"  # its blocks depend on each other, see experiments/test_tutorial.py
)
BLOCKS = [
    pytest.param(block, id=f"{page.parent.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"^```python\n(.*?)```", page.read_text("utf-8"), re.M | re.S))
]


def test_pages_have_blocks():
    assert len(BLOCKS) > 20


@pytest.mark.parametrize("block", BLOCKS)
def test_example_in_readme_runs(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "README.md", "exec", dont_inherit=True), {"__name__": "example"})
