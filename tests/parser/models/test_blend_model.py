"""A blend as a model: trained from a YAML, kept in one file, parsed with like any other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from crossarc.__main__ import main
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.blending.blend import blend_votes
from crossarc.parser.blending.vote_weights import Weights
from crossarc.parser.config.blend_config import is_blend_config, load_blend_config
from crossarc.parser.config.ready import ready_blends
from crossarc.parser.models.archive import read_archive, write_archive
from crossarc.parser.models.blend_model import BlendModel
from crossarc.parser.models.files import open_parser, save_model
from crossarc.parser.models.transition_model import TransitionModel
from crossarc.parser.training.blend import train_blend
from crossarc.parser.training.train import train
from crossarc.parser.treebank import Sentence, conll_text, read_sentences
from crossarc.parser.treebank.tree import trees_of
from crossarc.transitions.trees import is_tree

BLEND = """
weights: deprel
held_out: 4
shared: {features: small}
components:
  - arc-eager
  - {name: backwards, config: arc-standard, transforms: [reversal], guide.C: 0.1}
"""


@pytest.fixture
def config(tmp_path: Path, small_treebank: Path) -> Path:
    path = tmp_path / "blend.yaml"
    path.write_text(BLEND + f"treebank: {{train: {small_treebank}}}\nmodel: blend.model\n")
    return path


def test_a_blend_config_is_read(config: Path, small_treebank: Path) -> None:
    assert is_blend_config(str(config))
    assert not is_blend_config("arc-eager")
    own = load_blend_config(str(config), ["guide.C=0.2", "weights=equal"])
    assert list(own.components) == ["1 arc-eager", "backwards"]
    first, second = own.components.values()
    assert (first.features, second.features) == ("small", "small")
    assert (first.guide["C"], second.guide["C"]) == (0.2, 0.1)
    assert second.transforms == ("reversal",)
    assert (own.weights, own.held_out, own.treebank.train) == ("equal", 4, str(small_treebank))
    assert own.model == str(config.parent / "blend.model")


def test_treebanks_of_a_blend_are_settable(config: Path) -> None:
    own = load_blend_config(str(config), ["treebank.train=2019", "treebank.faulty=skip", "model=1e3", "held_out=3"])
    assert (own.treebank.train, own.treebank.faulty, own.model, own.held_out) == ("2019", "skip", "1e3", 3)
    overridden = load_blend_config(str(config), ["treebank.train=a"], {"treebank.train": "b", "model": "c"})
    assert (overridden.treebank.train, overridden.model) == ("b", "c")


def test_ready_blends() -> None:
    assert "six-parsers" in ready_blends()
    for name in ready_blends():
        assert is_blend_config(name)
        own = load_blend_config(name, ["features=small"])
        ready = load_blend_config(name).components
        plain = [component.features for key, component in own.components.items() if ready[key].features == "auto"]
        assert plain
        assert set(plain) == {"small"}
    assert len(load_blend_config("six-parsers").components) == 6


def test_trained_kept_and_parsed_with(config: Path, small_treebank: Path, tmp_path: Path) -> None:
    own = load_blend_config(str(config))
    model = train_blend(own)
    assert len(model.weights.special) == 2
    assert all(0 < weight <= 1 for weight in model.weights.overall)
    assert model.components["backwards"].provenance["train"]["sentences"] == 30
    sentences = list(read_sentences(str(small_treebank)))
    parsed = list(model.parse(sentences))
    votes = [trees_of(component.parse(sentences)) for component in model.components.values()]
    upos = [sentence.column("upos") for sentence in sentences]
    expected = blend_votes(votes, model.weights, upos, model.single_root)
    assert [(own.heads(), own.deprels()) for own in parsed] == [(list(v.heads), list(v.deprels)) for v in expected]
    assert all(is_tree(own.heads()) for own in parsed)
    path = str(tmp_path / "kept")
    save_model(model, path)
    again = open_parser(path)
    assert isinstance(again, BlendModel)
    assert again.weights == model.weights
    assert list(again.parse(iter(sentences), jobs=2)) == parsed
    with pytest.raises(CrossarcError, match=r"^<blend of .*> has no confidences; parse with one parser$"):
        list(again.parse(sentences, confidences=True))
    with pytest.raises(CrossarcError, match=r"^the input has no tags, but the model reads UPOS, XPOS, FEATS; "):
        list(again.parse([Sentence.from_tokens(["Dogs", "bark"])]))


def test_components_trained_again_on_everything(config: Path) -> None:
    own = load_blend_config(str(config), ["retrain=true"])
    model = train_blend(own)
    assert [part.provenance["train"]["sentences"] for part in model.components.values()] == [40, 40]
    first = train_blend(replace(own, retrain=False))
    assert model.weights == first.weights


CHOICE = """
choose: true
folds: 2
weights: auto
shared: {features: small}
components:
  - {name: arc-eager, config: explored, system: arc-eager}
  - {name: nothing to go by, config: arc-standard, features: {poor}}
  - {name: backwards, config: swap, transforms: [reversal]}
