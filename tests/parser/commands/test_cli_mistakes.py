"""User errors on the command line: each is reported in one line and changes no file."""

import re
from typing import Any

import pytest
from command_line import few, run
from installed import of_installed
from refusals import needs_full

REMOTE = ["--jobs", "dask=tcp://127.0.0.1:1"]
TRAIN = ["train", "swap", "--model", "x", "--train"]
TO = ["train", "swap", "--train", "train.conllu", "--model"]
ROUND = r"cycle.conllu:\d+: not a tree, words 1 2 form a cycle"
LEARN = ["blend", "test.conllu", "test.conllu", "--learn", "test.conllu", "-o"]
CASES: dict[str, Any] = {
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
    "model to a pipe": ([*TO, "-"], r"no file to write .*"),
    "not a variable": ([*TRAIN, "${HOME}"], r"\$\{HOME\}: cannot be read: .*"),
    "cycle": ([*TRAIN, "cycle.conllu"], f"{ROUND}; treebank.faulty=skip leaves such sentences out"),
    "no heads": ([*TRAIN, "blank.conllu"], r"blank.conllu:3: HEAD '_', .*", "annotation"),
    "dev missing": ([*TRAIN, "train.conllu", "--dev", "gone"], r"gone: .*"),
    "model to no folder": ([*TO, "no/x"], r"no/x: cannot be .*"),
    "model to a folder": ([*TO, "."], r"\.: .* it is a folder"),
    "model, full disk": ([*TO, "/dev/full", "-q", *few()], r"/dev/full: .*: No space .*"),
    "bad column": ([*TRAIN, "train.conllu", "--set", "features=badcolumn.yaml"], r"badcolumn.yaml:3: .*'colour'; .*"),
    "other file": (["evaluate", "test.conllu", "train.conllu"], r"test.conllu:3: word 1 .* train.conllu:3; .* conll18"),
    "predicted without heads": (["evaluate", "test.conllu", "blank.conllu"], r"blank.conllu:3: HEAD '_', .*"),
    "two pipes": (["evaluate", "-", "-"], r"evaluate: -: given twice; give each file once"),
    "two pipes to blend": (["blend", "-", "-"], r"blend: found - several times; allowed: once"),
    "one file to blend": (["blend", "test.conllu"], r"blend: found one file, test.conllu; expected two or more"),
    "no weights": (["blend", "m", "m", "--weights", "gone"], r"gone: cannot read the weights: No such file .*"),
    "weights on a full disk": ([*LEARN, "/dev/full"], r"/dev/full: cannot be written: No space left on device"),
    "weights to no folder": ([*LEARN, "no/x"], r"no/x: cannot be written: No such file or directory"),
    "streamed by several": (["parse", "m", "test.conllu", "--stream", "--jobs", "2"], r"--stream treats .*"),
    "no taggers": (["parse", "m", "test.conllu", "--retag"], r"m predicts no tags; omit --retag, or .*"),
    "scores on a cluster": (["parse", "m", "x", *REMOTE, "-o", "x.tsv", "--scores"], r"--jobs dask=ADDRESS parses .*"),
    "best trees on a cluster": (["parse", "m", "x", *REMOTE, "--k-best", "2"], r"--jobs dask=ADDRESS parses .*"),
    "nothing to train on": (["train", "--model", "x"], r"train: found no treebank; .*; ready configs: 2-planar, .*"),
    "no treebank of a level": (["train", "fast", "--model", "x"], r"fast: this level needs a treebank.*", "levels"),
    "oracle of another": (["oracle", "arc-eager:lazy", "test.conllu"], r"oracle of arc-eager 'lazy'.*"),
    "oracle on a cycle": (["oracle", "swap", "cycle.conllu"], r"cycle.conllu:\d+: not a tree, words 1 2 form a cycle"),
    "level of no validator": (["check", "test.conllu", "--level", "3"], r"check: --level .*; add --ud LANGUAGE"),
    "breakdowns of conll18": (
        ["evaluate", "test.conllu", "test.conllu", "--scores", "conll18", "--full"],
        r"evaluate: --scores conll18 does not use --full; omit it",
    ),
    "punctuation of calibration": (
        ["evaluate", "test.conllu", "m", "--scores", "calibration", "--punctuation", "upos:X"],
        r"evaluate: --scores calibration does not use --punctuation; omit it",
    ),
    "format of conll18": (
        ["evaluate", "test.conllu", "test.conllu", "--scores", "conll18", "--format", "conllx"],
        r"evaluate: --scores conll18 does not use --format; omit it",
    ),
    "features of no taggers": (
        [*TRAIN, "train.conllu", "--set", "tag_features=few.yaml"],
        r"tag_features: only taggers read it; set tags, .*",
    ),
    "directions of no taggers": (
        ["train", "arc-standard", "--train", "train.conllu", "--model", "x", "--set", "tag_directions=1"],
        r"tag_directions: only taggers read it; set tags, .*",
    ),
    "candidates of no taggers": (
        ["train", "arc-standard", "--train", "train.conllu", "--model", "x", "--set", "tag_candidates=2"],
        r"tag_candidates: only taggers read it; set tags, .*",
    ),
    "check missing": (["check", "gone"], r"gone: cannot be read: No such file or directory"),
    "arcs by unknown field": (["arcs", "test.conllu", "--count-by", "labl"], r"--count-by: .*'labl' \(did you mean .*"),
    "evaluate a cycle": (["evaluate", "cycle.conllu", "cycle.conllu"], ROUND),
    "evaluate twice": (["evaluate", "test.conllu", "m", "m"], r"evaluate: m: given twice; give each file once"),
    "evaluate to text": (
        ["evaluate", "test.conllu", "m", "-o", "x.txt"],
        r"-o x.txt: expected a file name .* a folder",
        "drawing",
    ),
    "set beside its option": (
        ["train", "swap", "--train", "test.conllu", "--model", "n", "--set", "treebank={dev: a}", "--dev", "b"],
        r"train: --dev and --set treebank\.dev are the same; give one of them",
    ),
    "one of two keys": (["list", "keys", "beam", "beem"], r"key 'beem' \(did you mean 'beam'\?\).*"),
    "show twice": (["show", "test.conllu", "test.conllu"], r"show: test.conllu: given twice; give each file once"),
    "show an unknown name": (["show", "m", "--where", "lenght < 3"], r"condition 'lenght < 3': name .*'length'.*"),
    "show no column": (["show", "test.conllu", "-o", "x", "--below", "hue"], r"test.conllu:\d+: no column 'hue'.*"),
    "show to PNG": (["show", "test.conllu", "-o", "x.png"], r"-o x.png: expected a file name that ends in .html .*"),
    "derivation of two": (["show", "m", "test.conllu", "--derivation", "swap"], r"show: .* found 2 files; .* one"),
    "derivation of no system": (["show", "test.conllu", "--derivation", "sawp"], r"derivation: found .* 'swap'.*"),
    "derivation of no oracle": (["show", "test.conllu", "--derivation", "swap:lasy"], r"swap: oracle 'lasy' .*"),
    "derivation of no model": (["show", "test.conllu", "--derivation", "few.yaml"], r"few.yaml: not a crossarc .*"),
    "distortion to a file": (["transform", "reversal", "m", "--distortion", "-o", "x"], r"transform: .*; omit -o"),
    "distortion of a cycle": (["transform", "reversal", "cycle.conllu", "--distortion"], f"{ROUND}.*"),
    "inverse without the trees before": (
        ["transform", "--invert", "parent-swap:label=x", "test.conllu"],
        r"transform: the inverse of parent-swap needs what it learned .*",
    ),
    "inverted cycle": (["transform", "--invert", "reversal", "cycle.conllu"], f"{ROUND}.*"),
    "init missing": (["init", "gone"], r"gone: cannot be read: No such file or directory"),
    "init of a pipe": (["init", "-"], r"init: found -, expected a file: configs cannot name standard input"),
    "init of a variable": (["init", "a$b.conllu"], r"a\$b.conllu: \$ begins an environment .*; rename the file"),
    "init without heads": (
        ["init", "blank.conllu"],
        r"blank.conllu: found no tree; use a treebank with a head .*",
        "annotation",
    ),
    "init without trees": (["init", "round.conllu"], r"round.conllu: found no tree; use a treebank with a head .*"),
    "init of two formats": (["init", "test.conllu", "x.conll"], r"x.conll: found CoNLL-X, expected CoNLL-U like .*"),
    "import missing": (["import-malt", "gone"], r"gone: No such file or directory"),
    "unknown level": (["train", "acurate", "--train", "x"], r".* \(did you mean 'accurate'\?\)", "levels"),
    "unknown key to list": (["list", "keys", "treebnk.train"], r".* \(did you mean 'treebank.train'\?\); allowed: .*"),
    "unknown experiment": (["experiment", "nilson-2009-ch8"], r".* \(did you mean 'nilsson-2009-ch8'\?\); allowed: .*"),
}
HOSTILE = of_installed(CASES)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[needs_full] * ("/dev/full" in arguments)) for name, (arguments, *_) in HOSTILE.items()],
)
@pytest.mark.usefixtures("untouched")
def test_user_errors_print_one_line_and_change_no_file(name, capsys):
    arguments, message, *_ = HOSTILE[name]
    assert run(*arguments) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert re.fullmatch(f"crossarc: {message}", err.rstrip("\n")), err


