"""Declarations of systems and passes, on which model files, printed derivations and feature models depend."""

import subprocess
import sys

import pytest
from crossarc.transitions.registry import PASSES, SYSTEMS, make_system

ARCS = "SHIFT SH, LEFT-ARC(l) LA, RIGHT-ARC(l) RA"
STACK = "Stack Input Lookahead"
DECLARED = {
    "arc-standard": (ARCS, "SHIFT RIGHT-ARC LEFT-ARC", STACK, True),
    "arc-eager": (f"{ARCS}, REDUCE RE", "SHIFT", STACK, True),
    "arc-hybrid": (ARCS, "SHIFT RIGHT-ARC", STACK, True),
    "attardi": (f"{ARCS}, LEFT-ARC-2(l) LA2, RIGHT-ARC-2(l) RA2", "SHIFT RIGHT-ARC LEFT-ARC", STACK, False),
    "swap": (f"{ARCS}, SWAP SW", "SHIFT RIGHT-ARC LEFT-ARC", f"{STACK} Swapped", False),
    "arc-hybrid-swap": (f"{ARCS}, SWAP SW", "SHIFT RIGHT-ARC", f"{STACK} Swapped", False),
    "covington": (f"{ARCS}, NO-ARC NA", "SHIFT", "Left LeftContext Input Lookahead", False),
    "covington-projective": (f"{ARCS}, NO-ARC NA", "SHIFT", "Left LeftContext Input Lookahead", True),
    "planar": (f"{ARCS}, REDUCE RE", "SHIFT", STACK, False),
    "2-planar": (f"{ARCS}, REDUCE RE, SWITCH SWI", "SHIFT", "Stack OtherStack Input Lookahead", False),
    "tagging": ("TAG(l) TAG", "TAG", STACK, True),
    "three-step-left": ("SHIFT SH, PUT-VALENCY↙(l) PV, DIST-LEFT(l) DL", "SHIFT", "Stack Input Waiting", False),
    "three-step-right": ("RSHIFT RSH, PUT-VALENCY↘(l) PV, DIST-RIGHT(l) DR", "RSHIFT", "Stack Input Waiting", False),
}


def test_systems_and_passes_are_registered_in_order():
    assert [name for name in (*SYSTEMS, *PASSES) if name in DECLARED] == list(DECLARED)  # users may add systems


@pytest.mark.parametrize("name", ["arc-standard", "arc-hybrid-swap", "three-step-right"])
def test_systems_are_made_without_importing_others(name):
    code = f"import sys; from crossarc.transitions.registry import make_system; print(make_system({name!r}).name)"
    code += "; print(any(f'crossarc.transitions.{own}' in sys.modules for own in ('attardi', 'covington', 'program')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [name, "False"]


@pytest.mark.parametrize("name", DECLARED)
def test_declarations_of_systems_and_passes(name):
    system = make_system(name)
    moves = ", ".join(f"{move}{'(l)' if move.labelled else ''} {move.short}" for move in system.moves)
    defaults = " ".join(move.name for move in system.default_moves)
    assert (moves, defaults, " ".join(system.sources), system.projective) == DECLARED[name]
    assert system.name == name
