"""User errors on the command line: each is reported in one line and changes no file."""

import re

import pytest
from command_line import run
from refusals import needs_full

REMOTE = ["--jobs", "dask=tcp://127.0.0.1:1"]
HOSTILE: dict[str, tuple[list[str], str]] = {
    "not CoNLL": (["parse", "m", "prose.txt", "-o", "x"], r"prose.txt:1: 1 column, .*--format text .*"),
    "empty": (["parse", "m", "empty.conllu", "-o", "x"], r"empty.conllu:1: empty file, expected .*"),
    "truncated row, workers": (["parse", "m", "cut.conllu", "-o", "x", "--jobs", "2"], r"cut.conllu:\d+: .*"),
    "encoding": (["parse", "m", "latin.conllu", "-o", "x"], r"latin.conllu:\d+: byte 0xf1 .*, expected UTF-8"),
    "missing": (["parse", "m", "nothing", "-o", "x"], r"nothing: cannot be read: No such file or directory"),
    "no such folder": (["parse", "m", "test.conllu", "-o", "no/x"], r"no/x: cannot be written: No such file .*"),
    "to a folder": (["parse", "m", "test.conllu", "-o", "."], r"\./test.conllu: .* also an input; .*"),
    "full disk": (["parse", "m", "test.conllu", "-o", "/dev/full"], r"/dev/full: cannot be written: No space .*"),
    "column not there": (["parse", "m", "narrow.plus", "-o", "x"], r"narrow.plus:.*xpos.*"),
    "no model": (["parse", "test.conllu", "test.conllu"], r"test.conllu: not a crossarc model, or a truncated one"),
    "model missing": (["info", "nothing"], r"nothing: cannot read the model: No such file or directory"),
    "typo in config": (["train", "typo.yaml"], r"typo.yaml: unknown key 'systm' \(did you mean 'system'\?\).*"),
    "no config": (["train", "nothing"], r"nothing: cannot read the config: No such file .*; ready configs: .*"),
    "no treebank": (["train", "swap", "--model", "x"], r"treebank.train is empty; name a file .*"),
    "no model named": (["train", "swap", "--train", "train.conllu"], r"no file to write the model to; .*"),
    "model to a pipe": (["train", "swap", "--train", "train.conllu", "--model", "-"], r"no file to write .*"),
    "not a variable": (["train", "swap", "--model", "x", "--train", "${HOME}"], r"\$\{HOME\}: cannot be read: .*"),
    "cycle": (
        ["train", "swap", "--train", "cycle.conllu", "--model", "x"],
        r"cycle.conllu:\d+: not a tree, words 1 2 form a cycle; treebank.faulty=skip leaves such sentences out",
    ),
    "no heads": (["train", "swap", "--train", "blank.conllu", "--model", "x"], r"blank.conllu:3: HEAD '_', .*"),
    "dev missing": (["train", "swap", "--train", "train.conllu", "--dev", "gone", "--model", "x"], r"gone: .*"),
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
    "other tokens": (
        ["evaluate", "test.conllu", "train.conllu"],
        r"test.conllu:3: word 1 of the sentence is '.*', but '.*' at train.conllu:3; .* --scores conll18",
    ),
    "predicted without heads": (["evaluate", "test.conllu", "blank.conllu"], r"blank.conllu:3: HEAD '_', .*"),
    "two pipes": (["evaluate", "-", "-"], r"evaluate: -: given twice; give each file once"),
    "two pipes to blend": (["blend", "-", "-"], r"blend: found - several times; allowed: once"),
    "one file to blend": (["blend", "test.conllu"], r"blend: found one file, test.conllu; expected two or more"),
    "no weights": (["blend", "m", "m", "--weights", "gone"], r"gone: cannot read the weights: No such file .*"),
    "streamed by several": (["parse", "m", "test.conllu", "--stream", "--jobs", "2"], r"--stream parses .*"),
    "no taggers": (["parse", "m", "test.conllu", "--retag"], r"--retag: m predicts no tags; omit --retag, .*"),
    **{
        f"on a cluster {' '.join(option)}": (
            ["parse", "m", "x", *REMOTE, *option],
            r"--jobs dask=ADDRESS parses whole files; .*",
        )
        for option in (["--stream"], ["--k-best", "2"])
    },
    "no treebank of a level": (["train", "fast", "--model", "x"], r"fast: this level needs a treebank.*"),
    "oracle of another": (["oracle", "arc-eager:lazy", "test.conllu"], r"oracle of arc-eager 'lazy'.*"),
    "oracle on a cycle": (
        ["oracle", "swap", "cycle.conllu"],
        r"round: the heads are not a tree: words 1 2 form a cycle",
    ),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[needs_full] * ("/dev/full" in arguments)) for name, (arguments, _) in HOSTILE.items()],
)
@pytest.mark.usefixtures("untouched")
def test_user_errors_print_one_line_and_change_no_file(name, capsys):
    arguments, message = HOSTILE[name]
    assert run(*arguments) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert re.fullmatch(f"crossarc: {message}", err.rstrip("\n")), err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-q"], "the following arguments are required: COMMAND"),
        (["pasre"], "invalid choice: 'pasre' (did you mean 'parse'?); allowed: "),
        (["check", "x", "--formt", "conllu"], "unrecognized arguments: --formt conllu (did you mean '--format'?)"),
        (["parse", "m", "--kbest=3"], "unrecognized arguments: --kbest=3 (did you mean '--k-best'?)"),
        (["check", "x", "--zzz"], "unrecognized arguments: --zzz\n"),
        (["list", "lerners"], "invalid choice: 'lerners' (did you mean 'learners'?); allowed: configs, "),
        (["parse"], "the following arguments are required: MODEL"),
        (["parse", "m", "--jobs", "0"], "argument --jobs: found '0', expected a whole number, 1 or more"),
        (["parse", "m", "--jobs", "two"], "argument --jobs: found 'two', expected a whole number, 1 or more"),
        (["serve", "m", "--limit", "word=3"], "argument --limit: limit 'word' (did you mean 'words'?); allowed"),
        (["parse", "m", "--format", "conll"], "argument --format: invalid choice: 'conll'"),
        (["oracle", "swop", "x"], "invalid choice: 'swop' (did you mean 'swap'?); allowed: arc-standard, "),
        (["blend", "a", "b", "--learn", ""], "argument --learn: found '', expected a name"),
        (["evaluate", "a", "b", "-o", ""], "argument -o/--output: found '', expected a name"),
        (["train", "swap", "--dev", ""], "argument --dev: found '', expected a name"),
        (["tune", "swap", "--out", "o", "--minutes=0"], "--minutes: found '0', expected a number of minutes above 0"),
        (
            ["tune", "swap", "--out", "o", "--minutes=nan"],
            "--minutes: found 'nan', expected a number of minutes above 0",
        ),
        (["transform", "reversal", "x", "--distortion", "--invert"], "--invert: not allowed with argument"),
    ],
)
def test_usage_errors_have_status_2(arguments, message, capsys):
    with pytest.raises(SystemExit) as caught:
        run(*arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err
