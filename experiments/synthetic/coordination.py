"""Styles of coordination in generated treebanks.

The grammar builds the style of Universal Dependencies: the first conjunct is the head. In the dependency version of the
Alpino treebank the conjunction is the head and has the label of the coordination. It has only conjuncts as dependents,
all labelled ``cnj``. A comma between conjuncts depends on the word to its left (Nilsson 2009, section 6.1.2).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...transitions.trees import dependents, top_down

COORDINATIONS = ("ud", "alpino")
_CONJUNCT = "cnj"


def alpino_coordination(heads: Sequence[int], deprels: Sequence[str]) -> tuple[list[int], list[str]]:
    """Convert coordinations of a generated tree to the style of Alpino: (heads, deprels), n + 1 each.

    In "A and B or C", the coordination of the first conjunction is a conjunct of the second. A conjunct after a comma
    belongs to the next conjunction; without one it does not change. Other dependents of the first conjunct that stand
    after the second conjunct become dependents of the last conjunct before them.
    """
    children = dependents(heads)
    new_heads, new_deprels = list(heads), list(deprels)
    # For a first conjunct: top is the conjunction that heads its coordination, last is the last word of its conjuncts.
    top, last = list(range(len(heads))), list(range(len(heads)))
    for first in reversed(top_down(children)):
        joined, links = _joined(first, children, deprels)
        if not joined:
            continue
        open_conjuncts = [first]
        for word, link in zip(joined, links, strict=True):
            open_conjuncts.append(top[word])
            if link:
                for conjunct in open_conjuncts:
                    new_heads[conjunct], new_deprels[conjunct] = link, _CONJUNCT
                open_conjuncts = [link]
            else:
                comma = children[word][0]
                new_heads[comma] = comma - 1
        top[first], last[first] = links[-1], last[joined[-1]]
        new_heads[links[-1]], new_deprels[links[-1]] = heads[first], deprels[first]
        for word in children[first]:
            if word > joined[0] and word not in joined:
                new_heads[top[word]] = last[max(conjunct for conjunct in joined if conjunct < word)]
    return new_heads, new_deprels


def _joined(first: int, children: Sequence[Sequence[int]], deprels: Sequence[str]) -> tuple[list[int], list[int]]:
    """(conjuncts after the first, conjunction of each or 0), up to the last conjunct with a conjunction."""
    joined = [word for word in children[first] if word > first and deprels[word] == "conj"]
    links = [next((own for own in children[word] if deprels[own] == "cc"), 0) for word in joined]
    while links and not links[-1]:
        del joined[-1], links[-1]
    return joined, links
