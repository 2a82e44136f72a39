"""Feature models: ready models, files that extend other models, and errors."""

import pytest
from crossarc.parser.config.feature_files import READY_MODELS, load_features
from crossarc.parser.config.ready import ready_features
from crossarc.transitions.registry import SYSTEMS
from refusals import refusal

MODELS = ready_features()
COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "morph")


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_a_rich_model(system):
    rich, *others = (load_features(choice, system, COLUMNS) for choice in READY_MODELS if choice in MODELS[system])
    assert set(rich.columns) >= ({"form"} if SYSTEMS[system].chains else {"form", "upos"})
    assert rich.templates not in [other.templates for other in others]


@pytest.mark.parametrize("system", [name for name in SYSTEMS if "small" in MODELS[name]])
def test_small_models_have_at_most_half_the_rich_templates(system):
    rich, small = (load_features(choice, system, COLUMNS) for choice in ("rich", "small"))
    assert len(rich.templates) >= 2 * len(small.templates)


@pytest.mark.parametrize("system", [name for name in SYSTEMS if "plain" in MODELS[name]])
def test_plain_models_have_no_merges(system):
    assert all(len(template.parts) == 1 for template in load_features("plain", system, COLUMNS).templates)


@pytest.mark.parametrize("system", [name for name in SYSTEMS if "full" in MODELS[name]])
def test_full_models_extend_rich_ones_by_parts_of_morphology(system):
    rich, full = (load_features(choice, system, COLUMNS) for choice in ("rich", "full"))
    assert full.lines()[: len(rich.templates)] == rich.lines()
    assert {"feats/Case", "feats/Number", "feats/Gender", "feats/Person"} <= set(full.columns)


def test_files_are_named_from_the_file_that_extends_them(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "main.yaml").write_text("extends: sub/a.yaml\n")
    (tmp_path / "sub" / "a.yaml").write_text("extends: b.yaml\n")
    (tmp_path / "sub" / "b.yaml").write_text("templates:\n  - form(Stack[0])\n")
    (tmp_path / "b.yaml").write_text("templates:\n  - lemma(Stack[0])\n")
    for name in ("main.yaml", "sub/a.yaml"):
        assert load_features(str(tmp_path / name), "swap", COLUMNS).lines() == ["form(Stack[0])"]


def test_files_that_extend_each_other_through_folders_are_refused(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "main.yaml").write_text("extends: ../d/main.yaml\n")
    assert "extends itself" in refusal(lambda: load_features(str(tmp_path / "d" / "main.yaml"), "swap", COLUMNS))


def test_files_extend_other_files_and_ready_models(tmp_path):
    (tmp_path / "own.yaml").write_text("extends: other.yaml\ntemplates:\n  - form(Stack[7])\n")
    (tmp_path / "other.yaml").write_text("extends: swap-small\ntemplates:\n  - form(Stack[8])\n")
    model = load_features(str(tmp_path / "own.yaml"), "swap", COLUMNS)
    ready = load_features("small", "swap", COLUMNS)
    assert model.lines() == [*ready.lines(), "form(Stack[8])", "form(Stack[7])"]


def refused(choice):
    return refusal(lambda: load_features(choice, "arc-standard", COLUMNS))


def test_an_unknown_choice_is_refused():
    assert refused("smal") == (
        "features: found 'smal' (did you mean 'small'?); "
        "allowed: auto, rich, full, small, plain, full-inflected, full-places, full-positional, a file ending in .yaml"
    )


def test_files_that_cannot_be_read_are_refused(tmp_path):
    missing, binary = tmp_path / "no.yaml", tmp_path / "binary.yaml"
    binary.write_bytes(b"templates:\n  - f\xffrm(Stack[0])\n")
    assert refused(str(missing)) == f"{missing}: cannot read the feature model: No such file or directory"
    assert refused(str(binary)) == f"{binary}: cannot read the feature model: not UTF-8"


SMALL = load_features("small", "arc-standard", None)


def test_errors_name_file_and_line(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text("templates:\n  - form(Stack[0])\n  - form(LeftContext[0])\n")
    template = "template 'form(LeftContext[0])'"
    assert refused(str(path)) == f"{path}:3: {template}: unknown source 'LeftContext'; allowed: Stack, Input, Lookahead"
    path.write_text("\nextends: arc-standard-smal\n")
    assert refused(str(path)).startswith(
        f"{path}:2: extends: no ready feature model is called 'arc-standard-smal' (did you mean 'arc-standard-small'?)"
    )
    path.write_text("extends: small\n")
    assert refused(str(path)).startswith(f"{path}:1: extends: no ready feature model is called 'small'")
    assert "allowed: arc-eager-small, arc-hybrid-small, " in refused(str(path))
    assert "rich" not in refused(str(path))
    assert load_features("arc-standard-small", "swap", None).templates == SMALL.templates
    path.write_text("extends: none.yaml\n")
    reason = "cannot read the feature model: No such file or directory"
    assert refused(str(path)) == f"{path}:1: extends: {tmp_path / 'none.yaml'}: {reason}"
