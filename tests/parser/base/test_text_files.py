"""Small text files: the text without byte order mark, and errors with a reason."""

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.text_files import file_name, read_text


def test_byte_order_marks_and_carriage_returns_are_removed(tmp_path):
    (tmp_path / "a").write_bytes("\ufeffä: 1\r\n".encode())
    assert read_text(tmp_path / "a", "config") == "ä: 1\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("none", "No such file or directory"), (".", "Is a directory"), ("latin", "not UTF-8"), ("a\0b", "embedded null")],
)
def test_unreadable_files_are_reported_with_a_reason(name, reason, tmp_path):
    (tmp_path / "latin").write_bytes(b"\xe4")
    with pytest.raises(CrossarcError) as caught:
        read_text(f"{tmp_path}/{name}", "profile")
    shown = name.replace("\0", r"\x00")
    assert str(caught.value).startswith(f"{tmp_path}/{shown}: cannot read the profile: {reason}")


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_invalid_file_names_are_refused(name):
    with pytest.raises(CrossarcError, match=r"^'a.*b': not a valid file name$"):
        file_name(name)
