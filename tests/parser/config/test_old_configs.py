"""Compatibility: configs of released versions keep their meaning."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from crossarc.parser.base.parameters import parameter_values
from crossarc.parser.base.yaml_values import load_yaml
from crossarc.parser.config.config import KEYS
from crossarc.parser.config.loading import load_config

SHELF = Path(__file__).parents[2] / "data" / "configs"
CONFIGS = sorted(SHELF.glob("*/*.yaml"))


def meaning(path: Path) -> dict[str, Any]:
    """All values of a config, as JSON."""
    config = load_config(str(path))
    treebank = config.treebank
    files = {"train": treebank.train, "dev": treebank.dev, "model": config.model}
    named = {name: os.path.relpath(file, path.parent) for name, file in files.items() if file}
    values = {"config": config.to_json(), "files": named, "limits": parameter_values(treebank.limits)}
    result: dict[str, Any] = json.loads(json.dumps(values))
    return result


def dotted(values: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a config at all levels, as ``--set`` names them."""
    for key, value in values.items():
        yield key
        if isinstance(value, dict):
            yield from (f"{key}.{name}" for name in dotted(value))


def differences(then: Any, now: Any, place: str = "") -> list[str]:
    """The values that have changed since the release. New keys do not count as changes."""
    if isinstance(then, dict) and isinstance(now, dict):
        return [found for key in then for found in differences(then[key], now.get(key), f"{place}/{key}")]
    return [] if then == now else [f"{place}: {then!r} then, {now!r} now"]


@pytest.mark.parametrize("path", CONFIGS, ids=[f"{path.parent.name} {path.stem}" for path in CONFIGS])
def test_old_configs_keep_their_meaning(path: Path) -> None:
    then = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert differences(then, meaning(path)) == []


def test_old_configs_use_every_key() -> None:
    used = {key for path in CONFIGS for key in dotted(load_yaml(path.read_text("utf-8"), str(path)))}
    assert [key for key in KEYS if key not in used] == []


def test_differences_are_found() -> None:
    assert differences({"a": {"b": 1, "c": [1]}}, {"a": {"b": 1, "c": [1], "new": 2}}) == []
    assert differences({"a": {"b": 1}}, {"a": {"b": 2}}) == ["/a/b: 1 then, 2 now"]
    assert differences({"a": {"b": 1}}, {}) == ["/a: {'b': 1} then, None now"]


if __name__ == "__main__":
    for name in sys.argv[1:]:  # new configs, whose meaning is recorded
        text = json.dumps(meaning(Path(name)), indent=1, sort_keys=True)
        Path(name).with_suffix(".json").write_text(text + "\n", "utf-8")
