"""A short search, for tests of tuning."""

from __future__ import annotations

from dataclasses import replace

import crossarc.parser.training.tuning.search as search
import pytest


def shorten(patch: pytest.MonkeyPatch) -> None:
    """Reduce the changes that the search tries to three values of C, so that it ends before its time limit."""

    def few(config, facts):
        values = (0.01, 0.03, 0.1, 0.3)
        return {f"C {own}": replace(config, guide={**config.guide, "C": own}) for own in values}

    patch.setattr(search, "neighbours", few)
    patch.setattr(search, "recommended", lambda base, facts: {})
    patch.setattr(search, "PATIENCE", 1)
