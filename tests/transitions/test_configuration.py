"""Configurations: each row of a batch agrees with plain lists."""

from __future__ import annotations

import numpy as np
import pytest
from crossarc.transitions.configuration import NONE, Configuration
from hypothesis import given, strategies as st

LENGTHS = [4, 1, 6, 0, 4]


class Plain:
    """Configuration in lists, for comparison with the arrays."""

    def __init__(self, n: int) -> None:
        self.stack, self.context, self.buffer = [0], list[int](), list(range(1, n + 1))
        self.arcs: dict[int, tuple[int, int]] = {}
        self.seen, self.swapped = 0, NONE

    def operations(self) -> list[str]:
        free = [word for word in [*self.stack[1:], *self.buffer] if word not in self.arcs]
        allowed = {
            "shift": bool(self.buffer) and not self.context,
            "remove 0": len(self.stack) > 1 and not self.context,
            "remove 1": len(self.stack) > 2 and not self.context,
            "push back": len(self.stack) > 1 and not self.context,
            "push behind": len(self.stack) > 1 and bool(self.buffer) and not self.context,
            "retract": bool(self.stack),
            "restore": True,
            "drop": True,
            "arc": bool(free) and len(self.stack) > 0,
        }
        return [name for name, possible in allowed.items() if possible]


def operate(c: Configuration, row: int, plain: Plain, name: str, pick: int) -> None:
    one = c.at(np.array([row]))
    if name == "shift":
        node = plain.buffer.pop(0)
        assert one.pop_buffer().tolist() == [node]
        one.push(np.array([node]))
        plain.stack.append(node)
        plain.seen = max(plain.seen, node)
    elif name.startswith("remove"):
        one.remove(int(name[-1]))
        del plain.stack[-1 - int(name[-1])]
    elif name in ("push back", "push behind"):
        plain.swapped = plain.stack.pop()
        one.remove(0)
        behind = 0 if name == "push back" else 1 + pick % min(2, len(plain.buffer))
        one.push_buffer(np.array([plain.swapped]), behind)
        plain.buffer.insert(behind, plain.swapped)
    elif name == "retract":
        one.retract()
        plain.context.insert(0, plain.stack.pop())
    elif name == "restore":
        one.restore()
        plain.stack += plain.context
        plain.context = []
    elif name == "drop":
        one.drop_context()
        plain.context = []
    else:
        free = [word for word in [*plain.stack, *plain.buffer] if word > 0 and word not in plain.arcs]
        word, head = free[pick % len(free)], plain.stack[pick % len(plain.stack)]
        if head != word:
            one.add_arc(np.array([head]), np.array([pick]), np.array([word]))
            plain.arcs[word] = (head, pick)


def place(nodes: list[int], k: int) -> int:
    return nodes[k] if k < len(nodes) else NONE


def assert_same(c: Configuration, plains: list[Plain]) -> None:
    for k in range(8):
        assert c.stack(k).tolist() == [place(plain.stack[::-1], k) for plain in plains]
        assert c.buffer(k).tolist() == [place(plain.buffer, k) for plain in plains]
        assert c.context(k).tolist() == [place(plain.context, k) for plain in plains]
        ahead = [place(list(range(plain.seen + 1, n + 1)), k) for plain, n in zip(plains, c.lengths, strict=True)]
        assert c.lookahead(k).tolist() == ahead
    assert c.stack_size.tolist() == [len(plain.stack) for plain in plains]
    assert c.buffer_size.tolist() == [len(plain.buffer) for plain in plains]
    assert c.context_size.tolist() == [len(plain.context) for plain in plains]
    assert c.swapped.tolist() == [plain.swapped for plain in plains]
    nothing = np.full(len(plains), NONE)
    assert (c.head(nothing) == NONE).all()
    assert (c.deprel(nothing) == NONE).all()
    for node in range(c.width - 1):
        nodes = np.full(len(plains), node)
        assert c.head(nodes).tolist() == [plain.arcs.get(node, (NONE, NONE))[0] for plain in plains]
        assert c.deprel(nodes).tolist() == [plain.arcs.get(node, (NONE, NONE))[1] for plain in plains]
        for side, outwards in (("left", sorted), ("right", lambda words: sorted(words, reverse=True))):
            words = [
                outwards(w for w, (head, _) in plain.arcs.items() if head == node and (w < node) == (side == "left"))
                for plain in plains
            ]
            assert c.valency(nodes, side).tolist() == [len(row) for row in words]
            for k in (0, 1):
                assert c.dependent(nodes, side, k).tolist() == [place(row, k) for row in words]
                assert (c.dependent(nothing, side, k) == NONE).all()
    for row, plain in enumerate(plains):
        assert np.flatnonzero(c.on_stack()[row]).tolist() == sorted(plain.stack)
        assert np.flatnonzero(c.in_buffer()[row]).tolist() == sorted(plain.buffer)
        heads = [plain.arcs.get(node, (NONE, NONE))[0] for node in range(c.width)]
        assert c.heads_matrix()[row].tolist() == heads
        assert c.deprels_matrix()[row].tolist() == [plain.arcs.get(node, (NONE, NONE))[1] for node in range(c.width)]
    assert c.root_children().tolist() == [sum(head == 0 for head, _ in plain.arcs.values()) for plain in plains]


