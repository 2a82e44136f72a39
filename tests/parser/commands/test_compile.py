"""``crossarc compile``: it compiles all functions in advance."""

import re
from importlib.util import find_spec
from pathlib import Path

import crossarc
import pytest
from command_line import run
from crossarc.parser.base.compiling import kept_in


@pytest.mark.skipif(find_spec("numba") is None, reason="numba, the extra crossarc[fast], is not installed")
def test_compile_stores_the_code_of_all_functions(capsys, monkeypatch):
    monkeypatch.delenv("CROSSARC_KERNEL", raising=False)
    folder = kept_in()
    assert folder is not None
    assert run("compile") == 0
    assert capsys.readouterr().out == f"compiled code: {folder}\n"
    sources = (path.read_text("utf-8") for path in (Path(crossarc.__file__).parent / "parser").rglob("*.py"))
    functions = {name for text in sources for name in re.findall(r"\b(?:compiled|decorate)\((\w+)[,)]", text)}
    assert len(functions - {"function"}) == 9
    assert functions - {"function"} <= {re.split(r"[.-]", path.name)[-4] for path in folder.glob("*.nbi")}


def test_compile_is_refused_without_numba(capsys, monkeypatch):
    monkeypatch.setenv("CROSSARC_KERNEL", "numpy")
    assert run("compile") == 1
    assert 'pip install "crossarc[fast]"' in capsys.readouterr().err
