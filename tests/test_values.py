"""Values are frozen dataclasses that compare by value; transforms, which can be fitted, compare by identity."""

import dataclasses
import importlib
import pkgutil

import pytest
from crossarc.parser.transforms.transform import Transform
from installed import PLUGINS

FOLDERS = ("transitions", "oracles", "features", "parser.transforms", "parser.evaluate")


def dataclasses_of(folder):
    """The dataclasses of a folder and its subfolders."""
    package = importlib.import_module(f"crossarc.{folder}")
    names = [own.name for own in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    modules = [importlib.import_module(name) for name in names]
    return [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.__name__
    ]


@pytest.mark.parametrize("folder", FOLDERS)
def test_values_are_frozen_and_have_slots(folder):
    found = [own for own in dataclasses_of(folder) if not issubclass(own, Transform)]
    assert found
    for own in found:
        assert own.__dataclass_params__.frozen, own
        assert own.__dataclass_params__.eq, own
        assert "__slots__" in vars(own), own


def test_transforms_compare_by_identity():
    folders = ["parser.transforms", *(["parser.plugins.styles"] if "styles" in PLUGINS else [])]
    found = [own for folder in folders for own in dataclasses_of(folder) if issubclass(own, Transform)]
    assert len([own for own in found if not own.__name__.startswith("_")]) == (8 if "styles" in PLUGINS else 5)
    assert not any(own.__dataclass_params__.eq for own in found)
