from pathlib import Path

import pytest
from command_line import run
from crossarc.__main__ import main
from crossarc.parser.treebank import Sentence, read_sentences, write_sentences
from installed import needs


def test_reversal_reverses_words_and_can_be_inverted(small_treebank, tmp_path):
    turned, back = str(tmp_path / "turned.conllu"), str(tmp_path / "back.conllu")
    assert main(["transform", "reversal", str(small_treebank), "-o", turned]) == 0
    assert main(["transform", "--invert", "reversal", turned, "-o", back]) == 0
    sentences = list(read_sentences(small_treebank))
    assert [sentence.column("form")[::-1] for sentence in read_sentences(turned)] == [
        sentence.column("form") for sentence in sentences
    ]
    restored = [(sentence.columns, sentence.comments) for sentence in read_sentences(back)]
    assert restored == [(sentence.columns, sentence.comments) for sentence in sentences]


@needs("styles")
def test_transforms_without_effect_keep_the_file(small_treebank, tmp_path):
    out = tmp_path / "out.conllu"
    assert main(["transform", "coordination", str(small_treebank), "-o", str(out)]) == 0
    assert out.read_bytes() == small_treebank.read_bytes()


def test_marks_of_maltparser_are_read_if_asked_for_and_missing_marks_cause_a_warning(tmp_path, capsys):
    """An arc over a word that its head does not dominate is lifted, written with | for its mark, and restored."""
    gold, lifted, back = (tmp_path / name for name in ("gold.conllu", "lifted.conllu", "back.conllu"))
    heads, deprels = [2, 0, 1, 2], ["nsubj", "root", "acl", "obj"]
    write_sentences([Sentence.from_tokens(list("abcd"), heads=heads, deprels=deprels)], gold)
    for encoding, own, malt in (("head", "↑", "|"), ("path", "↓", "%")):
        transform = f"pseudo-projective:encoding={encoding}"
        assert main(["transform", transform, str(gold), "-o", str(lifted)]) == 0
        text = lifted.read_text("utf-8")
        assert own in text
        lifted.write_text(text.replace("↑", "|").replace(own, malt), "utf-8")
        assert main(["transform", "--invert", "--malt-marks", transform, str(lifted), "-o", str(back)]) == 0
        assert capsys.readouterr().err == ""
        assert back.read_bytes() == gold.read_bytes()
    assert main(["transform", "--invert", "pseudo-projective", str(gold), "-o", str(back)]) == 0
    assert "warning: no label has a mark (↑ or ↓), so no arc is restored" in capsys.readouterr().err
    assert main(["transform", "--malt-marks", "pseudo-projective", str(gold)]) == 1
    assert "add --invert" in capsys.readouterr().err


@pytest.mark.parametrize(
    "labels", [("obl|arg", "root", "x%", "y↑z"), ("x%", "root", "z|", "a\\b"), ("↓", "↑", "|", "%")]
)
@pytest.mark.parametrize("heads", [(2, 0, 2, 2), (3, 0, 2, 1)], ids=["projective", "crossing"])
@pytest.mark.parametrize("encoding", ["head", "path", "head+path"])
def test_applying_and_undoing_a_transform_keeps_any_label(tmp_path, labels, heads, encoding):
    gold, lifted, back = (tmp_path / name for name in ("gold.conllu", "lifted.conllu", "back.conllu"))
    write_sentences([Sentence.from_tokens(list("abcd"), heads=heads, deprels=labels)], gold)
    transform = f"pseudo-projective:encoding={encoding}"
    assert main(["transform", transform, str(gold), "-o", str(lifted)]) == 0
    assert main(["transform", "--invert", transform, str(lifted), "-o", str(back)]) == 0
    assert back.read_bytes() == gold.read_bytes()


