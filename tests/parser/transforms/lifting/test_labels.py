import pytest
from crossarc.parser.transforms.lifting.labels import Mark, decorated, escape, plain, taken_apart
from hypothesis import given, strategies as st

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
def test_labels_have_the_documented_form(mark, label):
    assert decorated(mark) == label
    assert taken_apart(label) == mark


@given(labels, st.none() | labels, st.booleans())
def test_decorated_and_escaped_labels_are_restored(label, head, path):
    assert taken_apart(decorated(Mark(label, head, path, False))) == Mark(label, head, path, False)
    assert taken_apart(decorated(Mark(label, None, False, True))) == Mark(label, None, False, True)
    assert taken_apart(escape(label)) == Mark(label, None, False, False)


@pytest.mark.parametrize("label", ["a↓b", "a↓↓", "a↑b↑c", "a↑↑↓", "a↑↑b", "a↓↑"])
def test_decorated_labels_without_known_encoding_keep_their_plain_part(label):
    assert taken_apart(label) == Mark("a", None, False, False)


@given(labels)
def test_backslashes_that_escape_nothing_are_ordinary_characters(label):
    if plain([label]):
        assert taken_apart(label) == Mark(label, None, False, False)
    assert taken_apart("x\\y").label == "x\\y"
    assert taken_apart("x\\").label == "x\\"
