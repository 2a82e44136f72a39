"""Shared parts of experiments: cells, settings, tables, and the registry. A declaration imports the names below."""

from __future__ import annotations

from ...parser.evaluate.percent import Json as Json
from .experiment import Experiment as Experiment, ExperimentTreebank as ExperimentTreebank, by_treebank as by_treebank
from .figures import over as over
from .outputs import Outputs as Outputs, joined as joined
from .parsing import TreebankPart as TreebankPart, count_part as count_part, parses as parses
from .results import tests_json as tests_json
from .runner import Cell as Cell
from .settings import Settings as Settings
