"""Recipes in the README for splitting text with other tools; skipped if these are not installed."""

import doctest
import re
import warnings
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import crossarc
import pytest

README = Path(crossarc.__file__).parent / "parser" / "interfaces" / "README.md"


@pytest.mark.parametrize(
    ("package", "imported"), [("spacy", "import spacy"), ("ufal.udpipe", "from ufal import udpipe")]
)
def test_text_is_split_and_parsed(package, imported, trained):
    pytest.importorskip(package, reason=f"{package} is not installed: pip install {package}")
    blocks = re.findall(r"```pycon\n(.*?)```", README.read_text("utf-8"), re.S)
    (recipe,) = (block for block in blocks if f">>> {imported}\n" in block)
    parse = partial(trained("swap").parse, allow_empty_columns=True)
    found = {"crossarc": crossarc, "parser": SimpleNamespace(parse=parse)}
    with warnings.catch_warnings(action="ignore"):
        example = doctest.DocTestParser().get_doctest(recipe, found, package, str(README), 0)
        assert doctest.DocTestRunner().run(example, clear_globs=False).failed == 0
    sentences = example.globs["parsed"]
    assert [len(own.heads()) for own in sentences] == [5, 5]
