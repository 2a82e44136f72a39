"""Clauses and sentences of the invented language.

Word order is partly free: dependents of a verb are ordered by a rank plus random noise; those with a negative rank
stand before the verb. Subjects, complementizers and infinitive markers are optional.
"""

from __future__ import annotations

from .lexicon import Verb
from .phrases import Node, Phrases

Ranked = list[tuple[float, Node]]

_SUBORDINATORS = ("kva", "dum", "eske", "nahdem", "ob")
_PRO_DROP = 0.25
"""Probability that a subject is left out."""
OBJECTS = (("obj", "Acc"), ("obj", "Acc"), ("iobj", "Dat"))
"""Deprel and case of objects to choose from; direct objects are twice as frequent."""


class Clauses(Phrases):
    """Builds clauses from phrases."""

    def choose_frame(self) -> str:
        """A random frame of a verb. Frames with an embedded clause need a budget above three words."""
        frame = self.lexicon.frames.draw(self.dice)
        return frame if self.budget > 3 or frame not in ("clausal", "control") else "trans"

    def inflect(self, node: Node, stem: str, person: str, number: str) -> Node:
        """Turn a node into a finite form of a verb or auxiliary, which rarely disagrees with the subject."""
        if self.dice.chance(0.02):
            person, number = self.dice.pick(("1", "2", "3")), self.dice.pick(("Sing", "Plur"))
        tense = self.dice.pick(("Past", "Pres"))
        ending, node.feats = self.lexicon.form("finite", person, number, tense)
        node.form = stem + ending
        return node

    def verb(self, entry: Verb, ending: str, xpos: str, feats: str) -> Node:
        """A non-finite form of a verb."""
        node = self.word(entry.stem + ending, entry.stem + "ar", "VERB", xpos, feats)
        node.topic = entry.topic
        return node

    def infinite_verb(self, entry: Verb) -> Node:
        """An infinitive."""
        return self.verb(entry, "ar", "VINF", "VerbForm=Inf")

    def finite_verb(self, entry: Verb, person: str, number: str) -> Node:
        """A finite main verb."""
        return self.inflect(self.verb(entry, "", "VFIN", "_"), entry.stem, person, number)

    def auxiliary(self, stem: str, person: str, number: str) -> Node:
        """A finite auxiliary or copula."""
        return self.inflect(self.word(stem, stem + "ar", "AUX", "VAFIN", "_"), stem, person, number)

    def periphrastic(self, entry: Verb, person: str, number: str) -> tuple[Node, Node]:
        """(main verb, auxiliary) of the perfect or future; the auxiliary is not yet attached."""
        if self.dice.chance(0.6):
            return self.verb(entry, "ut", "VPP", "VerbForm=Part"), self.auxiliary("hav", person, number)
        return self.infinite_verb(entry), self.auxiliary("vul", person, number)

    def finite_clause(self, front: Node | None = None, mark: str = "") -> Node:
        """The head of a finite clause, not yet attached.

        front: first constituent, a relative pronoun or wh-phrase with its deprel.
        mark: subordinator ("": none).
        """
        role = front.deprel if front else ""
        agreement = front if role == "nsubj" else None
        opening: Ranked = []
        subject = None
        if agreement is None and (self.budget > 1 or role) and not self.dice.chance(_PRO_DROP):
            subject = agreement = self.noun_phrase("Nom")
        person = agreement.person if agreement else self.dice.pick(("1", "2", "3", "3"))
        number = agreement.number if agreement else self.dice.pick(("Sing", "Sing", "Plur"))
        copular = role in ("", "nsubj", "advmod") and self.dice.chance(0.12)
        head = self._copular(opening, person, number) if copular else self._verbal(opening, role, person, number)
        passive = any(node.deprel == "aux:pass" for _, node in opening)
        if subject:
            rank = -20.0 if self.dice.chance(0.76) else 1.0
            self._add(opening, head, subject, "nsubj:pass" if passive else "nsubj", rank)
        if front:
            self._add(opening, head, front, "nsubj:pass" if passive and role == "nsubj" else role, -100.0)
        if mark:
            self._add(opening, head, self.particle(mark), "mark", -90.0)
        head.place_all(opening)
        return head

    def _add(self, ranked: Ranked, head: Node, node: Node, deprel: str, rank: float, noise: float = 1.5) -> None:
        node.head, node.deprel = head, deprel
        # Noise must not move a node to the other side of the verb.
        shift = rank + noise * self.dice.roll()
        ranked.append((min(shift, -0.5) if rank < 0 else shift, node))

    def _copular(self, ranked: Ranked, person: str, number: str) -> Node:
        head = self.adjective() if self.dice.chance(0.55) else self.noun_phrase("Nom")
        rank = -4.0 if self.dice.chance(0.8) else 0.0
        self._add(ranked, head, self.auxiliary("es", person, number), "cop", rank)
        self._adjuncts(ranked, head)
        return head

    def _verbal(self, ranked: Ranked, role: str, person: str, number: str) -> Node:
        frame = {"obj": "trans", "iobj": "ditr"}.get(role) or self.choose_frame()
        entry = self.lexicon.verbs[frame].draw(self.dice)
        if frame == "trans" and role in ("", "nsubj") and self.dice.chance(0.12):
            return self._passive(ranked, entry, person, number)
        if self.dice.chance(0.3):
            head, auxiliary = self.periphrastic(entry, person, number)
            self._add(ranked, head, auxiliary, "aux", -4.0 if self.dice.chance(0.88) else 0.0)
        else:
            head = self.finite_verb(entry, person, number)
        self.complement(ranked, head, entry, role)
        self._adjuncts(ranked, head, entry)
        return head

    def _passive(self, ranked: Ranked, entry: Verb, person: str, number: str) -> Node:
        head = self.verb(entry, "ut", "VPP", "VerbForm=Part")
        self._add(ranked, head, self.auxiliary("ver", person, number), "aux:pass", -4.0)
        if self.more(0.3):
            agent = self.noun_phrase("Acc")
            agent.put(self.word("per", "per", "ADP", "APPR", "_"), "case", before=True)
            self._add(ranked, head, agent, "obl:agent", 3.0)
        self._adjuncts(ranked, head, entry)
        return head

    def complement(self, ranked: Ranked, head: Node, entry: Verb, role: str = "") -> None:
        """Add the arguments of a verb's frame to ``ranked``, except that with the deprel ``role``."""
        if entry.frame in ("trans", "ditr") and role != "obj":
            self._argument(ranked, head, "obj", "Acc", entry.topic)
        if entry.frame == "ditr" and role != "iobj":
            self._argument(ranked, head, "iobj", "Dat", None)
        if entry.frame == "prep":
            rank = 4.0 if self.dice.chance(0.8) else -10.0
            self._add(ranked, head, self.adpositional(entry.adposition), "obl", rank, 3.0)
        if entry.frame == "clausal":
            mark = "ke" if self.dice.chance(0.7) else ""
            self._add(ranked, head, self.finite_clause(mark=mark), "ccomp", 6.0)
        if entry.frame == "control":
            self._add(ranked, head, self.infinitive(), "xcomp", 4.5)

    def _argument(self, ranked: Ranked, head: Node, deprel: str, case: str, topic: int | None) -> None:
        if self.dice.chance(0.12):
            self._add(ranked, head, self.pronoun(case, clitic=True), deprel, -6.0)
            return
        rank = 2.0 if self.dice.chance(0.75) else -18.5
        self._add(ranked, head, self.noun_phrase(case, topic), deprel, rank, 2.5)

    def infinitive(self) -> Node:
        """An infinitive clause."""
        frame = self.choose_frame()
        entry = self.lexicon.verbs[frame].draw(self.dice)
        head = self.infinite_verb(entry)
        ranked: Ranked = []
        if self.dice.chance(0.5):
            self._add(ranked, head, self.particle("tu"), "mark", -90.0)
        self.complement(ranked, head, entry)
        self._adjuncts(ranked, head, entry)
        head.place_all(ranked)
        return head

    def _adjuncts(self, ranked: Ranked, head: Node, entry: Verb | None = None) -> None:
        for probability in (0.27, 0.1):
            if self.more(probability):
                rank = 5.0 if self.dice.chance(0.65) else -15.0
                self._add(ranked, head, self.oblique(entry), "obl", rank, 4.0)
        for probability in (0.22, 0.06):
            if self.more(probability):
                self._add(ranked, head, self.adverb(), "advmod", self.dice.pick((-8.0, -22.0, 1.0, 3.0)), 4.0)
        if self.more(0.05):
            self._add(ranked, head, self.word("ne", "ne", "PART", "PTKNEG", "Polarity=Neg"), "advmod", -5.5)
        if self.more(0.04):
            # An adverbial noun in the accusative, which has the form of an object.
            last = self.sized_phrase("Acc", 2, self.lexicon.topics - 1)
            self._add(ranked, head, last, "obl", self.dice.pick((-21.0, 3.0)), 3.0)
        if self.budget > 4 and self.more(0.035):
            self.adverbial_clause(ranked, head, early=self.dice.chance(0.35))

    def adverbial_clause(self, ranked: Ranked, head: Node, *, early: bool) -> None:
        """Add an adverbial clause at the beginning (early) or at the end of a clause."""
        clause = self.finite_clause(mark=self.dice.pick(_SUBORDINATORS))
        clause.put(self.particle(","), "punct", before=not early)
        self._add(ranked, head, clause, "advcl", -40.0 if early else 10.0)

    def oblique(self, entry: Verb | None) -> Node:
        """An adpositional adjunct of a verb; half of them have the verb's preferred adposition."""
        if entry and self.dice.chance(0.5):
            return self.adpositional(entry.adposition)
        return self.adpositional(self.lexicon.verb_adpositions.draw(self.dice))

    def relative_clause(self, antecedent: Node) -> Node:
        deprel, case = self.dice.pick((("nsubj", "Nom"), ("nsubj", "Nom"), *OBJECTS))
        ending, feats = self.lexicon.form("relative", antecedent.gender, antecedent.number, case)
        pronoun = self.word("ves" + ending, "ves", "PRON", "PREL", feats)
        pronoun.number, pronoun.deprel = antecedent.number, deprel
        return self.finite_clause(pronoun)

    def wh_phrase(self) -> Node:
        """A wh-word or wh-phrase, with its deprel in the clause."""
        roll = self.dice.roll()
        if roll < 0.3:
            form = self.dice.pick(("kvo", "kvin", "kvom"))
            node = self.word(form, form, "ADV", "PWAV", "PronType=Int")
            node.deprel = "advmod"
            return node
        deprel, case = self.dice.pick((*OBJECTS, ("nsubj", "Nom")))
        if roll < 0.65:
            neuter = deprel != "iobj" and self.dice.chance(0.5)
            form = "kve" if neuter else "kva" + {"Nom": "", "Acc": "t", "Dat": "r"}[case]
            values = "Acc,Nom" if neuter else case
            node = self.word(form, "kva", "PRON", "PWS", f"Case={values}|PronType=Int")
        else:
            node = self.noun(case)
            ending, feats = self._agreement(node, case)
            word = self.word("kvel" + ending, "kvel", "DET", "PWAT", f"{feats}|PronType=Int".strip("|"))
            node.put(word, "det", before=True)
        node.deprel = deprel
        return node

    def extend(self, root: Node, *, late: bool) -> None:
        """Add a coordinated or adverbial clause to a sentence. late: whether it must stand at the end."""
        if self.dice.chance(0.55):
            second = self.finite_clause()
            linked = self.dice.chance(0.8)
            second.put(self.conjunction() if linked else self.particle(","), "cc" if linked else "punct", before=True)
            root.put(second, "conj", before=False)
        else:
            ranked: Ranked = []
            self.adverbial_clause(ranked, root, early=not late and self.dice.chance(0.35))
            root.place_all(ranked)
