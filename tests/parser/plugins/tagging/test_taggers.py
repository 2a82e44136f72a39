"""Predicted tags: training with folds, models that contain taggers, and the treatment of given values."""

import json
import warnings
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

import crossarc
import numpy as np
import pytest
from command_line import conll09, conllu, generated
from crossarc.features.piece import piece_of
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.progress import nothing
from crossarc.parser.base.shapes import ShapeError
from crossarc.parser.models.files import load_model, model_bytes, model_in
from crossarc.parser.models.pieces import PieceParser
from crossarc.parser.models.words import SentenceWords, word_batches
from crossarc.parser.plugins.tagging import chains, training
from crossarc.parser.plugins.tagging.taggers import Tagger
from crossarc.parser.treebank import conll_text, read_pieces
from installed import needs

pytestmark = pytest.mark.filterwarnings("ignore:the input has values of")
COLUMNS = ("upos", "xpos", "feats", "lemma")
CONFIGS = {
    "greedy": ("arc-standard-small", "guide.C=0.1"),
    "graph": ("graph-first-order", "graph.epochs=2", "graph.table_bits=14"),
    "three-step": ("three-step", "guide.C=0.1"),
    "beam": ("beam", "guide.epochs=1"),
}
GOLD = generated(1, 40)


@cache
def predicting(kind):
    """A parser that predicts its tags, trained once and restored from its bytes."""
    name, *settings = CONFIGS[kind]
    config = crossarc.load_config(name, [*settings, "tags=auto"])
    return model_in(model_bytes(crossarc.train(config, sentences=GOLD)), "x.model")


@pytest.fixture(scope="module")
def automatic():
    """A parser trained with tags=auto, and the progress lines of its training."""
    lines = []
    return crossarc.train(crossarc.load_config("arc-standard-small", ["tags=auto"]), lines.append, GOLD), lines


def untagged(sentence):
    return sentence.with_columns(dict.fromkeys(COLUMNS, ("_",) * len(sentence)))


def share(column, found):
    """The share of the words whose value is that of the treebank."""
    pairs = zip(
        *([value for sentence in trees for value in sentence.column(column)] for trees in (found, GOLD)), strict=True
    )
    right = [one == other for one, other in pairs]
    return sum(right) / len(right)


@pytest.mark.parametrize("kind", CONFIGS)
@needs("further_learners", "graph")
def test_words_are_tagged_and_parsed(kind):
    model = predicting(kind)
    found = list(model.parse(map(untagged, GOLD)))
    assert tuple(model.filled) == COLUMNS
    assert share("upos", found) > 0.9
    assert share("lemma", found) > 0.9
    assert share("head", found) > 0.25
    assert [sentence.column("upos") for sentence in model.parse(GOLD)] == [sentence.column("upos") for sentence in GOLD]
    assert "tags         4: upos xpos feats lemma" in model.to_text()


def test_files_and_sentences_are_tagged_alike(tmp_path):
    model, file = predicting("greedy"), tmp_path / "words.conllu"
    half = [own if number % 2 else untagged(own) for number, own in enumerate(GOLD)]
    file.write_text("".join(map(conll_text, half)), "utf-8")
    for retag in (False, True):
        parsed = b"".join(piece.data for piece in map(PieceParser(model, retag=retag), read_pieces(str(file)))).decode()
        assert parsed == "".join(map(conll_text, model.parse(half, retag=retag)))


def test_given_values_are_kept_unless_retag_is_set():
    model = predicting("greedy")
    odd = tuple("ODD" if word % 2 else "_" for word in range(len(GOLD[0])))
    given = GOLD[0].with_columns({"upos": odd})
    (kept,) = model.parse([given])
    assert kept.column("upos")[1::2] == odd[1::2]
    assert "_" not in kept.column("upos")
    (replaced,) = model.parse([given], retag=True)
    assert "ODD" not in replaced.column("upos")


def test_feats_are_predicted_only_for_sentences_without_any():
    values = {"upos": ["DET", "NOUN"], "feats": ["Def=Yes", "Number=Sing"], "heads": [2, 0], "deprels": ["det", "root"]}
    gold = crossarc.Sentence.from_tokens(["the", "dog"], **values)
    model = crossarc.train(crossarc.load_config("arc-standard-small", ["tags=[feats]"]), sentences=[gold] * 9)
    some, none = (gold.with_columns({"feats": feats}) for feats in (("_", "A=b"), ("_", "_")))
    assert [sentence.column("feats") for sentence in model.parse([some, none])] == [
        ("_", "A=b"),
        ("Def=Yes", "Number=Sing"),
    ]


