"""Sizes: the number of lines per file and the number of files per folder are limited."""

from collections import Counter
from pathlib import Path

import crossarc

ROOT = Path(crossarc.__file__).parent
FOLDERS = ("transitions", "oracles", "features", "parser", "configs", "experiments", "tests")
MOST_LINES = 400
MOST_FILES = 20


def too_large(root):
    """Python files with too many lines, and folders of Python files with too many files.

    Hidden and compiled files do not count. Folders of data, whose only code is ``__init__.py``, have no limit.
    """
    paths = [path for name in FOLDERS for path in sorted((root / name).rglob("*")) if path.is_file()]
    paths = [path for path in paths if not path.name.startswith(".") and path.parent.name != "__pycache__"]
    code = [path for path in paths if path.suffix == ".py"]
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in code}
    files = Counter(path.parent for path in paths)
    folders = dict.fromkeys(path.parent for path in code if path.name != "__init__.py")
    return [
        *(f"{path.relative_to(root)}: {count} lines" for path, count in lines.items() if count > MOST_LINES),
        *(f"{folder.relative_to(root)}: {files[folder]} files" for folder in folders if files[folder] > MOST_FILES),
    ]


def test_files_and_folders_are_not_too_large():
    assert too_large(ROOT) == []
