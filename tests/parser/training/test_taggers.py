"""Predicted tags: training with folds, models that contain taggers, and the treatment of given values."""

import crossarc
import pytest
from command_line import conllu
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.models.files import load_model, model_bytes, model_in
from crossarc.parser.models.pieces import PieceParser
from crossarc.parser.training.blend import train_any
from crossarc.parser.treebank import conll_text, read_pieces, read_treebank
from refusals import refusal

pytestmark = pytest.mark.filterwarnings("ignore:the input has values of")
COLUMNS = ("upos", "xpos", "feats", "lemma")
CONFIGS = {
    "greedy": ("arc-standard-small", "guide.C=0.1"),
    "graph": ("graph-first-order", "graph.epochs=2", "graph.table_bits=14"),
    "three-step": ("three-step", "guide.C=0.1"),
    "beam": ("beam", "guide.epochs=1"),
}


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    path = tmp_path_factory.mktemp("tags") / "train.conllu"
    path.write_text(conllu(1, 40), "utf-8")
    return path


@pytest.fixture(scope="module")
def models(treebank):
    """A function from a kind to a parser that predicts its tags, trained once and restored from its bytes."""
    made = {}

    def model(kind):
        if kind not in made:
            name, *settings = CONFIGS[kind]
            tags = "tags=auto"
            config = crossarc.load_config(name, [*settings, tags], {"treebank.train": str(treebank)})
            made[kind] = model_in(model_bytes(crossarc.train(config)), "x.model")
        return made[kind]

    return model


@pytest.fixture(scope="module")
def automatic(treebank):
    """A parser trained with tags=auto, and the progress lines of its training."""
    lines = []
    config = crossarc.load_config("arc-standard-small", ["tags=auto"], {"treebank.train": str(treebank)})
    return crossarc.train(config, lines.append), lines


def untagged(sentence):
    return sentence.with_columns(dict.fromkeys(COLUMNS, ("_",) * len(sentence)))


def share(column, found, gold):
    pairs = [
        (a, b)
        for x, y in zip(found, gold, strict=True)
        for a, b in zip(x.column(column), y.column(column), strict=True)
    ]
    return sum(a == b for a, b in pairs) / len(pairs)


@pytest.mark.parametrize("kind", CONFIGS)
def test_words_are_tagged_and_parsed(kind, models, treebank):
    model, gold = models(kind), read_treebank(str(treebank)).sentences
    found = list(model.parse(map(untagged, gold)))
    assert tuple(tagger.column for tagger in model.taggers) == COLUMNS
    assert share("upos", found, gold) > 0.9
    assert share("lemma", found, gold) > 0.9
    assert share("head", found, gold) > 0.25
    assert [own.column("upos") for own in model.parse(gold)] == [own.column("upos") for own in gold]
    assert "tags         4: upos xpos feats lemma" in model.to_text()


def test_files_and_sentences_are_tagged_alike(models, treebank, tmp_path):
    model, gold = models("greedy"), read_treebank(str(treebank)).sentences
    file = tmp_path / "words.conllu"
    half = [own if number % 2 else untagged(own) for number, own in enumerate(gold)]
    file.write_text("".join(map(conll_text, half)), "utf-8")
    for retag in (False, True):
        parsed = b"".join(own.data for own in map(PieceParser(model, retag=retag), read_pieces(str(file)))).decode()
        assert parsed == "".join(map(conll_text, model.parse(half, retag=retag)))


def test_given_values_are_kept_unless_retag_is_set(models, treebank):
    model, (gold, *_) = models("greedy"), read_treebank(str(treebank)).sentences
    odd = tuple("ODD" if word % 2 else "_" for word in range(len(gold)))
    given = gold.with_columns({"upos": odd})
    (kept,) = model.parse([given])
    assert kept.column("upos")[1::2] == odd[1::2]
    assert "_" not in kept.column("upos")
    (replaced,) = model.parse([given], retag=True)
    assert "ODD" not in replaced.column("upos")


def test_feats_are_predicted_only_for_sentences_without_any(tmp_path):
    rows = "1\tthe\t_\tDET\t_\tDef=Yes\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\t_\tNumber=Sing\t0\troot\t_\t_\n\n"
    (tmp_path / "t").write_text(rows * 9, "utf-8")
    config = crossarc.load_config("arc-standard-small", ["tags=[feats]"])
    gold = read_treebank(str(tmp_path / "t")).sentences
    model = crossarc.train(config, sentences=gold)
    some, none = (gold[0].with_columns({"feats": feats}) for feats in (("_", "A=b"), ("_", "_")))
    assert [own.column("feats") for own in model.parse([some, none])] == [("_", "A=b"), ("Def=Yes", "Number=Sing")]


