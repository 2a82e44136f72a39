"""Word classes: tokens, counts, clusters, files, vectors, and their use by taggers and parsers."""

import gzip
import io
import lzma
import random
import struct
import warnings
from dataclasses import replace

import crossarc
import numpy as np
import pytest
from command_line import run
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.config.feature_files import load_features
from crossarc.parser.config.ready import ready_features
from crossarc.parser.models.files import model_bytes, write_archive
from crossarc.parser.plugins.raw_text.raw_text import gold_text
from crossarc.parser.plugins.word_classes import learning
from crossarc.parser.plugins.word_classes.clustering import CUTS, classes_of
from crossarc.parser.plugins.word_classes.counting import CONTEXTS, OFFSETS, count
from crossarc.parser.plugins.word_classes.learning import classes_from_vectors, learn_classes
from crossarc.parser.plugins.word_classes.step import COLUMN, WordClasses, load_classes, save_classes
from crossarc.parser.plugins.word_classes.tokens import folded, tokens_of
from crossarc.parser.treebank.symbols import nameable_columns
from hypothesis import assume, given, settings, strategies as st
from installed import needs
from refusals import refusal

NOUNS, VERBS = ("dog", "cat", "horse", "bird", "fish"), ("sees", "hears", "likes", "meets")

LETTERS = random.Random(1)
FIRST, INNER = (["".join(LETTERS.choices("abcdefgh", k=5)) for _ in range(20)] for _ in "12")


def text(lines=400, seed=1):
    dice = random.Random(seed)
    return "\n".join(f"The {dice.choice(NOUNS)} {dice.choice(VERBS)} a {dice.choice(NOUNS)}." for _ in range(lines))


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    path = tmp_path_factory.mktemp("raw") / "raw.txt"
    path.write_text(text(), "utf-8")
    return path


def treebank(seed, sentences=30):
    dice = random.Random(seed)
    found = []
    for _ in range(sentences):
        words = ["The", dice.choice(NOUNS[:3]), dice.choice(VERBS[:2]), "a", dice.choice(NOUNS[:3]), "."]
        upos = ["DET", "NOUN", "VERB", "DET", "NOUN", "PUNCT"]
        deprels = ["det", "nsubj", "root", "det", "obj", "punct"]
        found.append(crossarc.Sentence.from_tokens(words, upos=upos, heads=[2, 3, 0, 5, 3, 3], deprels=deprels))
    return found


@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=7), min_size=2, max_size=30))
@settings(max_examples=60)
def test_neighbours_are_counted_as_by_hand(sentences):
    sentences = [*sentences, *sentences]
    assume(len({word for sentence in sentences for word in sentence}) > 1)
    counts = count(sentences)
    place = {word: number for number, word in enumerate(counts.words)}
    contexts = min(CONTEXTS, len(place))
    expected = np.zeros((len(place), len(OFFSETS) * contexts))
    for sentence in sentences:
        for at, word in enumerate(sentence):
            for number, offset in enumerate(OFFSETS):
                near = sentence[at + offset] if 0 <= at + offset < len(sentence) else None
                if word in place and near in place and place[near] < contexts:
                    expected[place[word], number * contexts + place[near]] += 1
    assert np.array_equal(counts.neighbours.toarray(), expected)
    assert counts.frequency.tolist() == sorted(counts.frequency.tolist(), reverse=True)


def test_blocks_do_not_change_the_counts(monkeypatch):
    sentences = [list(tokens_of(line)) for line in text(50).split("\n")]
    whole = count(sentences).neighbours.toarray()
    for size in (1, 3, 16, 64):
        monkeypatch.setattr("crossarc.parser.plugins.word_classes.counting.BLOCK", size)
        assert np.array_equal(count(sentences).neighbours.toarray(), whole)


@given(st.text())
def test_tokens_are_folded_once(line):
    found = list(tokens_of(line))
    assert [folded(token) for token in found] == found
    assert not any(character.isspace() for token in found for character in token)


def test_words_with_equal_neighbours_share_a_class(raw):
    classes, _ = learn_classes([str(raw)], classes=4)
    numbers = classes.numbers_of([*NOUNS, *VERBS])
    assert len(set(numbers[: len(NOUNS)])) == len(set(numbers[len(NOUNS) :])) == 1
    assert numbers[0] != numbers[-1]
    assert classes.values_of(["unicorn"]) == ("_",)
    assert classes.values_of(["DOG"]) == classes.values_of(["dog"])


