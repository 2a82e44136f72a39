"""Configs: defaults, layers, paths, and user errors, each reported in one line."""

import re
import shlex
from functools import reduce
from pathlib import Path

import pytest
from crossarc.parser.base.parameters import parameters_of
from crossarc.parser.config.config import KINDS, Config, RootOptions, ThreeStepConfig, TreebankOptions, all_keys
from crossarc.parser.config.loading import OF_TAGGERS, load_config, make_config, saved_values
from crossarc.parser.config.ready import LEVELS, ready_blends, ready_configs
from crossarc.parser.learners.registry import make_learner
from crossarc.parser.transforms.registry import parse_transform
from installed import needs
from refusals import refusal


def written(folder, text):
    path = folder / "config.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def refused(*arguments):
    return refusal(lambda: load_config(*arguments))


def test_an_empty_config_has_all_defaults(tmp_path):
    assert load_config(written(tmp_path, "")) == Config()


@pytest.mark.parametrize("name", ready_configs())
def test_ready_configs_have_valid_guides_and_transforms(name):
    config = load_config(name)
    if isinstance(config, Config):
        make_learner(config.guide)
    assert [parse_transform(spec).name for spec in config.transforms] == (
        ["pseudo-projective"] if name == "pseudo-projective" else []
    )


VALUES = {
    "system": ("swap", "swap"),
    "underivable": ("skip", "skip"),
    "root.single": ("true", True),
    "treebank.format": ("conllu", "conllu"),
    "treebank.columns": ("predicted", "predicted"),
    "treebank.decided": ("keep", "keep"),
    "treebank.faulty": ("skip", "skip"),
    "treebank.name": ("UD_Own", "UD_Own"),
    "treebank.version": ("2.5", "2.5"),
    "treebank.licence": ("CC BY 4.0", "CC BY 4.0"),
    "oracle": ("static", "static"),
    "features": ("small", "small"),
    "root.label": ("no", "no"),
    "treebank.train": ("2019", "2019"),
    "treebank.dev": ("a=b.conllu", "a=b.conllu"),
    "model": ("out.model", "out.model"),
    "guide": ("{C: 1e-2}", {"learner": "svm", "C": 0.01}),
    "transforms": ("[a, b]", ("a", "b")),
    "beam": ("8", 8),
    "input": ("words", "words"),
    "tags": ("[upos]", ("upos",)),
    "passes": ("rich", "rich"),
    "explore": ("2", 2),
    "constraints": ("learned", "learned"),
    "also": ("[a.conllu]", ("a.conllu",)),
    "raw": ("[a.txt, b.txt]", ("a.txt", "b.txt")),
    "classes": ("c", "c"),
    "lexicon": ("l.tsv", "l.tsv"),
    "tag_directions": ("1", 1),
    "tag_candidates": ("4", 4),
    "tag_features": ("t.yaml", "t.yaml"),
    "lemma_features": ("l.yaml", "l.yaml"),
    "graph.order": ("1", 1),
    "graph.candidates": ("9", 9),
    "graph.nonprojective": ("none", "none"),
    "graph.epochs": ("3", 3),
    "graph.table_bits": ("20", 20),
}
NEEDED = {**dict.fromkeys(OF_TAGGERS, "tags: auto"), "graph": "system: graph", "passes": "system: three-step"}
"""The config text that each section needs for its keys to have an effect."""
FREE = ("text", "a learner and its parameters")


def value_of(key, config):
    return reduce(getattr, key.split("."), config)


@pytest.mark.parametrize("key", all_keys())
def test_every_key_is_settable(key, tmp_path):
    text, value = VALUES[key]
    config = load_config(written(tmp_path, NEEDED.get(key.split(".")[0], "")), [f"{key}={text}"])
    assert value_of(key, config) == value != value_of(key, type(config)(treebank=TreebankOptions()))


@pytest.mark.parametrize("key", [key for key, parameter in all_keys().items() if parameter.allowed.words not in FREE])
def test_invalid_values_are_refused_with_key_and_allowed_values(key, tmp_path):
    message = f"{key}: found -1; allowed: {all_keys()[key].allowed.words}"
    path = written(tmp_path, NEEDED.get(key.split(".")[0], ""))
    assert refused(path, [f"{key}=-1"]) == f"--set {key}=-1: {message}"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (["guide.C=0.2", "guide.min_count=3"], {"learner": "svm", "C": 0.2, "min_count": 3}),
        (["guide.learner=knn", "guide.k=3"], {"learner": "knn", "k": 3}),
        (["guide.k=3", "guide.learner=knn"], {"learner": "knn", "k": 3}),
        (["guide.learner=svm-poly"], {"learner": "svm-poly"}),
        (["guide.learner=svm"], {"learner": "svm", "C": 0.05}),
    ],
)
def test_only_another_learner_drops_earlier_parameters(settings, expected, tmp_path):
    path = written(tmp_path, "guide: {learner: svm, C: 0.05}")
    assert load_config(path, settings).guide == expected


