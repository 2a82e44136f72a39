"""Configs of blends: keys, settings of commands, and user errors, each reported in one line."""

import pytest
from crossarc.parser.config.loading import read_document
from crossarc.parser.config.ready import ready_blends
from crossarc.parser.plugins.blending.config import load_blend_config, options_of_blends
from handmade import BLEND
from refusals import refusal


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "blend.yaml"
    path.write_text(BLEND + "treebank: {train: /data/train.conllu}\nmodel: blend.model\n")
    return path


def test_a_blend_config_is_read(config):
    assert read_document(config).loader
    assert not read_document("arc-eager").loader
    own = load_blend_config(str(config), ["guide.C=0.2", "weights=equal"])
    assert list(own.components) == ["1 arc-eager", "backwards"]
    first, second = own.components.values()
    assert (first.features, second.features) == ("small", "small")
    assert (first.guide["C"], second.guide["C"]) == (0.2, 0.2)  # settings rank above what a component says
    assert second.transforms == ("reversal",)
    assert (own.weights, own.treebank.train) == ("equal", "/data/train.conllu")
    assert own.model == str(config.parent / "blend.model")


def test_files_of_components_are_relative_to_the_config(tmp_path):
    path = tmp_path / "blend.yaml"
    path.write_text("components: [swap, {config: arc-standard, features: own.yaml}]\nconstraints: once.yaml\n")
    blend = load_blend_config(str(path))
    assert list(blend.components.values())[1].features == str(tmp_path / "own.yaml")
    assert blend.constraints == str(tmp_path / "once.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "shared: {constraints: learned}\ncomponents: [swap, arc-standard]",
        "components: [swap, {config: arc-standard, constraints: learned}]",
    ],
)
def test_constraints_are_those_of_the_blend(text, tmp_path):
    path = tmp_path / "blend.yaml"
    path.write_text(text)
    assert "constraints: a blend has one" in refusal(lambda: load_blend_config(str(path)))


def test_treebanks_of_a_blend_are_settable(config):
    own = load_blend_config(str(config), ["treebank.train=2019", "treebank.faulty=skip", "model=1e3"])
    assert (own.treebank.train, own.treebank.faulty, own.model) == ("2019", "skip", "1e3")
    overridden = load_blend_config(str(config), ["treebank.train=a"], {"treebank.train": "b", "model": "c"})
    assert (overridden.treebank.train, overridden.model) == ("b", "c")


@pytest.mark.parametrize("setting", ["features=small", "beam=7", "explore=0", "transforms=[]", "guide.C=7"])
@pytest.mark.parametrize("by_key", [False, True])
def test_settings_apply_to_all_components_that_know_them(setting, by_key):
    """Whatever the components and the section ``shared`` say."""
    key, _, text = setting.partition("=")
    value = {"features": "small", "transforms": ()}.get(key, int(text) if text.isdigit() else text)
    for name in ready_blends():
        chosen = ((), {key: [] if key == "transforms" else value}) if by_key else ([setting], None)
        for component in load_blend_config(name, *chosen).components.values():
            section, _, inner = key.partition(".")
            if (found := getattr(component, section, None)) is not None:
                assert (found[inner] if inner else found) == value
    assert len(load_blend_config("six-parsers").components) == 6


def test_further_treebanks_go_with_the_treebank_that_they_belong_to(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(f"{TWO}\nshared: {{also: [b]}}\ntreebank: {{train: a}}\n")

    def further(*settings):
        return {component.also for component in load_blend_config(str(path), *settings).components.values()}

    assert further() == {(str(tmp_path / "b"),)}
    for replaced in ((["treebank.train=c"],), ((), {"treebank.train": "c"}), ((), {"treebank": {"train": "c"}})):
        assert load_blend_config(str(path), *replaced).treebank.train == "c"
        assert further(*replaced) == {()}
    assert further(["also=[d]"], {"treebank.train": "c"}) == {("d",)}


TWO = "components: [arc-eager, swap]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("components: [arc-eager]", "components: expected a list of two or more configs"),
        ("components: [arc-eager, arc-egaer]", "component 2: arc-egaer: cannot read the config"),
        ("components: [swap, {system: swap}]", "component 2: expected a config or a mapping with the key 'config'"),
        ("components: [arc-eager, {config: swap, oracel: x}]", "component 2: oracel: unknown key 'oracel'"),
        ("components: [{config: swap, name: a}, {config: arc-eager, name: a}]", "two components have the name 'a'"),
        (f"{TWO}\nweight: pos", "unknown key 'weight' (did you mean 'weights'?)"),
        (f"{TWO}\nroot: single", "root: found 'single', expected a mapping with root.single"),
        (f"{TWO}\ntreebank: {{formt: x}}", "unknown key 'treebank.formt'"),
        (f"{TWO}\nmodel: [a]", "model: found ['a']; allowed: text"),
        (f"{TWO}\nshared: small", "shared: found 'small', expected a mapping"),
        (f"{TWO}\nshared: {{treebank: {{dev: x}}}}", "shared: treebank.dev: a blend has one; write it beside"),
        (f"{TWO}\nshared: {{model: x}}", "shared: model: a blend has one; write it beside 'components'"),
        ("components: [swap, {config: swap, model: x}]", "component 2: 2 swap: model: a blend has one"),
        (f"{TWO}\nweights: auto", "weights: found 'auto' without choose: true; allowed: equal, accuracy, pos, deprel"),
        ("system: swap", "not a blend, expected a mapping with the key 'components'"),
        ("[a]", "expected a mapping; allowed: keys system, "),
    ],
)
def test_errors_in_blends_are_reported_in_one_line(tmp_path, text, message):
    path = tmp_path / "own.yaml"
    path.write_text(text)
    assert refusal(lambda: load_blend_config(str(path))).startswith(f"{path}: {message}")


INVALID = {
    f"{key}=-1": f"{key}: found -1; allowed: {parameter.allowed.words}"
    for key, parameter in options_of_blends().items()
}
INVALID |= {"guide.C": "expected KEY=VALUE", "guid.C=1": "unknown key 'guid' (did you mean 'guide'?); "}


@pytest.mark.parametrize("setting", INVALID)
def test_invalid_settings_are_refused_with_key_and_allowed_values(config, setting):
    message = f"--set {setting}: {INVALID[setting]}"
    assert refusal(lambda: load_blend_config(str(config), [setting])).startswith(message)
