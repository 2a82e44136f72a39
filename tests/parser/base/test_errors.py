"""Error messages: each is one line, with any text in it."""

import pickle

import pytest
from crossarc.parser.base.errors import CrossarcError, UnknownPartError, choices
from crossarc.parser.transforms.registry import parse_transform
from hypothesis import given, strategies as st


@pytest.mark.parametrize("kind", [CrossarcError, UnknownPartError])
@given(st.text())
def test_a_message_is_one_line(kind, text):
    message = str(kind(f"x{text}"))
    assert len(message.splitlines()) == 1
    assert str(pickle.loads(pickle.dumps(kind(text)))) == str(kind(text))
    if text.isprintable():
        assert message == f"x{text}"


def test_transforms_with_line_breaks_are_refused_in_one_line():
    """Found by fuzzing."""
    with pytest.raises(CrossarcError, match=r"^transform a\\n\\nb: found 'c'; allowed: parameter=value, .*$"):
        parse_transform("a\n\nb:c")


def test_messages_shorten_long_values():
    assert choices("swap" * 100_000, ["swap"]) == f"'{'swap' * 25}...'; allowed: swap"