def test_auto_predicts_the_columns_with_values_that_features_read(automatic):
    model, lines = automatic
    assert tuple(model.filled) == COLUMNS
    assert model.config["tags"] == "auto"
    assert tuple(model.provenance["tags"]) == COLUMNS
    end = " % right, by taggers of other folds (3 folds)"
    assert any(line.startswith("tags: UPOS ") and line.endswith(end) for line in lines)
    bare = [sentence.with_columns({"xpos": ("_",) * len(sentence)}) for sentence in GOLD]
    some = crossarc.train(crossarc.load_config("arc-standard-small", ["tags=auto"]), sentences=bare)
    assert some.filled == ["upos", "feats", "lemma"]
    with pytest.raises(CrossarcError, match="tags: found xpos, but the training treebank has no values of it"):
        crossarc.train(crossarc.load_config("arc-standard-small", ["tags=[xpos]"]), sentences=bare)
    plain = crossarc.train(crossarc.load_config("arc-standard-small"), sentences=GOLD)
    assert "tags" not in plain.config
    assert plain.filled == []


@needs("blending", "graph")
def test_taggers_are_repeatable_and_stored_once_in_a_blend(tmp_path):
    (tmp_path / "b.yaml").write_text("components: [arc-standard-small, swap-small]\nshared: {tags: auto}\n", "utf-8")
    config = crossarc.load_blend_config(str(tmp_path / "b.yaml"))
    blend = crossarc.train_blend(config, sentences=GOLD)
    crossarc.save_model(blend, tmp_path / "b.model")
    assert model_bytes(load_model(tmp_path / "b.model")) == model_bytes(crossarc.train_blend(config, sentences=GOLD))
    assert tuple(blend.filled) == COLUMNS
    assert not any(value.filled for value in blend.components.values())
    assert share("upos", list(blend.parse(map(untagged, GOLD)))) > 0.9
    (tmp_path / "b.yaml").write_text("components: [arc-standard-small, {config: swap-small, tags: auto}]", "utf-8")
    with pytest.raises(CrossarcError, match="components: found different values of classes or input or also"):
        crossarc.train_blend(crossarc.load_blend_config(str(tmp_path / "b.yaml")), sentences=GOLD)


def test_tags_of_the_development_treebank_are_replaced(automatic, tmp_path):
    model, scores = automatic[0], []
    for upos in ("NOUN", "_"):
        dev = [sentence.with_columns({"upos": (upos,) * len(sentence)}) for sentence in GOLD]
        (tmp_path / "dev.conllu").write_text("".join(map(conll_text, dev)), "utf-8")
        scores.append(crossarc.score_on(model, crossarc.TreebankOptions(dev=str(tmp_path / "dev.conllu")))[1].las)
    assert scores[0] == scores[1] > 40


def test_values_predicted_piece_by_piece_are_restored(monkeypatch):
    monkeypatch.setattr("crossarc.parser.plugins.tagging.encodings.MOST_VALUES", 1)
    trained = crossarc.train(crossarc.load_config("arc-standard-small", ["tags=[feats]"]), sentences=GOLD)
    assert len(trained.steps[0].pieces) > 1
    bare = [sentence.with_columns({"feats": ("_",) * len(sentence)}) for sentence in GOLD]
    found = list(model_in(model_bytes(trained), "x.model").parse(bare))
    assert found == list(trained.parse(bare))
    assert share("feats", found) > 0.9


