"""The HTML page that steps through derivations, with those of several systems or models side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from .derivation import FINISH, DrawnDerivation, DrawnStep, Option, first_error, moved_back, new_arcs
from .page import interactive_page
from .view import View
from .word_line import right_to_left

SCRIPTS = ("tree.js", "derivations.js")
DIGITS = 4
"""Number of decimals of scores, confidences and reasons."""


def derivation_page(sentences: Iterable[tuple[View, Sequence[DrawnDerivation]]], title: str) -> str:
    """Return the text of the page.

    sentences: each sentence with its derivations, which the page shows side by side.
    """
    data = {
        "finish": FINISH,
        "sentences": [
            {"id": view.sentence.id, "number": view.number, "derivations": list(map(_derivation, derivations))}
            for view, derivations in sentences
        ],
    }
    return interactive_page("derivations", SCRIPTS, title, data)


def _derivation(derivation: DrawnDerivation) -> dict[str, Any]:
    """Return the data of one derivation; trees are stored as changes from step to step."""
    known = {
        "gold": derivation.gold and {"heads": derivation.gold.heads, "deprels": derivation.gold.deprels},
        "order": list(derivation.order) or None,
        "error": first_error(derivation.steps),
        "rightToLeft": right_to_left(derivation.forms) or None,
        "names": derivation.snapshot(0).names,
    }
    start = derivation.snapshot(0).tree
    return {
        "name": derivation.title,
        "forms": list(derivation.forms),
        "start": {"heads": start.heads, "deprels": start.deprels},
        "steps": [_step(derivation, number, step) for number, step in enumerate(derivation.steps)],
        "end": _lists(derivation, len(derivation.steps)),
        **{key: value for key, value in known.items() if value is not None},
    }


def _step(derivation: DrawnDerivation, number: int, step: DrawnStep) -> dict[str, Any]:
    after = derivation.snapshot(number + 1)
    tree = after.tree
    told: dict[str, Any] = {
        "default": step.by_default,
        "oracle": step.oracle,
        "options": [_option(option) for option in step.options],
        "reasons": [(round(amount, DIGITS), what) for amount, what in step.reasons],
        "neighbours": [(round(distance, DIGITS), what) for distance, what in step.neighbours],
        "arcs": [(word, tree.heads[word], tree.deprels[word]) for word in new_arcs(step.before, after)],
    }
    return {
        "system": step.system,
        "transition": step.transition,
        "cost": step.cost,
        **_lists(derivation, number),
        **{key: value for key, value in told.items() if value},
    }


def _option(option: Option) -> dict[str, Any]:
    known = {key: value for key, value in asdict(option).items() if value is not None}
    return {key: round(value, DIGITS) if isinstance(value, float) else value for key, value in known.items()}


def _lists(derivation: DrawnDerivation, number: int) -> dict[str, Any]:
    """Return the configuration after a number of transitions, without its tree and without empty optional lists."""
    snapshot = derivation.snapshot(number)
    rare: dict[str, Any] = {
        "aside": list(snapshot.aside),
        "waiting": list(snapshot.waiting),
        "moved": sorted(moved_back(snapshot)) if derivation.order else [],
    }
    return {
        "stack": list(snapshot.stack),
        "buffer": list(snapshot.buffer),
        **{key: value for key, value in rare.items() if value},
    }