@given(st.data())
def test_rows_of_a_batch_agree_with_lists(data: st.DataObject) -> None:
    c = Configuration(np.array(LENGTHS))
    plains = [Plain(n) for n in LENGTHS]
    assert_same(c, plains)
    for _ in range(data.draw(st.integers(1, 30))):
        row = data.draw(st.integers(0, len(plains) - 1))
        name = data.draw(st.sampled_from(plains[row].operations()))
        operate(c, row, plains[row], name, data.draw(st.integers(0, 5)))
        if data.draw(st.integers(0, 9)) == 0 and len(plains) > 1:
            chosen = data.draw(st.lists(st.sampled_from(range(len(plains))), min_size=1, unique=True))
            c = c.at(np.array(chosen)).compact()
            plains = [plains[kept] for kept in chosen]
    assert_same(c, plains)


def test_views_share_arrays_and_compact_copies_do_not() -> None:
    c = Configuration(np.array([3, 2, 5]))
    view = c.at(np.array([False, True, True])).at(np.array([1]))
    copy = view.compact()
    view.push(view.pop_buffer())
    assert c.stack(0).tolist() == [0, 0, 1]
    assert copy.stack(0).tolist() == [0]
    assert copy.buffer(0).tolist() == [1]
    assert copy.width == c.width
    assert copy.origin.tolist() == [2 * c.width]
    assert len(copy) == 1


def test_origin_gives_indices_into_arrays_of_the_whole_batch() -> None:
    c = Configuration(np.array([3, 2, 5]))
    array = np.arange(3 * c.width).reshape(3, c.width)
    late = c.at(np.array([2, 0])).compact().at(np.array([1]))
    assert array.ravel()[late.origin + np.array([3])].tolist() == [3]


@given(st.permutations(range(1, 9)), st.data())
def test_top_is_the_highest_ancestor(words: list[int], data: st.DataObject) -> None:
    c = Configuration(np.array([3, 8]))
    heads = dict.fromkeys(range(9), NONE)
    nodes = [0, *words]
    for place in data.draw(st.permutations(range(1, 9))):
        head, word = nodes[data.draw(st.integers(0, place - 1))], nodes[place]
        c.at(np.array([1])).add_arc(np.array([head]), np.array([0]), np.array([word]))
        heads[word] = head
        asked = data.draw(st.integers(0, 8))
        if data.draw(st.booleans()):
            c = c.at(np.array([0, 1])).compact()
        top = asked
        while heads[top] != NONE:
            top = heads[top]
        assert c.top(np.array([2, asked])).tolist() == [2, top]
        assert c.top(np.array([NONE, NONE])).tolist() == [NONE, NONE]


@pytest.mark.parametrize("lengths", [[], [0], [0, 0]])
def test_batches_without_words(lengths: list[int]) -> None:
    c = Configuration(np.array(lengths, dtype=np.int64))
    assert len(c) == len(lengths)
    assert c.buffer(0).tolist() == [NONE] * len(lengths)
    assert c.compact().stack(0).tolist() == [0] * len(lengths)
