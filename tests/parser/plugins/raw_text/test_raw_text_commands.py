"""Raw text on the command line: parsing, tagging and tokenizing of good and bad input."""

import io
import re
import subprocess
import sys
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest
from command_line import run
from crossarc import CrossarcError, evaluate_conll18, load_model, read_sentences
from crossarc.parser.models.files import model_bytes, model_in
from crossarc.parser.models.transition_model import TransitionModel
from crossarc.parser.plugins.raw_text.raw_text import gold_text
from installed import needs
from spoken import treebank

pytestmark = needs("tagging")


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("raw")
    (folder / "train.conllu").write_text(treebank(120, 1), "utf-8")
    (folder / "dev.conllu").write_text(treebank(30, 2), "utf-8")
    files = ["--train", folder / "train.conllu", "--dev", folder / "dev.conllu", "--model", folder / "m"]
    settings = ["--set", "input=text", "--set", "features=small"]
    assert run("train", "arc-standard", *files, *settings, "-q") == 0
    return folder / "m"


def test_raw_text_is_parsed_on_the_command_line_and_in_python(model_file, tmp_path, capsys):
    text = "the dog barks. zum cat didn't see it!\n\nDr. bird barks?\n"
    (tmp_path / "t.txt").write_text(text, "utf-8")
    outputs = []
    for options in ([], ["--stream"]):
        assert run("parse", "-q", model_file, tmp_path / "t.txt", "--format", "text", *options) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    parsed = list(read_sentences(io.StringIO(outputs[0])))
    assert [own.id for own in parsed] == ["1", "2", "3"]
    model = load_model(model_file)
    again = model_in(model_bytes(model), "m")(text)
    assert [(sentence.column("form"), sentence.heads()) for sentence in again] == [
        (sentence.column("form"), sentence.heads()) for sentence in parsed
    ]
    assert gold_text(parsed).text == text


@pytest.mark.parametrize("texts", [[], [""], ["", "the dog barks. zum cat barks!", "", "", "Dr. bird barks?", ""]])
def test_many_texts_are_parsed_in_one_call_as_one_by_one(model_file, texts):
    model = load_model(model_file)
    assert list(model.parse_texts(iter(texts))) == [model(text) for text in texts]


def test_the_model_records_its_scores_from_raw_text(model_file, capsys):
    dev = list(read_sentences(str(model_file.parent / "dev.conllu")))
    model = load_model(model_file)
    f1 = evaluate_conll18(dev, model(gold_text(dev).text)).f1
    recorded = model.provenance["dev"]["from_text"]
    assert recorded == {unit.lower(): round(f1[unit], 2) for unit in ("Words", "Sentences", "UPOS", "UAS", "LAS")}
    assert run("info", model_file) == 0
    assert re.search(rf"^from text .*LAS {f1['LAS']:.2f}", capsys.readouterr().out, re.M)


def test_each_line_is_a_sentence_if_presegmented(model_file, tmp_path, capsys):
    (tmp_path / "t.txt").write_text("the dog barks. the cat\nbarks!\n", "utf-8")
    assert run("parse", "-q", model_file, tmp_path / "t.txt", "--format", "lines") == 0
    forms = [sentence.column("form") for sentence in read_sentences(io.StringIO(capsys.readouterr().out))]
    assert forms == [("the", "dog", "barks", ".", "the", "cat"), ("barks", "!")]


