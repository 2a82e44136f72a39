"""Overwriting: no command overwrites its inputs, under any name or link."""

import json
import os

import pytest
from command_line import contents, crossarc, run
from installed import needs, of_installed

BLEND = "components: [one.yaml, swap]\nshared: {features: few.yaml}\ntreebank: {train: train.conllu}\n"

CASES: dict[str, list[str]] = {
    "blend, first": ["blend", "a", "b", "-o", "a"],
    "blend, other spelling": ["blend", "./a", "b", "-o", "a"],
    "blend, symbolic link": ["blend", "a", "b", "-o", "to-a"],
    "blend, hard link": ["blend", "a", "b", "-o", "also-a"],
    "blend, weights": ["blend", "a", "b", "--weights", "w.json", "-o", "w.json"],
    "learn, gold": ["blend", "a", "b", "--learn", "gold", "-o", "gold"],
    "parse, input": ["parse", "m", "a", "-o", "to-a"],
    "parse, model": ["parse", "m", "a", "-o", "./m"],
    "tokenize": ["tokenize", "m", "a", "-o", "to-a"],
    "tag": ["tag", "m", "a", "-o", "./m"],
    "suspects": ["suspects", "a.html", "-o", "./a.html"],
    "calibrate": ["calibrate", "m", "a", "-o", "to-a"],
    "transform": ["transform", "pseudo-projective", "a", "-o", "also-a"],
    "train, treebank": ["train", "swap", "--train", "a", "--model", "also-a"],
    "train, without a config": ["-q", "train", "--train", "a", "--model", "also-a"],
    "train, config": ["train", "one.yaml", "--train", "a", "--model", "one.yaml"],
    "train, features": ["train", "one.yaml", "--train", "a", "--model", "./few.yaml"],
    "train, pass": ["train", "three-step", "--set", "passes=few.yaml", "--train", "a", "--model", "few.yaml"],
    "train, blend, treebank by absolute path": ["train", "six.yaml", "--train", "a", "--model", "$HERE/a"],
    "train, blend, own": ["train", "six.yaml", "--model", "./six.yaml"],
    "train, blend, its component": ["train", "six.yaml", "--model", "one.yaml"],
    "train, blend, its features": ["train", "six.yaml", "--model", "few.yaml"],
    "init, training": ["init", "a", "b", "-o", "also-a"],
    "import-malt": ["import-malt", "a", "-o", "./a"],
    "page of trees": ["show", "a.html", "-o", "./a.html"],
    "page of derivations": ["show", "a", "--derivation", "swap", "-o", "to-a.html"],
    "TikZ": ["show", "a", "-o", "also-a.tex"],
    "picture of a sentence": ["show", "00001-first.svg", "-o", "."],
    "picture of a derivation": ["show", "00001-first-swap-000.svg", "--derivation", "swap", "-o", "."],
    "page of scores": ["evaluate", "a", "a.html", "-o", "a.html"],
    "page of comparisons": ["evaluate", "a.html", "a", "b", "-o", "$HERE/a.html"],
    "plot, gold": ["evaluate", "arc-length.svg", "a", "-o", "."],
    "plot of several": ["evaluate", "a", "b", "arc-length.svg", "-o", "."],
}
WRITING = of_installed(CASES)


@pytest.fixture
def files(here, monkeypatch):
    text = (here / "test.conllu").read_bytes()
    for name in ("a", "b", "gold", "arc-length.svg", "a.html"):
        (here / name).write_bytes(text)
    for name in ("00001-first.svg", "00001-first-swap-000.svg"):
        (here / name).write_text("# sent_id = first\n1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n")
    for name in ("to-a", "to-a.html"):
        (here / name).symlink_to("a")
    for name in ("also-a", "also-a.tex"):
        os.link(here / "a", here / name)
    (here / "w.json").write_text(json.dumps({"by": "equal", "overall": [1, 1], "special": []}))
    (here / "one.yaml").write_text("features: few.yaml\n")
    (here / "six.yaml").write_text(BLEND)
    monkeypatch.setenv("HERE", str(here))
    return here


@pytest.mark.parametrize("name", WRITING)
@needs("blending", "drawing")
def test_inputs_are_not_overwritten(name, files, capsys):
    words = [word.replace("$HERE", str(files)) for word in WRITING[name]]
    before = contents(files)
    assert run(*words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(": cannot be written, since it is also an input; write another file\n")
    assert err.count("\n") == 1
    assert contents(files) == before


@pytest.mark.usefixtures("files")
def test_the_file_on_standard_input_is_not_overwritten():
    with open("a", "rb") as file:
        done = crossarc("parse", "m", "-o", "a", stdin=file)
    refusal = b"crossarc: a: cannot be written, since it is also an input; write another file\n"
    assert (done.returncode, done.stderr) == (1, refusal)


@needs("blending")
def test_other_files_may_be_replaced(files):
    (files / "old").write_text("old")
    assert run("blend", "a", "b", "-o", "old") == 0
    assert (files / "old").read_bytes() == (files / "a").read_bytes()
    assert run("parse", "-q", "m", "a", "-o", "/dev/null") == 0


@needs("blending")
def test_learned_weights_are_used(files):
    assert run("blend", "a", "b", "--learn", "gold", "-o", "new.json") == 0
    assert json.loads((files / "new.json").read_text())["overall"] == [1.0, 1.0]
    assert run("blend", "a", "b", "--weights", "new.json", "-o", "blended") == 0
    assert (files / "blended").read_bytes() == (files / "a").read_bytes()


@needs("blending")
def test_invalid_weights_are_refused(files, capsys):
    for text, reason in (
        (b"\xff", "cannot read the weights: not UTF-8"),
        (b"[" * 9999, "not JSON: "),
        (b"{", "not JSON: "),
    ):
        (files / "w.json").write_bytes(text)
        assert run("blend", "a", "b", "--weights", "w.json") == 1
        err = capsys.readouterr().err
        assert err.startswith(f"crossarc: w.json: {reason}")
        assert err.count("\n") == 1
