"""The experiments by name."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from types import MappingProxyType

from . import (
    controlled_nonprojectivity,
    cross_validation,
    kuhlmann_nivre_2010,
    lacroix_bechet_2014,
    learners,
    nilsson_2009_ch5,
    nilsson_2009_ch6,
    nilsson_2009_ch7,
    nilsson_2009_ch8,
    nilsson_2009_ch9,
    nivre_nilsson_2005,
)

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: Mapping[str, Callable[[argparse.Namespace], int]] = MappingProxyType(
    {
        module.NAME: module.run
        for module in (
            kuhlmann_nivre_2010,
            nivre_nilsson_2005,
            lacroix_bechet_2014,
            nilsson_2009_ch5,
            nilsson_2009_ch6,
            nilsson_2009_ch7,
            nilsson_2009_ch8,
            nilsson_2009_ch9,
            controlled_nonprojectivity,
            cross_validation,
            learners,
        )
    }
)
"""``run(options)``: options has ``config`` (a YAML or None), ``set``, ``only`` (treebanks), ``out`` and ``jobs``."""
