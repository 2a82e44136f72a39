import pytest
from crossarc.parser.transforms.lifting.labels import Mark, decorated, escape, plain, taken_apart
from hypothesis import given, settings, strategies as st

labels = st.text(alphabet="ab↑↓\\|:", max_size=6)


@pytest.mark.parametrize(
    ("mark", "label"),
    [
        (Mark("AuxP", "Sb", False, False), "AuxP↑Sb"),
        (Mark("AuxP", "Sb", True, False), "AuxP↑Sb↓"),
        (Mark("AuxP", "", False, False), "AuxP↑"),
        (Mark("AuxP", "", True, False), "AuxP↑↓"),
        (Mark("Sb", None, True, False), "Sb↓"),
        (Mark("Pred", None, False, True), "Pred↑↑"),
        (Mark("Pred", None, False, False), "Pred"),
        (Mark("a↑b", "↓", True, False), "a\\↑b↑\\↓↓"),
        (Mark("a\\", "\\b", False, False), "a\\\\↑\\\\b"),
    ],
)
def test_labels_are_written_and_read_as_documented(mark, label):
    assert decorated(mark) == label
    assert taken_apart(label) == mark


@settings(max_examples=150)
@given(labels, st.none() | labels, st.booleans())
def test_every_label_comes_back(label, head, path):
    assert taken_apart(decorated(Mark(label, head, path, False))) == Mark(label, head, path, False)
    assert taken_apart(decorated(Mark(label, None, False, True))) == Mark(label, None, False, True)
    assert taken_apart(escape(label)) == Mark(label, None, False, False)


@pytest.mark.parametrize("label", ["a↓b", "a↓↓", "a↑b↑c", "a↑↑↓", "a↑↑b", "a↓↑"])
def test_what_nobody_wrote_keeps_its_plain_part(label):
    assert taken_apart(label) == Mark("a", None, False, False)


@given(labels)
def test_a_single_backslash_from_elsewhere_is_an_ordinary_sign(label):
    if plain([label]):
        assert taken_apart(label) == Mark(label, None, False, False)
    assert taken_apart("x\\y").label == "x\\y"
    assert taken_apart("x\\").label == "x\\"
