"""The command line: what each command does, and one line for each mistake, with nothing left behind."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crossarc.experiments.synthetic import GeneratorOptions, generate, to_conllu
from crossarc.parser.cli import main
from crossarc.parser.commands import COMMANDS

CYCLE = "# sent_id = round\n1\ta\ta\tX\tX\t_\t2\tx\t_\t_\n2\tb\tb\tX\tX\t_\t1\tx\t_\t_\n\n"
TEMPLATES = """
templates:
- form(Stack[0])
- xpos(Stack[0])
- xpos(Stack[1])
- xpos(Lookahead[0])
"""


def conllu(first: int, count: int) -> str:
    return "".join(map(to_conllu, generate(GeneratorOptions(sentences=count, first=first))))


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with treebanks, a feature model and a trained model."""
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "train.conllu").write_text(conllu(1, 60), encoding="utf-8")
    (folder / "test.conllu").write_text(conllu(61, 12), encoding="utf-8")
    (folder / "few.yaml").write_text(TEMPLATES, encoding="utf-8")
    assert run("train", "swap", "--train", folder / "train.conllu", "--model", folder / "m", *few(folder)) == 0
    return folder


@pytest.fixture
def here(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with copies of the shelf's files."""
    folder = tmp_path / "here"
    shutil.copytree(shelf, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def untouched(here: Path) -> Iterator[Path]:
    """As ``here``, and afterwards its files must be the same."""
    (here / "prose.txt").write_text("It is a truth universally acknowledged\n", encoding="utf-8")
    (here / "empty.conllu").touch()
    whole = (here / "test.conllu").read_text("utf-8")
    (here / "cut.conllu").write_text(whole[: whole.rindex("\t", 0, len(whole) * 2 // 3)], encoding="utf-8")
    (here / "latin.conllu").write_bytes(whole.encode().replace(b"punct", b"p\xf1nct"))
    (here / "cycle.conllu").write_text(whole + CYCLE, encoding="utf-8")
    (here / "blank.conllu").write_text(without_trees(whole), encoding="utf-8")
    (here / "narrow.plus").write_text("# global.columns = ID FORM HEAD DEPREL\n1\ta\t0\troot\n\n", encoding="utf-8")
    (here / "badcolumn.yaml").write_text("templates:\n- form(Stack[0])\n- colour(Stack[0])\n", encoding="utf-8")
    (here / "badsource.yaml").write_text("templates:\n- form(Left[0])\n", encoding="utf-8")
    (here / "typo.yaml").write_text("systm: swap\n", encoding="utf-8")
    model = (here / "m").read_bytes()
    (here / "half.m").write_bytes(model[: len(model) // 2])
    before = contents(here)
    yield here
    assert contents(here) == before


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def few(folder: Path | str = ".") -> list[object]:
    return ["--set", f"features={folder}/few.yaml"]


def without_trees(text: str) -> str:
    return re.sub(r"^((?:[^\t\n]*\t){6})\d+\t[^\t]+", r"\1_\t_", text, flags=re.M)


def crossarc(*arguments: object, **options: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "crossarc.parser.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, **options)  # type: ignore[call-overload]


def test_train_parse_evaluate(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("train", "swap", "--train", "train.conllu", "--dev", "test.conllu", "--model", "own", *few()) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[0] == "train.conllu: 60 sentences, 735 words"
    assert err.splitlines()[-1] == "wrote own"
    dev = re.search(r"^dev: LAS ([\d.]+) UAS ", err, re.M)
    assert dev
    assert run("parse", "own", "test.conllu", "-o", "parsed.conllu", "--quiet") == 0
    assert capsys.readouterr() == ("", "")
    assert run("evaluate", "test.conllu", "parsed.conllu", "--json") == 0
    scores = json.loads(capsys.readouterr().out)
    assert f"{scores['las']:.2f}" == dev[1]
    assert {"las", "uas", "la", "lem", "uem"} <= scores.keys()
    assert without_trees((here / "parsed.conllu").read_text()) == without_trees((here / "test.conllu").read_text())


def test_evaluate_is_short_unless_all_is_asked_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", "test.conllu", "test.conllu") == 0
    short = capsys.readouterr().out
    assert run("evaluate", "test.conllu", "test.conllu", "--full") == 0
    full = capsys.readouterr().out
    assert "non-projective, all sentences" in short
    assert len(short.splitlines()) < 20 < len(full.splitlines())
    assert full.startswith(short)


def test_training_twice_gives_the_same_file(here: Path) -> None:
    for name in ("once", "twice"):
        assert run("train", "swap", "--train", "train.conllu", "--model", name, "-q", *few()) == 0
    assert (here / "once").read_bytes() == (here / "twice").read_bytes()


def test_quiet_training_says_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("train", "swap", "--train", "train.conllu", "--dev", "test.conllu", "--model", "q", "-q", *few()) == 0
    assert capsys.readouterr() == ("", "")


def test_training_without_a_config_lists_the_ready_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("train") == 0
    lines = capsys.readouterr().out.splitlines()
    assert {"arc-eager", "swap", "three-step"} <= {line.split()[0] for line in lines}
    assert all(len(line.split()) > 4 for line in lines)
    assert lines[-1].split() == [
        *("six-parsers", "A", "blend:", "arc-eager,", "arc-standard", "and", "Covington's", "algorithm,", "left", "to"),
        *("right", "and", "right", "to", "left", "(Nilsson", "2009,", "8.2)."),
    ]
    assert len({re.match(r"\S+ +", line).end() for line in lines}) == 1
    assert run("train", "--train", "x") == 1
    assert capsys.readouterr().err == (
        "crossarc: train: no CONFIG given; ready configs: arc-eager, arc-standard, arc-standard-small, attardi, "
        "covington, knn, maxent, pseudo-projective, svm-poly, swap, swap-small, three-step; ready blends: six-parsers\n"
    )


def test_a_ready_blend_is_trained_by_its_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("train", "six-parsers", "--train", "train.conllu", "--model", "six", "--set", "features=small") == 0
    err = capsys.readouterr().err
    assert err.splitlines()[0] == "6 components on 54 sentences, weights on 6"
    assert err.splitlines()[-1] == "wrote six"
    assert run("parse", "-q", "six", "test.conllu", "-o", "parsed") == 0
    assert without_trees((here / "parsed").read_text()) == without_trees((here / "test.conllu").read_text())


@pytest.mark.usefixtures("here")
def test_a_config_names_all_that_training_needs(capsys: pytest.CaptureFixture[str]) -> None:
    Path("sub").mkdir()
    text = "system: swap\nfeatures: ../few.yaml\nmodel: own\ntreebank: {train: ../train.conllu, dev: ../test.conllu}\n"
    Path("sub/config.yaml").write_text(text, encoding="utf-8")
    assert run("train", "sub/config.yaml") == 0
    assert capsys.readouterr().err.endswith("wrote sub/own\n")
    assert Path("sub/own").is_file()


def test_parsing_needs_and_believes_no_tree(here: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    whole = (here / "test.conllu").read_text("utf-8")
    wrong = re.sub(r"^((?:[^\t\n]*\t){6})\d+\t[^\t]+", r"\g<1>77\tnonsense", whole, flags=re.M)
    outputs = []
    for text in (whole, without_trees(whole), wrong):
        Path("in").write_text(text, encoding="utf-8")
        assert run("parse", "-q", "m", "in") == 0
        outputs.append(capsysbinary.readouterr().out)
    assert outputs[0] == outputs[1] == outputs[2]
    assert b"nonsense" not in outputs[0]


@pytest.mark.usefixtures("here")
def test_parsing_in_a_pipe(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("parse", "-q", "m", "test.conllu", "-o", "parsed") == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("test.conllu").read_bytes())))
    assert run("parse", "m") == 0
    out, err = capsysbinary.readouterr()
    assert out == Path("parsed").read_bytes()
    assert re.fullmatch(rb"parsed 12 sentences, \d+ words in [\d.]+ s\n", err)


def test_worker_processes_give_the_same(here: Path) -> None:
    assert run("parse", "-q", "m", "test.conllu", "-o", "one") == 0
    assert run("parse", "-q", "m", "test.conllu", "-o", "two", "--jobs", 2) == 0
    assert (here / "one").read_bytes() == (here / "two").read_bytes()


def test_info(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("info", "m") == 0
    text = capsys.readouterr().out
    assert re.search(r"^system +swap, one root$", text, re.M)
    assert re.search(r"^features +4 templates ", text, re.M)
    assert re.search(r"^trained on +60 sentences, 735 words, sha256 [0-9a-f]{64}$", text, re.M)
    assert run("info", "m", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["bytes"] == (here / "m").stat().st_size
    assert data["stages"][0]["features"] == [
        "form(Stack[0])",
        "xpos(Stack[0])",
        "xpos(Stack[1])",
        "xpos(Lookahead[0])",
    ]
    assert "nsubj" in data["labels"]
    tags = {row.split("\t")[4] for row in (here / "train.conllu").read_text("utf-8").splitlines() if "\t" in row}
    assert data["columns"]["xpos"] == len(tags)


def test_show_and_transform_and_oracle(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "test.conllu", "--nonprojective") == 0
    drawn = capsys.readouterr().out
    assert drawn.count("# ") < 12
    assert all(" *" in block for block in drawn.strip().split("\n\n"))
    assert run("transform", "pseudo-projective:encoding=head", "test.conllu", "-o", "lifted") == 0
    assert run("show", "lifted", "--nonprojective") == 0
    assert capsys.readouterr().out == ""
    assert run("oracle", "swap", "test.conllu", "--transitions") == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 12
    assert all(re.fullmatch(r"(SH|SW|[LR]A\+[\w:]+)( (SH|SW|[LR]A\+[\w:]+))*", line) for line in out.splitlines())
    assert "derived      12 (100.00 %)" in err


def test_show_nonprojective_is_not_misled_by_asterisks(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["1\ta\t_\tX\tX\t_\t0\troot\t_\t_", "2\t *\t_\tX\tX\t_\t1\t*\t_\t_"]
    (here / "star.conllu").write_text("\n".join(rows) + "\n\n", encoding="utf-8")
    assert run("show", "star.conllu", "--nonprojective") == 0
    assert capsys.readouterr().out == ""


def test_an_optional_file_may_stand_behind_options(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "--nonprojective", "test.conllu") == 0
    expected = capsys.readouterr().out
    assert run("parse", "m", "test.conllu", "-o", "first") == run("parse", "m", "-o", "second", "test.conllu") == 0
    assert (here / "first").read_bytes() == (here / "second").read_bytes()
    assert run("show", "test.conllu", "--nonprojective") == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize(
    "words",
    [["parse", "m", "-o", "x", "a", "b"], ["parse", "m", "a", "-o", "x", "b"], ["parse", "m", "-", "-o", "x", "b"]],
)
def test_a_second_file_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert "unrecognized arguments: " in capsys.readouterr().err


HOSTILE: dict[str, tuple[list[str], str]] = {
    "not CoNLL": (["parse", "m", "prose.txt", "-o", "x"], r"prose.txt:1: 1 column, expected 10 .*"),
    "empty": (["parse", "m", "empty.conllu", "-o", "x"], r"empty.conllu:1: empty file, expected .*"),
    "truncated row": (["parse", "m", "cut.conllu", "-o", "x"], r"cut.conllu:\d+: \d columns?, expected 10"),
    "truncated row, workers": (["parse", "m", "cut.conllu", "-o", "x", "--jobs", "2"], r"cut.conllu:\d+: .*"),
    "encoding": (["parse", "m", "latin.conllu", "-o", "x"], r"latin.conllu:\d+: byte 0xf1 .*, expected UTF-8"),
    "missing": (["parse", "m", "nothing", "-o", "x"], r"nothing: cannot be read: No such file or directory"),
    "folder": (["parse", "m", ".", "-o", "x"], r"\.: cannot be read: Is a directory"),
    "no such folder": (["parse", "m", "test.conllu", "-o", "no/x"], r"no/x: cannot be written: No such file .*"),
    "to a folder": (["parse", "m", "test.conllu", "-o", "."], r"\.: cannot be written: it is a folder"),
    "full disk": (["parse", "m", "test.conllu", "-o", "/dev/full"], r"/dev/full: cannot be written: No space .*"),
    "over its input": (["parse", "m", "test.conllu", "-o", "./test.conllu"], r"./test.conllu: .* an input as well"),
    "over its model": (["parse", "m", "test.conllu", "-o", "m"], r"m: cannot be written: it is an input as well"),
    "column not there": (["parse", "m", "narrow.plus", "-o", "x"], r"narrow.plus:.*xpos.*"),
    "no model": (["parse", "test.conllu", "test.conllu"], r"test.conllu: not a crossarc model, or a truncated one"),
    "half a model": (["parse", "half.m", "test.conllu"], r"half.m: not a crossarc model, or a truncated one"),
    "model missing": (["info", "nothing"], r"nothing: cannot read the model: No such file or directory"),
    "model is a folder": (["info", "."], r"\.: cannot read the model: Is a directory"),
    "typo in config": (["train", "typo.yaml"], r"typo.yaml: unknown key 'systm' \(did you mean 'system'\?\).*"),
    "no config": (["train", "nothing"], r"nothing: cannot read the config: No such file .*; ready configs: .*"),
    "no treebank": (["train", "swap", "--model", "x"], r"treebank.train names no file; give one .*"),
    "no model named": (["train", "swap", "--train", "train.conllu"], r"no file to write the model to; .*"),
    "model to a pipe": (["train", "swap", "--train", "train.conllu", "--model", "-"], r"no file to write .*"),
    "treebank missing": (["train", "swap", "--train", "gone", "--model", "x"], r"gone: cannot be read: .*"),
    "unset variable": (
        ["train", "swap", "--set", "treebank.train=${CROSSARC_GONE}/a"],
        r".*: the environment variable CROSSARC_GONE is not set",
    ),
    "cycle": (
        ["train", "swap", "--train", "cycle.conllu", "--model", "x"],
        r"cycle.conllu:\d+: sentence round: cycle of words 1 2; treebank.faulty=skip leaves such sentences out",
    ),
    "no heads": (["train", "swap", "--train", "blank.conllu", "--model", "x"], r"blank.conllu:3: HEAD '_', .*"),
    "cycle in dev": (
        ["train", "swap", "--train", "train.conllu", "--dev", "cycle.conllu", "--model", "x"],
        r"cycle.conllu:\d+: sentence round: cycle of words 1 2",
    ),
    "dev missing": (["train", "swap", "--train", "train.conllu", "--dev", "gone", "--model", "x"], r"gone: .*"),
    "model over treebank": (
        ["train", "swap", "--train", "train.conllu", "--model", "train.conllu"],
        r"train.conllu: cannot be written: it is an input as well",
    ),
    "model to no folder": (["train", "swap", "--train", "train.conllu", "--model", "no/x"], r"no/x: cannot be .*"),
    "model to a folder": (["train", "swap", "--train", "train.conllu", "--model", "."], r"\.: .* it is a folder"),
    "model on a full disk": (
        ["train", "swap", "--train", "train.conllu", "--model", "/dev/full", "-q", "--set", "features=few.yaml"],
        r"/dev/full: cannot be written: No space left on device",
    ),
    "feature on no column": (
        ["train", "swap", "--train", "train.conllu", "--model", "x", "--set", "features=badcolumn.yaml"],
        r"badcolumn.yaml:3: template 'colour\(Stack\[0\]\)': unknown column 'colour'; allowed: form, lemma, .*",
    ),
    "feature on no source": (
        ["train", "swap", "--train", "train.conllu", "--model", "x", "--set", "features=badsource.yaml"],
        r"badsource.yaml:2: template 'form\(Left\[0\]\)': unknown source 'Left'; allowed: Stack, .*",
    ),
    "unknown learner": (
        ["train", "swap", "--train", "prose.txt", "--model", "x", "--set", "guide.learner=svn"],
        r"guide.learner: .*'svn' \(did you mean 'svm'\?\); allowed: .*",
    ),
    "unknown guide parameter": (
        ["train", "swap", "--train", "prose.txt", "--model", "x", "--set", "guide.Cc=1"],
        r".*Cc.*allowed: .*min_count.*",
    ),
    "unknown transform": (
        ["train", "swap", "--train", "prose.txt", "--model", "x", "--set", "transforms=pseudo"],
        r"unknown transform 'pseudo'.*allowed: .*pseudo-projective.*",
    ),
    "other tokens": (
        ["evaluate", "test.conllu", "train.conllu"],
        r"test.conllu:3: word 1 of the sentence is '.*', but '.*' at train.conllu:3",
    ),
    "predicted without heads": (["evaluate", "test.conllu", "blank.conllu"], r"blank.conllu:3: HEAD '_', .*"),
    "two pipes": (["evaluate", "-", "-"], r"evaluate: one of the two files can be standard input, not both"),
    "oracle of another": (["oracle", "arc-eager", "test.conllu", "--oracle", "lazy"], r"oracle of arc-eager 'lazy'.*"),
    "oracle on a cycle": (["oracle", "swap", "cycle.conllu"], r"round: the heads are no tree: words 1 2 form a cycle"),
    "transform over input": (
        ["transform", "pseudo-projective", "test.conllu", "-o", "test.conllu"],
        r"test.conllu: cannot be written: it is an input as well",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.usefixtures("untouched")
def test_a_mistake_is_one_line_and_leaves_nothing(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, message = HOSTILE[name]
    assert run(*arguments) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert re.fullmatch(f"crossarc: {message}", err.rstrip("\n")), err


def test_faulty_training_sentences_are_left_out_on_request(untouched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["train", "swap", "--train", "cycle.conllu", "--set", "treebank.faulty=skip", *few()]
    assert run(*arguments, "--model", untouched.parent / "m") == 0
    err = capsys.readouterr().err
    assert re.search(r"^skipped: cycle.conllu:\d+: sentence round: cycle of words 1 2$", err, re.M)
    assert "cycle.conllu: 12 sentences" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["pasre"], "invalid choice: 'pasre'"),
        (["parse"], "the following arguments are required: model"),
        (["parse", "m", "--jobs", "0"], "argument --jobs: found '0', expected a whole number, 1 or more"),
        (["parse", "m", "--jobs", "two"], "argument --jobs: found 'two', expected a whole number, 1 or more"),
        (["parse", "m", "--format", "conll"], "argument --format: invalid choice: 'conll'"),
        (["oracle", "swop", "x"], "invalid choice: 'swop'"),
    ],
)
def test_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(*arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(name, "--help")
    assert caught.value.code == 0
    assert COMMANDS[name][0].__doc__.split()[0] in capsys.readouterr().out  # type: ignore[union-attr]


def interrupted(options: object) -> int:
    raise KeyboardInterrupt


def out_of_memory(options: object) -> int:
    raise MemoryError


@pytest.mark.parametrize(
    ("act", "status", "message"),
    [(interrupted, 130, "crossarc: interrupted\n"), (out_of_memory, 1, "crossarc: out of memory; try ")],
)
def test_what_befalls_any_command(
    act: Callable[[object], int],
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(COMMANDS, "show", (COMMANDS["show"][0], act))  # type: ignore[arg-type]
    assert run("show", "x") == status
    assert capsys.readouterr().err.startswith(message)


@pytest.mark.usefixtures("here")
def test_a_reader_that_goes_away_is_no_error_to_tell_of() -> None:
    parser = f"{sys.executable} -m crossarc.parser.cli"
    Path("long.conllu").write_bytes(Path("test.conllu").read_bytes() * 200)
    command = f"{parser} parse -q m long.conllu | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"# sent_id = 1-61\n", b"")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("command", [["show", "test.conllu"], ["parse", "-q", "m", "test.conllu"]])
def test_a_full_disk_behind_standard_output(command: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "crossarc.parser.cli", *command], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert re.fullmatch(rb"crossarc: <stdout>: .*No space left on device\n", done.stderr)


@pytest.mark.usefixtures("here")
def test_output_is_utf8_in_any_locale() -> None:
    done = crossarc("show", "test.conllu", env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert "└" in done.stdout.decode("utf-8")


def test_interrupted_parsing_leaves_nothing(here: Path) -> None:
    command = [sys.executable, "-m", "crossarc.parser.cli", "parse", "m", "-", "-o", "x"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(Path("test.conllu").read_bytes())
        process.stdin.flush()
        until = time.monotonic() + 60
        while not list(here.glob(".x.*.part")) and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b"crossarc: interrupted\n"
    assert not list(here.glob("*x*")) + list(here.glob(".x*"))
