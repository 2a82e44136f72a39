"""The next batch to annotate: properties of every rule, what each prefers, and the command."""

import pytest
from command_line import run
from crossarc import CrossarcError, Sentence, read_sentences, write_sentences
from crossarc.parser.plugins.annotation.choose import RULES, choose
from hypothesis import given, strategies as st


def sentence(forms, sure=None):
    own = Sentence.from_tokens(forms, misc=["_" if sure is None else f"Conf={sure:.2f}|ConfHead=1.00"] * len(forms))
    return own.with_columns({"head": tuple(map(str, range(len(forms)))), "deprel": ("x",) * len(forms)})


def forms(sentences):
    return [sentence.column("form") for sentence in sentences]


TEXTS = st.lists(
    st.tuples(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), st.integers(0, 100)), max_size=20
)


@given(TEXTS, st.integers(1, 40), st.sampled_from(list(RULES)), st.integers(0, 5), st.data())
def test_batches_of_every_rule(texts, size, rule, seed, data):
    text = [sentence(own, sure / 100) for own, sure in texts]
    annotated = data.draw(st.lists(st.sampled_from(text), max_size=3)) if text else []
    batch = choose(text, size, rule, annotated, seed)
    assert batch == choose(text, size, rule, annotated, seed)
    places = [next(place for place, own in enumerate(text) if own is chosen) for chosen in batch]
    assert places == sorted(places)
    assert len(set(forms(batch))) == len(batch)
    assert not set(forms(batch)) & set(forms(annotated))
    free = set(forms(text)) - set(forms(annotated))
    words = sum(map(len, batch))
    assert words >= size or set(forms(batch)) == free
    assert not batch or words - max(map(len, batch)) < size


def test_what_the_rules_prefer():
    common, other = list("abcde"), list("fghij")
    usual = [sentence([*common[:4], f"{number}"], 0.9) for number in range(20)]
    short, unsure, like_it = sentence(["x"], 0.01), sentence(other, 0.2), sentence([*other[:4], *other[:2]], 0.3)
    text = [*usual, short, like_it, unsure]
    assert choose(text, 1, "uncertain") == [short]
    assert choose(text, 6, "uncertain") == [short, unsure]
    assert choose(text, 5, "varied") == [unsure]
    assert like_it not in choose(text, 60, "varied")
    assert choose(text, 5, "words")[0] in usual
    assert choose(text, 5, "words", annotated=usual[:1])[0] in (unsure, like_it)


def test_sentences_that_are_put_off_hide_no_others():
    """A long doubtful one with the words of all others comes late; these come first."""
    short = [[f"w{number}{letter}" for letter in "abcdefgh"] for number in range(5)]
    doubtful = [sentence(own, 0.30) for own in short]
    sure = [sentence([f"s{number}{letter}" for letter in "abcdefgh"], 0.95) for number in range(40)]
    long = sentence([form for own in short for form in own] * 2, 0.10)
    batch = choose([*sure, long, *doubtful], 40, "varied", [], 1)
    assert forms(batch) == forms(doubtful)


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = [sentence([*"abc"[: number % 3 + 1], str(number)]) for number in range(30)]
    write_sentences(text, "text.conllu")
    write_sentences(text[:10], "done.conllu")
    assert run("choose", "text.conllu", "--batch", 12, "--without", "done.conllu", "-o", "batch.conllu") == 0
    batch = list(read_sentences("batch.conllu"))
    assert forms(batch) == forms(choose(text, 12, annotated=text[:10]))
    assert run("choose", "text.conllu", "--rule", "uncertain") == 1
    assert run("choose", "done.conllu", "--without", "text.conllu") == 1
    assert run("choose", "text.conllu", "-o", "text.conllu") == 1
    assert run("choose", "text.conllu", "--batch", 0) == 1
    (tmp_path / "plain.txt").write_text("a b c\nd e\n")
    capsys.readouterr()
    assert run("choose", "plain.txt", "--format", "words", "--batch", 3, "-q") == 0
    assert len(capsys.readouterr().out.split("\n\n")) >= 2
    with pytest.raises(CrossarcError, match="rule: found"):
        choose(text, 5, "best")