def test_settings_replace_file_values_and_overrides_replace_both(tmp_path):
    path = written(tmp_path, "beam: 1\ntreebank: {train: a}\n")
    assert load_config(path, ["beam=2"]).beam == 2
    assert load_config(path, ["beam=2"], {"beam": 3}).beam == 3
    assert load_config(path, [], {"treebank.train": tmp_path / "b"}).treebank.train == str(tmp_path / "b")


def test_paths_are_relative_to_config_or_working_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("CROSSARC_SOMEWHERE", "/data")
    monkeypatch.setenv("HOME", "/home/me")
    text = """
        model: out/m
        features: mine.yaml
        treebank: {train: "${CROSSARC_SOMEWHERE}/t.conllu", dev: ~/d.conllu}
    """
    config = load_config(written(tmp_path, text))
    assert config.model == f"{tmp_path}/out/m"
    assert config.features == f"{tmp_path}/mine.yaml"
    assert (config.treebank.train, config.treebank.dev) == ("/data/t.conllu", "/home/me/d.conllu")
    assert load_config(written(tmp_path, text), ["model=m2"]).model == "m2"
    assert load_config(written(tmp_path, "features: small")).features == "small"


def test_files_of_constraints_are_relative_to_the_config(tmp_path):
    config = load_config(written(tmp_path, "constraints: once.yaml"))
    assert config.constraints == f"{tmp_path}/once.yaml"
    assert load_config(written(tmp_path, "constraints: learned")).constraints == "learned"


@needs("further_learners")
def test_arguments_of_a_classifier_are_set_one_by_one(tmp_path):
    text = "guide: {learner: plugin, parameters: {alpha: 1, fit_prior: false}}"
    config = load_config(written(tmp_path, text), ["guide.parameters.alpha=0.5", "guide.parameters.binarize=0.1"])
    assert config.guide["parameters"] == {"alpha": 0.5, "fit_prior": False, "binarize": 0.1}
    assert make_config(saved_values(config.to_json())).guide == config.guide
    assert load_config(written(tmp_path, text), ["guide.learner=svm"]).guide == {"learner": "svm"}
    whole = "guide: {learner: plugin, parameters: {class_weight: {0: 2.0}, a.b: 1}}"
    assert load_config(written(tmp_path, whole)).guide["parameters"] == {"class_weight": {0: 2.0}, "a.b": 1}
    assert "guide.C is 1" in refusal(lambda: load_config(written(tmp_path, "guide: {C: 1}"), ["guide.C.x=2"]))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("root: {single: false}\nroot.single: true", "root.single"),
        ("treebank.train: a\ntreebank: {train: b}", "treebank.train"),
        ("also: [x]\ntreebank.train: [a, b]", "also"),
    ],
)
def test_keys_are_set_once_in_a_file(text, key, tmp_path):
    assert f"{key} is given twice" in refusal(lambda: load_config(written(tmp_path, text)))


def test_a_folder_does_not_hide_a_ready_config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "swap").mkdir()
    assert load_config("swap").system == "swap"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("systm: swap", "unknown key 'systm' (did you mean 'system'?); allowed: system, "),
        ("treebank: {trian: x}", "unknown key 'treebank.trian' (did you mean 'treebank.train'?); allowed: treebank."),
        ("system: swapp", "system: found 'swapp' (did you mean 'swap'?); allowed: arc-standard, "),
        ("system:", "system: found no value"),
        ("treebank: x.conllu", "treebank: found 'x.conllu', expected a mapping with treebank.train, "),
        ("components: [swap, swap]", "is a blend of several parsers; use load_blend_config, or crossarc train"),
        ("model: 5", "model: found 5; allowed: text"),
        ('model: "a\\0b"', "model: 'a\\x00b': not a valid file name"),
        ("model: ${CROSSARC_NOT_SET}/m", "model: ${CROSSARC_NOT_SET}/m: the environment variable CROSSARC_NOT_SET is"),
        ("system: swap\nguide: [", "line 2: not YAML: expected the node content"),
    ],
)
@needs("blending")
def test_errors_in_configs_are_reported_in_one_line(tmp_path, text, message):
    path = written(tmp_path, text)
    assert refused(path).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("model", "--set model: expected KEY=VALUE"),
        ("guide.C=[", "--set guide.C=[: line 1: not YAML: expected the node content, but found '<stream end>'"),
        ("=3", "--set =3: unknown key ''"),
        ("oracle=eagre", "oracle of swap: found 'eagre' (did you mean 'eager'?); allowed: auto, lazy, eager"),
    ],
)
def test_errors_in_settings_are_reported_in_one_line(setting, message):
    assert refused("swap", [setting]).startswith(message)


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (Config, {"system": "swap", "oracle": "eagre"}, "oracle of swap: found 'eagre' (did you mean 'eager'?)"),
        (Config, {"input": "speech"}, "input: found 'speech'"),
        (TreebankOptions, {"format": "conll"}, "treebank.format: found 'conll'"),
        (RootOptions, {"single": 1}, "root.single: found 1; allowed: auto, true, false"),
    ],
)
def test_configs_made_in_python_are_checked(kind, values, message):
    assert message in refusal(lambda: kind(**values))


