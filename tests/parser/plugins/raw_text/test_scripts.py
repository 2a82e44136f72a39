"""Texts whose words touch, and multiword tokens that depend on their context, in invented languages."""

import io
import random
import re
from itertools import pairwise

import numpy as np
import pytest
from command_line import run
from crossarc import load_model, read_sentences
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.plugins.raw_text.analyses import ContextSplitter, applied, freely_made, pattern_of
from crossarc.parser.plugins.raw_text.characters import Characters
from crossarc.parser.plugins.raw_text.features import UNSPACED, gap_features
from crossarc.parser.plugins.raw_text.gaps import SpacedGaps, UnspacedGaps, word_hashes, word_values
from crossarc.parser.plugins.raw_text.raw_text import gold_text, text_of_sentences
from crossarc.parser.plugins.raw_text.reading import conllu_of, sentences_of
from crossarc.parser.plugins.raw_text.splitting import Splitter
from crossarc.parser.plugins.raw_text.tokenizer import Tokenizer
from crossarc.parser.plugins.raw_text.training import segmentation
from crossarc.parser.treebank import conll_text
from hypothesis import given, strategies as st
from installed import needs

SCRIPTS = {
    "one character": ["山", "水", "人", "見", "不", "大", "小", "日"],
    "longer words": ["กา", "ขาว", "มานา", "ดี", "สวยงาม", "บน", "รถไฟ", "น้ำ"],
    "mixed": ["東京", "に", "行く", "カタカナ", "です", "新しい", "と", "電車"],
    "lao": ["ກາ", "ຂາວ", "ມານາ", "ດີ", "ສວຍ", "ບົນ"],
}


def rows_of(tokens, number):
    """CoNLL-U of a sentence. tokens: form, words, and whether a space follows."""
    rows, at = [f"# sent_id = {number}"], 1
    for form, words, space in tokens:
        misc = "_" if space else "SpaceAfter=No"
        if len(words) > 1:
            rows.append(f"{at}-{at + len(words) - 1}\t{form}" + "\t_" * 7 + f"\t{misc}")
        for word in words:
            head = at - 1
            label = "dep" if head else "root"
            rows.append(f"{at}\t{word}\t_\tX\t_\t_\t{head}\t{label}\t_\t{'_' if len(words) > 1 else misc}")
            at += 1
    return "\n".join(rows) + "\n\n"


def unspaced(words, count, seed, final="。"):
    """Sentences of words that touch, some of which no other sentence has."""
    draw = random.Random(seed)
    sentences = []
    for number in range(count):
        chosen = [draw.choice(words) for _ in range(draw.randint(2, 7))]
        forms = [*chosen, *([final] if final else [])]
        tokens = [(form, (form,), place == len(forms) - 1) for place, form in enumerate(forms)]
        sentences.append(rows_of(tokens, number))
    return list(read_sentences(io.StringIO("".join(sentences))))


def conll_text_of(sentences):
    return "".join(conll_text(sentence) for sentence in sentences)


def prefixed(count, seed):
    """Sentences whose tokens may have a prefix; "ba" is one where a name follows, and else belongs to the word."""
    draw = random.Random(seed)
    sentences = []
    for number in range(count):
        tokens = []
        for _ in range(draw.randint(2, 6)):
            stem = "".join(draw.choice("dklmnrst") + draw.choice("aeiou") for _ in range(draw.randint(2, 4)))
            kind = draw.randrange(3)
            if kind == 0:
                tokens.append((stem, (stem,), True))
            elif kind == 1:
                tokens.append((f"we{stem}", ("we", stem), True))
            else:
                tokens += [("ox", ("ox",), True)] if draw.randrange(2) else [("up", ("up",), True)]
                same = draw.choice(["bagi", "bamu", "baro"])
                split = tokens[-1][0] == "up"
                tokens.append((same, ("ba", same[2:]) if split else (same,), True))
        tokens.append((".", (".",), True))
        sentences.append(rows_of(tokens, number))
    return list(read_sentences(io.StringIO("".join(sentences))))


@pytest.mark.parametrize("name", SCRIPTS)
def test_words_that_touch_are_found_in_every_script(name):
    tokenizer = Tokenizer.fit(unspaced(SCRIPTS[name], 300, 1), unspaced(SCRIPTS[name], 30, 2))
    assert isinstance(tokenizer.gaps, UnspacedGaps)
    f1 = segmentation(tokenizer, unspaced(SCRIPTS[name], 60, 3))
    assert f1["Words"] > 97, name
    assert f1["Sentences"] > 97, name
    again = Tokenizer.from_content(*tokenizer.content())
    text = gold_text(unspaced(SCRIPTS[name], 60, 3)).text
    assert list(sentences_of(again, [text])) == list(sentences_of(tokenizer, [text]))


