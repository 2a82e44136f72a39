"""The oracle of tagging."""

from __future__ import annotations

from ..transitions.configuration import Bools, Configuration
from ..transitions.step import Decision
from ..transitions.tagging import TAG
from .oracle import Oracle


class TaggingOracle(Oracle):
    """Predict the gold label of each word, even if its head is not the word before it.

    There is no prediction for words whose gold label is not among the labels to learn.
    """

    systems = ("tagging",)

    def decide(self, c: Configuration, legal: Bools) -> Decision:
        label = self.gold.deprel(c, c.buffer(0))
        return self.first_of(legal, [(TAG, label >= 0, label)])
