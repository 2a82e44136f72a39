"""Raw text to sentences and words: nothing is lost, and the division into blocks does not matter."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from queue import Queue
from threading import Thread

import numpy as np
import pytest
from command_line import run
from crossarc import CrossarcError, load_model, read_sentences
from crossarc.parser.models.files import model_bytes, model_in
from crossarc.parser.models.transition_model import TransitionModel
from crossarc.parser.tokenizer import Tokenizer, reading
from crossarc.parser.tokenizer.characters import Characters, is_space
from crossarc.parser.tokenizer.raw_text import escaped, gold_text, unescaped
from crossarc.parser.tokenizer.reading import RawSentence, conllu_of, decoded, sentences_of
from crossarc.parser.tokenizer.splitting import BREAK, edited, edits_of
from crossarc.parser.treebank import Sentence
from hypothesis import given, strategies as st
from spoken import treebank


def sentences(count: int, seed: int) -> list[Sentence]:
    return list(read_sentences(io.StringIO(treebank(count, seed))))


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.fit(sentences(150, 1), sentences(40, 2))


def joined(found: list[RawSentence]) -> str:
    return "".join(own.before + "".join(form + after for form, after, _ in own.tokens) for own in found)


def test_another_sample_of_the_language_is_segmented_without_errors(tokenizer: Tokenizer) -> None:
    gold = gold_text(sentences(80, 3))
    found = list(sentences_of(tokenizer, [gold.text]))
    assert [form for own in found for form, _, _ in own.tokens] == [token.form for token in gold.tokens]
    assert [words for own in found for _, _, words in own.tokens] == [token.words for token in gold.tokens]
    assert len(found) == len(gold.last)


HARD = st.text(st.sampled_from("ab. \n\t\r\xa0\ufeff\u200b\u0301é😀\x00\x1c\x85Dr'n"), max_size=60) | st.text(
    max_size=40
)


@given(HARD, st.lists(st.integers(0, 60), max_size=3))
def test_joining_forms_and_spaces_gives_the_text(tokenizer: Tokenizer, text: str, cuts: list[int]) -> None:
    if any("\ud800" <= character <= "\udfff" for character in text):
        return
    found = list(sentences_of(tokenizer, [text] if text else []))
    if not all(map(is_space, text)):
        assert joined(found) == text
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    parts = [text[a:b] for a, b in pairwise(places) if a < b]
    assert list(sentences_of(tokenizer, parts)) == found
    at_once = list(sentences_of(tokenizer, parts, at_once=True))
    assert [[form for form, _, _ in own.tokens] for own in at_once] == [
        [form for form, _, _ in own.tokens] for own in found
    ]


def test_conllu_keeps_forms_and_spaces(tokenizer: Tokenizer) -> None:
    text = "\n the dog barks.\tthe\xa0cat  barks!\r\n\r\nthe bird | barks .\n"
    parsed = list(read_sentences(io.StringIO("".join(conllu_of(sentences_of(tokenizer, [text]), "x")))))
    assert "SpacesBefore=\\n\\s" in parsed[0].column("misc")[0]
    assert gold_text(parsed).text == text.lstrip()
    assert parsed[0].comments[:2] == ("# newdoc id = x", "# newpar")
    assert [own for sentence in parsed for own in sentence.comments].count("# newpar") == 2


def test_long_paragraphs_are_divided_with_constant_memory(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = gold_text(sentences(400, 4)).text.replace("\n\n", " ")
    whole = list(sentences_of(tokenizer, [text]))
    monkeypatch.setattr(reading, "BLOCK", 100)
    monkeypatch.setattr(reading, "LONGEST", 1000)
    parts = list(sentences_of(tokenizer, [text[start : start + 30] for start in range(0, len(text), 30)]))
    assert [own.tokens for own in parts] == [own.tokens for own in whole]
    assert sum(own.paragraph for own in parts) == 1
    long = "a" * 5000
    assert joined(list(sentences_of(tokenizer, [long]))) == long


@given(
    st.text("abcé", min_size=1, max_size=6), st.lists(st.text("abcde", min_size=1, max_size=4), min_size=2, max_size=4)
)
def test_edits_give_the_words(form: str, words: list[str]) -> None:
    edits = edits_of(form, words)
    assert len(edits) == len(form)
    assert edited(form, edits) == words
    assert sum(edit.count(BREAK) for edit in edits) == len(words) - 1


@given(st.text(" \t\r\n|\\ps\xa0", max_size=8))
def test_escaped_spaces_are_restored(spaces: str) -> None:
    assert unescaped(escaped(spaces)) == spaces
    assert not set(escaped(spaces)) & set("\t\r\n |")


@given(st.text(st.sampled_from("aAbB1. \n"), min_size=1, max_size=30), st.data())
def test_equal_substrings_have_equal_hashes(text: str, data: st.DataObject) -> None:
    characters = Characters(text)
    spans = data.draw(st.lists(st.tuples(*[st.integers(0, len(text))] * 2).map(sorted), min_size=2, max_size=6))
    starts, ends = (np.array(own) for own in zip(*spans, strict=True))
    hashes = characters.hashes("form", starts, ends).tolist()
    for a, one in zip(hashes, spans, strict=True):
        for b, two in zip(hashes, spans, strict=True):
            assert (a == b) == (text[slice(*one)] == text[slice(*two)])


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ('a "b" c.', [True, False]),
        ('" a . " b . " c . "', [True, False, True, False]),
        ('a "b " c " d "e" " f "', [True, False, True, True, False, True, False]),
        ('" a\n\n" b', [True, True]),
        ('a" b " c', [False, True]),
    ],
)
def test_quotation_marks_open_or_close(text: str, opening: list[bool]) -> None:
    marks = np.array([at for at, character in enumerate(text) if character == '"'])
    found = Characters(text)
    opened = found.hashes("shape", marks, marks + 1) == Characters('"a').hashes("shape", np.array([0]), np.array([1]))
    assert opened.tolist() == opening


def test_invalid_utf8_is_located() -> None:
    with pytest.raises(CrossarcError, match="x: invalid UTF-8 at byte 3; convert the text to UTF-8"):
        list(decoded(io.BytesIO(b"a\xc3\xa9\xff"), "x"))


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("raw")
    (folder / "train.conllu").write_text(treebank(120, 1), "utf-8")
    (folder / "dev.conllu").write_text(treebank(30, 2), "utf-8")
    files = ["--train", folder / "train.conllu", "--dev", folder / "dev.conllu", "--model", folder / "m"]
    settings = ["--set", "input=text", "--set", "features=small"]
    assert run("train", "arc-standard", *files, *settings, "-q") == 0
    return folder / "m"


def test_raw_text_is_parsed_on_the_command_line_and_in_python(
    model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    assert [(own.column("form"), own.heads()) for own in again] == [(own.column("form"), own.heads()) for own in parsed]
    assert gold_text(parsed).text == text


def test_each_line_is_a_sentence_if_presegmented(
    model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.txt").write_text("the dog barks. the cat\nbarks!\n", "utf-8")
    assert run("parse", "-q", model_file, tmp_path / "t.txt", "--format", "lines") == 0
    forms = [own.column("form") for own in read_sentences(io.StringIO(capsys.readouterr().out))]
    assert forms == [("the", "dog", "barks", ".", "the", "cat"), ("barks", "!")]


def test_tokenizing_and_tagging_do_not_parse(
    model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "zum  dog barks.\nthe cat didn't see it!"
    file = tmp_path / "t.txt"
    file.write_text(text, "utf-8")
    model = load_model(model_file)
    parsed = model(text)

    def refuse(*given: object, **named: object) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr(TransitionModel, "parse_chunk", refuse)
    outputs = []
    for words in (["tokenize"], ["tokenize", "--stream", "--ranges"], ["tag", "--format", "text"]):
        assert run(words[0], "-q", model_file, file, *words[1:]) == 0
        outputs.append(list(read_sentences(io.StringIO(capsys.readouterr().out))))
    for found in outputs:
        assert [own.column("form") for own in found] == [own.column("form") for own in parsed]
        assert {head for own in found for head in own.column("head")} == {"_"}
    plain, placed, tagged = outputs
    assert {tag for own in plain for tag in own.column("upos")} == {"_"}
    assert [own.column("upos") for own in tagged] == [own.column("upos") for own in parsed]
    rows = [row for own in placed for row in [*own.column("misc"), *(row for _, row in own.extras)]]
    places = re.findall(r"TokenRange=(\d+):(\d+)", " ".join(rows))
    assert sorted(text[int(first) : int(end)] for first, end in places) == sorted(
        token.form for token in gold_text(plain).tokens
    )


@pytest.mark.parametrize("command", ["parse", "tag", "tokenize"])
def test_several_files_are_written_to_a_folder(command: str, model_file: Path, tmp_path: Path) -> None:
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
    assert run(command, model_file, found, "-o", tmp_path / "new", *([] if command == "tokenize" else ["-q"])) == 0
    assert (tmp_path / "new" / "b.conllu").is_file()


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
def test_results_of_several_files_do_not_meet(
    files: list[str], output: str, message: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "b").mkdir()
    for name in ("a", "b/a", "b/c"):
        (here / name).write_bytes((here / "test.conllu").read_bytes())
    assert run("parse", "m", *files, "-o", output) == 1
    assert message in capsys.readouterr().err


def test_files_are_tagged_in_all_formats(model_file: Path, tmp_path: Path) -> None:
    (tmp_path / "w").write_text("the dog barks .\nthe cat barks !\n", "utf-8")
    assert run("tag", "-q", model_file, tmp_path / "w", "--format", "words", "-o", tmp_path / "one") == 0
    found = list(read_sentences(str(tmp_path / "one")))
    assert {*found[0].column("upos"), *found[1].column("upos")} == {"X"}
    assert run("tag", "-q", model_file, tmp_path / "one", "-o", tmp_path / "two") == 0
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()
    odd = (tmp_path / "one").read_text("utf-8").replace("\tX\t", "\tY\t")
    (tmp_path / "odd").write_text(odd, "utf-8")
    for options, expected in (([], odd), (["--retag"], (tmp_path / "one").read_text("utf-8"))):
        assert run("tag", "-q", model_file, tmp_path / "odd", "-o", tmp_path / "two", *options) == 0
        assert (tmp_path / "two").read_text("utf-8") == expected


@pytest.mark.parametrize("command", ["parse", "tokenize"])
def test_text_in_another_script_is_warned_of_once(
    command: str, model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.txt").write_text("собака лает на улице. " * 30, "utf-8")
    options = ["--format", "text"] if command == "parse" else []
    assert run(command, "-q", model_file, tmp_path / "t.txt", "-o", tmp_path / "o", *options) == 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "94 % of the characters never occurred in training; use a model of the text's language" in err


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        ("tokenize", [], "m starts from words and cannot split raw text; train a model that can: crossarc train "),
        ("tag", [], "tag: m predicts no tags; train with --set tags=auto"),
        ("parse", ["--format", "lines"], "m starts from words and cannot split raw text"),
    ],
)
def test_models_without_tokenizer_and_taggers_are_refused(
    command: str, options: list[str], message: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command, "m", here / "test.conllu", *options) == 1
    assert message in capsys.readouterr().err


def test_a_model_without_tokenizer_names_the_remedy(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "t.txt").write_text("the dog barks.\n", "utf-8")
    assert run("parse", "m", "t.txt", "--format", "text") == 1
    assert "train a model that can: crossarc train accurate --set input=text " in capsys.readouterr().err
    with pytest.raises(CrossarcError, match="input=text"):
        load_model(here / "m")("the dog barks.")


BAD = {
    "empty": (b"", "t.txt:1: empty file, expected at least one sentence", 0),
    "only spaces": (b" \n\t \n\n ", "t.txt:1: empty file, expected at least one sentence", 0),
    "blank lines": (b"\n" * 10**6, "t.txt:1: empty file, expected at least one sentence", 0),
    "text around blank lines": (b"the dog barks." + b"\n" * 10**6 + b"the cat barks.", "", 2),
    "long word": (b"a" * 10**6, "", 4),
    "null characters": (b"\0" * 999, "100 % of the characters never occurred in training; use a model", 1),
    "binary": (bytes(range(256)), "t.txt: invalid UTF-8 at byte 128; convert the text to UTF-8", 0),
    "Latin-1": ("the dog é".encode("latin-1"), "t.txt: invalid UTF-8 at byte 8; convert the text to UTF-8", 0),
    "UTF-16": ("the dog".encode("utf-16"), "t.txt: invalid UTF-8 at byte 0; convert the text to UTF-8", 0),
    "cut": ("the é".encode()[:-1], "t.txt: invalid UTF-8 at byte 4; convert the text to UTF-8", 0),
}
"""Input, message, and number of sentences in the output."""


@pytest.mark.parametrize("command", ["parse", "tokenize"])
@pytest.mark.parametrize("name", BAD)
def test_bad_input_has_one_message(
    name: str, command: str, model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, message, count = BAD[name]
    (tmp_path / "t.txt").write_bytes(data)
    options = ["--format", "text"] if command == "parse" else []
    assert run(command, "-q", model_file, tmp_path / "t.txt", *options) == (0 if count else 1)
    out, err = capsys.readouterr()
    assert err.count("\n") == bool(message)
    assert message in err
    assert out.count("\n\n") == count


ARABIC = str.maketrans("abcdefghijklmnopqrstuvwxyz.?", "ابجدهوزحطيكلمنسعفصقرشتثخذض۔؟")


def test_text_from_right_to_left_is_segmented() -> None:
    def translated(count: int, seed: int) -> list[Sentence]:
        own = []
        for row in treebank(count, seed).split("\n"):
            number, *cells = row.split("\t")
            own.append("\t".join([number, *(cell.translate(ARABIC) for cell in cells[:2]), *cells[2:]]))
        return list(read_sentences(io.StringIO("\n".join(own))))

    learned, gold = Tokenizer.fit(translated(150, 1), translated(40, 2)), gold_text(translated(80, 3))
    assert "۔" in gold.text
    found = list(sentences_of(learned, [gold.text]))
    assert [(form, words) for own in found for form, _, words in own.tokens] == [own[:2] for own in gold.tokens]
    assert len(found) == len(gold.last)


def test_a_treebank_without_joined_tokens_causes_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--train", tmp_path / "t.conllu", "--model", tmp_path / "m", "--set", "features=small"]
    for spaced in (True, False):
        text = treebank(60, 1) if spaced else treebank(60, 1).replace("SpaceAfter=No", "_")
        (tmp_path / "t.conllu").write_text(text, "utf-8")
        assert run("train", "arc-standard", *files, "--set", "input=text") == 0
        warning = "no word of the training treebank is marked SpaceAfter=No: the tokenizer only splits at spaces"
        assert (warning in capsys.readouterr().err) == (not spaced)
    assert [len(own) for own in load_model(tmp_path / "m")("the dog barks. the cat barks !")] == [7]


def test_streams_answer_after_each_paragraph(model_file: Path) -> None:
    command = [sys.executable, "-m", "crossarc", "tokenize", model_file, "-", "--stream"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines: Queue[bytes] = Queue()
        Thread(target=lambda: [lines.put(line) for line in process.stdout], daemon=True).start()  # type: ignore[union-attr]
        for number in (1, 2):
            process.stdin.write(b"the dog barks.\n\n")
            process.stdin.flush()
            while (line := lines.get(timeout=60)) != b"\n":
                assert not line.startswith(b"# sent_id") or line == b"# sent_id = %d\n" % number
        process.stdin.close()
        assert process.wait(30) == 0


def test_typed_text_is_drawn(model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.txt").write_text("the dog barks. the cat barks!\n\nthe bird barks?", "utf-8")
    assert run("show", tmp_path / "t.txt", "--model", model_file) == 0
    out = capsys.readouterr().out
    assert re.findall("^# (.*)", out, re.M) == ["1", "2", "3"]
    assert out.count("barks") == 3


def test_init_measures_the_cost_of_raw_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(treebank(60, 1), "utf-8")
    Path("dev.conllu").write_text(treebank(20, 2), "utf-8")
    assert run("init", "train.conllu", "dev.conllu", "--input", "text", "--level", "fast", "-o", "own.yaml", "-q") == 0
    text = " ".join(Path("own.yaml").read_text("utf-8").split("\n# "))
    cost = re.search(r"costs ([\d.]+) CoNLL 2018 LAS: ([\d.]+) from words, ([\d.]+) from raw text; F1 of words", text)
    assert cost is not None
    assert float(cost[1]) == pytest.approx(float(cost[2]) - float(cost[3]), abs=0.11)
    assert run("train", "own.yaml", "-q", "--model", "m") == 0
    assert load_model("m").tokenizer is not None
    assert run("init", "train.conllu", "--input", "text", "--level", "most-accurate") == 0
    assert "\nshared:\n" in capsys.readouterr().out


def test_blends_have_one_tokenizer(tmp_path: Path) -> None:
    (tmp_path / "train.conllu").write_text(treebank(40, 1), "utf-8")
    (tmp_path / "b.yaml").write_text("components: [arc-standard-small, swap-small]\nweights: equal\n", "utf-8")
    settings = ["--set", "input=text"]
    assert (
        run("train", tmp_path / "b.yaml", "--train", tmp_path / "train.conllu", "--model", tmp_path / "m", *settings)
        == 0
    )
    model = load_model(tmp_path / "m")
    assert model.tokenizer is not None
    assert [len(own) for own in model("the dog barks. the cat barks!")] == [4, 4]
