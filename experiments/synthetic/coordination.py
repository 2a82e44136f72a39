"""Coordination in the styles that treebanks are generated in.

The grammar builds what Universal Dependencies have: the first conjunct is the head. In the dependency version of the
Alpino treebank the conjunction is, bears the function of the whole, and has nothing but conjuncts as dependents, all
labelled ``cnj``; a comma between conjuncts hangs on the word to its left (Nilsson 2009, section 6.1.2).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...transitions.trees import dependents, top_down

COORDINATIONS = ("ud", "alpino")
_CONJUNCT = "cnj"


def alpino_coordination(heads: Sequence[int], deprels: Sequence[str]) -> tuple[list[int], list[str]]:
    """(heads, deprels), n + 1 each, of a generated tree with its coordinations in the style of Alpino.

    Where several conjunctions follow each other the coordination of the first is a conjunct of the second. Conjuncts
    that a comma alone joins are conjuncts of the next conjunction; they stay what they are if none follows. What else
    depends on the first conjunct to the right of the second hangs on the last conjunct before it.
    """
    children = dependents(heads)
    new_heads, new_deprels = list(heads), list(deprels)
    # of a first conjunct the conjunction that stands for it above, and the last word that is a conjunct with it
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
    """(the conjuncts after the first, the conjunction of each or 0), up to the last one that has a conjunction."""
    joined = [word for word in children[first] if word > first and deprels[word] == "conj"]
    links = [next((own for own in children[word] if deprels[own] == "cc"), 0) for word in joined]
    while links and not links[-1]:
        del joined[-1], links[-1]
    return joined, links