def test_auto_predicts_the_columns_with_values_that_features_read(automatic, treebank):
    model, lines = automatic
    assert tuple(tagger.column for tagger in model.taggers) == COLUMNS
    assert model.config["tags"] == "auto"
    assert tuple(model.provenance["tags"]) == COLUMNS
    assert any(
        line.startswith("tags: UPOS ") and line.endswith(" % right, by taggers of other folds (5 folds)")
        for line in lines
    )
    bare = [own.with_columns({"xpos": ("_",) * len(own)}) for own in read_treebank(str(treebank)).sentences]
    some = crossarc.train(crossarc.load_config("arc-standard-small", ["tags=auto"]), sentences=bare)
    assert [tagger.column for tagger in some.taggers] == ["upos", "feats", "lemma"]
    with pytest.raises(CrossarcError, match="tags: found xpos, but the training treebank has no values of it"):
        crossarc.train(crossarc.load_config("arc-standard-small", ["tags=[xpos]"]), sentences=bare)
    plain = crossarc.train(crossarc.load_config("arc-standard-small", [], {"treebank.train": str(treebank)}))
    assert "tags" not in plain.config
    assert plain.taggers == ()


def test_taggers_are_repeatable_and_stored_once_in_a_blend(treebank, tmp_path):
    (tmp_path / "b.yaml").write_text("components: [arc-standard-small, swap-small]\nshared: {tags: auto}\n", "utf-8")
    config = crossarc.load_blend_config(str(tmp_path / "b.yaml"), [], {"treebank.train": str(treebank)})
    blend = crossarc.train_blend(config)
    crossarc.save_model(blend, tmp_path / "b.model")
    assert model_bytes(load_model(tmp_path / "b.model")) == model_bytes(crossarc.train_blend(config))
    assert tuple(tagger.column for tagger in blend.taggers) == COLUMNS
    assert not any(own.taggers for own in blend.components.values())
    gold = read_treebank(str(treebank)).sentences
    assert share("upos", list(blend.parse(map(untagged, gold))), gold) > 0.9
    differing = ["components: [arc-standard-small, {config: swap-small, tags: auto}]"]
    (tmp_path / "b.yaml").write_text("\n".join(differing), "utf-8")
    with pytest.raises(CrossarcError, match="components: found different values of tags or input; give one value"):
        train_any(crossarc.load_blend_config(str(tmp_path / "b.yaml"), [], {"treebank.train": str(treebank)}))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("tags=[form]", "tags: found ['form']; allowed: auto, or a list of upos, xpos, feats, lemma"),
        ("tags=yes", "tags: found True; allowed: auto, or a list of upos, xpos, feats, lemma"),
    ],
)
def test_wrong_settings_of_tags_are_refused(setting, message, treebank):
    assert refusal(
        lambda: crossarc.train(crossarc.load_config("arc-standard-small", [setting], {"treebank.train": str(treebank)}))
    ).endswith(message)


def test_tags_of_the_development_treebank_are_replaced(automatic, treebank, tmp_path):
    model, scores = automatic[0], []
    for upos in ("NOUN", "_"):
        dev = [own.with_columns({"upos": (upos,) * len(own)}) for own in read_treebank(str(treebank)).sentences]
        (tmp_path / "dev.conllu").write_text("".join(map(conll_text, dev)), "utf-8")
        scores.append(crossarc.score_on(model, crossarc.TreebankOptions(dev=str(tmp_path / "dev.conllu")))[1].las)
    assert scores[0] == scores[1] > 40


def test_values_predicted_piece_by_piece_are_restored(treebank, monkeypatch):
    monkeypatch.setattr("crossarc.parser.models.tag_encodings.MOST_VALUES", 1)
    gold = read_treebank(str(treebank)).sentences
    trained = crossarc.train(crossarc.load_config("arc-standard-small", ["tags=[feats]"]), sentences=gold)
    assert len(trained.taggers[0].pieces) > 1
    loaded = model_in(model_bytes(trained), "x.model")
    found = list(loaded.parse(map(untagged, gold)))
    assert found == list(trained.parse(map(untagged, gold)))
    assert share("feats", found, gold) > 0.9
