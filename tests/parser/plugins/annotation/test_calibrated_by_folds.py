"""Without a development treebank, ``train`` calibrates the scores of a small treebank by parts of it."""

import pytest
from command_line import conllu, run
from crossarc import CrossarcError, load_config, load_model, read_treebank, train, write_sentences
from crossarc.parser.evaluate.reliability import score_reliability
from crossarc.parser.training import scoring
from crossarc.parser.training.scoring import FEWEST, calibrated_by_folds
from installed import needs

CONFIGS = ("arc-standard-small", "swap", "three-step", "graph")


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Two treebanks of the same kind: 150 sentences, and 300 others."""
    folder = tmp_path_factory.mktemp("folds")
    for name, seed, size in (("train", 1, 150), ("held", 2, 300)):
        (folder / f"{name}.conllu").write_text(conllu(seed, size, rate=0.3), "utf-8")
    return folder


def test_the_command_calibrates_what_has_no_development_treebank(parts, tmp_path):
    model = str(tmp_path / "my.model")
    assert run("train", "arc-standard-small", "--train", parts / "train.conllu", "--model", model) == 0
    gold = read_treebank(parts / "held.conllu").sentences
    parsed = list(load_model(model).parse(gold, scores=True))
    words = score_reliability(gold, parsed)["Conf"]
    assert words.error < 10
    assert len({part.mean for part in words.bins}) > 1
    alone = train(load_config("arc-standard-small", (), {"treebank.train": str(parts / "train.conllu")}))
    assert list(alone.parse(gold)) == list(load_model(model).parse(gold))


@pytest.mark.parametrize("name", CONFIGS)
@needs("graph")
def test_every_kind_of_parser_is_calibrated(name, parts):
    sentences = read_treebank(parts / "train.conllu").sentences[:FEWEST]
    config = load_config(name, sentences=sentences)
    assert calibrated_by_folds(train(config, sentences=sentences), config, sentences).calibration is not None


@pytest.mark.parametrize(("size", "calibrates"), [(FEWEST - 1, False), (FEWEST, True), (2 * FEWEST, False)])
def test_few_and_many_sentences_are_left_alone(size, calibrates, parts, monkeypatch):
    monkeypatch.setattr(scoring, "MOST", 2 * FEWEST)
    sentences = read_treebank(parts / "train.conllu").sentences[:size]
    config = load_config("arc-standard-small", sentences=sentences)
    model = train(config, sentences=sentences)
    assert (calibrated_by_folds(model, config, sentences).calibration is not None) == calibrates


def test_only_decided_words_count(parts):
    """Of a partial sentence, the words without a head neither count as wrong nor as right."""
    whole = read_treebank(parts / "train.conllu").sentences
    partial = [
        sentence.with_columns(
            {
                name: tuple(value if word % 3 else "_" for word, value in enumerate(sentence.column(name)))
                for name in ("head", "deprel")
            }
        )
        for sentence in whole
    ]
    config = load_config("arc-eager", ["explore=1", "features=small"], sentences=partial)
    model = calibrated_by_folds(train(config, sentences=partial), config, partial)
    gold = read_treebank(parts / "held.conllu").sentences
    reliability = score_reliability(gold, list(model.parse(gold, scores=True)))["Conf"]
    assert reliability.error < 12


def test_words_without_marks_are_open_in_every_part(parts, monkeypatch):
    """Also in a part in which no word has a mark."""
    whole = read_treebank(parts / "train.conllu").sentences
    marked = [sentence.with_columns({"misc": ("Keep=Yes",) * len(sentence)}) for sentence in whole[:1]]
    config = load_config("arc-standard-small", sentences=whole)
    configs, failing = [], CrossarcError("enough is known")

    def train_any(config, **_):
        configs.append(config)
        raise failing

    monkeypatch.setattr(scoring, "train_any", train_any)
    for sentences, decided in (([*marked, *whole[1:]], "keep"), (whole, "auto")):
        calibrated_by_folds(None, config, sentences)
        assert configs[-1].treebank.decided == decided


def test_a_part_that_cannot_be_learned_leaves_the_model_as_it_is(parts, monkeypatch):
    sentences = read_treebank(parts / "train.conllu").sentences[:FEWEST]
    config = load_config("arc-standard-small", sentences=sentences)
    model = train(config, sentences=sentences)
    told = []

    def refuse(*arguments, **options):
        raise scoring.CrossarcError("too few")

    monkeypatch.setattr(scoring, "train_any", refuse)
    assert calibrated_by_folds(model, config, sentences, told.append) is model
    assert any("too few" in line for line in told)


def test_sentences_that_are_skipped_are_not_parsed(parts, tmp_path):
    sentences = read_treebank(parts / "train.conllu").sentences[:60]
    broken = sentences[3].with_columns({"head": ("1",) * len(sentences[3])})
    file = tmp_path / "faulty.conllu"
    write_sentences([*sentences, broken], file)
    model = str(tmp_path / "my.model")
    options = ["--set", "treebank.faulty=skip", "--train", file, "--model", model]
    assert run("train", "arc-standard-small", *options) == 0
    assert load_model(model).calibration is not None


def test_sentences_that_are_skipped_do_not_count(parts):
    """With too few left, the trained model stays as it is."""
    sentences = read_treebank(parts / "train.conllu").sentences[:40]
    faulty = [sentence.with_columns({"head": ("1",) * len(sentence)}) for sentence in sentences[2:]]
    config = load_config("arc-standard-small", ["treebank.faulty=skip"])
    model = train(config, sentences=sentences)
    assert calibrated_by_folds(model, config, [*sentences[:2], *faulty]) is model
