"""Compiled code: in which folders it is stored, and which folders are not trusted."""

import os
import pickle
import platform
import shutil
import subprocess
import sys
from copy import copy
from importlib.util import find_spec
from pathlib import Path

import pytest
from crossarc import CrossarcError, __version__
from crossarc.parser.base.compiling import choice, folders as places

needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba, the extra crossarc[fast], is not installed")
needs_owners = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
LOOP = "def double(number):\n    return 2 * number\n"
PROGRAM = """
import sys
from pathlib import Path
from crossarc.parser.base.compiling import compiled, is_kept
sys.path.insert(0, sys.argv[1])
from loops import double
print(is_kept(Path(sys.argv[1]) / "loops.py", "double"))
if sys.argv[2:] == ["full"]:
    from numba.core import caching
    def full(*arguments):
        raise OSError(28, "No space left on device")
    caching.IndexDataCacheFile.save = full
print(compiled(double)(21))
"""


class Folders:
    """A function to compile, a folder that stores its code, and a folder with other files of the user."""

    def __init__(self, root):
        self.source, self.kept, self.mine = root / "source", root / "kept", root / "mine"
        for folder in (self.source, self.kept, self.mine):
            folder.mkdir()
        (self.source / "loops.py").write_text(LOOP)

    def run(self, *words):
        """The words on standard output, and the text on standard error."""
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(self.source), *words],
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, "NUMBA_CACHE_DIR": str(self.kept)},
        )
        return done.stdout.split(), done.stderr

    def copied(self, root):
        """The same source, with a copy of its compiled code."""
        other = copy(self)
        other.kept, other.mine = Path(shutil.copytree(self.kept, root / "kept")), root / "mine"
        other.mine.mkdir()
        return other

    def code(self, suffix="nb?"):
        return sorted(self.kept.rglob(f"*.{suffix}"))


def test_compiled_code_depends_on_imported_modules(tmp_path):
    """Compiled functions contain the functions of other folders that they call."""
    source, other = tmp_path / "compiled" / "loops.py", tmp_path / "tools.py"
    source.parent.mkdir()
    source.write_text("from ..tools import twice\nfrom .near import one\n")
    stamps = set()
    for text in ("def twice(n): return 2 * n", "def twice(n): return n + n"):
        other.write_text(text)
        stamps.add(places.stamp_of.__wrapped__(source))
    assert len(stamps) == 2


@pytest.fixture
def folders(tmp_path):
    return Folders(tmp_path)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Folders with compiled code."""
    folders = Folders(tmp_path_factory.mktemp("filled"))
    folders.run()
    return folders


@needs_numba
def test_code_is_compiled_once_with_an_announcement(folders):
    kept = f"stored in {folders.kept}/crossarc; crossarc compile does this for all commands at once"
    told = f"compiling for this processor, up to a minute ({kept})\n"
    assert folders.run() == (["False", "42"], told)
    assert folders.run() == (["True", "42"], "")
    assert len(folders.code()) == 2
    (folders.source / "loops.py").write_text(LOOP.replace("2", "3"))
    assert folders.run() == (["False", "63"], told)
    assert len(folders.code()) == 2


@needs_numba
def test_damaged_code_files_are_replaced(filled, tmp_path):
    folders = filled.copied(tmp_path)
    for suffix in ("nbi", "nbc"):
        [path] = folders.code(suffix)
        whole = path.stat().st_size
        path.write_bytes(path.read_bytes()[:100])
        assert folders.run()[0][1] == "42"
        assert path.stat().st_size == whole


@needs_numba
def test_each_process_compiles_code_that_cannot_be_stored(folders):
    assert folders.run("full")[0] == ["False", "42"]
    assert folders.code() == []
    (folders.kept / "crossarc").rmdir()
    (folders.kept / "crossarc").write_text("a file")
    stdout, told = folders.run()
    assert stdout == ["False", "42"]
    assert "(not stored: " in told
    assert "set NUMBA_CACHE_DIR to a folder that only you can write to)" in told


class Planted:
    """Prints a message when it is unpickled."""

    def __reduce__(self):
        return print, ("foreign code",)


@needs_numba
@needs_owners
@pytest.mark.parametrize("attack", ["folder", "above", "link", "file"])
def test_folders_writable_by_others_are_neither_read_nor_written(filled, tmp_path, attack):
    """Others replace the code or its folder, or link to a folder or a file of the user."""
    folders = filled.copied(tmp_path)
    own = folders.kept / "crossarc"
    for path in folders.code():
        path.write_bytes(pickle.dumps(Planted()))
    (folders.mine / "notes").write_text("mine")
    if attack == "folder":
        own.chmod(0o777)
    elif attack == "above":
        folders.kept.chmod(0o777)
    elif attack == "link":
        own.rename(folders.kept / "before")
        own.symlink_to(folders.mine)
        os.chown(own, 12345, -1, follow_symlinks=False) if os.getuid() == 0 else folders.kept.chmod(0o777)
    else:
        for path in folders.code():
            path.unlink()
            path.symlink_to(folders.mine / "notes")
        own.chmod(0o777)
    before = folders.code()
    stdout, told = folders.run()
    assert stdout == ["False", "42"]
    assert "(not stored: " in told
    assert "others may write to" in told or "belongs to another user" in told
    assert folders.code() == before
    assert [path.read_text() for path in folders.mine.iterdir()] == ["mine"]


@needs_owners
def test_sticky_folders_protect_the_folders_inside(tmp_path):
    """The folder /tmp is sticky."""
    path = tmp_path / "shared" / "own"
    path.mkdir(parents=True)
    assert places.refusal(path) == ""
    path.parent.chmod(0o777)
    assert places.refusal(path) == f"others may write to {path.parent}"
    path.parent.chmod(0o1777)
    assert places.refusal(path) == ""
    assert places.refusal(path.parent) == f"others may write to {path.parent}"


def test_the_default_folder_is_in_the_users_cache(monkeypatch, tmp_path):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = places.folder()
    assert folder.parent == tmp_path / "crossarc"
    assert folder.name.startswith(f"{__version__}-{platform.machine()}-")
    assert places.kept_in() == folder
    assert folder.is_dir()
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert places.folder() is None
    assert places.kept_in() is None


def test_an_unknown_kernel_is_refused(monkeypatch):
    monkeypatch.setenv("CROSSARC_KERNEL", "nmpy")
    with pytest.raises(CrossarcError, match=r"CROSSARC_KERNEL: 'nmpy' .did you mean 'numpy'.*allowed: numba, numpy"):
        choice.enabled()


def test_numpy_is_used_without_numba(monkeypatch):
    monkeypatch.delenv("CROSSARC_KERNEL", raising=False)
    monkeypatch.setattr(choice, "_installed", lambda: False)
    assert not choice.enabled()
