"""Interpreter of the grammar of the invented language: phrases, and sites of crossing arcs.

``grammar.yaml`` explains the keys of phrases and sites.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from .lexicon import Dice, Pool

Spec = Mapping[str, Any]
Ranked = tuple[float, "GrammarNode"]
FRONT = -100.0
"""Rank of a constituent at the beginning of its clause."""


@dataclass(slots=True, eq=False)
class GrammarNode:
    """A word with its head, its features, and the nodes whose yields stand directly before and after it."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    features: Mapping[str, Any]
    deprel: str = "root"
    head: GrammarNode | None = None
    before: list[GrammarNode] = field(default_factory=list)
    after: list[GrammarNode] = field(default_factory=list)

    def attach(self, ranked: Iterable[Ranked]) -> None:
        """Attach nodes, and place them outside of those already placed; those with negative ranks stand before."""
        ordered = sorted(ranked, key=itemgetter(0))
        for _, node in ordered:
            node.head = self
        self.before[:0] = [node for rank, node in ordered if rank < 0]
        self.after += [node for rank, node in ordered if rank >= 0]

    def words(self) -> list[GrammarNode]:
        """This node and all nodes placed beside it or below, in the order of the sentence."""
        before, after = ([word for node in side for word in node.words()] for side in (self.before, self.after))
        return [*before, self, *after]


def roles(spec: Spec | Sequence[Spec], phrases: Mapping[str, Any]) -> set[str]:
    """The deprels, without subtypes, of the dependents that a phrase or an alternative can have."""
    if not isinstance(spec, Mapping):
        return set().union(*(roles(part, phrases) for part in spec))
    names = {dependent["as"].split(":")[0] for dependent in spec.get("dependents", ())}
    if "phrase" in spec:
        names |= roles(phrases[spec["phrase"]], phrases)
    return names | roles(spec.get("alternatives", ()), phrases)


