"""Configurations: each row of a batch agrees with plain lists."""

import numpy as np
import pytest
from crossarc.transitions.configuration import NONE, Configuration
from crossarc.transitions.registry import SYSTEMS, make_system
from hypothesis import given, strategies as st
from plain_configurations import Plain

LENGTHS = [4, 1, 6, 0, 4]


def place(nodes, k):
    return nodes[k] if k < len(nodes) else NONE


def assert_same(c, plains):
    for k in range(8):
        assert c.stack(k).tolist() == [place(plain.stack[::-1], k) for plain in plains]
        assert c.buffer(k).tolist() == [place(plain.buffer, k) for plain in plains]
        assert c.context(k).tolist() == [place(plain.context, k) for plain in plains]
        unseen = [[word for word in range(1, plain.n + 1) if word not in plain.seen] for plain in plains]
        assert c.lookahead(k).tolist() == [place(words, k) for words in unseen]
    assert c.stack_size.tolist() == [len(plain.stack) for plain in plains]
    assert c.buffer_size.tolist() == [len(plain.buffer) for plain in plains]
    assert c.context_size.tolist() == [len(plain.context) for plain in plains]
    assert c.swapped.tolist() == [NONE if plain.swapped is None else plain.swapped for plain in plains]
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
            assert c.arity(nodes, side).tolist() == [len(row) for row in words]
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


@pytest.mark.parametrize("name", SYSTEMS)
@given(st.data())
def test_rows_of_a_batch_agree_with_lists(name, data):
    system = make_system(name)
    c, plains = system.initial(np.array(LENGTHS)), [Plain(n) for n in LENGTHS]
    assert_same(c, plains)
    for _ in range(data.draw(st.integers(1, 30))):
        row = data.draw(st.integers(0, len(plains) - 1))
        one = c.at(np.array([row]))
        if system.terminal(one)[0]:
            continue
        move = data.draw(st.sampled_from(np.flatnonzero(system.legal(one)[0]).tolist()))
        label = data.draw(st.integers(0, 5)) if system.moves[move].labelled else NONE
        system.advance(one, np.array([move]), np.array([label]))
        plains[row].apply(name, system.moves[move].name, label)
        if data.draw(st.integers(0, 9)) == 0 and len(plains) > 1:
            chosen = data.draw(st.lists(st.sampled_from(range(len(plains))), min_size=1, unique=True))
            c = c.at(np.array(chosen)).compact()
            plains = [plains[kept] for kept in chosen]
    assert_same(c, plains)


def test_views_share_arrays_and_compact_copies_do_not():
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


@given(st.permutations(range(1, 9)), st.data())
def test_top_is_the_highest_ancestor(words, data):
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
def test_batches_without_words(lengths):
    c = Configuration(np.array(lengths, dtype=np.int64))
    assert len(c) == len(lengths)
    assert c.buffer(0).tolist() == [NONE] * len(lengths)
    assert c.compact().stack(0).tolist() == [0] * len(lengths)