def test_tokenizing_and_tagging_do_not_parse(model_file, tmp_path, capsys, monkeypatch):
    text = "zum  dog barks.\nthe cat didn't see it!"
    file = tmp_path / "t.txt"
    file.write_text(text, "utf-8")
    model = load_model(model_file)
    parsed = model(text)

    def refuse(*given, **named):
        raise AssertionError("parsed")

    monkeypatch.setattr(TransitionModel, "parse_chunk", refuse)
    outputs = []
    raw = ["--format", "text"]
    for words in (["tokenize"], ["tag", *raw], ["tokenize", "--stream", "--ranges"], ["tag", *raw, "--ranges"]):
        assert run(words[0], "-q", model_file, file, *words[1:]) == 0
        outputs.append(list(read_sentences(io.StringIO(capsys.readouterr().out))))
    for found in outputs:
        assert [sentence.column("form") for sentence in found] == [sentence.column("form") for sentence in parsed]
        assert {head for sentence in found for head in sentence.column("head")} == {"_"}
    plain, tagged, *placed = outputs
    assert {tag for sentence in plain for tag in sentence.column("upos")} == {"_"}
    assert [sentence.column("upos") for sentence in tagged] == [sentence.column("upos") for sentence in parsed]
    monkeypatch.undo()
    assert run("parse", "-q", model_file, file, *raw, "--ranges", "-o", tmp_path / "parsed") == 0
    for found in [*placed, list(read_sentences(str(tmp_path / "parsed")))]:
        rows = [row for sentence in found for row in [*sentence.column("misc"), *(row for _, row in sentence.extras)]]
        places = re.findall(r"TokenRange=(\d+):(\d+)", " ".join(rows))
        assert sorted(text[int(first) : int(end)] for first, end in places) == sorted(
            token.form for token in gold_text(plain).tokens
        )
    assert run("tag", model_file, tmp_path / "parsed", "--ranges") == 1
    assert "--ranges needs the places of tokens in raw text; use --format text" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["parse", "tag", "tokenize"])
def test_several_files_are_written_to_a_folder(command, model_file, tmp_path):
    texts = {"a.txt": "the dog barks. the cat barks!", "b.text": "the bird barks?"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    options = ["--format", "text", "-q"]
    assert run(command, model_file, *(tmp_path / name for name in texts), *options, "-o", tmp_path / "new/folder") == 0
    for name, text in texts.items():
        found = tmp_path / "new/folder" / Path(name).with_suffix(".conllu").name
        assert run(command, model_file, tmp_path / name, *options, "-o", tmp_path / "alone") == 0
        assert found.read_bytes() == (tmp_path / "alone").read_bytes()
        sentences = list(read_sentences(str(found)))
        assert sentences[0].comments[0] == f"# newdoc id = {tmp_path / name}"
        assert gold_text(sentences).text.rstrip() == text
    assert run("parse", model_file, found, "-o", tmp_path / "new", "-q") == 0
    assert (tmp_path / "new" / "b.conllu").is_file()


@pytest.mark.parametrize("command", ["parse", "tag", "tokenize"])
def test_a_faulty_file_among_several_does_not_stop_the_others(command, model_file, tmp_path, capsys):
    texts = {"a": b"the dog barks.", "b": b"\xff", "c": b"", "d": b"the cat barks!"}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    files = [tmp_path / name for name in (*texts, "missing")]
    assert run(command, model_file, *files, "--format", "text", "-q", "-o", tmp_path / "out") == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3
    assert f"{tmp_path / 'b'}: invalid UTF-8" in said[0]
    assert str(tmp_path / "missing") in said[1]
    assert "2 of 5 files failed" in said[2]
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["a.conllu", "c.conllu", "d.conllu"]
    assert (tmp_path / "out" / "c.conllu").read_bytes() == b""


@pytest.mark.parametrize(
    ("files", "output", "message"),
    [
        (["a", "b"], "-", "several files need a folder for the results: -o FOLDER"),
        (["a", "-"], "out", "several files need a folder for the results: -o FOLDER; none can be standard input"),
        (["a", "b/a"], "out", "out/a: is the result of two files; write them to different folders"),
        (["a", "b"], "a", "File exists"),
        (["b/a", "b/c"], "b", "b/a: cannot be written, since it is also an input; write another file"),
    ],
)
@needs("graph")
def test_results_of_several_files_do_not_meet(files, output, message, here, capsys):
    (here / "b").mkdir()
    for name in ("a", "b/a", "b/c"):
        (here / name).write_bytes((here / "test.conllu").read_bytes())
    assert run("parse", "m", *files, "-o", output) == 1
    assert message in capsys.readouterr().err


def test_files_are_tagged_in_all_formats(model_file, tmp_path):
    (tmp_path / "w").write_text("the dog barks .\nthe cat barks !\n", "utf-8")
    tagging = ["tag", "-q", model_file]
    assert run(*tagging, tmp_path / "w", "--format", "words", "-o", tmp_path / "one") == 0
    found = list(read_sentences(str(tmp_path / "one")))
    assert {*found[0].column("upos"), *found[1].column("upos")} == {"X"}
    assert run(*tagging, tmp_path / "one", "-o", tmp_path / "two") == 0
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()
    odd = (tmp_path / "one").read_text("utf-8").replace("\tX\t", "\tY\t")
    (tmp_path / "odd").write_text(odd, "utf-8")
    for options, expected in (([], odd), (["--retag"], (tmp_path / "one").read_text("utf-8"))):
        assert run(*tagging, tmp_path / "odd", "-o", tmp_path / "two", *options) == 0
        assert (tmp_path / "two").read_text("utf-8") == expected


@pytest.mark.parametrize("command", ["parse", "tokenize"])
def test_text_in_another_script_is_warned_of_once(command, model_file, tmp_path, capsys):
    (tmp_path / "t.txt").write_text("собака лает на улице. " * 30, "utf-8")
    assert run(command, "-q", model_file, tmp_path / "t.txt", "-o", tmp_path / "o", "--format", "text") == 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "94 % of the characters never occurred in training; use a model of the text's language" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tokenize"], "split raw text; train a model that can: crossarc train accurate --set input=text "),
        (["parse", "--format", "lines"], "m starts from words and cannot split raw text"),
        (["tag"], "m predicts no tags; use crossarc train --set tags=auto"),
        (["tag", "--stream", "--jobs", "2"], "--stream treats one sentence at a time in one process; omit --jobs"),
    ],
)
@needs("graph")
def test_options_that_a_model_cannot_follow_are_refused(words, message, here, capsys):
    assert run(words[0], "m", here / "test.conllu", *words[1:]) == 1
    assert message in capsys.readouterr().err


