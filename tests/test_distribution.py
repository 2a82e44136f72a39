"""Distribution: wheel and source archive work in empty environments, with the oldest and the newest dependencies.

Slow tests: ``pytest -m slow tests/test_distribution.py``. CROSSARC_PYTHONS: interpreters, separated by colons.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import crossarc
import pytest
from command_line import conllu

ROOT = Path(crossarc.__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
BOUND = re.compile(r"([\w-]+)>=([\w.]+),<(\d+)$")
PYTHONS = os.environ.get("CROSSARC_PYTHONS", sys.executable).split(":")
TESTED = ("conformance/test_learners.py", "parser/models")


def requirements():
    """The dependencies of users, with all extras except ``test``."""
    found = [*PROJECT["dependencies"], *(own for name in EXTRAS if name != "test" for own in EXTRAS[name])]
    return [own for own in found if not own.startswith("crossarc[")]


def test_the_readme_has_no_pictures_that_a_package_index_cannot_show():
    text = (ROOT / PROJECT["readme"]).read_text("utf-8")
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]*)\)|<img[^>]*src=\"([^\"]*)", text)
    assert all("".join(found).startswith("https://") for found in pictures)


def test_every_dependency_has_bounds():
    assert [requirement for requirement in requirements() if not BOUND.match(requirement)] == []


def test_every_dependency_is_listed_with_its_licence():
    text = (ROOT / ".github" / "DEPENDENCIES.md").read_text("utf-8")
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| ")][1:]
    listed = {name.strip() for row in rows for name in row[0].partition("(")[0].split(",")}
    named = {re.split(r"[><]", own)[0] for own in (*requirements(), *EXTRAS["test"]) if not own.startswith("crossarc[")}
    assert listed == named
    assert all(row[2].strip() for row in rows)


def shown_texts(path):
    """The strings of a module without docstrings; they include messages, help texts and output."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings]
    return [node.value for node in strings if isinstance(node.value, str)]


def test_messages_do_not_name_pages_outside_the_wheel():
    for folder in ("transitions", "oracles", "features", "parser", "experiments/synthetic"):
        for path in (ROOT / folder).rglob("*.py"):
            named = {name for text in shown_texts(path) for name in re.findall(r"[\w./-]+\.md\b", text)}
            assert not named, path


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """The wheel and the source archive, built from a copy."""
    folder = tmp_path_factory.mktemp("archives")
    ignored = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "quickstart", "results")
    shutil.copytree(ROOT, folder / "copy", ignore=ignored)
    python = environment(folder / "building", sys.executable)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "build"], check=True, timeout=600)
    subprocess.run([python, "-m", "build", "--outdir", folder / "dist", folder / "copy"], check=True, timeout=600)
    (wheel,) = (folder / "dist").glob("*.whl")
    (source,) = (folder / "dist").glob("*.tar.gz")
    return {"wheel": wheel, "source": source}


@pytest.mark.slow
def test_wheel_has_all_code_and_data_and_no_tests(archives):
    held = set(zipfile.ZipFile(archives["wheel"]).namelist())
    data = (
        "configs/**/*.yaml",
        "experiments/*.yaml",
        "experiments/**/*.json",
        "experiments/**/*.report.j2",
        "parser/**/*.yaml",
        "parser/plugins/drawing/assets/*",
    )
    code = [f"{name}/**/*.py" for name in ("transitions", "oracles", "features", "parser", "configs", "experiments")]
    needed = [path for pattern in (*data, *code, "__init__.py*") for path in ROOT.glob(pattern) if path.is_file()]
    assert {f"crossarc/{path.relative_to(ROOT)}" for path in needed if path.suffix != ".pyc"} <= held
    assert not any(name.startswith("crossarc/tests") for name in held)


def environment(folder, python):
    subprocess.run([python, "-m", "venv", folder], check=True, timeout=300)
    return folder / "bin" / "python"


@pytest.mark.slow
def test_examples_have_the_types_of_the_installed_wheel(archives, tmp_path):
    """The wheel has ``py.typed``, and annotations that fit the README, the page of interfaces, and what users pass."""
    python = environment(tmp_path / "env", sys.executable)
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", archives["wheel"]]
    subprocess.run(install, check=True, timeout=600)
    subprocess.run([*install[:-2], "mypy", "numpy", "types-PyYAML"], check=True, timeout=600)
    for page in (ROOT / "README.md", ROOT / "parser" / "plugins" / "interfaces" / "README.md"):
        examples = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)
        for number, example in enumerate(examples):
            (tmp_path / f"example_{page.parent.name}_{number}.py").write_text(example, "utf-8")
    (tmp_path / "example_more.py").write_text(TYPED, "utf-8")
    files = sorted(path.name for path in tmp_path.glob("example_*.py"))
    command = [python, "-m", "mypy", "--ignore-missing-imports", "--follow-imports", "silent", *files]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout == f"Success: no issues found in {len(files)} source files\n"


