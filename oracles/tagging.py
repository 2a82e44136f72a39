"""The oracle of tagging."""

from __future__ import annotations

from ..transitions.configuration import Bools, Configuration
from ..transitions.step import Decision
from ..transitions.tagging import TAG
from .oracle import Oracle


class TaggingOracle(Oracle):
    """The gold label of each word, also where its head is not the word before it, which no derivation can reach.

    There is no prediction for words whose label is none of those to be learned.
    """

    systems = ("tagging",)

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        label = self.gold.deprel(c, c.buffer(0))
        return self.first_of(legal, [(TAG, label >= 0, label)])