USAGE: dict[str, list[str]] = of_installed(
    {
        "unrecognized arguments: --formt conllu (did you mean '--format'?)": ["check", "x", "--formt", "conllu"],
        "unrecognized arguments: --kbest=3 (did you mean '--k-best'?)": ["parse", "m", "--kbest=3"],
        "unrecognized arguments: --zzz\n": ["check", "x", "--zzz"],
        "invalid choice: 'lerners' (did you mean 'learners'?); allowed: configs, ": ["list", "lerners"],
        "the following arguments are required: MODEL": ["parse"],
        "argument --jobs: found '0', expected a whole number, 1 or more": ["parse", "m", "--jobs", "0"],
        "argument --jobs: found 'two', expected a whole number, 1 or more": ["parse", "m", "--jobs", "two"],
        "argument --limit: limit 'word' (did you mean 'words'?); allowed": ["serve", "m", "--limit", "word=3"],
        "argument --format: invalid choice: 'conll'": ["parse", "m", "--format", "conll"],
        "invalid choice: 'swop' (did you mean 'swap'?); allowed: arc-standard, ": ["oracle", "swop", "x"],
        "argument --learn: found '', expected a name": ["blend", "a", "b", "--learn", ""],
        "argument -o/--output: found '', expected a name": ["evaluate", "a", "b", "-o", ""],
        "argument --dev: found '', expected a name": ["train", "swap", "--dev", ""],
        "--invert: not allowed with argument": ["transform", "reversal", "x", "--distortion", "--invert"],
    }
)
USAGE |= {
    "the following arguments are required: COMMAND": ["-q"],
    "invalid choice: 'pasre' (did you mean 'parse'?); allowed: ": ["pasre"],
}
"""Command lines that argparse refuses, by the message."""


@pytest.mark.parametrize("message", USAGE)
def test_usage_errors_have_status_2(message, capsys):
    with pytest.raises(SystemExit) as caught:
        run(*USAGE[message])
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["train", "swap", "--set", "guide.C=5", "--set", "guide={C: 1}"],
            "guide.C is given twice, expected one value",
        ),
        (["list", "configs", "--plug=p.py"], "unrecognized arguments: --plug=p.py"),
        (["train", "swap", "--mod", "m"], "unrecognized arguments: --mod"),
    ],
)
def test_options_are_spelled_in_full_and_keys_set_once(words, message, capsys):
    with pytest.raises(SystemExit):
        run(*words)
    assert message in capsys.readouterr().err
