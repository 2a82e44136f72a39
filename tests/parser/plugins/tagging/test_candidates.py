"""Second best tags that trees choose: brute force over sentences with one other tag each."""

from dataclasses import replace
from io import BytesIO

import crossarc
import numpy as np
import pytest
from command_line import generated
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.models.files import model_bytes, model_in
from crossarc.parser.models.pieces import PieceParser
from crossarc.parser.models.words import Candidates, RepeatedWords, SentenceWords
from crossarc.parser.plugins.tagging import candidates
from crossarc.parser.plugins.tagging.candidates import choose_by_trees, few_candidates
from crossarc.parser.plugins.tagging.taggers import Tagger
from crossarc.parser.treebank import Sentence, conll_text, read_pieces
from hypothesis import given, strategies as st
from installed import needs

TAGS = ("upos", "xpos", "feats", "lemma")
GOLD = generated(1, 60)
BLANK = [sentence.with_columns(dict.fromkeys(TAGS, ("_",) * len(sentence))) for sentence in generated(200, 40)]


@pytest.fixture(scope="module", params=["beam=1", "beam=3"])
def model(request):
    settings = [request.param, "tags=auto", "tag_candidates=2"]
    return crossarc.train(crossarc.load_config("arc-standard-small", settings), sentences=GOLD)


@pytest.fixture
def uncertain(monkeypatch):
    """More candidates than the tags of an invented language have."""
    monkeypatch.setattr(candidates, "MOST_GAP", 12.0)


def without_candidates(model):
    steps = tuple(replace(step, candidates=0) if isinstance(step, Tagger) else step for step in model.steps)
    return replace(model, steps=steps)


def tried(model, sentence):
    """The tags of the sentence, and of it with each candidate, with the gap of each."""
    (tagger,) = (step for step in model.steps if "upos" in step.fills)
    words = SentenceWords([sentence])
    tagger.annotate(words)
    second_best = words.candidates["upos"]
    numbers, names = words.values("upos")
    rows = [([names[number] for number in numbers], 0.0)]
    for word, value, gap in zip(second_best.words, second_best.values, second_best.gaps, strict=True):
        tags = list(rows[0][0])
        assert tags[word] != names[value]
        tags[word] = names[value]
        rows.append((tags, gap))
    return rows


@pytest.mark.usefixtures("uncertain")
def test_the_most_probable_tags_and_trees_are_chosen(model):
    plain = without_candidates(model)
    changed = several = 0
    for sentence, parsed in zip(BLANK, model.parse(BLANK), strict=True):
        rows = tried(model, sentence)
        assert len(rows) <= 3
        (tagged,) = plain.tagged([sentence], retag=False)
        words = SentenceWords([tagged.with_columns({"upos": tuple(tags)}) for tags, _ in rows])
        totals = plain.tree_scores(words) - [gap for _, gap in rows]
        tags, _ = rows[int(np.argmax(totals))]
        assert parsed.column("upos") == tuple(tags)
        (expected,) = plain.parse([sentence.with_columns({"upos": tuple(tags)})])
        assert conll_text(parsed) == conll_text(expected)
        changed += tags != rows[0][0]
        several += len(rows) > 1
    assert several
    assert changed < several


@pytest.mark.usefixtures("uncertain")
def test_kernels_blocks_and_files_give_the_same_trees(model, monkeypatch):
    parsed = [conll_text(sentence) for sentence in model.parse(BLANK)]
    text = "".join(map(conll_text, BLANK)).encode()
    for kernel in ("numpy", "numba"):
        monkeypatch.setenv("CROSSARC_KERNEL", kernel)
        if kernel == "numba":
            pytest.importorskip("numba")
        loaded = model_in(model_bytes(model), "x.model")
        pieces = read_pieces(BytesIO(text), "conllu")
        assert b"".join(PieceParser(loaded)(piece).data for piece in pieces).decode() == "".join(parsed)
        assert [conll_text(sentence) for sentence in loaded.parse(BLANK)] == parsed


@pytest.mark.usefixtures("uncertain")
@pytest.mark.parametrize("columns", [("lemma",), ("feats", "xpos"), TAGS[1:]])
@pytest.mark.parametrize("keep", [None, "marked"])
@needs("annotation")
def test_later_columns_of_the_input_stay(model, columns, keep):
    """Every second sentence has values; with ``keep`` they are decided, and taggers replace all others."""
    gold = generated(200, 40)
    half = [
        sentence.with_columns(
            {column: tagged.column(column) for column in columns}
            | ({"misc": (f"Keep={','.join(columns)}",) * len(sentence)} if keep else {})
        )
        if number % 2
        else sentence
        for number, (sentence, tagged) in enumerate(zip(BLANK, gold, strict=True))
    ]
    parsed = list(model.parse(half, retag=keep is not None, keep=keep))
    for before, after in list(zip(half, parsed, strict=True))[1::2]:
        for column in columns:
            pairs = zip(before.column(column), after.column(column), strict=True)
            assert all(old in ("_", new) for old, new in pairs)


