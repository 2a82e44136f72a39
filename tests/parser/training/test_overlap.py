"""Development data that are a part of the training treebank cause a warning, in training and calibration."""

import warnings

import pytest
from command_line import generated, run
from crossarc import load_config, load_model, save_model, score_on, train, write_sentences
from crossarc.parser.base.data_warnings import DataWarning
from crossarc.parser.config.config import TreebankOptions
from crossarc.parser.treebank import overlap as overlap_module
from crossarc.parser.treebank.overlap import overlap, sample_of
from installed import needs

SENTENCES = generated(1, 300)
OTHERS = generated(400, 60)


def test_shares_are_those_of_the_sentences(monkeypatch):
    """Exact for small treebanks; near for large ones, of which a sample is known."""
    whole = sample_of(SENTENCES)
    for size in (20, 150, 300):
        assert overlap(SENTENCES[:size], whole) == 1
    mixed = [*SENTENCES[:60], *OTHERS]
    exact = overlap(mixed, whole)
    assert 0.4 < exact < 0.7
    assert overlap(OTHERS, whole) < 0.2
    assert overlap([], whole) == overlap(OTHERS, []) == 0
    monkeypatch.setattr(overlap_module, "MOST_KEPT", 60)
    assert len(sample_of(SENTENCES)) == 60
    assert overlap(SENTENCES[:150], sample_of(SENTENCES)) == 1
    assert abs(overlap(mixed, sample_of(SENTENCES)) - exact) < 0.3


def warned(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        call()
    return [str(own.message) for own in caught]


@pytest.mark.parametrize(
    ("dev", "warning"),
    [
        (SENTENCES, "dev.conllu is the training treebank"),
        (SENTENCES[100:140], "about 100 % of the sentences of {} stand in the training treebank"),
        ([*SENTENCES[:30], *OTHERS[:30]], " % of the sentences of {} stand in the training treebank"),
        (OTHERS, ""),
    ],
    ids=["all", "part", "half", "none"],
)
@needs("annotation")
def test_training_and_calibration_warn_of_training_data(dev, warning, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_sentences(SENTENCES, "train.conllu")
    write_sentences(dev, "dev.conllu")
    files = {"treebank.train": "train.conllu", "treebank.dev": "dev.conllu"}
    config = load_config("arc-standard-small", ["guide.C=0.1"], files)
    models = []
    told = warned(lambda: models.append(train(config)))
    save_model(models[0], "m")
    again = warned(lambda: score_on(load_model("m"), TreebankOptions(dev="dev.conllu")))
    for lines in (told, again):
        assert [warning.format("dev.conllu") in line for line in lines] == [True] * bool(warning)
    assert run("-q", "calibrate", "m", "dev.conllu", "-o", "n") == 0
    assert warning.format("dev.conllu") in capsys.readouterr().err
