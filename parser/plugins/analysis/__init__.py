"""Analysis of treebanks, oracles and parsers: coverage, explanations, drawings."""

from __future__ import annotations

from ...console.help import EVERYDAY, RESEARCH, Command

READ_FIRST = "oracle_report.py"
COMMANDS = {
    "show": Command(
        f"{__name__}.show_command", "Draw trees and derivations.", EVERYDAY, "test.conllu parsed.conllu -o trees.html"
    ),
    "oracle": Command(
        f"{__name__}.tree_commands",
        "Derive the trees of a treebank, and report coverage.",
        RESEARCH,
        "swap train.conllu",
    ),
    "arcs": Command(
        f"{__name__}.tree_commands",
        "Search for arcs and count them.",
        RESEARCH,
        "train.conllu --where crossing=1 --count-by upos",
    ),
    "check-system": Command(
        f"{__name__}.tree_commands",
        "Check that a transition system is correct.",
        RESEARCH,
        "my-system --plugin my_system.py",
    ),
}
