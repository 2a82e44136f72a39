"""The declaration of an experiment, and the function that runs it.

An experiment is a module with ``EXPERIMENT``: cells (what to train and measure for each treebank), figures (computed
from the results of cells). The YAML file of its name contains treebanks, parsers and other settings; the template
``NAME.report.j2`` beside it contains the tables and charts of its report (see :mod:`.reports`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml

from ...parser.base import __version__
from ...parser.base.errors import CrossarcError
from ...parser.base.progress import Progress, nothing
from ...parser.config.config import ParserConfig
from ...parser.config.loading import load_config
from ...parser.config.ready import LEVELS
from ...parser.evaluate.align import scored_tree
from ...parser.evaluate.percent import Json, Result
from ...parser.evaluate.scores import Scores
from ...parser.treebank.tree import Tree
from .outputs import Counted, Outputs, joined
from .parsing import TreebankPart, cost_row, coverage_cell, make_cell, parses, unpack
from .registry import file_of, load_experiment, report_template
from .reports import Report
from .results import write_parsed, write_results, write_text
from .runner import Cell, file_name, run_cells
from .settings import Settings, TreebankEntry, available, generated_entries, load_settings, with_guide
from .tables import TableMaker, picked
from .templates import check_template


@dataclass(frozen=True, slots=True)
class ExperimentTreebank:
    """A treebank in a run. results: of all cells that are computed so far. folder: of the run's output."""

    entry: TreebankEntry
    settings: Settings
    results: Mapping[str, Any]
    folder: Path = Path()
    _kept: dict[Any, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the treebank in the YAML file."""
        return self.entry.name

    @property
    def values(self) -> Mapping[str, Any]:
        """The experiment's own settings."""
        return self.settings.values

    @property
    def parsers(self) -> Mapping[str, ParserConfig]:
        """The parsers to train on this treebank: all, or none if the setting ``untrained`` lists it."""
        return {} if self.name in self.values.get("untrained", ()) else self.configs

    @property
    def configs(self) -> Mapping[str, ParserConfig]:
        """The config of every parser; that of a level is chosen by facts about the training set."""
        return {name: self.once((name, "config"), partial(self._config, name)) for name in self.settings.parsers}

    def _config(self, name: str) -> ParserConfig:
        level = self.settings.specs[name]["config"]
        if level not in LEVELS:
            return self.settings.parsers[name]
        sentences = list(self.entry.part("train").sentences())
        return with_guide(load_config(level, (), self.settings.keys[name], sentences=sentences), self.values)

    def __getitem__(self, cell: str) -> Any:
        """The result of one of the treebank's cells."""
        return self.results[f"{self.name} {cell}"]

    def measured(self, name: str, result: Result | Mapping[str, Any]) -> dict[str, Json]:
        """The figures of a result that ``measures`` in the experiment's YAML file declares under a name."""
        return picked(result, self.settings.measures[name])

    def rows(self, name: str, results: Mapping[str, Result | Mapping[str, Any]]) -> dict[str, Json]:
        """The figures of several results by their names, see :meth:`measured`."""
        return {system: self.measured(name, result) for system, result in results.items()}

    def cell(self, name: str, compute: Callable[..., Json], *arguments: Any) -> Cell:
        """A cell of the treebank, see :func:`~.parsing.make_cell`."""
        return make_cell(f"{self.name} {name}", compute, *arguments)

    def each(self, parsers: Mapping[str, ParserConfig], compute: Callable[..., Json], *arguments: Any) -> list[Cell]:
        """A cell for each parser, computed from its config and the arguments."""
        return [self.cell(name, compute, config, *arguments) for name, config in parsers.items()]

    def part(self, split: str) -> TreebankPart:
        """The sentences of a split."""
        return self.entry.part(split)

    @property
    def dev(self) -> TreebankPart | None:
        """The development set, if there is one."""
        return self.part("dev") if "dev" in self.entry.files else None

    @property
    def evaluated(self) -> TreebankPart:
        """The part on which parsers are evaluated: the setting ``split``, or else the test set."""
        return self.part(self.values.get("split", "test"))

    def folds(self) -> list[tuple[TreebankPart, TreebankPart]]:
        """(training part, test part) of each fold: train and ``split``, or with ``folds`` all cross-validation folds.

        In cross-validation the test part is a fold of the training set and the training part the other folds. The first
        fold contains the sentences whose number modulo ``folds`` is 1 (Nilsson 2009, section 3.3).
        """
        folds, train = self.values.get("folds"), self.part("train")
        if folds is None or (folds == 0 and "split" in self.values):
            return [(train, self.evaluated)]
        if folds < 2:
            raise CrossarcError(f"folds: found {folds}; allowed: 2 or more")
        inside = [replace(train, folds=folds, fold=(k + 1) % folds) for k in range(folds)]
        return [(replace(fold, outside=True), fold) for fold in inside]

    def gold(self, part: TreebankPart) -> list[Tree]:
        """The gold trees of a part, with the columns that scoring needs."""
        return self.once(part, lambda: [scored_tree(sentence) for sentence in part.sentences()])

    def trees(self, cell: str, name: str) -> list[Tree]:
        """The trees that a cell has under a name."""
        return list(unpack(self[cell]["parts"][name]))

    def each_fold(
        self,
        compute: Callable[[ParserConfig], Callable[..., Json]] = lambda config: parses,
        parsers: Mapping[str, ParserConfig] | None = None,
    ) -> list[Cell]:
        """Cells that train every parser (default: all) and parse, once or for each of the :meth:`folds`."""
        return [
            self.cell(f"{name} {number}", compute(config), config, train, {"test": test})
            for name, config in (self.parsers if parsers is None else parsers).items()
            for number, (train, test) in enumerate(self.folds())
        ]

    def of_folds(self, systems: Collection[str], name: str = "test", counted: Counted = "all") -> list[Outputs]:
        """The trees of parsers with a given name in each of the :meth:`folds`."""
        return [
            self.outputs(test, name, {system: f"{system} {number}" for system in systems}, counted)
            for number, (_, test) in enumerate(self.folds())
        ]

    def parsed(self, name: str = "test", counted: Counted = "all", systems: Collection[str] | None = None) -> Outputs:
        """As :meth:`of_folds`, all folds together. systems: parsers (default: all)."""
        return joined(self.of_folds(self.parsers if systems is None else systems, name, counted))

    def cost(self, parser: str) -> dict[str, Json]:
        """The cost of a parser in all folds together, see :func:`~.parsing.cost_row`."""
        return cost_row([self[f"{parser} {number}"]["cost"] for number in range(len(self.folds()))], "test")

    def coverage(self, parsers: Mapping[str, ParserConfig]) -> list[Cell]:
        """Cells of the trees that the oracles of parsers can derive, of the part :attr:`evaluated`."""
        configs = {f"{self.name} {name} coverage": config for name, config in parsers.items()}
        return [coverage_cell(name, config, self.evaluated) for name, config in configs.items()]

    def of_coverage(self, parsers: Iterable[str]) -> dict[str, Scores]:
        """The scores of the trees from the cells of :meth:`coverage`."""
        return self.outputs(self.evaluated, "coverage", {name: f"{name} coverage" for name in parsers}).scores

    def outputs(
        self,
        part: TreebankPart,
        result_key: str,
        systems: Collection[str] | Mapping[str, str],
        counted: Counted = "all",
    ) -> Outputs:
        """The trees of systems for a part, from the results of their cells.

        result_key: key of the trees in each result, such as ``test`` or ``coverage``.
        systems: names of cells, which are also the names of the systems; or the cell of each system.
        counted: as in :class:`Outputs`.
        """
        cells = systems if isinstance(systems, Mapping) else {system: system for system in systems}
        return self.once(
            (part, result_key, counted, *cells.items()),
            lambda: Outputs(
                self.gold(part), {system: self.trees(cell, result_key) for system, cell in cells.items()}, counted
            ),
        )

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """The result of ``make``, computed once per run."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]


def by_treebank(
    figures: Callable[[ExperimentTreebank], Json],
) -> Callable[[Sequence[ExperimentTreebank]], dict[str, Json]]:
    """A function on all treebanks, with results by name, from a function on one treebank."""
    return lambda treebanks: {treebank.name: figures(treebank) for treebank in treebanks}


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment.

    cells: functions from a treebank to its cells; cells may depend on the results of earlier functions.
    figures: function from the treebanks to the JSON document with all figures of tables.
    generated: function from the settings to generated treebanks, see :func:`~.settings.generated_entries`.
    check: raises CrossarcError for invalid settings.
    notes: function from the settings to notes, which are printed and written to the report.
    """

    cells: Sequence[Callable[[ExperimentTreebank], Sequence[Cell]]]
    figures: Callable[[Sequence[ExperimentTreebank]], dict[str, Json]]
    generated: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda values: values.get("generated", {})
    check: Callable[[Settings], object] = lambda settings: None
    notes: Callable[[Settings], Sequence[str]] = lambda settings: ()


def run_declared(
    name: str,
    out: str | Path,
    *,
    config: str | None = None,
    settings: Sequence[str] = (),
    only: Sequence[str] = (),
    jobs: int = 1,
    parsed: str | None = None,
    progress: Progress = nothing,
) -> None:
    """Compute missing results; write the report, the charts, tables, results.json and scores.json.

    name: the experiment, or the path of the YAML file of one that is not installed.
    out: folder for all files.
    config, settings, only: as for :func:`~.settings.load_settings`.
    jobs: number of worker processes.
    parsed: folder for the parsed sentences of each cell (None: they are not written).
    progress: receives messages of one line each.
    """
    check_template(report_template(name))  # before anything is computed
    experiment: Experiment = load_experiment(name)
    chosen = load_settings(name, config, settings, only, str(out))
    experiment.check(chosen)
    notes = experiment.notes(chosen)
    for line in notes:
        progress(line)
    folder = Path(out)
    entries = available(chosen.treebanks, progress)
    if not only:
        entries += generated_entries(experiment.generated(chosen.values), folder)
    if not entries:
        raise CrossarcError("treebanks: found none")
    results: dict[str, Json] = {}
    treebanks = [ExperimentTreebank(entry, chosen, results, folder) for entry in entries]
    for cells in experiment.cells:
        wanted = _by_name((cell, treebank.entry.files) for treebank in treebanks for cell in cells(treebank))
        results |= run_cells([cell for cell, _ in wanted.values()], folder, jobs=jobs, progress=progress)
        if parsed:
            names = Counter(map(file_name, wanted))
            for cell, files in wanted.values():
                stem = file_name(cell.name)
                stem = stem if names[stem] == 1 else quote(cell.name, safe="")  # so that no file replaces another
                write_parsed(cell, results[cell.name], Path(parsed), files, stem)
    figures = experiment.figures(treebanks)
    write_results(folder, name, chosen, entries, figures)
    report = Report(folder, TableMaker(file_of(name).parent, figures, {entry.name: entry.twin for entry in entries}))
    body = report.render(report_template(name))
    parts = [f"# {chosen.title}", *_origin(chosen, notes), body, report.meanings()]
    write_text(folder, "report.md", "\n\n".join(filter(None, parts)) + "\n")
    for title in report.empty:
        progress(f"left out, without figures: {title}")
    progress(f"wrote {folder / 'report.md'}")


def _by_name(cells: Iterable[tuple[Cell, Mapping[str, str]]]) -> dict[str, tuple[Cell, Mapping[str, str]]]:
    """The cells by name, each with the files of its treebank. Raises CrossarcError for different ones of one name."""
    result: dict[str, tuple[Cell, Mapping[str, str]]] = {}
    for cell, files in cells:
        first, _ = result.setdefault(cell.name, (cell, files))
        if (first.key, first.files) != (cell.key, cell.files):
            raise CrossarcError(f"two cells are called {cell.name!r}; rename a treebank or a parser")
    return result


def _origin(settings: Settings, notes: Sequence[str]) -> list[str]:
    origin = f"Reproduced by `{settings.command}` (crossarc {__version__})."
    note = settings.note.format_map({"parsers": ", ".join(settings.parsers), **settings.values})
    parsers = "\n".join(f"- {name}: `{_flow(spec)}`" for name, spec in settings.specs.items())
    return [f"{origin} {note}".strip(), parsers, *(f"Note: {line}." for line in notes)]


def _flow(spec: Mapping[str, Any]) -> str:
    return yaml.safe_dump(dict(spec), default_flow_style=True, width=10**6, sort_keys=False).strip()