@needs("graph")
def test_a_model_without_tokenizer_refuses_text_in_python(here):
    with pytest.raises(CrossarcError, match="input=text"):
        load_model(here / "m")("the dog barks.")


BAD = {
    "empty": (b"", "", 0),
    "only spaces": (b" \n\t \n\n ", "", 0),
    "blank lines": (b"\n" * 10**6, "", 0),
    "text around blank lines": (b"the dog barks." + b"\n" * 10**6 + b"the cat barks.", "", 2),
    "long word": (b"a" * 10**6, "", 8),
    "null characters": (b"\0" * 999, "100 % of the characters never occurred in training; use a model", 1),
    "binary": (bytes(range(256)), "t.txt: invalid UTF-8 at byte 128; convert the text to UTF-8", 0),
    "Latin-1": ("the dog é".encode("latin-1"), "t.txt: invalid UTF-8 at byte 8; convert the text to UTF-8", 0),
    "UTF-16": (
        "the dog".encode("utf-16"),
        "t.txt: UTF-16, expected UTF-8; save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8",
        0,
    ),
    "cut": ("é the é".encode()[:-1], "t.txt: invalid UTF-8 at byte 7; convert the text to UTF-8", 0),
}
"""Input, message, and number of sentences in the output."""


@pytest.mark.parametrize("command", ["parse", "tokenize"])
@pytest.mark.parametrize("name", BAD)
def test_bad_input_has_one_message(name, command, model_file, tmp_path, capsys):
    data, message, count = BAD[name]
    (tmp_path / "t.txt").write_bytes(data)
    assert run(command, "-q", model_file, tmp_path / "t.txt", "--format", "text") == (0 if count or not message else 1)
    out, err = capsys.readouterr()
    assert err.count("\n") == bool(message)
    assert message in err
    assert out.count("\n\n") == count