class Grammar:
    """Builds phrases at random.

    budget: number of words that the sentence may still grow by.
    """

    def __init__(self, grammar: Spec, lexicon: Mapping[str, Pool], dice: Dice, budget: int) -> None:
        self.grammar, self.lexicon, self.dice, self.budget = grammar, lexicon, dice, budget
        self.phrases: Mapping[str, Any] = grammar["phrases"]

    def word(self, lexeme: str, inflection: str, features: Spec) -> GrammarNode:
        """A word of a class of lexemes. Features that it needs and does not get are chosen at random."""
        spec, dice = self.grammar["inflections"][inflection], self.dice
        pool, preferred = self.lexicon[lexeme], dice.chance(self.grammar["preference"])
        lexeme_drawn = (pool.of_topic.get(features.get("topic"), pool) if preferred else pool).draw(dice)
        if preferred and lexeme in features:
            lexeme_drawn = features[lexeme]
        chosen_features = {**features, **lexeme_drawn.features}
        form, feats, lemma = lexeme_drawn.stem + spec.get("ending", ""), spec.get("feats", ""), spec.get("lemma", "")
        if "paradigm" in spec:
            paradigm, *keys = spec["paradigm"]
            for key in keys:
                chosen_features[key] = chosen_features.get(key) or dice.pick(self.grammar["values"][key])
            case = chosen_features[keys[-1]]
            if dice.chance(self.grammar["disagreement"]):
                case = dice.pick(list(self._forms(paradigm, keys, chosen_features)))
            ending, feats = self._forms(paradigm, keys, chosen_features)[case]
            form += ending
            if not isinstance(lemma, str):
                shown = {**chosen_features, keys[-1]: case, **lemma}
                lemma = self._forms(paradigm, keys, shown)[shown[keys[-1]]][0]
        feats = "|".join(sorted({*feats.split("|"), *lexeme_drawn.features.get("feats", "").split("|")} - {""}))
        self.budget -= 1
        lemma = lexeme_drawn.stem + lemma if "lemma" in spec else form
        return GrammarNode(
            form, lemma, spec["upos"], lexeme_drawn.features.get("xpos", spec["xpos"]), feats or "_", chosen_features
        )

    def _forms(self, paradigm: str, keys: Sequence[str], features: Spec) -> Mapping[str, tuple[str, str]]:
        """(ending, FEATS) by case or tense, for a gender or person, and a number. keys: names of these features."""
        cells = f"{features[keys[0]]} {features[keys[1]]}"
        return self.grammar["paradigms"][paradigm][cells]

    def phrase(self, name: str, features: Spec, front: list[Ranked] | None = None) -> GrammarNode:
        """The head of a phrase with all its dependents.

        front: takes the place of a dependent with its deprel and is removed from the list; only alternatives with such
            a dependent are chosen.
        """
        rule = self.phrases[name]
        rule = rule if isinstance(rule, Mapping) else {"alternatives": rule}
        fitting, shared = rule["alternatives"], {"dependents": rule.get("dependents", ())}
        if front and (role := front[0][1].deprel) not in roles(shared, self.phrases):
            fitting = [candidate for candidate in fitting if role in roles(candidate, self.phrases)]
        chosen = self.dice.weighted(
            [candidate for candidate in fitting if self.budget >= candidate.get("budget", 0)] or fitting
        )
        variant = self.dice.weighted(rule.get("variant", [{}]))
        if "front" in chosen:
            front, features = [(FRONT, self.item(chosen["front"], features))], {}
        specs = [*rule.get("dependents", ()), *chosen.get("dependents", ()), *variant.get("dependents", ())]
        context = {**features, **chosen.get("with", {})}
        ranked = []
        for spec in specs:
            if "gives" in spec:
                dependents = self._dependent(spec, context, front)
                ranked += dependents
                context |= {key: node.features.get(key, "3") for _, node in dependents for key in spec["gives"]}
        if "phrase" in chosen:
            head = self.phrase(chosen["phrase"], context, front)
        else:
            head = self.word(chosen["word"][0], variant.get("word", chosen["word"])[1], context)
        for spec in specs:
            if "gives" not in spec:
                ranked += self._dependent(spec, head.features, front)
        head.attach(ranked)
        return head

    def item(self, spec: Spec, features: Spec) -> GrammarNode:
        """A constituent with one of the deprels that it can have: keys ``phrase``, ``share`` and ``roles``."""
        role = self.dice.pick(list(spec["roles"]))
        context = {key: features[key] for key in spec.get("share", ()) if key in features} | {
            "case": spec["roles"][role]
        }
        node = self.phrase(spec["phrase"], context)
        node.deprel = role
        return node

    def add(self, head: GrammarNode, specs: Iterable[Spec]) -> None:
        """Add dependents outside of those that a node has."""
        head.attach([node for spec in specs for node in self._dependent(spec, head.features, None)])

    def _dependent(self, spec: Spec, features: Spec, front: list[Ranked] | None) -> list[Ranked]:
        """The dependent with its rank, if there is one. features: those of the head."""
        if front and front[0][1].deprel == spec["as"].split(":")[0]:
            rank, node = front.pop()
        elif "chance" in spec and not self._more(spec["chance"]):
            return []
        else:
            shared = {key: features[key] for key in spec.get("share", ()) if key in features}
            node = self.phrase(spec["phrase"], {**spec.get("with", {}), **shared})
            at = spec["at"] if isinstance(spec["at"], list) else [spec["at"]]
            rank = self.dice.pick(at)
            noise = spec.get("spread", 0) * self.dice.roll()
            rank = min(rank + noise, -0.5) if rank < 0 else rank + noise
        node.deprel = spec["as"]
        return [(rank, node)]

    def _more(self, probability: float) -> bool:
        """Whether to add an optional constituent; the probability falls with the remaining budget."""
        return self.dice.roll() * 7.0 < probability * min(10, max(self.budget, 0))

    def site(self, kind: str, depth: int, distance: int, displaced: bool) -> GrammarNode:
        """The head of a clause with an item that may be displaced, so that its arc alone crosses others.

        The clause has a chain of heads, the last of which has the item. If it is displaced, it stands in the clause of
        the first, with exactly ``distance`` words between itself and its head: the other heads, and the constituents
        that fill the rest. So its arc needs ``depth`` lifts. Except for the place of the item, the clause does not
        depend on whether the item is displaced.
        """
        spec = self.dice.pick(self.grammar["sites"][kind])
        early = spec["side"] == "before"
        levels = [dict(spec["levels"][min(level, len(spec["levels"]) - 1)]) for level in range(depth + 1)]
        levels[depth - 1] |= spec.get("above", {})
        levels[depth] |= spec.get("bottom", {})
        item = self.item(spec["item"], {}) if "item" in spec else None
        role = item.deprel if item else "acl:relcl"
        shares = self._split(distance - depth, 1 + depth * ("fillers" in spec["levels"][-1]))
        chain: list[GrammarNode] = []
        for level, words in zip(levels, [*shares, *[0] * depth], strict=False):
            node = self._level(level, words, role, item if level is levels[-1] and role == "nsubj" else None)
            if chain:
                node.deprel = level["as"]
                chain[-1].attach([(1.0 if early else -1.0, node)])
            chain.append(node)
        if item is None:
            item = self.phrase(spec["phrase"], chain[-1].features)
        landing = chain[0] if displaced else chain[-1]
        landing.attach([(FRONT if early else -FRONT, item)])
        item.head, item.deprel = chain[-1], role
        for node, level in zip(chain, levels, strict=True):
            present = {child.deprel for child in (*node.before, *node.after)} | ({role} if node is chain[-1] else set())
            self.add(node, [dependent for dependent in level.get("dependents", ()) if dependent["as"] not in present])
        return chain[0]

    def _level(self, level: Spec, words: int, role: str, subject: GrammarNode | None) -> GrammarNode:
        """A head of the chain of a site, with constituents of ``words`` words. subject: the item, if it is one."""
        ranked: list[Ranked] = []
        fillers = self.grammar["fillers"]
        names = [name for name in level.get("fillers", ()) if name != role or not fillers[name].get("once")]
        while words:
            name = self.dice.pick(names)
            filler = fillers[name]
            size = self.dice.pick([size for size in filler["phrases"] if size <= words] or [0])
            if size:
                node = self.phrase(filler["phrases"][size], filler.get("with", {}))
                node.deprel = filler.get("as", name)
                side = self.dice.pick(level["at"]) if "rank" not in filler else -1
                ranked.append((filler.get("rank", side * (10 + 8 * self.dice.roll())), node))
                words -= size
                if filler.get("once"):
                    names.remove(name)
                    subject = node if name == "nsubj" else subject
        agreement = {key: subject.features.get(key, "3") for key in ("person", "number")} if subject else {}
        lexeme, inflection = level["word"]
        lexeme = level.get("lexeme", lexeme)
        lexeme = lexeme if isinstance(lexeme, str) else lexeme[role]
        head = self.word(lexeme, inflection, {"person": "3", **level.get("with", {}), **agreement})
        head.attach(ranked)
        return head

    def _split(self, words: int, slots: int) -> list[int]:
        """Distribute words randomly to slots: the number of words of each slot."""
        shares = [0] * slots
        while words:
            portion = 1 + self.dice.index(min(words, 4))
            shares[self.dice.index(slots)] += portion
            words -= portion
        return shares
