"""Derivations as text: a table with one line for each configuration."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .derivation import DrawnDerivation, DrawnStep, Snapshot, first_error, new_arcs
from .word_line import isolated, text_columns

MIN_COLUMNS = 12
"""Minimum width of the stack and of the buffer, in columns."""
MORE = "…"


def derivation_text(derivation: DrawnDerivation, width: int = 0) -> str:
    """Return a heading, then one line per configuration: stack, buffer, the transition taken, and its effect.

    Below a transition that a learner chose are the runner-up and the reasons against it.

    width: maximum width of the configurations in columns (default 0: unlimited). If lists are too long, the bottom of
        the stack and the end of the buffer are left out.
    """
    error = first_error(derivation.steps)
    lists = [_lists(derivation, derivation.snapshot(number)) for number in range(len(derivation.steps) + 1)]
    notes = [_note(derivation, number, number == error) for number in range(len(derivation.steps))]
    left, right = _widths(lists, max(map(text_columns, notes), default=0), width)
    lines, system = [f"# {derivation.title}"], ""
    for number, (stack, buffer) in enumerate(lists):
        step_system = derivation.steps[number].system if number < len(derivation.steps) else system
        if step_system != system:
            lines.append(f"## {step_system}")
            system = step_system
        shown = [_last(stack, left), _first(buffer, right)]
        padding = [" " * (size - text_columns(part)) for size, part in zip((left, right), shown, strict=True)]
        note = notes[number] if number < len(notes) else ""
        lines.append(f"{number:>3} {padding[0]}{shown[0]} | {shown[1]}{padding[1]} {note}".rstrip())
        lines += _reasons(derivation.steps[number]) if number < len(notes) else []
    return "\n".join(lines)


def _lists(derivation: DrawnDerivation, snapshot: Snapshot) -> tuple[list[str], list[str]]:
    """Return the words of the stack and of the buffer, each so that it keeps its place in a bidirectional terminal.

    Covington's λ2 follows the stack; an inactive stack precedes it.
    """
    stack, aside, buffer = (
        [isolated(derivation.form(node)) for node in nodes]
        for nodes in (snapshot.stack, snapshot.aside, snapshot.buffer)
    )
    if aside:
        stack = [*aside, "·", *stack] if snapshot.names[1] == "inactive" else [*stack, "·", *aside]
    return stack, buffer


def _note(derivation: DrawnDerivation, number: int, error: bool) -> str:
    """Return the transition, the arcs that it added, and remarks."""
    step, after = derivation.steps[number], derivation.snapshot(number + 1)
    added = [f"{after.tree.heads[word]} → {word}" for word in new_arcs(step.before, after)]
    if after.waiting:
        added.append("θ " + " ".join(f"{label}:{node}" for node, label in after.waiting))
    return "  ".join([step.transition, *_score(step), *added, *_remarks(step, error)])


def _score(step: DrawnStep) -> list[str]:
    """Return the score and the confidence of a transition that a learner chose."""
    if step.by_default or not step.options or step.options[0].score is None:
        return []
    best = step.options[0]
    return [f"{best.score:.2f}" + ("" if best.confidence is None else f" ({100 * best.confidence:.0f} %)")]


def _reasons(step: DrawnStep) -> list[str]:
    """Return the second-best transition, and the features or the stored instances that favoured the best."""
    best, second = (*step.options, *[None] * 2)[:2]
    if step.by_default or not best or not second or best.score is None or second.score is None:
        return []
    return [
        f"      runner-up {second.transition}, {best.score - second.score:.3f} below",
        *(f"      distance {distance:.3f}: {what}" for distance, what in step.neighbours),
        *(f"      {amount:+.3f}  {feature}" for amount, feature in step.reasons),
    ]


def _remarks(step: DrawnStep, error: bool) -> list[str]:
    remarks = ["by default"] if step.by_default else []
    if step.cost:
        remarks.append(f"costs {step.cost}")
    if error:
        remarks.append("first error")
    if step.oracle and step.oracle != step.transition and step.cost != 0:
        remarks.append(f"oracle: {step.oracle}")
    return remarks


def _widths(lists: Sequence[tuple[list[str], list[str]]], notes: int, width: int) -> tuple[int, int]:
    """Return the widths of the stack and the buffer in columns, reduced if ``width`` requires it."""
    left, right = (max(text_columns(" ".join(pair[side])) for pair in lists) for side in (0, 1))
    room = max(width - notes - 8, 2 * MIN_COLUMNS)
    if not width or left + right <= room:
        return left, right
    left = min(left, max(room // 2, room - right))
    return left, min(right, room - left)


def _first(items: Sequence[str], size: int) -> str:
    """Return the first items that fit into ``size`` columns."""
    return _fitting(items, size, lambda kept: " ".join(kept) + (f" {MORE}" if len(kept) < len(items) else ""))


def _last(items: Sequence[str], size: int) -> str:
    """Return the last items that fit into ``size`` columns."""
    back = list(reversed(items))
    return _fitting(back, size, lambda kept: (f"{MORE} " if len(kept) < len(items) else "") + " ".join(reversed(kept)))


def _fitting(items: Sequence[str], size: int, write: Callable[[Sequence[str]], str]) -> str:
    for count in range(len(items), 0, -1):
        text = write(items[:count])
        if text_columns(text) <= size:
            return text
    return MORE if items else ""