@pytest.mark.parametrize(
    ("written", "read"),
    [
        *[(encoding, encoding) for encoding in ("head", "path", "head+path", "head+path,label_cap=1")],
        *[("head", "path"), ("path", "head"), ("path", "head+path"), ("head+path", "head"), ("head+path", "path")],
        *[(encoding, "baseline") for encoding in ("head", "path", "head+path")],
    ],
)
def test_marks_that_an_encoding_does_not_write_are_refused(tmp_path, capsys, written, read):
    """A file in which a word is lifted: its marks would be lost, and its arc would stay lifted."""
    gold, lifted, back = (tmp_path / name for name in ("gold.conllu", "lifted.conllu", "back.conllu"))
    flat = Sentence.from_tokens(list("ab"), heads=[2, 0], deprels=["nsubj", "root"])
    crossing = Sentence.from_tokens(list("abcd"), heads=[2, 0, 1, 2], deprels=["nsubj", "root", "acl", "obj"])
    write_sentences([flat, crossing], gold)
    assert run("transform", f"pseudo-projective:encoding={written}", gold, "-o", lifted) == 0
    status = run("transform", "--invert", f"pseudo-projective:encoding={read.partition(',')[0]}", lifted, "-o", back)
    assert status == (written != read)
    if status:
        assert written in capsys.readouterr().err.partition("; write pseudo-projective:encoding=")[2].split()
    elif "label_cap" not in written:
        assert back.read_bytes() == gold.read_bytes()


def test_numbers_of_conll09_follow_words_into_another_order(tmp_path):
    """PHEAD and the APREDs, whose order is that of the predicates."""
    rows = [
        "1 a a a N N _ _ 2 2 x x _ _ A0 _",
        "2 b b b N N _ _ 0 3 r r Y b.01 _ A1",
        "3 c c c N N _ _ 2 1 y y Y c.01 _ _",
    ]
    text = "".join(row.replace(" ", "\t") + "\n" for row in rows) + "\n"
    (tmp_path / "in").write_text(text, "utf-8")
    assert run("transform", "reversal", tmp_path / "in", "--format", "conll09", "-o", tmp_path / "out") == 0
    (turned,) = read_sentences(tmp_path / "out", "conll09")
    assert turned.column("phead") == ("3", "1", "2")
    assert turned.column("apred1") == ("_", "A1", "_")  # of c, now the first predicate
    assert turned.column("apred2") == ("_", "_", "A0")
    assert run("transform", "reversal", tmp_path / "out", "--format", "conll09", "-o", tmp_path / "back") == 0
    assert (tmp_path / "back").read_text("utf-8") == text
    (tmp_path / "in").write_text(text.replace("\t2\t1\ty", "\t2\t9\ty"), "utf-8")  # a PHEAD outside the sentence stays
    assert run("transform", "reversal", tmp_path / "in", "--format", "conll09", "-o", tmp_path / "out") == 0
    assert next(iter(read_sentences(tmp_path / "out", "conll09"))).column("phead")[0] == "9"


def test_what_describes_a_changed_tree_is_lost_and_told(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    crossing = Sentence.from_tokens(list("abcd"), heads=[2, 0, 1, 2], deprels=["nsubj", "root", "acl", "obj"])
    flat = Sentence.from_tokens(list("ab"), heads=[2, 0], deprels=["nsubj", "root"])
    write_sentences([own.with_columns({"deps": ("0:x",) * len(own)}) for own in (crossing, flat)], "in.conllu")
    assert run("transform", "pseudo-projective", "in.conllu", "-o", "out.conllu") == 0
    assert "warning: 1 sentences lose DEPS" in capsys.readouterr().err
    assert [set(sentence.column("deps")) for sentence in read_sentences("out.conllu")] == [{"_"}, {"0:x"}]


def test_what_a_transform_does_not_touch_stays(tmp_path, monkeypatch, capsys):
    """A tree that stays keeps DEPS; words in another order lose ranges, which is told."""
    monkeypatch.chdir(tmp_path)
    rows = ["1\ta\ta\tX\tX\t_\t0\troot\t0:root\t_", "2-3\tbc" + "\t_" * 8]
    rows += [f"{number}\t{form}\t{form}\tX\tX\t_\t1\tx\t1:x\t_" for number, form in ((2, "b"), (3, "c"))]
    text = "\n".join(["# sent_id = s", "# text = a bc", *rows]) + "\n\n"
    Path("in.conllu").write_text(text, "utf-8")
    assert run("transform", "child-swap:label=zzz", "in.conllu", "-o", "out.conllu") == 0
    assert Path("out.conllu").read_text("utf-8") == text
    assert capsys.readouterr().err == ""
    assert run("transform", "reversal", "in.conllu", "-o", "out.conllu") == 0
    assert "1 sentences with words in another order lose their multiword tokens" in capsys.readouterr().err
