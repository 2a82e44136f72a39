"""Learning from several treebanks whose conventions contradict each other."""

import random

import crossarc
import pytest
from command_line import run
from crossarc.parser.config.config import config_type
from crossarc.parser.config.feature_files import load_features
from crossarc.parser.config.ready import ready_features
from crossarc.parser.models.files import model_bytes
from crossarc.parser.plugins.several_treebanks.step import COLUMN
from crossarc.parser.treebank.symbols import nameable_columns
from installed import needs
from refusals import refusal

pytestmark = needs("tagging")

NOUNS, VERBS, OTHER = ("dog", "cat", "fish", "bird"), ("sees", "hears"), ("house", "fish", "tree", "stone")


def treebank(seed, names, adposition, nouns, sentences=40):
    """Sentences in which the case marker is the head of its noun, or its dependent, and nouns have another XPOS."""
    dice = random.Random(seed)
    made = []
    for _ in range(sentences):
        words = [dice.choice(nouns), dice.choice(VERBS), dice.choice(("near", "with")), dice.choice(nouns)]
        heads = [2, 0, 2, 3] if adposition else [2, 0, 4, 2]
        deprels = ["nsubj", "root", "obl", "case"] if adposition else ["nsubj", "root", "case", "obl"]
        xpos = ["N1", "V", "P", "N1"] if adposition else ["NN", "VB", "IN", "NN"]
        made.append(crossarc.Sentence.from_tokens(words, xpos=xpos, upos=xpos, heads=heads, deprels=deprels))
    for name in names:
        name.parent.mkdir(exist_ok=True)
        crossarc.write_sentences(made, str(name))
    return made


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("treebanks")
    one, other = folder / "One" / "train.conllu", folder / "Other" / "train.conllu"
    treebank(1, [one], True, NOUNS, 20)
    treebank(2, [other], False, OTHER, 60)
    return one, other


def trained(files, settings=("tags=[xpos]", "features=small")):
    overrides = {"treebank.train": [str(file) for file in files]}
    return crossarc.train(crossarc.load_config("arc-standard", settings, overrides))


@pytest.mark.parametrize("config", ["arc-standard", "swap", "covington", "graph"])
@needs("graph")
def test_a_model_follows_the_conventions_of_the_treebank_it_is_asked_for(config, files, tmp_path, capsys):
    options = ["--train", files[0], "--train", files[1], "--set", "tags=auto"]
    assert run("train", config, *options, "--model", tmp_path / "model", "-q") == 0
    words = [crossarc.Sentence.from_tokens(["fish", "sees", "with", "fish"])]
    model = crossarc.load_model(tmp_path / "model")
    found = {}
    for name in ("One", "Other"):
        [parsed] = model.like(name).parse(words)
        found[name] = parsed.heads()[1:], parsed.column("xpos")
    assert found == {"One": ([2, 0, 2, 3], ("N1", "V", "P", "N1")), "Other": ([2, 0, 4, 2], ("NN", "VB", "IN", "NN"))}
    [usual] = model.parse(words)
    assert (usual.heads()[1:], usual.column("xpos")) == found["One"]
    crossarc.write_sentences(words, str(tmp_path / "words.conllu"))
    parsed = tmp_path / "parsed.conllu"
    assert run("parse", tmp_path / "model", tmp_path / "words.conllu", "--like", "Other", "-o", parsed, "-q") == 0
    assert next(crossarc.read_sentences(str(parsed))).heads()[1:] == [2, 0, 4, 2]
    assert run("info", tmp_path / "model") == 0
    assert "One, Other" in capsys.readouterr().out


def test_tags_of_another_treebank_are_those_of_the_first_in_training(files):
    """So the parser meets one convention."""
    tags = set(trained(files).tables["xpos"].values)
    assert {"N1", "V", "P"} <= tags
    assert tags.isdisjoint({"VB", "IN"})


def test_one_treebank_gives_the_model_without_the_plugin(files):
    options = {"treebank.train": str(files[0])}
    alone = crossarc.load_config("arc-standard", ["tags=[xpos]"], options)
    listed = crossarc.load_config("arc-standard", ["tags=[xpos]"], {"treebank.train": [str(files[0])]})
    assert model_bytes(crossarc.train(alone)) == model_bytes(crossarc.train(listed))