TOUCHING = st.text("山水人 見不大。\n\té", max_size=40)


@given(TOUCHING, st.lists(st.integers(0, 40), max_size=3))
def test_joining_forms_and_spaces_gives_the_text_back(touching_tokenizer, text, cuts):
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    parts = [text[a:b] for a, b in pairwise(places) if a < b]
    sentences = list(sentences_of(touching_tokenizer, parts))
    joined = "".join(
        sentence.before + "".join(form + after for form, after, _ in sentence.tokens) for sentence in sentences
    )
    assert joined == text or not text.strip()


@pytest.fixture(scope="module")
def touching_tokenizer():
    return Tokenizer.fit(unspaced(SCRIPTS["one character"], 100, 1))


def test_scripts_with_spaces_consider_few_gaps():
    assert isinstance(Tokenizer.fit(prefixed(50, 1)).gaps, SpacedGaps)


def test_a_word_of_the_lexicon_ends_starts_or_covers_a_gap():
    text = Characters("abcabd")
    values = word_values(text, np.arange(5), np.sort(word_hashes(["abc", "bca", "ab", "d"])))
    assert values["ending"].tolist() == [0, 2, 3, 3, 2]
    assert values["starting"].tolist() == [3, 0, 2, 0, 1]
    assert values["covering"].tolist() == [3, 3, 3, 2, 0]
    assert values["place"].tolist() == [1, 2, 2, 1, 0]


def test_words_of_a_multiword_token_depend_on_its_context():
    train, test = prefixed(400, 1), prefixed(80, 3)
    gold, _ = text_of_sentences(train)
    assert freely_made(gold.tokens)
    tokenizer = Tokenizer.fit(train, prefixed(60, 2))
    assert isinstance(tokenizer.splitter, ContextSplitter)
    assert segmentation(tokenizer, test)["Words"] > 98
    again = Tokenizer.from_content(*tokenizer.content())
    text = gold_text(test).text
    assert list(sentences_of(again, [text])) == list(sentences_of(tokenizer, [text]))


def test_few_forms_of_multiword_tokens_are_no_matter_of_context():
    sentences = [rows_of([("du", ("de", "le"), True), ("chat", ("chat",), True)], number) for number in range(30)]
    tokenizer = Tokenizer.fit(list(read_sentences(io.StringIO("".join(sentences)))))
    assert isinstance(tokenizer.splitter, Splitter)


@given(st.text("abcde", min_size=2, max_size=6), st.data())
def test_a_pattern_gives_the_words_from_which_it_was_learned(form, data):
    place = data.draw(st.integers(1, len(form) - 1))
    words = (form[:place], form[place:])
    if pattern := pattern_of(form, words):
        assert applied(pattern, form) == words
        assert applied(pattern, "z") == ()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("counts", {"a": [["x", "b", "c"]]}),
        ("counts", {"a": [[0, "b", "c"]]}),
        ("counts", {"a": [[1, 2]]}),
        ("counts", {"a": [[1, ["b"], "c"]]}),
        ("counts", {"a": [[1, {}, "c"]]}),
        ("counts", {"a": [[1, ""]]}),
        ("counts", {"a": [[1]]}),
        ("counts", {"a": ["b"]}),
        ("counts", {"a": [[True, "b"]]}),
        ("patterns", [["b"]]),
        ("patterns", [[["0", "a", "b"]]]),
        ("patterns", [[[0, "", "b"]]]),
        ("bias", "x"),
        ("edits", []),
    ],
)
def test_damaged_values_of_a_splitter_are_refused(key, value):
    values, arrays = Tokenizer.fit(prefixed(60, 1)).content()
    with pytest.raises(CrossarcError):
        Tokenizer.from_content({**values, key: value}, arrays)
    with pytest.raises(CrossarcError):
        Tokenizer.from_content({name: own for name, own in values.items() if name != key}, arrays)


