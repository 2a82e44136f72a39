"""Error messages: each is one line, with any text in it."""

import pickle

import pytest
from crossarc.parser.base.errors import CrossarcError, UnknownPartError, choices
from hypothesis import given, strategies as st


@pytest.mark.parametrize("kind", [CrossarcError, UnknownPartError])
@given(st.text())
def test_a_message_is_one_line(kind, text):
    message = str(kind(f"x{text}"))
    assert len(message.splitlines()) == 1
    assert str(pickle.loads(pickle.dumps(kind(text)))) == str(kind(text))
    if text.isprintable():
        assert message == f"x{text}"


def test_messages_shorten_long_values():
    assert choices("swap" * 100_000, ["swap"]) == f"'{'swap' * 25}...'; allowed: swap"