def test_each_system_has_a_default_oracle():
    assert Config(system="swap").oracle_name == "lazy"
    assert Config(system="swap", oracle="eager").oracle_name == "eager"
    assert ThreeStepConfig().oracle_name == "static"


@pytest.mark.parametrize(
    ("settings", "overrides", "message"),
    [
        ("features=small", None, "settings: found 'features=small', expected a list of texts like 'guide.C=0.2'"),
        ([], ["model"], "overrides: found ['model'], expected a mapping from keys to values"),
        ([], {3: 3}, "3: unknown key '3'"),
    ],
)
def test_settings_and_overrides_of_the_wrong_type_are_refused(settings, overrides, message):
    assert refused("swap", settings, overrides).startswith(message)


@needs("further_learners")
def test_settings_and_overrides_are_given_together():
    """A learner in one drops parameters of the config, not those in the other."""
    for settings, overrides in (
        (["guide.C=0.7"], {"guide.learner": "maxent"}),
        (["guide.learner=maxent"], {"guide.C": 0.7}),
        (["guide.learner=maxent", "guide.C=0.7"], None),
    ):
        assert load_config("svm-poly", settings, overrides).guide == {"learner": "maxent", "C": 0.7}
    replaced = load_config("swap", ["guide.learner=maxent", "guide.max_iter=7"], {"guide.learner": "svm"})
    assert replaced.guide == {"learner": "svm"}


def test_unreadable_configs_are_refused(tmp_path):
    names = {"levels": LEVELS, "ready configs": ready_configs(), "ready blends": ready_blends()}
    listed = "".join(f"; {what}: {', '.join(own)}" for what, own in names.items() if own)
    assert refused(str(tmp_path)) == f"{tmp_path}: cannot read the config: Is a directory{listed}"
    missing = f"swapp: cannot read the config: No such file or directory{listed}"
    assert refused("swapp") == f"{missing} (did you mean 'swap'?)"
    (tmp_path / "latin").write_bytes(b"system: \xe9")
    assert refused(str(tmp_path / "latin")).startswith(f"{tmp_path}/latin: cannot read the config: not UTF-8")


def test_every_key_is_described_and_its_default_is_allowed():
    for name, key in all_keys().items():
        assert key.allowed.holds(key.default), name
        assert key.meaning
        kinds = [kind for kind in KINDS.values() if name in parameters_of(kind)]
        assert kinds
        assert all(value_of(name, kind()) == key.default for kind in kinds if name != "system")


MALT = Path(__file__).parents[3] / "experiments" / "guides" / "moving.md"


@pytest.mark.parametrize("quoted", [True, False])
def test_transforms_of_the_pages_can_be_pasted_into_a_shell(quoted):
    """Outer quotes make a setting one word. Without them, the shell removes the inner quotes."""
    shown = re.findall(r"`(?:\S+ )?('transforms=\[.*?\]')`", MALT.read_text("utf-8"))
    assert any("order=deepest,search=papers" in setting for setting in shown)
    for setting in shown:
        (word,) = shlex.split(setting if quoted else setting.strip("'"))
        specs = load_config("arc-eager", [word]).transforms
        assert [parse_transform(spec).name for spec in specs] == ["pseudo-projective"]
        assert f'["{specs[0]}"]' in setting


@pytest.mark.parametrize(
    ("settings", "overrides"),
    [
        (["treebank={train: [a, b]}", "also=[c]"], None),
        (["also=[c]", "treebank={train: [a, b]}"], None),
        ([], {"treebank.train": ["a", "b"], "also": ["c"]}),
    ],
)
def test_a_list_of_training_treebanks_stands_beside_no_others(settings, overrides):
    assert "found a list beside also" in refusal(lambda: load_config("swap", settings, overrides))
    assert load_config("swap", ["also=[a]", "also=[b]"]).also == ("b",)