@pytest.mark.parametrize("blank", [("gpos", "ppos"), ("glemma", "plemma", "gpos", "ppos", "gfeats", "pfeats")])
@pytest.mark.parametrize("retag", [False, True])
def test_two_names_of_one_column_of_conll09_get_one_value(blank, retag):
    """POS gets the predicted XPOS, in blocks and in sentences, one by one and together."""
    model = predicting("greedy")
    rows = [
        sentence.with_columns(dict.fromkeys(blank, ("_",) * len(sentence))) for sentence in read(conll09(conllu(1, 12)))
    ]
    data = "".join(map(conll_text, rows))
    (piece,) = read_pieces(BytesIO(data.encode()), "conll09")
    together = PieceParser(model, retag=retag)(piece).data.decode()
    alone = [next(model.parse([sentence], retag=retag)) for sentence in rows]
    assert together == "".join(map(conll_text, alone))
    tagged = model.parse(
        [sentence.with_columns({"upos": ("_",) * len(sentence)}) for sentence in GOLD[:12]], retag=True
    )
    assert [sentence.column("xpos") for sentence in alone] == [sentence.column("xpos") for sentence in tagged]


@pytest.mark.parametrize("retag", [False, True])
def test_features_of_xpos_read_the_predicted_upos_of_conll09(retag):
    """It is the same column, whose gold values do not matter then."""
    rows = read(conll09(conllu(1, 40)))
    model = crossarc.train(crossarc.load_config("arc-standard-small", ["tags=[upos]"]), sentences=rows)
    asked = rows if retag else [row.with_columns({"upos": ("_",) * len(row)}) for row in rows]
    other = [row.with_columns({"upos": ("NOUN",) * len(row)}) for row in rows]
    trees = [sentence.heads() for sentence in model.parse(asked, retag=retag)]
    assert trees == [sentence.heads() for sentence in model.parse(other, retag=True)]


@pytest.mark.parametrize("source", ["words", "text"])
@needs("raw_text")
def test_columns_that_words_lack_must_be_predicted_or_not_read(source):
    settings = [f"input={source}", "tags=[upos]"]
    with pytest.raises(CrossarcError, match=f"tags: with input={source} words have no LEMMA, XPOS, FEATS, which"):
        crossarc.train(crossarc.load_config("arc-standard-small", settings), sentences=GOLD)