@pytest.mark.parametrize("form", ["a\ufeffb", "\ufeff"])
def test_development_text_that_cannot_be_compared_is_told(form, tmp_path, capsys):
    (tmp_path / "t.conllu").write_text(treebank(60, 1), "utf-8")
    (tmp_path / "d.conllu").write_text(treebank(9, 2).replace("\tdog\t", f"\t{form}\t", 1), "utf-8")
    files = ["--train", tmp_path / "t.conllu", "--dev", tmp_path / "d.conllu", "--model", tmp_path / "m"]
    assert run("train", "arc-standard", *files, "--set", "features=small", "--set", "input=text") == 0
    assert "d.conllu: the tokenizer cannot be scored on this text: " in capsys.readouterr().err


def test_a_treebank_without_joined_tokens_causes_a_warning(tmp_path, capsys):
    files = ["--train", tmp_path / "t.conllu", "--model", tmp_path / "m", "--set", "features=small"]
    for spaced in (True, False):
        text = treebank(60, 1) if spaced else treebank(60, 1).replace("SpaceAfter=No", "_")
        (tmp_path / "t.conllu").write_text(text, "utf-8")
        assert run("train", "arc-standard", *files, "--set", "input=text") == 0
        warning = "no word of the training treebank is marked SpaceAfter=No: the tokenizer only splits at spaces"
        assert (warning in capsys.readouterr().err) == (not spaced)
    assert [len(own) for own in load_model(tmp_path / "m")("the dog barks. the cat barks !")] == [7]


@pytest.mark.parametrize("words", [["tokenize"], ["tag", "--format", "text"], ["parse", "--format", "text"]])
def test_streams_answer_after_each_paragraph(words, model_file):
    command = [sys.executable, "-m", "crossarc", *words, model_file, "-", "--stream"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        lines = Queue()
        Thread(target=lambda: [lines.put(line) for line in process.stdout], daemon=True).start()
        for number in (1, 2):
            process.stdin.write(b"the dog barks.\n\n")
            process.stdin.flush()
            while (line := lines.get(timeout=60)) != b"\n":
                assert not line.startswith(b"# sent_id") or line == b"# sent_id = %d\n" % number
        process.stdin.close()
        assert process.wait(30) == 0


@needs("analysis")
def test_typed_text_is_drawn(model_file, capsys, monkeypatch):
    text = "the dog barks. the cat barks!"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{text}\n\n{text}".encode())))
    outputs = []
    for words in ([text], text.split(), []):
        assert run("show", "--model", model_file, *words) == 0
        outputs.append(capsys.readouterr().out)
    one, same, two = outputs
    assert same == one
    assert re.findall("^# (.*)", one, re.M) == ["1", "2"]
    assert two == one + one.replace("# 2", "# 4").replace("# 1", "# 3")
    assert run("show", "--model", model_file, text, "--format", "words") == 1
    assert "--model parses raw text; omit --format" in capsys.readouterr().err


@needs("blending", "graph", "levels")
def test_init_measures_the_cost_of_raw_text(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(treebank(60, 1), "utf-8")
    Path("dev.conllu").write_text(treebank(20, 2), "utf-8")
    assert run("init", "train.conllu", "dev.conllu", "--input", "text", "--level", "fast", "-o", "own.yaml", "-q") == 0
    text = " ".join(Path("own.yaml").read_text("utf-8").split("\n# "))
    cost = re.search(r"costs ([\d.]+) CoNLL 2018 LAS: ([\d.]+) from words, ([\d.]+) from raw text; F1 of words", text)
    assert float(cost[1]) == pytest.approx(float(cost[2]) - float(cost[3]), abs=0.11)
    assert run("train", "own.yaml", "-q", "--model", "m") == 0
    assert load_model("m").segmenter is not None
    assert run("init", "train.conllu", "--input", "text", "--level", "most-accurate") == 0
    assert "\nshared:\n" in capsys.readouterr().out


@needs("blending", "graph")
def test_blends_have_one_tokenizer(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(treebank(40, 1), "utf-8")
    Path("b.yaml").write_text("components: [arc-standard-small, swap-small]\nweights: equal\n", "utf-8")
    assert run("train", "b.yaml", "--train", "train.conllu", "--model", "m", "--set", "input=text") == 0
    model = load_model("m")
    assert model.segmenter is not None
    assert [len(own) for own in model("the dog barks. the cat barks!")] == [4, 4]
