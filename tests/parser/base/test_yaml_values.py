"""YAML values: only plain values are read, and PyYAML stays unchanged for other code."""

import subprocess
import sys

import pytest
from crossarc.parser.base.yaml_values import load_yaml
from refusals import refusal


def test_importing_crossarc_does_not_change_pyyaml():
    text = "[1e-3, 2020-01-02, !!set {a}]"
    code = f"""
import yaml
before = yaml.safe_load({text!r})
import crossarc.parser.base.yaml_values, crossarc.parser.training.train, crossarc.__main__
crossarc.parser.base.yaml_values.load_yaml("C: 1e-3", "config")
print(yaml.safe_load({text!r}) == before, before[0])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["True", "1e-3"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("-2E+4", -20000.0),
        ("e3", "e3"),
        ("2020-01-02", "2020-01-02"),
        ("", None),
        ("010", 10),
        ("-7", -7),
        ("+.5", 0.5),
        ("1.", 1.0),
        ("1:30", "1:30"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        (".inf", float("inf")),
    ],
)
def test_plain_values_are_read(text, value):
    assert load_yaml(text, "here") == value
    assert type(load_yaml(text, "here")) is type(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "here: line 1: not YAML: "),
        ("a: 1\nb: 2\na: 3", "here: line 3: duplicate key 'a', first in line 1"),
        ("a: !!timestamp z", "here: line 1: tag 'tag:yaml.org,2002:timestamp'; allowed: plain values, without tags"),
        ("a:\n- !!python/object/apply:os.system [x]", "here: line 2: tag 'tag:yaml.org,2002:python/object/apply:os"),
        ("a: !mine 3", "here: line 1: tag '!mine'"),
        ("a: &x [1]\nb: *x", "here: line 2: alias *x; write the value again instead"),
        ("[" * 5000, "here: not YAML: maximum recursion depth"),
        ("{[a]: 1}", "here: not YAML: unhashable"),
        ("a: \x00", "here: not YAML: "),
        ("1" * 5000, "here: not YAML: Exceeds the limit"),
    ],
)
def test_invalid_and_unsupported_yaml_is_refused(text, message):
    assert refusal(lambda: load_yaml(text, "here")).startswith(message)
