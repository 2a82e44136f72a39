"""The key of a training: every setting and the contents of every file that decide what is learned."""

import pytest
from crossarc.parser.config.loading import load_config
from crossarc.parser.training.prepare import training_key
from installed import needs

FILES = {
    "also=[NAME]": "x.conllu",
    "raw=[NAME]": "x.txt",
    "classes=NAME": "x.classes",
    "constraints=NAME": "x.yaml",
    "lexicon=NAME": "x.tsv",
    "tag_features=NAME": "x.yaml",
    "lemma_features=NAME": "x.yaml",
    'transforms=["verb-groups:profile=NAME"]': "x.yaml",
}
CONTENTS = {
    "tag_features=NAME": ("templates: ['form(Input[0])']", "templates: ['form(Input[1])']"),
    "lemma_features=NAME": ("templates: ['form(Input[0])']", "templates: ['form(Input[1])']"),
    'transforms=["verb-groups:profile=NAME"]': ("auxiliaries: [aux]", "auxiliaries: [cop]"),
}


def key(folder, setting, name, text):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    return training_key(load_config("arc-standard", ["tags=[upos]", setting.replace("NAME", str(folder / name))]))


@pytest.mark.parametrize("setting", FILES)
@needs("styles", "tagging", "word_classes")
def test_the_contents_of_each_file_count_and_its_folder_does_not(setting, tmp_path):
    one, other = CONTENTS.get(setting, ("one", "other"))
    first = key(tmp_path / "a", setting, FILES[setting], one)
    without = training_key(load_config("arc-standard", ["tags=[upos]"]))
    assert first != without
    assert key(tmp_path / "a", setting, FILES[setting], other) != first
    if "transforms" not in setting:  # whose parameters name the file
        assert key(tmp_path / "b", setting, FILES[setting], one) == first


@pytest.mark.parametrize(
    "setting", ["treebank.decided=keep", "treebank.faulty=skip", "guide.C=3", "beam=2", "explore=1"]
)
def test_each_setting_counts(setting):
    config = "arc-eager"
    assert training_key(load_config(config, [setting])) != training_key(load_config(config))
