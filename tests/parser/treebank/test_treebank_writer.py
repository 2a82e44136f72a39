"""Writing of treebanks: files are written completely or not at all."""

import errno
import io
import os
import resource
import stat
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.treebank import Sentence, read_sentences, write_sentences, writer
from refusals import needs_full, refusal

TEXT = "1\tx\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


def sentences(copies=1):
    return read_sentences(io.BytesIO(TEXT.encode() * copies))


def failing():
    yield from sentences(5_000)
    raise RuntimeError("half way")


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
def test_failed_writing_leaves_no_new_or_changed_file(tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    with pytest.raises(RuntimeError, match="half way"):
        write_sentences(failing(), path)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="half way"):
        write_sentences(failing(), path)
    assert [child.read_bytes() for child in tmp_path.iterdir()] == [b"old"]


def test_an_existing_file_is_replaced_and_keeps_its_mode(tmp_path):
    path = tmp_path / "out"
    path.write_text("old")
    path.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(path)
    write_sentences(sentences(), link)
    assert path.read_text() == TEXT
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert link.is_symlink()


def test_a_link_of_another_user_is_refused(tmp_path, monkeypatch):
    (tmp_path / "mine").write_text("old")
    (tmp_path / "own").symlink_to("planted")
    (tmp_path / "planted").symlink_to("mine")
    own = Path.lstat

    def of_another(path):
        found = own(path)
        return os.stat_result((*found[:4], found.st_uid + (path.name == "planted"), *found[5:]))

    monkeypatch.setattr(Path, "lstat", of_another)
    for name in ("own", "planted"):
        with pytest.raises(CrossarcError, match=f"/{name}: cannot be written: .*/planted is a link of another user"):
            write_sentences(sentences(), tmp_path / name)
    assert (tmp_path / "mine").read_text() == "old"


@pytest.mark.skipif(os.utime not in os.supports_fd, reason="no functions of open files on this system")
def test_links_in_place_of_unfinished_files_change_no_other_file(tmp_path, monkeypatch):
    (tmp_path / "mine").write_text("old")
    os.utime(tmp_path / "mine", (0, 0))
    (tmp_path / "mine").chmod(0o600)
    (tmp_path / "out").write_text("old")
    (tmp_path / "out").chmod(0o666)

    def plant(stream):
        [unfinished] = tmp_path.glob(".out.*.part")
        unfinished.unlink()
        unfinished.symlink_to("mine")

    monkeypatch.setattr(writer, "lock", plant)
    write_sentences(sentences(), tmp_path / "out")
    found = (tmp_path / "mine").stat()
    assert (stat.S_IMODE(found.st_mode), found.st_mtime) == (0o600, 0)


def test_a_link_that_leads_to_itself_is_replaced(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "link")
    write_sentences(sentences(), tmp_path / "link")
    assert (tmp_path / "link").read_text() == TEXT


def test_new_files_have_the_default_mode(tmp_path):
    (tmp_path / "other").write_text("")
    write_sentences(sentences(), tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_files_can_be_replaced_while_they_are_read(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(TEXT * 30_000)
    write_sentences(read_sentences(path), path)
    assert path.read_text() == TEXT * 30_000


def test_unwritable_targets_are_reported(tmp_path):
    (tmp_path / "file").write_text("")
    for target, reason in (
        (tmp_path / "absent" / "out", "No such file or directory"),
        (tmp_path, "it is a folder"),
        (tmp_path / "file" / "out", "Not a directory"),
    ):
        assert refusal(partial(write_sentences, sentences(), target)) == f"{target}: cannot be written: {reason}"


@needs_full
def test_devices_are_written_directly():
    write_sentences(sentences(), "/dev/null")
    said = refusal(lambda: write_sentences(sentences(), "/dev/full"))
    assert said == "/dev/full: cannot be written: No space left on device"
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def noise():
    for _ in range(3000):
        yield from read_sentences(io.BytesIO(b"1\t" + os.urandom(40).hex().encode() + b"\t_" * 8))


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
def test_a_full_disk_leaves_no_file(tmp_path, suffix):
    path, (soft, hard) = tmp_path / f"out{suffix}", resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        said = refusal(lambda: write_sentences(noise(), path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert said == f"{path}: cannot be written: File too large"
    assert list(tmp_path.iterdir()) == []


@needs_full
def test_full_and_closed_standard_output_is_reported():
    code = (
        "import io\nfrom crossarc.parser import treebank\n"
        f"text = {TEXT.encode()!r} * 20000\n"
        "try:\n    treebank.write_sentences(treebank.read_sentences(io.BytesIO(text)), '-')\n"
        "except Exception as error:\n    import os, sys\n"
        "    print(type(error).__name__, error, file=sys.stderr)\n    sys.stderr.flush(); os._exit(1)\n"
    )
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.stderr == "CrossarcError <stdout>: cannot be written: No space left on device\n"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read().startswith(b"BrokenPipeError")


def abandoned(path, seconds):
    """An unfinished file of ``path``, last written some seconds ago."""
    left = path.with_name(f".{path.name}.0123abcd.part")
    left.write_bytes(b"half")
    then = left.stat().st_mtime - seconds
    os.utime(left, (then, then))
    return left


def test_files_left_by_a_killed_process_are_removed_by_the_next(tmp_path):
    path = tmp_path / "out.conllu"
    script = (
        "import os, sys; from crossarc.parser.treebank import atomic_output\n"
        "with atomic_output(sys.argv[1]) as out: out.write(b'x' * 100_000); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".part")
    os.utime(left, (0, 0))
    write_sentences(sentences(), path)
    assert [child.name for child in tmp_path.iterdir()] == ["out.conllu"]


def test_recent_and_unrelated_unfinished_files_are_kept(tmp_path):
    path = tmp_path / "out"
    other = abandoned(tmp_path / "another-out", 60)
    young = abandoned(path, 0)
    write_sentences(sentences(), path)
    assert {child.name for child in tmp_path.iterdir()} == {"out", other.name, young.name}


def test_pipes_and_links_named_like_unfinished_files_are_not_opened(tmp_path):
    mine = abandoned(tmp_path / "mine", 60)
    left = {f".out.{number:08x}.part" for number in range(3)}
    for name in left:
        (tmp_path / name).symlink_to(mine) if name.endswith("0.part") else os.mkfifo(tmp_path / name)
        os.utime(tmp_path / name, (0, 0), follow_symlinks=False)
    write_sentences(sentences(), tmp_path / "out")
    assert {child.name for child in tmp_path.iterdir()} == {"out", mine.name, *left}


def test_locked_unfinished_files_are_kept(tmp_path):
    fcntl = pytest.importorskip("fcntl", reason="no file locks on this system")
    path = tmp_path / "out"
    left = abandoned(path, 60)
    with left.open("rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        write_sentences(sentences(), path)
        assert left.exists()
    write_sentences(sentences(), path)
    assert not left.exists()


def broken():
    yield Sentence.from_tokens(["a"])
    raise OSError(errno.EMFILE, "Too many open files")


@pytest.mark.parametrize("name", ["x", "x.gz", "x.xz", "/dev/null"])
def test_errors_inside_the_block_are_not_reported_as_file_errors(tmp_path, name):
    for target in (tmp_path / name, io.BytesIO()):
        with pytest.raises(OSError, match=r"^\[Errno \d+\] Too many open files$"):
            write_sentences(broken(), target)
    assert list(tmp_path.iterdir()) == []