@pytest.mark.parametrize("system", [name for name in ready_features() if not name.startswith("three-step")])
def test_every_ready_feature_model_has_weights_for_each_treebank(system):
    for name in ready_features()[system]:
        nodes = None if system == "tagging" else config_type(system).nodes(system)
        columns = nameable_columns(["form", "lemma", "upos", "xpos", "feats", COLUMN])
        before = load_features(name, system, nameable_columns(["form", "lemma", "upos", "xpos", "feats"]), nodes)
        after = load_features(name, system, columns, nodes)
        added = [str(template) for template in after.templates[len(before.templates) :]]
        assert after.templates[: len(before.templates)] == before.templates
        assert added
        assert all(COLUMN in template for template in added)


def test_wrong_names_and_files_are_refused(files, tmp_path):
    model = trained(files)
    assert "allowed: One, Other" in refusal(lambda: model.like("Third"))
    alone = trained(files[:1])
    assert "one treebank" in refusal(lambda: alone.like("One"))
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    assert "empty.conllu" in refusal(lambda: trained((files[0], empty)))
    assert "missing.conllu" in refusal(lambda: trained((files[0], tmp_path / "missing.conllu")))


def test_another_training_treebank_replaces_all(tmp_path):
    (tmp_path / "own.yaml").write_text("system: swap\ntreebank: {train: [a/x, b/y]}\n")
    config = crossarc.load_config(str(tmp_path / "own.yaml"))
    assert (config.treebank.train, config.also) == (str(tmp_path / "a/x"), (str(tmp_path / "b/y"),))
    other = crossarc.load_config(str(tmp_path / "own.yaml"), [], {"treebank.train": "c"})
    assert (other.treebank.train, other.also) == ("c", ())
    for settings, overrides in ((["also=[d]"], {"treebank.train": "c"}), (["treebank.train=c"], {"also": ["d"]})):
        both = crossarc.load_config(str(tmp_path / "own.yaml"), settings, overrides)
        assert (both.treebank.train, both.also) == ("c", ("d",))
    listed = crossarc.load_config("swap", ["treebank={train: [a, b]}"], {"treebank.train": "c"})
    assert (listed.treebank.train, listed.also) == ("c", ())
    (tmp_path / "own.yaml").write_text("system: swap\nalso: [c]\ntreebank: {train: [a/x]}\n")
    assert crossarc.load_config(str(tmp_path / "own.yaml")).also == (str(tmp_path / "c"),)
    (tmp_path / "own.yaml").write_text("system: swap\nalso: [c]\ntreebank: {train: [a/x, b/y]}\n")
    assert "beside also" in refusal(lambda: crossarc.load_config(str(tmp_path / "own.yaml")))


def test_treebanks_never_share_a_name(files):
    overrides = {"treebank.train": [str(file) for file in files], "treebank.name": "Other"}
    model = crossarc.train(crossarc.load_config("arc-standard", ["tags=auto", "features=small"], overrides))
    assert model.provenance["treebanks"] == ["1 Other", "2 Other"]


def test_development_data_of_any_training_treebank_are_told(files):
    overrides = {"treebank.train": [str(file) for file in files], "treebank.dev": str(files[1])}
    with pytest.warns(UserWarning, match="is the training treebank"):
        crossarc.train(crossarc.load_config("arc-standard", ["tags=auto", "features=small"], overrides))


def test_a_column_of_the_same_name_is_refused(files, tmp_path):
    rows = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS TREEBANK\n1\ta" + "\t_" * 4
    (tmp_path / "plus.conllup").write_text(f"{rows}\t0\troot\t_\tx\n\n")
    assert "column treebank" in refusal(lambda: trained((files[0], tmp_path / "plus.conllup")))


def with_marks(sentences):
    """Each second word and the root are marked; the other labels and tags are not those of a person."""
    result = []
    for sentence in sentences:
        heads = sentence.column("head")
        decided = [number % 2 == 0 or head == "0" for number, head in enumerate(heads)]
        columns = {
            name: tuple(value if known else "junk" for value, known in zip(sentence.column(name), decided, strict=True))
            for name in ("deprel", "xpos")
        }
        misc = tuple("Keep=Yes" if known else "_" for known in decided)
        result.append(sentence.with_columns({**columns, "misc": misc}))
    return result


