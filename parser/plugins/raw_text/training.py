"""Training of the tokenizer of a model."""

from __future__ import annotations

from ...config.config import RAW
from ...training.prepare import Preparation, StepTrainer
from .raw_text import tokens_of
from .step import TokenizerStep
from .tokenizer import Tokenizer


class TokenizerTrainer(StepTrainer):
    """Trains a tokenizer if the config key ``input`` says that the model starts from raw text."""

    def train(self, data: Preparation) -> None:
        """Learn from the training treebank; the development treebank balances precision and recall."""
        if self.value != RAW:
            return
        data.steps.append(TokenizerStep(Tokenizer.fit(data.sentences, data.dev)))
        learned = (
            f"{sum(len(tokens_of(sentence)) for sentence in data.sentences)} tokens, {len(data.sentences)} sentences"
        )
        data.progress(f"tokenizer: learned from {learned}{'' if data.dev else '; without a development treebank'}")