@pytest.mark.parametrize(
    ("tags", "setting", "told"),
    [
        ("lemma", "tag_candidates=4", True),
        ("lemma", "tag_features=tags.yaml", True),
        ("upos", "lemma_features=tags.yaml", True),
        ("upos", "tag_directions=1", False),
        ("lemma", "lemma_features=tags.yaml", False),
    ],
)
def test_settings_of_taggers_without_effect_are_told(tags, setting, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tags.yaml").write_text("templates: ['form(Input[0])']\n")
    config = crossarc.load_config("arc-standard-small", [f"tags=[{tags}]", setting])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        crossarc.train(config, sentences=GOLD)
    said = f"{setting.partition('=')[0]} has no effect: predicted are {tags}"
    assert (said in [str(warning.message) for warning in caught]) == told


def test_other_values_for_two_names_of_one_column_are_refused():
    (sentence,) = read(conll09(conllu(1, 1)))
    words = len(sentence)
    with pytest.raises(ValueError, match="other values for xpos than for upos, which is the same column"):
        sentence.with_columns({"upos": ("A",) * words, "xpos": ("B",) * words})
    assert sentence.with_columns({"upos": ("A",) * words, "xpos": ("A",) * words}).column("gpos") == ("A",) * words


def read(text):
    return list(crossarc.read_sentences(BytesIO(text.encode()), "conll09"))


def test_feature_models_of_taggers_are_chosen_by_config(tmp_path, automatic):
    (tmp_path / "t.yaml").write_text("templates:\n- lower(form(Input[0]))\n", "utf-8")
    (tmp_path / "l.yaml").write_text("extends: tagging-lemma\ntemplates:\n- lower(form(Input[1]))\n", "utf-8")
    settings = ["tags=auto", f"tag_features={tmp_path / 't.yaml'}", f"lemma_features={tmp_path / 'l.yaml'}"]
    model = crossarc.train(crossarc.load_config("arc-standard-small", settings), sentences=GOLD)

    def templates(own):
        return {
            tagger.column: config.features.lines()
            for tagger in own.steps
            for config in [next(iter(tagger.pieces.values())).stage]
        }

    found, usual = templates(model), templates(automatic[0])
    assert found["upos"] == ["lower(form(Input[0]))"]
    assert set(found["lemma"]) - set(usual["lemma"]) == {"lower(form(Input[1]))"}
    for key in ("tag_features", "lemma_features"):
        with pytest.raises(CrossarcError, match="nothing"):
            crossarc.train(
                crossarc.load_config("arc-standard-small", ["tags=auto", f"{key}={tmp_path / 'nothing.yaml'}"]),
                sentences=GOLD,
            )


@pytest.mark.parametrize(("many", "directions", "folds"), [(10**6, 2, 3), (10**6, 1, 3), (1, 2, 2)])
def test_large_treebanks_are_tagged_in_fewer_folds(many, directions, folds, monkeypatch):
    monkeypatch.setattr(training, "MANY_WORDS", many)
    lines = []
    config = crossarc.load_config(
        "arc-standard", ["features=small", "tags=[upos, lemma]", f"tag_directions={directions}"]
    )
    model = crossarc.train(config, lines.append, sentences=generated(1, 20))
    assert [line for line in lines if line.startswith("tags: UPOS") and line.endswith(f"({folds} folds)")]
    upos, lemma = model.steps
    assert [stage.back is not None for stage in upos.pieces.values()] == [directions == 2]
    assert not any(stage.back for stage in lemma.pieces.values())  # no feature depends on earlier lemmas


CASES = {"nom": "Case=Nom|Gender=Fem", "acc": "Case=Acc|Gender=Fem", "masc": "Case=Nom|Gender=Masc"}


def test_attributes_help_to_choose_whole_values(monkeypatch):
    """The value has the highest sum of the scores of the whole value and of its attributes, also after loading."""
    rows = [[f"{kind}{number % 7}x{number}" for kind in CASES] for number in range(30)]
    gold = [
        sentence.with_columns({"feats": tuple(CASES[form.rstrip("0123456789x")] for form in row)})
        for row in rows
        for sentence in [crossarc.Sentence.from_tokens(row, upos=["NOUN"] * 3, heads=[0, 1, 2], deprels=["a"] * 3)]
    ]
    monkeypatch.setattr(training, "open_attributes", lambda keys, values, contexts: keys)
    model = crossarc.train(crossarc.load_config("arc-standard-small", ["tags=[feats]"]), sentences=gold)
    (tagger,) = (step for step in model.steps if step.kind == "tagger")
    assert list(tagger.pieces) == ["", "Case", "Gender"]
    restored = model_in(model_bytes(model), "m").steps[0]
    words = SentenceWords(gold, retag=True)
    numbers, texts = restored.values(words)
    assert [texts[number] for number in numbers] == [value for sentence in gold for value in sentence.column("feats")]
    expected = []
    for batch in word_batches(words, (), tagger.tables, {}, [[*range(len(gold))]]):
        scores = dict(zip(tagger.pieces, tagger.directions.scores(batch.lengths, batch.ids), strict=True))
        names = {
            key: [piece.labels[label] for label in piece.stage.inventory[:, 1]] for key, piece in tagger.pieces.items()
        }
        whole, parts = names[""], {key: of_key for key, of_key in names.items() if key}
        for place in zip(*np.nonzero(batch.inside.reshape(len(gold), -1)), strict=True):
            sums = {
                value: sum(scores[key][place][of_key.index(piece_of(value, key))] for key, of_key in parts.items())
                + scores[""][place][whole.index(value)]
                for value in whole
            }
            expected.append(max(sums, key=sums.get))
    assert [texts[number] for number in numbers] == expected


ODD = {"went": "go", "was": "be", "mice": "mouse", "children": "child", "feet": "foot"}


def odd_words(upos, lemma=None):
    """Words in capitals whose edits are too rare to learn. lemma: of all; None: those of training."""
    return [
        crossarc.Sentence.from_tokens([form.title()], upos=[upos], lemma=[lemma or own], heads=[0], deprels=["root"])
        for form, own in ODD.items()
    ]


@pytest.mark.parametrize(
    ("tags", "given", "known"),
    [
        ("[lemma]", "Y", True),  # a model that does not predict UPOS cannot rely on it
        ("[upos, lemma]", "X", True),
        ("[upos, lemma]", "_", True),  # UPOS is predicted
        ("[upos, lemma]", "Y", False),  # the form never had this part of speech
    ],
)
def test_known_words_have_the_lemmas_of_training(tags, given, known):
    model = crossarc.train(crossarc.load_config("arc-standard-small", [f"tags={tags}"]), sentences=odd_words("X"))
    parsed = model_in(model_bytes(model), "m").parse(odd_words(given, "_"))
    assert ([sentence.column("lemma")[0] for sentence in parsed] == [*ODD.values()]) == known


@needs("several_treebanks")
def test_lemmas_of_several_treebanks_are_not_known_by_heart(tmp_path):
    """Their conventions may differ."""
    for name in ("one", "other"):
        Path(tmp_path, name).mkdir()
        Path(tmp_path, name, "train.conllu").write_text("".join(map(conll_text, odd_words("X"))), "utf-8")
    files = [f"treebank.train={tmp_path}/one/train.conllu", f"also=[{tmp_path}/other/train.conllu]"]
    model = crossarc.train(crossarc.load_config("arc-standard-small", ["tags=[lemma]", *files]))
    assert [step.lemmas for step in model.steps if step.kind == "tagger"] == [{}]


def changed(state, change):
    values = json.loads(json.dumps(state))
    change(values)
    return values


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda values: values.update(lemmas=[["a", "X", "b"]]), "lemmas"),
        (lambda values: values["pieces"][0].pop("back"), "one direction and two"),
        (lambda values: values["pieces"].reverse(), "inventory|attribute first"),
        (lambda values: values["pieces"][1].update(labels=["z", *values["pieces"][1]["labels"][1:]]), "no class"),
    ],
)
def test_damaged_taggers_are_refused(monkeypatch, change, fault):
    monkeypatch.setattr(training, "open_attributes", lambda keys, values, contexts: keys)
    rows = [
        crossarc.Sentence.from_tokens(["a", "b"], feats=["C=x|D=y", "C=z|D=y"], heads=[2, 0], deprels=["a", "b"])
    ] * 6
    (tagger,), _, _ = training.train_taggers({"feats": "tagged"}, rows, nothing, directions=2)
    values, arrays = tagger.state()
    assert [piece["key"] for piece in values["pieces"]] == ["", "C", "D"]
    Tagger.from_state(values, arrays)
    with pytest.raises(ShapeError, match=fault):
        Tagger.from_state(changed(values, change), arrays)


