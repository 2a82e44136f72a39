"""Levels of effort: settings chosen by the profile of a treebank, and training with them."""

import json
from dataclasses import replace
from pathlib import Path

import crossarc
import pytest
from command_line import conllu, run
from crossarc.oracles.registry import DYNAMIC_ORACLES
from crossarc.parser.config.config import systems
from crossarc.parser.config.loading import Document, load_any_config, load_config
from crossarc.parser.config.ready import LEVELS
from crossarc.parser.plugins.levels.choice import choose
from crossarc.parser.plugins.levels.profile import Column, profile
from crossarc.parser.training.train import train_any
from installed import needs

pytestmark = needs("graph")

SPARSE = "1\ta\t_\t_\t_\t_\t2\tdep\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n3\tc\t_\t_\t_\t_\t2\tdep\t_\t_\n\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 60, rate=0.5), "utf-8")
    Path("dev.conllu").write_text(conllu(61, 20, rate=0.5), "utf-8")
    return tmp_path


@pytest.fixture
def facts(here):
    return profile("train.conllu")


@pytest.mark.parametrize(
    ("crossing", "level", "expected"),
    [
        (0.0, "fast", {"system": "arc-standard", "features": "small"}),
        (0.99, "accurate", {"system": "arc-standard", "features": "full-inflected", "explore": 1, "beam": 4}),
        (1.0, "accurate", {"system": "swap", "features": "full-inflected", "explore": 0, "beam": 4}),
        (2.82, "fast", {"system": "arc-standard", "transforms": ["pseudo-projective:encoding=head"]}),
        (12.08, "fast", {"system": "swap", "oracle": "lazy", "features": "small"}),
        (12.08, "most-accurate", {"weights": "equal"}),
    ],
)
@needs("blending")
def test_profile_determines_the_settings(facts, crossing, level, expected):
    values, reasons = choose(level, replace(facts, crossing=crossing, words=10_000))
    assert {key: values[key] for key in expected} == expected
    assert len(reasons) == 3
    assert f"{crossing:.2f} % of the arcs cross" in reasons[0]
    assert ("transforms" in values) == ("transforms" in expected)


def test_number_of_words_determines_exploration_and_penalty(facts):
    sizes = (9_999, 10_000, 200_000)
    found = [choose("accurate", replace(facts, words=words, crossing=0.5))[0] for words in sizes]
    assert [values["explore"] for values in found] == [0, 1, 1]
    assert [values["guide"]["C"] for values in found] == [0.02, 0.01, 0.02]
    swaps = [choose("accurate", replace(facts, words=words, crossing=5.0))[0] for words in sizes]
    assert [values["explore"] for values in swaps] == [0, 0, 0]
    assert [values["guide"]["C"] for values in swaps] == [0.02, 0.01, 0.02]


@pytest.mark.parametrize(
    ("crossing", "lifts"), [(0.3, ()), (1.2, ("pseudo-projective",)), (12.0, ("pseudo-projective:encoding=path",))]
)
@pytest.mark.parametrize(("words", "C", "explore"), [(300, 0.02, 0), (40_000, 0.01, 1), (200_000, 0.02, 1)])
@needs("blending")
def test_profile_determines_the_components_of_the_blend(facts, crossing, lifts, words, C, explore):
    values, _ = choose("most-accurate", replace(facts, words=words, crossing=crossing))
    config = load_any_config(Document("most-accurate", values))
    assert isinstance(config, crossarc.BlendConfig)
    graph, *others = config.components.values()
    assert (graph.system, graph.transforms) == ("graph", ())
    assert [other.system for other in others] == ["arc-standard", "arc-eager", "arc-hybrid-swap"]
    assert [config.transforms for config in others] == [lifts, lifts, ()]
    for own in others:
        assert (own.features, own.guide["C"], own.explore, own.beam) == ("full-inflected", C, explore, 4)


@pytest.mark.parametrize(
    ("tag", "features"), [("n-s---mn-", "full-positional"), ("n-s-mn", "full-inflected"), ("_", "full-inflected")]
)
def test_positional_tags_determine_the_features(here, tag, features):
    rows = (f"{word}\tw\tw\tn\tn\t{tag}\t{head}\tx\t_\t_\n" for word, head in ((1, 0), (2, 1)))
    Path("tags.conllu").write_text("".join(rows) + "\n" + SPARSE, "utf-8")
    assert choose("accurate", profile("tags.conllu"))[0]["features"] == features
    if features == "full-positional":
        assert run("train", "accurate", "--train", "tags.conllu", "--model", "own.model", "-q") == 0


