"""The package for its users: public names, imports, and the examples in docstrings, the README and other pages."""

import doctest
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import crossarc
import pytest
from command_line import write_splits
from crossarc import Config, TreebankOptions, load_config
from crossarc.parser.config.feature_files import load_features
from crossarc.parser.treebank.symbols import nameable_columns

ROOT = Path(crossarc.__file__).parent
README = (ROOT / "README.md").read_text("utf-8")
CONFIGS = (ROOT / "configs" / "keys.md").read_text("utf-8")
FEATURES = (ROOT / "features" / "README.md").read_text("utf-8")
FOLDERS = ("transitions", "oracles", "features", "parser", "configs", "experiments")
OTHERS = {"token_lists": "conllu", "frames": "pandas", "spacy_docs": "spacy", "nltk_graphs": "nltk"}
"""Modules whose examples need another package."""
CODE = [ROOT / "__init__.py", *(path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")))]


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """The files that the examples name."""
    folder = tmp_path_factory.mktemp("files")
    write_splits(folder, {"train": 200, "dev": 20, "test": 40})
    return folder


@pytest.fixture
def treebank(files, tmp_path, monkeypatch):
    """A working folder with copies of these files."""
    monkeypatch.chdir(tmp_path)
    for file in files.iterdir():
        shutil.copy(file, tmp_path)


def test_every_public_name_exists():
    assert all(getattr(crossarc, name) is not None for name in crossarc.__all__)
    assert dir(crossarc) == crossarc.__all__
    with pytest.raises(AttributeError, match="has no attribute 'parse_tree'"):
        _ = crossarc.parse_tree


def test_importing_the_package_imports_no_parser_or_numpy():
    code = "import sys, crossarc; print(sorted({'numpy', 'sklearn', 'crossarc.parser'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b"[]"


def imported_by(*words):
    """The modules that are imported when a command ends."""
    code = (
        "import contextlib, sys; from crossarc.__main__ import main\n"
        f"with contextlib.suppress(SystemExit): main({list(words)})\n"
        "print(*sys.modules, sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return set(done.stdout.splitlines())


@pytest.mark.usefixtures("treebank")
def test_commands_import_only_what_they_need():
    assert not {"numpy", "scipy", "yaml"} & imported_by("--version")
    assert not {"scipy", "crossarc.parser.models.model"} & imported_by("generate", "--sentences", "0")
    config = crossarc.load_config("arc-standard", ["features=small"], {"treebank.train": "train.conllu"})
    crossarc.save_model(crossarc.train(config), "own.model")
    imported = imported_by("parse", "own.model", "test.conllu", "-o", "parsed.conllu", "-q")
    assert "crossarc.parser.models.transition_model" in imported
    assert not {"sklearn", "joblib", "scipy.stats", "crossarc.parser.training.train"} & imported


@pytest.mark.parametrize(
    "path", [path for path in CODE if ">>>" in path.read_text("utf-8")], ids=lambda path: str(path.relative_to(ROOT))
)
@pytest.mark.usefixtures("treebank")
def test_docstring_examples_run(path):
    name = ".".join(["crossarc", *path.relative_to(ROOT).with_suffix("").parts]).removesuffix(".__init__")
    if name.rpartition(".")[2] in OTHERS:
        pytest.importorskip(OTHERS[name.rpartition(".")[2]])
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_every_public_name_has_an_example():
    """The module of the name must be one of those whose examples the tests run."""
    without = [name for name in crossarc.__all__ if name != "__version__" and ">>> " not in _doc(name)]
    assert without == []
    homes = {getattr(crossarc, name).__module__ for name in crossarc.__all__ if name != "__version__"}
    run = {"crossarc." + ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in CODE}
    assert homes <= run


def _doc(name):
    return vars(getattr(crossarc, name)).get("__doc__") or getattr(crossarc, name).__doc__ or ""


@pytest.mark.usefixtures("treebank")
def test_python_example_of_the_readme_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", README, re.S)
    exec(compile(example, "README.md", "exec"), {})
    assert Path("swap.model").is_file()
    assert 50 < float(capsys.readouterr().out) < 100


def test_config_on_the_page_of_configs_has_the_defaults(tmp_path):
    (text,) = re.findall(r"```yaml\n(system:.*?)```", CONFIGS, re.S)
    (tmp_path / "own.yaml").write_text(text, encoding="utf-8")
    config = load_config(tmp_path / "own.yaml")
    treebank = TreebankOptions(train=f"{tmp_path}/data/train.conllu", dev=f"{tmp_path}/data/dev.conllu")
    assert config == Config(system="swap", treebank=treebank, model=f"{tmp_path}/my.model")


def test_feature_model_on_the_page_of_features_loads(tmp_path):
    (text,) = re.findall(r"```yaml\n(# extends:.*?)```", FEATURES, re.S)
    (tmp_path / "own.yaml").write_text(text, encoding="utf-8")
    columns = nameable_columns(["id", "form", "upos", "xpos", "lemma", "feats", "head", "deprel"])
    model = load_features(str(tmp_path / "own.yaml"), "swap", columns)
    assert "arity(Stack[0], left)" in model.lines()


BLOCKS = [
    pytest.param(block, id=f"{page.parent.relative_to(ROOT)}-{number}")
    for folder in FOLDERS
    for page in sorted((ROOT / folder).rglob("README.md"))
    for number, block in enumerate(re.findall(r"^```python\n(.*?)```", page.read_text("utf-8"), re.M | re.S))
]


def test_pages_of_folders_have_examples():
    assert len(BLOCKS) > 20


@pytest.mark.parametrize("block", BLOCKS)
def test_examples_of_pages_of_folders_run(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "README.md", "exec", dont_inherit=True), {"__name__": "example"})