@needs("graph")
def test_equal_texts_give_equal_files_in_any_form(raw, tmp_path, monkeypatch, capsys):
    (tmp_path / "raw.txt.xz").write_bytes(lzma.compress(raw.read_bytes()))
    (tmp_path / "raw.txt.gz").write_bytes(gzip.compress(raw.read_bytes()))
    monkeypatch.chdir(tmp_path)
    for name in (str(raw), "raw.txt.xz", "raw.txt.gz"):
        assert run("classes", name, "-o", "c", "--classes", "5") == 0
        (tmp_path / f"{name.rpartition('.')[2]}.classes").write_bytes((tmp_path / "c").read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw.read_bytes())))
    assert run("classes", "-", "-o", "in.classes", "--classes", "5") == 0
    assert len({path.read_bytes() for path in tmp_path.glob("*.classes")}) == 1
    assert "5 classes" in capsys.readouterr().err


def test_a_file_keeps_the_classes(raw, tmp_path):
    classes, _ = learn_classes([str(raw)], classes=6)
    save_classes(classes, str(tmp_path / "c"))
    again = load_classes(tmp_path / "c")
    assert again.values_of(classes.words) == classes.values_of(classes.words)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda values, arrays: values.update(kind="transitions"), "a model of a parser, expected word classes"),
        (
            lambda values, arrays: arrays.update(classes=arrays["classes"] + 999),
            "damaged model: classes: found a class",
        ),
        (lambda values, arrays: arrays.pop("cuts"), "damaged model: "),
        (lambda values, arrays: arrays.update(words=arrays["words"][:3]), "damaged model: words: found "),
    ],
)
def test_damaged_files_get_one_line(raw, tmp_path, change, message):
    classes, _ = learn_classes([str(raw)], classes=6)
    values, arrays = classes.state()
    values["kind"] = WordClasses.kind
    change(values, arrays)
    write_archive(str(tmp_path / "c"), values, arrays)
    assert message in refusal(lambda: load_classes(tmp_path / "c"))


def written(form, rows, path):
    """Write vectors in a format of word2vec, fastText or GloVe."""
    size = len(next(iter(rows.values())))
    if form == "binary":
        packed = b"".join(f"{word} ".encode() + struct.pack(f"<{size}f", *row) + b"\n" for word, row in rows.items())
        path.write_bytes(f"{len(rows)} {size}\n".encode() + packed)
        return
    lines = "".join(f"{word} {' '.join(map(repr, row))}\n" for word, row in rows.items())
    content = (f"{len(rows)} {size}\n{lines}" if form != "glove" else lines).encode()
    path.write_bytes(gzip.compress(content) if form == "gzip" else content)


VECTORS = {
    word: [1.0 + 0.01 * at if (word in NOUNS) == (at % 2 == 0) else 0.1 for at in range(20)] for word in NOUNS + VERBS
}


@pytest.mark.parametrize("form", ["text", "binary", "glove", "gzip"])
def test_vectors_of_other_tools_become_classes(form, tmp_path):
    written(form, VECTORS, tmp_path / "v")
    classes = classes_from_vectors(str(tmp_path / "v"), classes=2)
    numbers = classes.numbers_of([*NOUNS, *VERBS]).tolist()
    assert len(set(numbers[: len(NOUNS)])) == len(set(numbers[len(NOUNS) :])) == 1 != len(set(numbers))
    assert len(classes_from_vectors(str(tmp_path / "v"), rows=3, classes=2).words) == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "found "),
        (b"dog 1 2 3\ncat 1 2\n", "vector 2: found 3 cells, expected a word and 3 numbers"),
        (b"dog 1 x 3\ncat 1 2 3\n", "vector 1: found 4 cells"),
        (b"dog 1 2\n\ncat 1 2\n", "vector 2: found 1 cells, expected a word and 2 numbers"),
        (b"3 2\ndog 1 2\ncat 1 2\n", "vector 3: found the end of the file after 2 of 3 vectors"),
        (b"9 20\n" + b"dog " + bytes(40), "the file ends inside a vector"),
        (b"2 20\n" + b"dog " + struct.pack("<20f", *[float("nan")] * 20), "a value that is no number"),
        (b"3 99999999\n", "99999999 dimensions; allowed: 1 to 10000"),
    ],
)
def test_other_files_are_no_vectors(content, message, tmp_path):
    (tmp_path / "v").write_bytes(content)
    assert message in refusal(lambda: classes_from_vectors(str(tmp_path / "v")))