@needs("tagging")
def test_training_says_how_well_it_segments(tmp_path, capsys):
    def written(name, sentences):
        (tmp_path / name).write_text(conll_text_of(sentences), "utf-8")
        return tmp_path / name

    def trained(train, dev):
        settings = ["--set", "input=text", "--set", "features=small"]
        files = ["--train", train, "--dev", dev, "--model", tmp_path / "m"]
        assert run("train", "arc-standard", *files, *settings) == 0
        return capsys.readouterr().err

    words = SCRIPTS["one character"]
    good = written("train.conllu", unspaced(words, 100, 1)), written("dev.conllu", unspaced(words, 30, 2))
    said = trained(*good)
    assert "F1 on the development treebank: words 9" in said or "words 100" in said
    assert "finds" not in said
    assert load_model(tmp_path / "m").provenance["segmentation"]["words"] > 90
    assert run("info", tmp_path / "m") == 0
    assert "segmentation F1 of sentences" in capsys.readouterr().out
    others = written("other.conllu", unspaced(["กขคงจฉชซฌญ", "ฎฏฐฑฒณดตถท"], 30, 2, final=""))
    said = trained(good[0], others)
    assert "hardly any token" in said or "finds few words" in said


def test_the_tokenizer_round_trips_every_script(touching_tokenizer):
    for words in SCRIPTS.values():
        text = gold_text(unspaced(words, 20, 5)).text
        conllu = "".join(conllu_of(sentences_of(touching_tokenizer, [text])))
        assert gold_text(list(read_sentences(io.StringIO(conllu)))).text.rstrip() == text.rstrip()


def test_words_from_elsewhere_help_where_words_touch():
    """Each word of the test text is unknown to the treebank, and known from elsewhere."""
    words = [a + b for a in "กขคงจ" for b in "ฉชซฌญฎ"]
    known, unknown = words[::2], words[1::2]
    train, test = unspaced(known, 200, 1), unspaced(unknown, 60, 3)
    alone, helped = (segmentation(Tokenizer.fit(train, words=more), test)["Words"] for more in ((), words))
    assert helped >= alone
    assert helped > 95


@needs("tagging", "word_classes")
def test_raw_text_of_such_scripts_is_split_by_the_tokenizer(tmp_path):
    words = SCRIPTS["longer words"]
    (tmp_path / "train.conllu").write_text(conll_text_of(unspaced(words, 200, 1)), "utf-8")
    (tmp_path / "raw.txt").write_text(gold_text(unspaced(words, 400, 5)).text, "utf-8")
    settings = ["--set", "input=text", "--set", "features=small", "--raw", tmp_path / "raw.txt"]
    assert run("train", "arc-standard", "--train", tmp_path / "train.conllu", "--model", tmp_path / "m", *settings) == 0
    (classes,) = (step for step in load_model(tmp_path / "m").steps if step.kind == "word classes")
    assert set(words) <= set(classes.words)


@pytest.mark.parametrize("alone", [[], list(range(20))])
@pytest.mark.parametrize("several", ["", "a", "ab", "abcdefgh"])
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.filterwarnings("ignore::crossarc.parser.base.data_warnings.DataWarning")
def test_multiword_tokens_may_stand_in_any_part_of_the_treebank(alone, several, late):
    """Candidates of a part of the treebank come from its other parts, which may have none."""
    rows = [rows_of([(f"abc{number}", (f"abc{number}",), True), (".", (".",), True)], number) for number in alone]
    more = [rows_of([(f"we{letter}x", ("we", f"{letter}x"), True), (".", (".",), True)], letter) for letter in several]
    text = "".join(rows + more if late else more + rows)
    if text:
        tokenizer = Tokenizer.fit(list(read_sentences(io.StringIO(text))))
        again = Tokenizer.from_content(*tokenizer.content())
        raw = "wegx. abc1. weax"
        assert list(sentences_of(again, [raw])) == list(sentences_of(tokenizer, [raw]))


@given(st.lists(st.text("山水 人。\n", min_size=1).filter(str.strip), min_size=1, max_size=5))
def test_decisions_in_a_paragraph_do_not_depend_on_its_neighbours(texts):
    paragraphs = [re.sub(r"\n\s*", "\n", text.strip()) for text in texts]
    lexicon = word_hashes(["山水", "人", "水人。"])

    def features(text):
        characters = Characters(text)
        gaps = np.flatnonzero(~characters.space)
        return gap_features(UNSPACED, characters, gaps, word_values(characters, gaps, lexicon)).tolist()

    assert features("\n\n".join(paragraphs)) == [row for paragraph in paragraphs for row in features(paragraph)]
