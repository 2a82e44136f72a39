"""Clauses with a constituent that can be displaced, in four constructions.

Each construction builds a chain of heads ``a[depth], ..., a[1], a[0]``. The constituent (item) depends on a[0]. If it
is displaced, it stands in the clause of a[depth], with exactly ``distance`` words between itself and a[0]: the heads
a[1] to a[depth] and their other dependents. So the arc of the item needs ``depth`` lifts, and it is the only
non-projective arc. Except for the place of the item, the clause does not depend on whether the item is displaced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .clauses import OBJECTS, Clauses, Ranked
from .lexicon import Verb
from .phrases import Node

_Piece = tuple[str, int]  # (kind of constituent, number of words)


class Crossings(Clauses):
    """Builds clauses with an item that may be displaced.

    Parameters of all constructions are ``depth`` and ``distance`` of the item, and whether it is ``displaced``.
    """

    def wh_clause(self, depth: int, distance: int, displaced: bool) -> Node:
        """The item is a wh-phrase of an embedded finite clause; displaced, it begins the sentence."""
        shares = self._split(distance - depth, depth + 1)
        item = self.wh_phrase()
        frame = {"obj": "trans", "iobj": "ditr"}.get(item.deprel) or self.dice.pick(("intr", "trans"))
        top = node = self._site_verb("clausal", shares[0], ("nsubj", "aux", "advmod", "obl"), both=True)
        for words in shares[1:-1]:
            lower = self._site_verb("clausal", words, ("mark", "nsubj", "aux", "advmod", "obl"))
            node = node.put(lower, "ccomp", before=False)
        subject = item if item.deprel == "nsubj" else None
        kinds = ("mark", "aux", "advmod", "obl") if subject else ("mark", "nsubj", "aux", "advmod", "obl")
        node = node.put(self._site_verb(frame, shares[-1], kinds, agreement=subject), "ccomp", before=False)
        self._rest(node, frame, item.deprel)
        self._finish(node, item, item.deprel, top if displaced else node, before=True)
        return top

    def clitic_clause(self, depth: int, distance: int, displaced: bool) -> Node:
        """The item is a clitic object of an infinitive; displaced, it stands left of the matrix verb."""
        shares = self._split(distance - depth, depth + 1)
        deprel, case = self.dice.pick(OBJECTS)
        item = self.pronoun(case, clitic=True)
        top = self._site_verb("control", shares[0], ("aux", "nsubj", "advmod", "obl"), late=True)
        frame = "ditr" if deprel == "iobj" else "trans"
        bottom = self._infinitives(top, frame, shares, ("mark", "advmod", "obl"))
        self._rest(bottom, frame, deprel)
        self._finish(bottom, item, deprel, top if displaced else bottom, before=True)
        self._open(top)
        return top

    def cluster_clause(self, depth: int, distance: int, displaced: bool) -> Node:
        """The item is an object of the last verb of a cluster; displaced, it stands before the cluster."""
        shares = self._split(distance - depth, 1) + [0] * depth
        deprel, case = self.dice.pick(OBJECTS)
        top = self._site_verb("control", shares[0], ("aux", "advmod", "obl"))
        bottom = self._infinitives(top, "ditr" if deprel == "iobj" else "trans", shares, ())
        item = self.noun_phrase(case, bottom.topic if deprel == "obj" else None)
        self._finish(bottom, item, deprel, top if displaced else bottom, before=True)
        if deprel == "iobj":
            bottom.put(self.noun_phrase("Acc", bottom.topic), "obj", before=False)
        self._open(top, 0.85)
        return top

    def extraposition_clause(self, depth: int, distance: int, displaced: bool) -> Node:
        """The item is a relative clause; displaced, it stands right of the verbs that follow its antecedent."""
        genitives = self.dice.index(min(depth, 3))
        shares = self._split(distance - depth, 1) + [0] * depth
        role = self.dice.pick(("nsubj", "obj", "obl")) if depth == genitives + 1 else self.dice.pick(("obj", "obl"))
        frame = "trans" if depth == genitives + 1 else "control"
        kinds = ("aux", "advmod", "obl") if role == "nsubj" or frame == "control" else ("aux", "nsubj", "advmod", "obl")
        if frame == "trans" and role != "obj":
            kinds = (*kinds, "obj")
        top = node = self._site_verb(frame, shares[0], kinds, late=True)
        for level in range(depth - genitives - 1):
            last = level == depth - genitives - 2
            entry = self.lexicon.verbs["trans" if last else "control"].draw(self.dice)
            node = node.put(self.infinite_verb(entry), "xcomp", before=True)
        node = self._antecedent(node, role, genitives)
        clause = self.relative_clause(node)
        self._finish(node, clause, "acl:relcl", top if displaced else node, before=False)
        if role != "nsubj":
            self._open(top, 0.5)
        return top

    def embed(self, clause: Node) -> Node:
        """A clause with the given clause as its complement."""
        number = self.dice.pick(("Sing", "Plur"))
        outer = self.finite_verb(self.lexicon.verbs["clausal"].draw(self.dice), "3", number)
        outer.put(self.noun("Nom", None, number), "nsubj", before=True)
        if self.dice.chance(0.7):
            clause.put(self.particle("ke"), "mark", before=True)
        outer.put(clause, "ccomp", before=False)
        return outer

    def _antecedent(self, verb: Node, role: str, genitives: int) -> Node:
        """The antecedent of a relative clause: a dependent of a verb, or the last in a chain of genitives before it."""
        case = {"nsubj": "Nom", "obj": "Acc"}.get(role, "Dat")
        topic = verb.topic if role == "obj" else None
        upper = node = self.noun(case, topic, verb.number if role == "nsubj" else "")
        verb.put(upper, role, before=True)
        for _ in range(genitives):
            node = node.put(self.noun("Gen"), "nmod", before=True, outermost=False)
            case = "Gen"
        if self.dice.chance(0.6):
            node.put(self.determiner(node, case), "det", before=True)
        if role == "obl":
            upper.put(self.word("na", "na", "ADP", "APPR", "_"), "case", before=True)
        return node

    def _split(self, words: int, slots: int) -> list[int]:
        """Distribute words randomly to slots: the number of words of each slot."""
        shares = [0] * slots
        while words:
            portion = 1 + self.dice.index(min(words, 4))
            shares[self.dice.index(slots)] += portion
            words -= portion
        return shares

    def _plan(self, words: int, kinds: tuple[str, ...]) -> list[_Piece]:
        """Random constituents with ``words`` words in total. Only adverbs and obliques occur more than once."""
        pieces: list[_Piece] = []
        left = list(kinds)
        while words:
            kind = self.dice.pick(left)
            if kind == "obl":
                if words < 2:
                    continue
                size = 2 + self.dice.index(min(words - 1, 3))
            elif kind in ("nsubj", "obj"):
                size = 1 + self.dice.index(min(words, 4))
            else:
                size = 1
            if kind not in ("advmod", "obl"):
                left.remove(kind)
            pieces.append((kind, size))
            words -= size
        return pieces

    def _site_verb(
        self,
        frame: str,
        words: int,
        kinds: tuple[str, ...],
        *,
        both: bool = False,
        late: bool = False,
        agreement: Node | None = None,
    ) -> Node:
        """A finite verb whose dependents, of the given kinds, have exactly ``words`` words in total.

        Dependents stand before the verb, after it (late) or on both sides. The verb agrees with its subject or with
        ``agreement``.
        """
        pieces = self._plan(words, kinds)
        if "obj" in kinds and all(kind != "obj" for kind, _ in pieces):
            frame = "intr"
        entry = self.lexicon.verbs[frame].draw(self.dice)
        ranked: Ranked = []
        auxiliary = False
        for kind, size in pieces:
            if kind == "aux":
                auxiliary = True
                continue
            if kind == "nsubj":
                agreement = node = self.sized_phrase("Nom", size)
            else:
                node = self._piece(kind, size, entry)
            node.deprel = kind
            after = kind != "mark" and (late or (both and self.dice.chance(0.4)))
            rank = -90.0 if kind == "mark" else -20.0 if kind == "nsubj" else -15.0
            ranked.append((abs(rank) if after else rank + 8.0 * self.dice.roll() - 4.0, node))
        person, number = (agreement.person, agreement.number) if agreement else ("3", self.dice.pick(("Sing", "Plur")))
        if auxiliary:
            verb, helper = self.periphrastic(entry, person, number)
            helper.deprel = "aux"
            ranked.append((-1.0, helper))
        else:
            verb = self.finite_verb(entry, person, number)
        verb.number = number
        for _, node in ranked:
            node.head = verb
        verb.place_all(ranked)
        return verb

    def _piece(self, kind: str, size: int, entry: Verb) -> Node:
        if kind == "obl":
            liked = self.dice.chance(0.5)
            adposition = entry.adposition if liked else self.lexicon.verb_adpositions.draw(self.dice)
            return self.adpositional(adposition, size)
        if kind == "obj":
            return self.sized_phrase("Acc", size, entry.topic)
        return self.particle("ke") if kind == "mark" else self.adverb()

    def _infinitives(self, top: Node, frame: str, shares: list[int], kinds: tuple[str, ...]) -> Node:
        """Add a chain of infinitives after a verb, each with its share of dependent words; return the last."""
        node = top
        for level, words in enumerate(shares[1:], start=1):
            last = level == len(shares) - 1
            entry = self.lexicon.verbs[frame if last else "control"].draw(self.dice)
            lower = self.infinite_verb(entry)
            for kind, size in self._plan(words, kinds):
                piece = self.particle("tu") if kind == "mark" else self._piece(kind, size, entry)
                lower.put(piece, kind, before=True, outermost=kind == "mark")
            node = node.put(lower, "xcomp", before=False)
        return node

    def _rest(self, verb: Node, frame: str, role: str) -> None:
        """Add dependents after the last verb: an object, unless the item is the object, and optional adjuncts."""
        if frame in ("trans", "ditr") and role != "obj":
            verb.put(self.noun_phrase("Acc", verb.topic), "obj", before=False)
        if self.more(0.3):
            verb.put(self.oblique(None), "obl", before=False)
        if self.more(0.2):
            verb.put(self.adverb(), "advmod", before=False)

    def _open(self, verb: Node, probability: float = 0.6) -> None:
        """Add an optional subject, if the clause has none, or an optional adverb at the beginning of a clause."""
        if self.dice.chance(probability) and all(node.deprel != "nsubj" for node in verb.before + verb.after):
            subject = self.noun("Nom", None, verb.number)
            if self.dice.chance(0.6):
                subject.put(self.determiner(subject, "Nom"), "det", before=True)
            verb.put(subject, "nsubj", before=True)
        elif self.more(0.2):
            verb.put(self.adverb(), "advmod", before=True)

    def _finish(self, head: Node, item: Node, deprel: str, landing: Node, *, before: bool) -> None:
        """Attach the item to its head, and place it at the beginning or end of the landing node's yield."""
        item.head, item.deprel = head, deprel
        landing.place(item, before=before)


CONSTRUCTIONS: Mapping[str, Callable[[Crossings, int, int, bool], Node]] = {
    "extraposition": Crossings.extraposition_clause,
    "wh": Crossings.wh_clause,
    "clitic": Crossings.clitic_clause,
    "verb-cluster": Crossings.cluster_clause,
}