@pytest.mark.parametrize("system", [name for name in ready_features() if not name.startswith("three-step")])
def test_ready_feature_models_gain_templates_if_words_have_classes(system):
    from crossarc.parser.config.config import config_type

    nodes = config_type(system).nodes(system)
    plain, rich = (
        [
            load_features(
                model, system, nameable_columns(["form", "lemma", "upos", "xpos", "feats", *more]), nodes
            ).lines()
            for model in ready_features()[system]
        ]
        for more in ((), (COLUMN,))
    )
    for before, after in zip(plain, rich, strict=True):
        assert after[: len(before)] == before
        assert len(after) > len(before) + 5
        assert all(COLUMN in line for line in after[len(before) :])


@pytest.mark.parametrize(
    ("config", "setting"),
    [
        ("arc-standard", []),
        ("covington", ["tags=auto"]),
        ("graph", ["graph.table_bits=14", "graph.epochs=2", "tags=[upos]"]),
        ("three-step", []),
        ("fast", ["input=text"]),
    ],
)
@needs("graph", "levels")
def test_parsers_read_classes_that_their_model_holds(config, setting, raw, tmp_path):
    train, test = treebank(1), treebank(2, 5)
    crossarc.write_sentences(train, tmp_path / "train.conllu")
    own = crossarc.load_config(config, setting, {"raw": str(raw), "treebank.train": str(tmp_path / "train.conllu")})
    model = crossarc.train(own)
    assert COLUMN in "".join(model.tables)
    assert COLUMN not in model.looked_at
    crossarc.save_model(model, tmp_path / "m")
    again = crossarc.load_model(tmp_path / "m")
    assert model_bytes(again) == model_bytes(model) == model_bytes(crossarc.train(own))
    parsed = list(again.parse(test))
    assert parsed == list(model.parse(test))
    assert [sentence.format for sentence in parsed] == [sentence.format for sentence in test]
    crossarc.write_sentences(test, tmp_path / "test.conllu")
    assert run("parse", str(tmp_path / "m"), str(tmp_path / "test.conllu"), "-o", str(tmp_path / "out.conllu")) == 0
    assert [sentence.heads() for sentence in crossarc.read_sentences(tmp_path / "out.conllu")] == [
        sentence.heads() for sentence in parsed
    ]


@pytest.mark.parametrize(
    ("more", "settings"), [("", []), ("  - wordclass(Stack[0])\n", []), ("", ["input=text", "tags=[]"])]
)
@needs("raw_text")
def test_classes_that_no_feature_model_reads_are_told(more, settings, raw, tmp_path):
    """Unless they serve to divide raw text."""
    (tmp_path / "own.yaml").write_text(f"templates:\n  - form(Stack[0])\n{more}")
    settings = [f"features={tmp_path}/own.yaml", *settings]
    config = crossarc.load_config("arc-standard", settings, {"raw": str(raw)})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        crossarc.train(config, sentences=treebank(1))
    told = [str(warning.message) for warning in caught]
    assert any("no feature model reads wordclass" in text for text in told) == (not more and len(settings) == 1)


@needs("tagging")
def test_words_that_training_lacks_are_tagged_by_their_class(raw):
    config = crossarc.load_config("arc-standard", ["features=small", "tags=[upos]"])
    unseen = crossarc.Sentence.from_tokens(["The", "bird", "meets", "a", "fish", "."])
    with_classes = crossarc.train(
        crossarc.load_config("arc-standard", ["features=small", "tags=[upos]"], {"raw": [str(raw)]}),
        sentences=treebank(1),
    )
    (found,) = with_classes.parse([unseen])
    assert found.column("upos") == ("DET", "NOUN", "VERB", "DET", "NOUN", "PUNCT")
    assert crossarc.train(config, sentences=treebank(1)).provenance.get("classes") is None


