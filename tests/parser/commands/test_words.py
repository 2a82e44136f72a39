"""Parsing words alone: one sentence, or one word, per line."""

import io
import re
import sys
from pathlib import Path

import crossarc
import pytest
from command_line import few, run
from crossarc.parser.treebank import conll_text, read_sentences, write_sentences
from crossarc.transitions.trees import roots
from installed import needs

pytestmark = needs("annotation", "tagging")


def test_words_are_parsed_like_rows_with_empty_columns(here, capfdbinary, monkeypatch):
    """From files and pipes, with several processes, and sentence by sentence."""
    sentences = [sentence.column("form") for sentence in read_sentences("test.conllu")]
    rows = (
        f"# sent_id = {count}\n# text = {' '.join(own)}\n"
        + "".join(f"{number}\t{word}\t_\t_\t_\t_\t_\t_\t_\t_\n" for number, word in enumerate(own, 1))
        for count, own in enumerate(sentences, 1)
    )
    inputs = {
        "auto": "\n".join(rows) + "\n",
        "words": "".join(f"{' '.join(sentence)}\n" for sentence in sentences),
        "vertical": "\n".join("".join(f"{word}\n" for word in sentence) for sentence in sentences),
    }
    found = set()
    for format, text in inputs.items():
        Path("in").write_text(text, "utf-8")
        for options in (["in", "-o", "out"], ["in", "-o", "out", "--jobs", "2"], [], ["--stream"]):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
            assert run("parse", "-q", "m", *options, "--format", format, "--allow-empty-columns") == 0
            out, err = capfdbinary.readouterr()
            assert b" no tags, but the model reads XPOS: expect poor trees" in err
            found.add(out or Path("out").read_bytes())
    (parsed,) = found
    assert [sentence.column("form") for sentence in read_sentences(io.BytesIO(parsed))] == sentences


@pytest.fixture(scope="module")
def tagging(shelf, tmp_path_factory):
    """A model that predicts the tags that it reads, and other tags."""
    path = tmp_path_factory.mktemp("models") / "tagging"
    train = ["-q", "train", "arc-standard", "--train", shelf / "train.conllu", "--model", path]
    assert run(*train, *few(shelf), "--set", "tags=[upos, xpos, lemma]", "--dev", shelf / "test.conllu") == 0
    return path


@pytest.mark.parametrize("options", [[], ["--jobs", "2"], ["--stream"], ["--scores"], ["--k-best", "2"]], ids=" ".join)
def test_words_are_tagged_and_parsed(here, tagging, capfd, options):
    """Trees are the same for words alone, for other tags with --retag, and for the predicted tags."""
    gold = list(read_sentences("test.conllu"))
    bare = [crossarc.Sentence.from_tokens(sentence.column("form")) for sentence in gold]
    tagged = list(crossarc.open_parser(tagging).parse([list(sentence.column("form")) for sentence in gold]))
    odd = [
        sentence.with_columns({"upos": ("ODD",) * len(sentence), "xpos": ("ODD",) * len(sentence)}) for sentence in bare
    ]
    write_sentences(odd, "odd.conllu")
    write_sentences(tagged, "tagged.conllu")
    Path("words").write_text("".join(f"{' '.join(sentence.column('form'))}\n" for sentence in gold), "utf-8")
    found = []
    for file, more in (
        ("words", ["--format", "words"]),
        ("odd.conllu", ["--retag"]),
        ("tagged.conllu", []),
        ("odd.conllu", []),
    ):
        assert run("-q", "parse", tagging, file, *options, *more) == 0
        out, err = capfd.readouterr()
        found.append(re.sub(r"^# .*\n", "", out, flags=re.M))
        warned = "warning: the input has values of" in err
        assert warned == (file != "words" and "--retag" not in more)
    words, retagged, again, kept = found
    assert words == retagged == again != kept
    assert ("|Conf=" in words or "\tConf=" in words) == ("--scores" in options)
    if not options:
        assert words == "".join(map(conll_text, tagged))
        assert "\tODD\tODD\t" in kept


@pytest.mark.parametrize(
    ("data", "sentences"),
    [
        (b"dog " * 99_998, [["dog"] * 99_998]),
        (b"A\x00 \x1b[2J \x0bdog\x0c \x7f\n", [["A\x00", "\x1b[2J", "\x0bdog\x0c", "\x7f"]]),
        ("A\N{NO-BREAK SPACE}dog \N{NO-BREAK SPACE}".encode(), [["A\N{NO-BREAK SPACE}dog", "\N{NO-BREAK SPACE}"]]),
        (b"\xef\xbb\xbfA dog\r\n\r\nbarks\r\n", [["A", "dog"], ["barks"]]),
        (b"# 1 1-2 _ 0\n", [["#", "1", "1-2", "_", "0"]]),
        (b"A " + b"Dog7\xc4\xb0" * 200_000 + b" barks\n", [["A", "Dog7\u0130" * 200_000, "barks"]]),
    ],
)
def test_all_words_of_hostile_input_get_a_tree(here, tagging, capfd, data, sentences):
    Path("in").write_bytes(data)
    for model in ("m", tagging)[len(data) > 10**5 :]:  # the second model does all that the first does
        assert run("parse", "-q", model, "in", "-o", "out", "--format", "words", "--allow-empty-columns") == 0
        parsed = list(read_sentences("out"))
        assert [list(sentence.column("form")) for sentence in parsed] == sentences
        for sentence in parsed:
            assert roots(sentence.heads())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"dog " * 100_001, "in:1: found a sentence of more than 100000 words; allowed: 100000 at most"),
        (b"\n \r\n", "in:1: empty file, expected at least one sentence"),
        (b"A dog\n\xff\n", "in:2: byte 0xff at position 1 of the line, expected UTF-8"),
        (b"A dog\rbarks\n", "in:1: a carriage return inside the line"),
    ],
)
def test_invalid_words_are_refused(here, capsys, data, message):
    Path("in").write_bytes(data)
    assert run("parse", "-q", "m", "in", "-o", "out", "--format", "words", "--allow-empty-columns") == 1
    assert capsys.readouterr().err.startswith(f"crossarc: {message}")
    assert not Path("out").exists()