def test_long_texts_are_tagged_in_parts(monkeypatch):
    """Scores of all words and classes would not fit."""
    model = predicting("greedy")
    whole = [conll_text(sentence) for sentence in model.parse(map(untagged, GOLD))]
    monkeypatch.setattr(chains, "MOST_SCORES", 1000)
    assert [conll_text(sentence) for sentence in model.parse(map(untagged, GOLD))] == whole


@needs("annotation")
def test_columns_without_decided_values_are_not_learned():
    gold = [sentence.with_columns({"misc": ("Keep=head,deprel",) * len(sentence)}) for sentence in GOLD]
    settings = ["treebank.decided=keep"]
    with pytest.raises(CrossarcError, match="tags: feats has decided values in 0 sentences"):
        crossarc.train(crossarc.load_config("arc-eager", [*settings, "tags=[feats]"]), sentences=gold)
    few = [one.with_columns({"misc": ("Keep=Yes",) * len(one)}) if place < 2 else one for place, one in enumerate(gold)]
    lines = []
    model = crossarc.train(crossarc.load_config("arc-standard-small", [*settings, "tags=auto"]), lines.append, few)
    assert "tags: lemma has decided values in 2 sentences, expected 10 or more: it is not predicted" in lines
    assert not any(isinstance(step, Tagger) for step in model.steps)


def test_two_directions_tag_reversed_sentences_alike():
    """Taggers of a treebank and of its mirror image have the same two directions, in the other order."""

    def mirrored(sentence):
        return replace(sentence, columns=tuple(column[::-1] for column in sentence.columns))

    columns = dict.fromkeys(("upos", "feats"), "tagged")
    results = []
    for turn in (list, lambda sentences: list(map(mirrored, sentences))):
        taggers, predicted, right = training.train_taggers(columns, turn(GOLD), nothing, directions=2)
        words = SentenceWords(turn(generated(2, 20)), retag=True)
        for tagger in taggers:
            tagger.annotate(words)
        results.append((turn(predicted), turn(words.with_tags()), right))
    assert results[0] == results[1]
    assert all(share > 50 for share in right.values())
