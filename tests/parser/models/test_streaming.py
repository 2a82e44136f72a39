"""Parsing sentence by sentence, and in several processes."""

import io

import joblib
import pytest
from crossarc import CrossarcError, load_model, open_parser
from crossarc.parser.models import model as models
from crossarc.parser.treebank import conll_text


def test_a_stream_returns_each_result_before_the_next_sentence_is_read(trained, sentences):
    read = []

    def source():
        for sentence in sentences:
            read.append(sentence)
            yield sentence

    model = trained("swap")
    found = []
    for number, parsed in enumerate(model.parse(source(), stream=True), 1):
        assert len(read) == number
        found.append(parsed)
    assert list(map(conll_text, found)) == list(map(conll_text, model.parse(sentences)))


def test_processes_are_used_if_parsing_takes_long(trained, sentences, monkeypatch):
    model = trained("swap")
    expected = list(map(conll_text, model.parse(sentences)))
    monkeypatch.setattr(models, "TRIAL", 10)
    with monkeypatch.context() as patch:
        patch.setattr(models, "_parse_stored", None)  # fails in a worker process
        patch.setattr(models, "START", 1e9)
        assert list(map(conll_text, model.parse(sentences, jobs=2))) == expected
    monkeypatch.setattr(models, "START", 0)
    assert list(map(conll_text, model.parse(sentences, jobs=2))) == expected


def test_processes_use_the_code_that_is_compiled_already(trained, sentences, tmp_path, monkeypatch):
    numba = pytest.importorskip("numba")
    monkeypatch.setenv("CROSSARC_KERNEL", "numba")
    model, path = trained("swap"), str(tmp_path / "model")
    joblib.dump(model, path)
    types = []
    for one in (model, models._stored(path)):
        list(one.parse(sentences[:1]))
        loop = one.stages[0].loop._loop
        types.append([numba.typeof(array) for array in loop._arrays[2:]])
    assert types[0] == types[1]


@pytest.mark.parametrize("path", [None, 3, io.BytesIO(b"")])
def test_a_model_is_a_path(path):
    for load in (load_model, open_parser):
        with pytest.raises(CrossarcError, match="expected the path of a file from save_model"):
            load(path)
