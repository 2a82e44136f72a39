"""Nodes and phrases of the invented language: noun phrases, adpositional phrases, adverbs.

A node has a head, and a place in the list ``before`` or ``after`` of some node. Only displaced nodes are placed beside
a node that is not their head, so a tree without displacement is projective.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from operator import itemgetter

from .lexicon import Adposition, Dice, Lexicon, Noun

_MISAGREEMENT = 0.02


@dataclass(slots=True, eq=False)
class Node:
    """A word with its head, and with the nodes whose yields stand directly before and after it."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    deprel: str = "dep"
    head: Node | None = None
    before: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)
    gender: str = ""
    number: str = "Sing"
    person: str = "3"
    topic: int = 0
    liking: Adposition | None = None

    def put(self, dependent: Node, deprel: str, *, before: bool, outermost: bool = True) -> Node:
        """Attach a dependent and place it on one side, as the outermost or innermost node; return the dependent."""
        dependent.head = self
        dependent.deprel = deprel
        self.place(dependent, before=before, outermost=outermost)
        return dependent

    def place(self, node: Node, *, before: bool, outermost: bool = True) -> None:
        """Place a node on one side of this node, as the outermost or innermost; its head may be another node."""
        side = self.before if before else self.after
        side.insert(0 if before == outermost else len(side), node)

    def place_all(self, ranked: list[tuple[float, Node]]) -> None:
        """Place nodes outside of those already placed, in the order of ranks; negative ranks stand before this node."""
        ranked.sort(key=itemgetter(0))
        self.before[:0] = [node for rank, node in ranked if rank < 0]
        self.after.extend(node for rank, node in ranked if rank >= 0)


def linearize(root: Node) -> list[Node]:
    """A node and all nodes placed beside it or below, in the order of the sentence."""
    before, after = ([word for node in side for word in linearize(node)] for side in (root.before, root.after))
    return [*before, root, *after]