@needs("blending", "graph")
def test_blends_share_one_step_of_classes(raw, tmp_path):
    (tmp_path / "own.yaml").write_text("components: [arc-standard-small, swap-small]\nweights: equal\n")
    config = crossarc.load_blend_config(str(tmp_path / "own.yaml"), [], {"raw": [str(raw)]})
    model = crossarc.train_blend(config, sentences=treebank(1))
    assert [step.kind for step in model.steps] == [WordClasses.kind]
    assert not any(component.steps for component in model.components.values())
    assert all(COLUMN in "".join(component.tables) for component in model.components.values())
    assert len(list(model.parse(treebank(2, 3)))) == 3


def test_without_raw_text_models_do_not_change(small_treebank):
    config = crossarc.load_config("arc-standard", ["features=small"], {"treebank.train": str(small_treebank)})
    assert crossarc.train(config).steps == ()


def test_sentences_of_the_development_file_are_left_out(raw, tmp_path):
    dev = [crossarc.Sentence.from_tokens([*line.removesuffix(".").split(), "."]) for line in text(3).split("\n")]
    whole, none = learn_classes([str(raw)])
    less, left_out = learn_classes([str(raw)], dev=dev)
    assert none == 0 < left_out
    assert less.tokens == whole.tokens - 6 * left_out


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ("He met Mr. Smith at home today", ["He", "met", "Mr.", "Smith", "at", "home", "today"]),
        ("We saw; they left the house again", ["We", "saw", ";", "they", "left", "the", "house", "again"]),
        ("A well-known man came to town", ["A", "well", "-", "known", "man", "came", "to", "town"]),
        ("La vie du chien est belle", ["La", "vie", "de", "le", "chien", "est", "belle"]),
        ("Wọ́n ti lọ sí ọjà náà", ["Wọ́n", "ti", "lọ", "sí", "ọjà", "náà"]),
    ],
)
def test_sentences_are_left_out_as_the_text_has_them(written, tokens, raw, tmp_path):
    (tmp_path / "raw.txt").write_text(f"{raw.read_text('utf-8')}\n{written}\n", "utf-8")
    dev = crossarc.Sentence.from_tokens(tokens)
    dev = replace(dev, comments=(f"# text = {written}",))
    assert learn_classes([str(tmp_path / "raw.txt")], dev=[dev])[1] >= 1


@pytest.mark.parametrize("classes", [2, 10, 16, 30, 64, 100, 300])
def test_a_cut_of_all_classes_keeps_them_apart(classes):
    vectors = np.random.default_rng(1).normal(size=(400, 5))
    numbers, cuts = classes_of(vectors, 1, classes)
    assert [len(np.unique(column)) for column in cuts.T] == [min(cut, classes) for cut in CUTS]
    assert len(np.unique(numbers)) == classes


@pytest.mark.parametrize("word", ["हिन्दी", "தமிழ்", "שָׁלוֹם", "ẹ́kọ́", "می\u200cخواهم", "e\u0301te\u0301", "don-t"])
def test_marks_and_joiners_belong_to_their_word(word):
    assert list(tokens_of(f"{word} {word}.")) == [folded(word), folded(word), "."]


@pytest.mark.parametrize(
    ("content", "keys", "message"),
    [
        ("uno dos tres cuatro. " * 50, {}, "no word of the training treebank has a class"),
        ("", {}, "too few to learn word classes"),
        (None, {"classes": "other"}, "classes: found beside raw"),
    ],
)
def test_useless_text_gets_one_line(content, keys, message, tmp_path):
    (tmp_path / "raw.txt").write_text(content or "", "utf-8")

    def train():
        config = crossarc.load_config("arc-standard", [], {"raw": [str(tmp_path / "raw.txt")], **keys})
        crossarc.train(config, sentences=treebank(1))

    assert message in refusal(train)


