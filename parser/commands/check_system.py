"""The command that checks a transition system and its oracles."""

from __future__ import annotations

import argparse

from ...transitions.registry import SYSTEMS
from ..analysis.conformance import check_system
from ..base.errors import check_names
from ..console.options import declare


def describe_check_system(parser: argparse.ArgumentParser) -> None:
    declare(parser, {"SYSTEM": "name of a transition system, with --plugin one of your own"})


def run_check_system(options: argparse.Namespace) -> int:
    """``crossarc check-system``: one line per rule; status 1 if a rule is violated."""
    check_names("transition system", [options.system], SYSTEMS)
    violated = 0
    for rule, fault in check_system(options.system):
        violated += bool(fault)
        print(f"violated: {rule}: {fault}" if fault else f"ok: {rule}", flush=True)
    return int(violated > 0)