class Phrases(ABC):
    """Builds phrases. budget: number of words that the sentence may still grow by."""

    def __init__(self, lexicon: Lexicon, dice: Dice, budget: int) -> None:
        self.lexicon = lexicon
        self.dice = dice
        self.budget = budget

    @abstractmethod
    def relative_clause(self, antecedent: Node) -> Node:
        """A relative clause that agrees with its antecedent, not yet attached."""

    def more(self, probability: float) -> bool:
        """Whether to add an optional constituent; the probability falls with the remaining budget."""
        return self.dice.roll() * 7.0 < probability * min(10, max(self.budget, 0))

    def word(self, form: str, lemma: str, upos: str, xpos: str, feats: str) -> Node:
        """A new node; it reduces the budget by one word."""
        self.budget -= 1
        return Node(form, lemma, upos, xpos, feats or "_")

    def adverb(self, group: str = "verbal") -> Node:
        """An adverb of a group; a few are of a random group."""
        if self.dice.chance(0.06):
            group = self.dice.pick(("verbal", "degree", "focus"))
        form = self.lexicon.adverbs[group].draw(self.dice)
        return self.word(form, form, "ADV", "ADV", "_")

    def particle(self, form: str) -> Node:
        """A punctuation mark, conjunction, subordinator or marker of infinitives."""
        upos, xpos = self.lexicon.particles.get(form) or self.lexicon.particles["subordinator"]
        return self.word(form, form, upos, xpos, "_")

    def noun(self, case: str, topic: int | None = None, number: str = "") -> Node:
        """A noun without modifiers, usually with the given topic. number: "Sing" or "Plur" ("": random)."""
        lexicon, dice = self.lexicon, self.dice
        pool = lexicon.nouns if topic is None or dice.chance(0.25) else lexicon.nouns_by_topic[topic]
        entry = pool.draw(dice)
        drawn = "Plur" if dice.chance(0.3) else "Sing"
        return self._inflected(entry, case, number or drawn, proper=False)

    def name(self, case: str) -> Node:
        """A proper name; some have two words."""
        node = self._inflected(self.lexicon.names.draw(self.dice), case, "Sing", proper=True)
        if self.more(0.3):
            node.put(
                self._inflected(self.lexicon.names.draw(self.dice), "Nom", "Sing", proper=True), "flat", before=False
            )
        return node

    def _inflected(self, entry: Noun, case: str, number: str, *, proper: bool) -> Node:
        ending, feats = self.lexicon.form("noun", entry.gender, number, case)
        lemma = entry.stem + self.lexicon.form("noun", entry.gender, "Sing", "Nom")[0]
        tags = ("PROPN", "NE") if proper else ("NOUN", "NN")
        node = self.word(entry.stem + ending, lemma, *tags, feats)
        node.gender, node.number, node.topic, node.liking = entry.gender, number, entry.topic, entry.adposition
        return node

    def pronoun(self, case: str, *, clitic: bool = False) -> Node:
        """A personal pronoun, or its clitic form."""
        person, number = self.dice.pick(("1", "2", "3", "3")), self.dice.pick(("Sing", "Sing", "Plur"))
        paradigm, xpos = ("clitic", "PCL") if clitic else ("personal", "PPER")
        form, feats = self.lexicon.form(paradigm, person, number, case)
        lemma = form if clitic else self.lexicon.form(paradigm, person, number, "Nom")[0]
        node = self.word(form, lemma, "PRON", xpos, feats)
        node.person, node.number = person, number
        return node

    def determiner(self, noun: Node, case: str) -> Node:
        """A determiner that agrees with a noun."""
        entry = self.lexicon.determiners.draw(self.dice)
        ending, agreement = self._agreement(noun, case)
        feats = "|".join(sorted(f"{agreement}|{entry.feats}".strip("|").split("|")))
        return self.word(entry.stem + ending, entry.stem + "er", "DET", entry.xpos, feats)

    def adjective(self, noun: Node | None = None, case: str = "Nom", *, bare: bool = False) -> Node:
        """An adjective; with a noun it is inflected to agree. bare: whether it has no adverb."""
        stem = self.lexicon.adjectives.draw(self.dice)
        if noun is None:
            return self.word(stem, stem, "ADJ", "ADJD", "_")
        ending, feats = self._agreement(noun, case)
        node = self.word(stem + ending, stem, "ADJ", "ADJA", feats)
        if not bare and self.more(0.12):
            node.put(self.adverb("degree"), "advmod", before=True)
        return node

    def _agreement(self, noun: Node, case: str) -> tuple[str, str]:
        if self.dice.chance(_MISAGREEMENT):
            case = self.dice.pick(("Acc", "Dat", "Gen", "Nom"))
        return self.lexicon.form("adjective", noun.gender, noun.number, case)

    def noun_phrase(self, case: str, topic: int | None = None) -> Node:
        """A noun phrase with random modifiers, as far as the budget allows."""
        roll = self.dice.roll()
        if roll < 0.12 and case != "Gen":
            return self.pronoun(case)
        head = self.name(case) if roll < 0.24 else self.noun(case, topic)
        if head.upos == "NOUN":
            self._modify_inside(head, case)
        self._modify_outside(head, case)
        return head

    def _modify_inside(self, head: Node, case: str) -> None:
        if self.more(0.22):
            late = self.dice.chance(0.15)
            head.put(self.adjective(head, case), "amod", before=not late)
            if self.more(0.12):
                head.put(self.adjective(head, case), "amod", before=True)
        if self.more(0.06):
            numeral = self.lexicon.numerals.draw(self.dice)
            head.put(self.word(numeral, numeral, "NUM", "CARD", "NumType=Card"), "nummod", before=True)
        early = self.more(0.05)
        if early:
            head.put(self.noun("Gen"), "nmod", before=True)
        if self.dice.chance(0.62 if head.number == "Sing" else 0.4) and not early:
            head.put(self.determiner(head, case), "det", before=True)
        if self.more(0.03):
            head.put(self.adverb("focus"), "advmod", before=True)

    def _modify_outside(self, head: Node, case: str) -> None:
        if head.upos == "NOUN" and self.more(0.11):
            owner = self.noun_phrase("Gen") if self.more(0.5) else self.noun("Gen")
            head.put(owner, "nmod", before=False)
        liking = head.liking
        if self.more(0.34 if liking else 0.05):
            preposition = liking if liking and self.dice.chance(0.85) else self.lexicon.noun_adpositions.draw(self.dice)
            head.put(self.adpositional(preposition), "nmod", before=False)
        if self.more(0.05):
            other = self.noun_phrase(case, head.topic if self.dice.chance(0.8) else None)
            other.put(self.conjunction(), "cc", before=True)
            head.put(other, "conj", before=False)
        if self.more(0.05):
            clause = self.relative_clause(head)
            head.put(clause, "acl:relcl", before=False)

    def conjunction(self) -> Node:
        """A coordinating conjunction."""
        return self.particle("ed" if self.dice.chance(0.75) else self.dice.pick(("od", "ma")))

    def adpositional(self, entry: Adposition, size: int = 0) -> Node:
        """A noun phrase with an adposition. size: number of words, 2 to 5 (0: any)."""
        phrase = self.sized_phrase(entry.case, size - 1) if size else self.noun_phrase(entry.case)
        marker = self.word(entry.lemma, entry.lemma, "ADP", "APPO" if entry.postposed else "APPR", "_")
        phrase.put(marker, "case", before=not entry.postposed)
        return phrase

    def sized_phrase(self, case: str, size: int, topic: int | None = None) -> Node:
        """A noun phrase of exactly 1 to 4 words."""
        if size == 1:
            return self.pronoun(case) if case != "Gen" and self.dice.chance(0.4) else self.noun(case, topic)
        head = self.noun(case, topic)
        if size == 4:
            head.put(self.noun("Gen"), "nmod", before=False)
        if size >= 3:
            head.put(self.adjective(head, case, bare=True), "amod", before=True)
        head.put(self.determiner(head, case), "det", before=True)
        return head