@pytest.mark.parametrize(
    ("filled", "whole", "features"),
    [(69.9, False, "full-inflected"), (69.9, True, "full-inflected"), (70.0, True, "full-places")],
)
def test_share_of_words_with_feats_determines_the_features(facts, filled, whole, features):
    columns = (Column("lemma", 100.0, 50), Column("feats", filled, 20, whole=whole))
    values, reasons = choose("accurate", replace(facts, columns=columns))
    assert values["features"] == features
    assert reasons[1].startswith(f"features {features}: ")


def test_reasons_state_the_figures_of_studies(facts):
    studies = Path(crossarc.__file__).parent / "experiments"
    techniques, paper = (
        json.loads((studies / folder / "results.json").read_text("utf-8"))["figures"]
        for folder in ("studies/techniques", "papers/kuhlmann_nivre_2010")
    )
    reasons = {share: choose("fast", replace(facts, crossing=share))[1][0] for share in (0.1, 1.0, 12.0)}
    greek, danish = techniques["Ancient_Greek-AGDT"], paper["Danish-CDT"]
    share, gain = greek["statistics"]["nonprojective_arcs_percent"], greek["rows"]["swap"]["gain"]
    assert f"{gain:.2f} LAS better in a study with {share:.2f} %" in reasons[12.0]
    share = danish["statistics"]["train"]["nonprojective_arcs_percent"]
    gain = danish["performance"]["P1"]["las"] - danish["performance"]["P0"]["las"]
    assert f"{gain:.2f} LAS better in a study with {share:.2f} %" in reasons[1.0]
    few = [
        node["rows"]
        for node in techniques.values()
        if node.get("statistics", greek["statistics"])["nonprojective_arcs_percent"] < 1
    ]
    assert len(few) == 7
    compared = [rows[name] for rows in few for name in ("pseudo-projective", "swap")]
    assert not [row for row in compared if row["gain"] > 0 and row["p"] < 0.05]
    assert "neither pseudo-projective labels nor swap gained significantly below 1 %" in reasons[0.1]


@pytest.mark.parametrize("level", ["fast", "accurate"])
def test_init_writes_the_config_that_train_uses(here, capsys, level):
    Path("sub").mkdir()
    dev = ["dev.conllu"] if level == "accurate" else []
    assert run("init", "train.conllu", *dev, "--level", level, "-o", "sub/own.yaml") == 0
    assert run("train", "sub/own.yaml", "-q") == 0
    capsys.readouterr()
    files = ["--train", "train.conllu", *(["--dev", *dev] if dev else [])]
    assert run("train", level, *files, "--model", "level.model") == 0
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith(f"{level}: ")]
    head = " ".join(Path("sub/own.yaml").read_text("utf-8").partition("\n\n")[0].split("\n# "))
    assert head.partition(" - ")[2] == " - ".join(f"{line.removeprefix(f'{level}: ')}." for line in told)
    assert len(told) == 3
    assert Path("level.model").read_bytes() == Path("sub/my.model").read_bytes()


def test_settings_override_the_level_and_its_reasons(here):
    told = []
    settings = ["system=swap", "features=small", "treebank.train=train.conllu"]
    config = load_config("fast", settings, progress=told.append)
    assert (config.system, config.features) == ("swap", "small")
    assert {line.split()[0] for line in told} == {"fast:"}
    assert not config.transforms  # swap derives crossing arcs
    assert not [line for line in told if "arc-standard" in line or "features small" in line]


@pytest.mark.parametrize("level", ["fast", "accurate"])
@pytest.mark.parametrize("system", systems())
def test_a_level_with_another_system_sets_aside_what_it_cannot_use(here, level, system):
    said = []
    config = load_any_config(level, [f"system={system}"], {"treebank.train": "train.conllu"}, progress=said.append)
    assert config.system == system
    if getattr(config, "explore", 0):
        assert system in DYNAMIC_ORACLES
    chosen, _ = choose(level, profile("train.conllu"))
    aside = chosen.get("explore") and system not in DYNAMIC_ORACLES
    assert any(f"{system} has no" in line for line in said) or not aside