@pytest.mark.usefixtures("uncertain")
def test_a_column_that_is_missing_prevents_the_choice(model):
    words = SentenceWords(BLANK[:3])
    words.tagged = {}
    words._formats = []
    assert model.tree_scores(words) is None


@pytest.mark.usefixtures("uncertain")
def test_tags_of_the_input_stay(model):
    half = [
        sentence.with_columns({"upos": ("X", *sentence.column("upos")[1:])}) if len(sentence) > 1 else sentence
        for sentence in BLANK
    ]
    for before, after in zip(half, model.parse(half), strict=True):
        assert after.column("upos")[0] == "X" or len(before) == 1


@given(st.lists(st.integers(1, 5), max_size=4), st.integers(0, 3), st.randoms(use_true_random=False))
def test_candidates_are_the_words_with_the_smallest_gaps(lengths, most, random):
    count = sum(lengths)
    gaps = np.array([random.choice([0.1, 0.5, 0.9, 1.0, 3.0, np.inf]) for _ in range(count)])
    open_words = np.array([random.random() < 0.7 for _ in range(count)], dtype=np.bool_)
    words = SentenceWords([Sentence.from_tokens(["a"] * length) for length in lengths])
    chosen = few_candidates(words, np.arange(count), gaps, open_words, most)
    expected = []
    for number, length in enumerate(lengths):
        first = sum(lengths[:number])
        few = [word for word in range(first, first + length) if open_words[word] and gaps[word] < 1.0]
        expected += sorted(sorted(few, key=lambda word: gaps[word])[:most])
    assert chosen.words.tolist() == expected
    assert chosen.values.tolist() == expected
    assert chosen.gaps.tolist() == gaps[expected].tolist()


@needs("annotation")
def test_sentences_with_decided_heads_have_no_candidates():
    marked = GOLD[1].with_columns({"misc": ("Keep=Yes", *GOLD[1].column("misc")[1:])})
    words = SentenceWords([GOLD[0], marked, GOLD[2]], keep="marked")
    count = int(words.lengths.sum())
    chosen = few_candidates(words, np.zeros(count, np.int64), np.zeros(count), np.ones(count, np.bool_), 99)
    assert words.sentences_of_words[chosen.words].tolist() == [0] * len(GOLD[0]) + [2] * len(GOLD[2])


@given(st.lists(st.integers(0, 7), max_size=9))
def test_repeated_words_are_those_of_repeated_sentences(numbers):
    sentences = GOLD[:8]
    words = SentenceWords(sentences)
    words.tagged["lemma"] = words.values("lemma")
    repeated = RepeatedWords(words, np.array(numbers, dtype=np.int64))
    expected = SentenceWords([sentences[number] for number in numbers])
    assert repeated.lengths.tolist() == expected.lengths.tolist()
    for column in ("form", "lemma", "upos"):
        values, names = repeated.values(column)
        expected_values = [value for number in numbers for value in sentences[number].column(column)]
        assert [names[value] for value in values] == expected_values


def test_parsers_without_probabilities_keep_the_tags():
    words = SentenceWords(GOLD[:2])
    before = words.tagged["upos"] = words.values("upos")
    words.candidates["upos"] = Candidates(np.array([0]), np.array([1]), np.array([0.0]))
    choose_by_trees(words, "upos", (), lambda _: None)
    assert words.tagged["upos"] is before
    assert not words.candidates


@needs("graph")
def test_graph_based_parsers_have_no_probabilities(model):
    config = crossarc.load_config("graph-first-order", ["tags=auto", "tag_candidates=2", "graph.epochs=1"])
    graph = crossarc.train(config, sentences=GOLD)
    assert graph.tree_scores(SentenceWords(GOLD)) is None
    assert len(list(graph.parse(BLANK))) == len(BLANK)


def test_invalid_numbers_of_candidates_are_refused(model):
    with pytest.raises(CrossarcError, match="tag_candidates: found -1"):
        crossarc.load_config("arc-standard", ["tag_candidates=-1"])
    (tagger,) = (step for step in model.steps if "upos" in step.fills)
    values, arrays = tagger.state()
    assert Tagger.from_state(values, arrays).candidates == 2
    with pytest.raises(ShapeError, match="candidates"):
        Tagger.from_state({**values, "candidates": 0}, arrays)
