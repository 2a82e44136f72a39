"""Randomization tests over sentences: against all sign changes of a few sentences, and against theory."""

from __future__ import annotations

from itertools import product
from math import erfc, sqrt

import numpy as np
import pytest
from crossarc.parser.evaluate.resampling import sign_flips


def test_p_agrees_with_all_sign_changes() -> None:
    differences = np.array([[3, -1, 0, 2, 2, -1, 1, 4], [1, -1, 1, -1, 1, -1, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1]])
    signs = np.array(list(product((1, -1), repeat=8)))
    expected = (np.abs(signs @ differences.T) >= np.abs(differences.sum(axis=1))).mean(axis=0)
    assert sign_flips(differences, 40_000) == pytest.approx(expected, abs=0.01)
    assert expected[1] == 1.0


def test_errors_that_come_together_make_p_larger() -> None:
    """Ten differences in each sentence count as one, which a test over words takes for ten."""
    generator = np.random.default_rng(0)
    single = generator.choice([-1, 0, 0, 1, 1], (1, 400))
    z = single.sum() / sqrt((single**2).sum())
    assert sign_flips(single, 20_000)[0] == pytest.approx(erfc(z / sqrt(2)), abs=0.01)
    together = 10 * single[:, :40]
    words = together.sum() / sqrt(np.abs(together).sum())
    assert sign_flips(together, 20_000)[0] > erfc(words / sqrt(2))