"""


def test_components_and_weights_are_chosen_and_trained_again_on_everything(
    small_treebank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "poor.yaml").write_text("templates:\n  - valency(Stack[0])\n")
    (tmp_path / "blend.yaml").write_text(CHOICE.replace("{poor}", str(tmp_path / "poor.yaml")))
    own = load_blend_config("blend.yaml", [], {"treebank.train": str(small_treebank), "model": "m"})
    said: list[str] = []
    model = train_blend(own, said.append)
    choice = model.provenance["choice"]
    assert list(choice["candidates"]) == list(own.components)
    assert choice["chosen"] == list(model.components)
    assert "nothing to go by" not in model.components
    assert choice["las"] >= max(choice["candidates"].values())
    (line,) = [line for line in said if line.startswith("chosen: ")]
    assert line.startswith(
        f"chosen: {', '.join(model.components)}; weights {model.weights.by}: LAS {choice['las']:.2f}"
    )
    text = model.to_text()
    assert "nothing to go by" in text.splitlines()[1]
    name, component = next(iter(model.components.items()))
    alone = train(replace(own.components[name], treebank=own.treebank))
    assert json.dumps(component.content().values) == json.dumps(alone.content().values), "trained on all sentences"
    save_model(model, "m")
    save_model(train_blend(replace(own, jobs=2)), "two")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "two").read_bytes()
    sentences = list(read_sentences(str(small_treebank)))
    assert list(open_parser("m").parse(sentences)) == list(model.parse(sentences))


def test_a_choice_needs_a_sentence_a_fold(small_treebank: Path, tmp_path: Path) -> None:
    (tmp_path / "blend.yaml").write_text(CHOICE.replace("{poor}", "plain"))
    first = list(read_sentences(str(small_treebank)))[:1]
    (tmp_path / "one.conllu").write_text("".join(map(conll_text, first)), "utf-8")
    own = load_blend_config(str(tmp_path / "blend.yaml"), [], {"treebank.train": str(tmp_path / "one.conllu")})
    with pytest.raises(CrossarcError, match=r"^folds: found 2; allowed: 1 at most, one per sentence$"):
        train_blend(own)


def test_equal_weights_need_no_sentences(config: Path) -> None:
    model = train_blend(load_blend_config(str(config), ["weights=equal"]))
    assert model.weights == Weights("equal", (1.0, 1.0))
    assert model.components["backwards"].provenance["train"]["sentences"] == 40


def test_a_single_parser_opens_as_one(trained, tmp_path: Path) -> None:
    path = str(tmp_path / "single")
    save_model(trained("arc-eager"), path)
    assert isinstance(open_parser(path), TransitionModel)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("components: [arc-eager]", "components: expected a list of two or more configs"),
        ("components: [arc-eager, arc-egaer]", "component 2: arc-egaer: cannot read the config"),
        (
            "components: [arc-eager, {system: swap}]",
            "component 2: expected a config or a mapping with the key 'config'",
        ),
        ("components: [arc-eager, {config: swap, oracel: x}]", "component 2: oracel: unknown key 'oracel'"),
        ("components: [arc-eager, swap]\nweight: pos", "unknown key 'weight' (did you mean 'weights'?)"),
        (
            "components: [arc-eager, swap]\nweights: size",
            "weights: found 'size'; allowed: equal, accuracy, pos, deprel, pos+deprel",
        ),
        ("components: [arc-eager, swap]\nheld_out: 1", "held_out: found 1; allowed: a whole number from 2"),
        ("components: [arc-eager, swap]\nheld-out: 3", "key 'held-out' is now called 'held_out'"),
        ("components: [arc-eager, swap]\nroot: {singel: true}", "unknown key 'root.singel' (did you mean"),
        ("components: [arc-eager, swap]\ntreebank: {formt: x}", "unknown key 'treebank.formt'"),
        ("components: [arc-eager, swap]\nmodel: [a]", "model: found ['a']; allowed: text"),
        ("[a]", "not a blend, expected a mapping with the key 'components'"),
        ("components: [arc-eager, {config: swap, sentences: 3}]", "component 2: sentences: key 'sentences' is now"),
        ("components: [arc-eager, swap]\nshared: small", "shared: found 'small', expected a mapping"),
        ("components: [arc-eager, swap]\nretrain: 3", "retrain: found 3; allowed: true, false"),
    ],
)
def test_wrong_blend_configs(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(CrossarcError) as caught:
        load_blend_config(str(path))
    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "components: [{config: swap, name: a}, {config: arc-eager, name: a}]",
            "{path}: two components have the name 'a'",
        ),
        ("components: {a: swap, b: swap}", "{path}: components: expected a list of two or more configs"),
        ("components: [swap, 3]", "{path}: component 2: expected a config or a mapping with the key 'config'"),
        (
            "components: [arc-eager, swap]\njobs: true",
            "{path}: jobs: found True; allowed: a whole number from 1 to {most}",
        ),
        (
            "components: [arc-eager, swap]\njobs: 0",
            "{path}: jobs: found 0; allowed: a whole number from 1 to {most}",
        ),
        (
            "components: [arc-eager, swap]\nroot: {single: maybe}",
            "{path}: root.single: found 'maybe'; allowed: auto, true, false",
        ),
        (
            "components: [arc-eager, swap]\nroot: single",
            "{path}: root: found 'single', expected a mapping with root.single",
        ),
    ],
)
def test_what_is_wrong_with_blend_configs(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(CrossarcError) as caught:
        load_blend_config(str(path))
    assert str(caught.value) == message.format(path=path, most=2**31 - 1)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("held-out=3", "--set held-out=3: key 'held-out' is now called 'held_out'"),
        ("held_out=one", "--set held_out=one: held_out: found 'one'; allowed: a whole number from 2 to {most}"),
        ("weights=", "--set weights=: weights: found no value"),
        ("guide.C", "{path}: component 1: --set guide.C: expected KEY=VALUE"),
        ("guid.C=1", "{path}: component 1: --set guid.C=1: unknown key 'guid' (did you mean 'guide'?); "),
    ],
)
def test_wrong_settings_of_blends(config: Path, setting: str, message: str) -> None:
    with pytest.raises(CrossarcError) as caught:
        load_blend_config(str(config), [setting])
    expected = message.format(path=config, most=2**31 - 1)
    assert str(caught.value)[: len(expected) if expected.endswith(" ") else None] == expected


def test_the_command_line(config: Path, small_treebank: Path, tmp_path: Path, capsys) -> None:
    model, one, two = (str(tmp_path / name) for name in ("blend.model", "1.conllu", "2.conllu"))
    assert main(["train", str(config), "--dev", str(small_treebank)]) == 0
    assert "dev: LAS" in capsys.readouterr().err
    assert main(["parse", model, str(small_treebank), "-o", one]) == 0
    assert main(["info", model]) == 0
    assert "backwards:" in capsys.readouterr().out
    assert main(["blend", one, str(small_treebank), "--learn", str(small_treebank), "--by", "deprel", "-o", two]) == 0
    assert json.loads(Path(two).read_text())["overall"][1] == 1.0
    assert main(["blend", one, str(small_treebank), "--weights", two, "-o", str(tmp_path / "3")]) == 0
    blended = [own.heads() for own in read_sentences(str(tmp_path / "3"))]
    assert blended == [own.heads() for own in read_sentences(str(small_treebank))]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a"], "blend: found one file, a; expected two or more"),
        (["-", "-"], "blend: one of the files can be standard input, not several"),
        (["a", "b", "-o", "b"], "a: cannot be read: No such file or directory"),
        (["a", "b", "--weights", "gone"], "gone: cannot read the weights: No such file or directory"),
    ],
)
def test_mistakes_take_one_line(arguments: list[str], message: str, capsys) -> None:
    assert main(["blend", *arguments]) == 1
    assert capsys.readouterr().err == f"crossarc: {message}\n"


@pytest.fixture(scope="module")
def kept(small_treebank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a blend of two parsers."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "blend.yaml").write_text(BLEND + f"treebank: {{train: {small_treebank}}}\n")
    save_model(train_blend(load_blend_config(str(folder / "blend.yaml"))), str(folder / "kept"))
    return folder / "kept"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["components"], [], "components: found a list of 0; expected a list of 1 or more, each a mapping with name"),
        (
            ["components"],
            {},
            "components: found a mapping of 0; expected a list of 1 or more, each a mapping with name",
        ),
        (["components", 1, "name"], 7, "components[1].name: found 7; expected text"),
        (
            ["components", 1, "name"],
            "1 arc-eager",
            "components[1].name: found '1 arc-eager' a second time; expected names that differ",
        ),
        (["components", 1, "kind"], "blend", "components[1].kind: found 'blend'; expected transitions or graph"),
        (
            ["components", 1, "labels"],
            None,
            "components[1].labels: found None; expected a list of 1 or more, each text without tabs and ends of lines",
        ),
        (["single_root"], "yes", "single_root: found 'yes'; expected true, false"),
        (["weights"], None, "weights: found None; expected a mapping with by, overall, special"),
        (["weights", "by"], "size", "weights: by: found 'size'; allowed: equal, accuracy, pos, deprel, pos+deprel"),
        (["weights", "overall"], [1.0], "weights: weights of 1 parsers, but 2 take part"),
        (["weights", "overall", 0], -0.5, "weights.overall[0]: found -0.5; expected a number, 0 or more"),
        (["weights", "special"], [], "weights: special: weights of 0 parsers; expected 2, weights by deprel"),
        (
            ["weights", "special", 1],
            [1],
            "weights.special[1]: found a list of 1; expected a mapping of names, each to a number, 0 or more",
        ),
        (["provenance"], 3, "provenance: found 3; expected a mapping"),
        (
            ["provenance"],
            {"choice": 3},
            "provenance.choice: found 3; expected a mapping with folds, candidates, chosen, weights, las",
        ),
    ],
)
def test_damaged_blends(kept: Path, tmp_path: Path, path: list[str | int], value: object, message: str) -> None:
    metadata, arrays = read_archive(str(kept))
    inner = metadata
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert refusal(tmp_path, metadata, arrays) == message


def test_blends_whose_arrays_are_gone_or_another_components(kept: Path, tmp_path: Path) -> None:
    metadata, arrays = read_archive(str(kept))
    for name in arrays:
        if name.startswith("component1/"):
            rest = {key: array for key, array in arrays.items() if key != name}
            assert f"array {name.rpartition('/')[2]}: found none; " in refusal(tmp_path, metadata, rest)
    swapped = {f"component{1 - int(name[9])}{name[10:]}": array for name, array in arrays.items()}
    assert refusal(tmp_path, metadata, swapped).startswith("components[0]")


def refusal(folder: Path, metadata: dict[str, Any], arrays: Mapping[str, Any]) -> str:
    """What is said of a damaged model, without the place."""
    values = {key: value for key, value in metadata.items() if key not in ("format", "version", "arrays")}
    write_archive(str(folder / "damaged"), values, arrays)
    with pytest.raises(CrossarcError) as caught:
        open_parser(str(folder / "damaged"))
    message = str(caught.value)
    assert message.startswith(f"{folder / 'damaged'}: damaged model: ")
    assert "\n" not in message
    return message.removeprefix(f"{folder / 'damaged'}: damaged model: ")