def test_text_of_another_language_is_warned_of(tmp_path):
    (tmp_path / "raw.txt").write_text("el perro ve a la gata. " * 30, "utf-8")
    config = crossarc.load_config("arc-standard", ["features=small"], {"raw": [str(tmp_path / "raw.txt")]})
    with pytest.warns(match=r"only \d+\.\d % of the words of the training treebank have a class"):
        crossarc.train(config, sentences=treebank(1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give raw texts, or --vectors FILE"),
        (["raw.txt"], "no file to write the classes to"),
        (["raw.txt", "--vectors", "v", "-o", "c"], "give raw texts, or --vectors FILE"),
        (["raw.txt", "-o", "c", "--classes", "1"], "--classes: found 1, expected 2 or more"),
        (["missing.txt", "-o", "c"], "missing.txt: "),
        (["raw.txt", "-o", "raw.txt"], "is also an input"),
        (["raw.txt", "-o", "c", "--rows", "7"], "--rows is for --vectors FILE; omit it"),
        (["--vectors", "v", "-o", "c", "--format", "conllu"], "--format is for raw texts; omit it"),
        (["--vectors", "v", "-o", "c", "--tokenizer", "m"], "--tokenizer is for raw texts; omit it"),
        (["raw.txt", "-o", "c", "--format", "conllu", "--tokenizer", "m"], "--tokenizer is for raw texts; omit it"),
    ],
)
@needs("graph")
def test_mistakes_on_the_command_line_get_one_line(arguments, message, raw, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raw.txt").write_bytes(raw.read_bytes())
    assert run("classes", *arguments) == 1
    (line,) = [row for row in capsys.readouterr().err.splitlines() if row.startswith("crossarc: ")]
    assert message in line


@given(st.lists(st.text("ab \n", max_size=9), max_size=30))
def test_long_lines_come_in_parts(blocks):
    """A text in one line is read in parts that end at spaces: the same tokens, and lines end where they did."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "LONGEST_LINE", 3)
        parts = list(learning._lines(blocks))
    whole = "".join(blocks)
    assert [token for part in parts for token in part.split()] == whole.split()
    assert not any("\n" in part for part in parts)
    longest = max(map(len, whole.split()), default=0) + max(map(len, blocks), default=0)
    assert max(map(len, parts)) <= 3 + longest


def unmarked(first, sentences, seed):
    """Sentences without marks or capitals, whose words do not show by their letters which of them begin a sentence."""
    dice = random.Random(seed)
    lines = [[dice.choice(first), dice.choice(INNER[:3]), *dice.choices(INNER[3:], k=2)] for _ in range(sentences)]
    heads, deprels = [2, 0, 2, 2], ["dep", "root", "dep", "dep"]
    return [crossarc.Sentence.from_tokens(line, heads=heads, deprels=deprels) for line in lines]


@pytest.mark.filterwarnings("ignore::crossarc.parser.base.data_warnings.DataWarning")
@pytest.mark.parametrize("key", ["raw", "classes"])
@needs("tagging")
def test_classes_tell_where_sentences_end(key, tmp_path):
    (tmp_path / "raw.txt").write_text(gold_text(unmarked(FIRST, 3000, 1)).text, "utf-8")
    assert run("classes", "-q", str(tmp_path / "raw.txt"), "--classes", "20", "-o", str(tmp_path / "classes")) == 0
    value = {"raw": [str(tmp_path / "raw.txt")], "classes": str(tmp_path / "classes")}[key]
    crossarc.write_sentences(unmarked(FIRST[3:5], 40, 2), tmp_path / "dev.conllu")
    settings = {key: value, "treebank.dev": str(tmp_path / "dev.conllu")}
    config = crossarc.load_config("arc-standard", ["features=small", "input=text"], settings)
    model = crossarc.train(config, sentences=unmarked(FIRST[:3], 100, 3))
    gold = unmarked(FIRST[5:], 100, 4)
    text = gold_text(gold).text
    alone = crossarc.train(
        crossarc.load_config("arc-standard", ["features=small", "input=text"]), sentences=unmarked(FIRST[:3], 100, 3)
    )
    assert len(alone(text)) < 50 < 95 <= len(model(text)) <= 105
    assert model.provenance["segmentation"]["sentences"] > 95
    crossarc.save_model(model, tmp_path / "model")
    assert crossarc.load_model(tmp_path / "model")(text) == model(text)
    with pytest.raises(ShapeError, match="no step with groups of words"):
        model.segmenter.beside(())