@pytest.mark.parametrize("of_first", [False, True])
@needs("annotation")
def test_words_are_decided_in_each_treebank_by_its_own_marks(of_first, files, tmp_path):
    """Undecided labels and tags of one are not learned, and all words of the other are."""
    sentences = [crossarc.read_treebank(str(file)).sentences for file in files]
    paths = [tmp_path / name / "train.conllu" for name in ("One", "Other")]
    for number, path in enumerate(paths):
        path.parent.mkdir()
        part = with_marks(sentences[number]) if (number == 0) == of_first else sentences[number]
        crossarc.write_sentences(part, str(path))
    config = crossarc.load_config(
        "arc-eager",
        ["explore=1", "tags=[upos, xpos]", "features=small"],
        {"treebank.train": [str(path) for path in paths]},
    )
    model = crossarc.train(config)
    assert "junk" not in model.labels
    words = [crossarc.Sentence.from_tokens(["fish", "sees", "with", "fish"])]
    for name, tags in (("One", {"N1", "V", "P"}), ("Other", {"NN", "VB", "IN"})):
        (parsed,) = model.like(name).parse(words, retag=True)
        assert {*parsed.column("xpos")} <= tags


def test_a_treebank_without_tags_teaches_none(files, tmp_path):
    """Taggers learn a column from the treebanks that have it; a parser of gold tags refuses such a treebank."""
    bare = tmp_path / "Bare" / "train.conllu"
    bare.parent.mkdir()
    crossarc.write_sentences(
        [
            sentence.with_columns(dict.fromkeys(("upos", "xpos"), ("_",) * len(sentence)))
            for sentence in crossarc.read_treebank(str(files[1])).sentences
        ],
        str(bare),
    )
    model = trained((files[0], bare), ("tags=auto", "features=small"))
    words = [crossarc.Sentence.from_tokens(["fish", "sees", "with", "fish"])]
    for name in ("One", "Bare"):
        (parsed,) = model.like(name).parse(words, retag=True)
        assert "_" not in parsed.column("upos")
    assert "have no tags" in refusal(lambda: trained((files[0], bare), ("features=small",)))
    some = tmp_path / "Some" / "train.conllu"
    some.parent.mkdir()
    first, *others = crossarc.read_treebank(str(files[0])).sentences
    first = first.with_columns(dict.fromkeys(("upos", "xpos"), ("_",) * len(first)))
    crossarc.write_sentences([first, *others], str(some))
    assert "have no tags" in refusal(lambda: trained((some, bare), ("features=small",)))
    assert trained((some, files[1]), ("features=small",))


def test_columns_that_the_first_treebank_lacks_are_not_learned_from_another(files, tmp_path, capsys):
    bare = tmp_path / "Bare" / "train.conllu"
    bare.parent.mkdir()
    crossarc.write_sentences(
        [
            sentence.with_columns({"xpos": ("_",) * len(sentence)})
            for sentence in crossarc.read_treebank(str(files[0])).sentences
        ],
        str(bare),
    )
    told = []
    overrides = {"treebank.train": [str(bare), str(files[1])]}
    config = crossarc.load_config("arc-standard", ("tags=auto", "features=small"), overrides)
    model = crossarc.train(config, progress=told.append)
    assert f"{files[1]}: XPOS set aside, which the first treebank does not have" in told
    assert model.reads == {"xpos": "upos"}


def test_the_roots_of_every_treebank_decide_at_a_level(tmp_path):
    """The first treebank has one root in each sentence, the other two."""
    for name, heads in (("One", [2, 0, 2]), ("Two", [0, 0, 2])):
        (tmp_path / name).mkdir()
        made = [
            crossarc.Sentence.from_tokens(["a", "b", "c"], upos=["X"] * 3, heads=heads, deprels=["x", "root", "y"])
        ] * 28
        crossarc.write_sentences(made, str(tmp_path / name / "train.conllu"))
    files = [str(tmp_path / name / "train.conllu") for name in ("One", "Two")]
    for order in (files, files[::-1]):
        config = crossarc.load_config("fast", [], {"treebank.train": order})
        assert (config.root.single, config.root.label) == ("auto", "auto")
        assert not crossarc.train(config).single_root
    assert crossarc.load_config("fast", [], {"treebank.train": files[0]}).root.single is True