def test_levels_skip_invalid_trees_where_training_does(here, capsys):
    Path("train.conllu").write_text(f"{SPARSE}1\ta\t_\t_\t_\t_\t9\tdep\t_\t_\n\n", "utf-8")
    words = ["-q", "train", "fast", "--train", "train.conllu", "--model", "own.model"]
    assert run(*words) == 1
    assert "HEAD '9' out of range" in capsys.readouterr().err
    assert run(*words, "--set", "treebank.faulty=skip") == 0


def test_training_without_a_config_uses_level_accurate(here, capsys):
    Path("train.conllu").write_text(SPARSE, "utf-8")
    assert run("train", "--train", "train.conllu", "--model", "own.model") == 0
    first = capsys.readouterr().err.splitlines()[0]
    assert first == "no CONFIG given: training as level accurate"
    assert run("train", "accurate", "--train", "train.conllu", "--model", "level.model", "-q") == 0
    assert Path("own.model").read_bytes() == Path("level.model").read_bytes()


def test_files_with_the_name_of_a_level_override_it(here):
    Path("fast").write_text("system: swap\nfeatures: small\n", "utf-8")
    Path("train.conllu").write_text(SPARSE, "utf-8")
    assert run("train", "fast", "--train", "train.conllu", "--model", "own.model", "-q") == 0
    assert crossarc.load_model("own.model").config["system"] == "swap"


@pytest.mark.filterwarnings("ignore:the input has values of")
@pytest.mark.parametrize("level", ["accurate", "most-accurate"])
@needs("blending")
def test_levels_predict_tags(here, level):
    """The parser returns the same sentences from words alone and from words with its own tags."""
    Path("train.conllu").write_text(conllu(1, 12), "utf-8")
    config = load_any_config(level, ["tags=auto"], {"treebank.train": "train.conllu"})
    if isinstance(config, crossarc.BlendConfig):
        components = {name: own for name, own in config.components.items() if own.tags == "auto"}
        assert components == config.components
        config = replace(config, components={name: components[name] for name in ("arc-standard", "arc-hybrid-swap")})
    model = train_any(config)
    assert {"upos", "xpos", "lemma"} <= set(model.filled)
    tagged = list(model.parse([["The", "dog", "barks"]]))
    assert "_" not in tagged[0].column("upos")
    assert list(model.parse(tagged)) == tagged


@pytest.mark.parametrize(
    ("level", "text"),
    [
        ("fast", SPARSE),
        ("accurate", SPARSE * 3),
        ("accurate", SPARSE.replace("\t2\t", "\t0\t") * 4),
        ("accurate", conllu(1, 3, rate=1.0)),
    ],
    ids=["fast", "sparse", "many roots", "crossing"],
)
def test_levels_train_on_tiny_treebanks(here, level, text):
    Path("train.conllu").write_text(text, "utf-8")
    assert run("train", level, "--train", "train.conllu", "--model", "own.model", "-q") == 0
    parsed = list(crossarc.load_model("own.model").parse(crossarc.read_sentences("train.conllu")))
    assert all(sentence.heads().count(0) >= 1 for sentence in parsed)


def test_unknown_levels_are_refused(facts):
    with pytest.raises(crossarc.CrossarcError, match=f"allowed: {', '.join(LEVELS)}"):
        choose("slow", facts)


@needs("blending", "interfaces")
def test_levels_stand_wherever_a_config_does(here, capsys):
    files = {"treebank.train": "train.conllu"}
    sentences = list(crossarc.read_sentences("train.conllu"))
    config = crossarc.load_config("fast", ["guide.C=0.5"], files)
    assert config.guide["C"] == 0.5
    given = crossarc.load_config("fast", ["guide.C=0.5"], sentences=sentences)
    assert given == replace(config, treebank=replace(config.treebank, train=""))
    assert crossarc.load_blend_config("most-accurate", (), files).weights == "equal"
    parser = crossarc.DependencyParser("fast", C=0.5).fit(sentences)
    assert parser.model_.config["guide"] == config.to_json()["guide"]
    Path("own.yaml").write_text("components: [fast, {config: accurate, guide.C: 0.1}]\n", "utf-8")
    first, second = crossarc.load_blend_config("own.yaml", (), files).components.values()
    assert (first.features, second.guide["C"]) == ("small", 0.1)
    assert run("list", "configs") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[:3]] == list(LEVELS)