TYPED = """
import crossarc

model: crossarc.ParserModel = crossarc.open_parser("my.model")
for sentence in model.parse([["Dogs", "bark"], [{"form": "Dogs"}]], stream=True):
    heads: list[int] = sentence.heads()
    form: str = sentence[0].form
text: str = sentence.to_conllu()
las: float | None = crossarc.score_sentences([sentence], [sentence]).las
"""


def docker_runs():
    """Whether docker is installed and has an engine."""
    return bool(shutil.which("docker")) and not subprocess.run(["docker", "info"], capture_output=True).returncode


@pytest.mark.slow
@pytest.mark.skipif(not docker_runs(), reason="docker is not installed, or its engine does not run")
def test_the_image_is_built_and_answers():
    build = ["docker", "build", "-q", "-f", str(ROOT / ".github" / "Dockerfile"), str(ROOT)]
    image = subprocess.run(build, check=True, capture_output=True, text=True, timeout=1800).stdout.strip()
    run = ["docker", "run", "--rm", image, "--version"]
    done = subprocess.run(run, check=True, capture_output=True, text=True, timeout=100)
    assert done.stdout.startswith("crossarc ")


def oldest(path):
    """Write a constraints file that requires the oldest allowed release of every dependency."""
    found = [BOUND.match(own) for own in PROJECT["dependencies"]]
    path.write_text("".join(f"{own[1]}=={own[2]}.*\n" for own in found if own))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(
    ("archive", "bounds"), [("wheel", "newest"), ("source", "newest"), ("wheel", "oldest")], ids=lambda own: own
)
def test_archives_work_in_an_empty_environment(archive, bounds, python, archives, tmp_path):
    own = environment(tmp_path / "env", python)
    constraints = ["-c", str(oldest(tmp_path / "constraints.txt"))] if bounds == "oldest" else []
    pip = [own, "-m", "pip", "install", "--quiet", "--only-binary", "numpy,scipy,scikit-learn", *constraints]
    done = subprocess.run([*pip, archives[archive]], capture_output=True, text=True, timeout=1200, check=False)
    if bounds == "oldest" and ("No matching distribution" in done.stderr or "ResolutionImpossible" in done.stderr):
        pytest.skip(f"{python}: the oldest releases have no wheels for this Python")
    assert done.returncode == 0, done.stderr
    (tmp_path / "train.conllu").write_text(conllu(1, 40))
    (tmp_path / "test.conllu").write_text(conllu(50, 10))
    for words in (
        "--version",
        "train swap --train train.conllu --model m --set features=small",
        "parse m test.conllu -o parsed.conllu",
        "evaluate test.conllu parsed.conllu",
    ):
        subprocess.run([own, "-m", "crossarc", *words.split()], cwd=tmp_path, check=True, timeout=300)
    here = tmp_path / "here.conllu"
    train = ["train", "swap", "--train", "train.conllu", "--model", "n", "--set", "features=small"]
    for line in (train, ["parse", "n", "test.conllu", "-o", str(here)]):
        subprocess.run([sys.executable, "-m", "crossarc", *line], cwd=tmp_path, check=True, timeout=300)
    assert (tmp_path / "parsed.conllu").read_bytes() == here.read_bytes()
    subprocess.run([*pip, "pytest", "hypothesis", "networkx"], check=True, timeout=600)
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    chosen = [f"tests/{name}" for name in TESTED]
    if bounds == "oldest":  # old releases cause these warnings in newer Pythons
        chosen += ["-W", "ignore::DeprecationWarning"]
    subprocess.run(
        [own, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen], cwd=tmp_path, check=True, timeout=1800
    )


@pytest.mark.slow
def test_every_link_of_the_site_has_a_target(tmp_path):
    pytest.importorskip("sphinx")
    command = [
        "-m",
        "sphinx",
        "--quiet",
        "--fail-on-warning",
        "--conf-dir",
        str(ROOT / ".github/site"),
        str(ROOT),
        str(tmp_path),
    ]
    assert subprocess.run([sys.executable, *command], capture_output=True, text=True).stderr == ""
    assert "ParserModel" in (tmp_path / ".github/site/python.html").read_text("utf-8")
