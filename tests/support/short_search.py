"""A short search for parameters and features, for tests of tuning."""

from __future__ import annotations

import crossarc.parser.training.tuning.phases as tuning
import pytest
from crossarc.parser.training.tuning.search import Change


def shorten(patch: pytest.MonkeyPatch) -> None:
    """Reduce the changes that the search tries, so that it ends before its time limit."""
    patch.setattr(tuning, "removals", lambda lines: [Change("words", ("form(Stack[0])",), False)])
    change = Change("tags", ("xpos(Lookahead[0])", "xpos(Lookahead[1])"), True)
    patch.setattr(tuning, "additions", lambda lines, columns, full: [change])
    options, parameters = tuning.technique_options, tuning.parameter_options
    patch.setattr(tuning, "technique_options", lambda *given: options(*given)[:1])
    patch.setattr(tuning, "parameter_options", lambda *given: parameters(*given)[:1])
