"""The command that runs experiments."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...parser.base.cluster import on_cluster
from ...parser.base.errors import CrossarcError, choices
from ...parser.base.locks import only_run
from ...parser.console.options import JOBS, Options, Setting, option
from ...parser.console.progress import progress_of
from ...parser.console.streams import tell
from .experiment import run_declared
from .registry import describe_experiments, experiments, is_own, module_of
from .runner import UnfinishedError
from .settings import experiment_of

MEANING = (
    "name of an experiment, or a YAML file: settings for the experiment that its key 'experiment' names, or your own "
    "experiment with a module beside the file (default: list all experiments)"
)
EXPERIMENT: Options = {
    "[NAME]": option(MEANING, metavar="EXPERIMENT"),
    "--config FILE": "YAML file whose keys replace those of the experiment's own file",
    "--out FOLDER": "folder for the results; existing results are not computed again (default: NAME.out)",
    **JOBS,
    "--set KEY=VALUE...": option("set a key of the experiment, e.g. split=test", action=Setting),
    "--only NAME...": "use only this treebank, or only this tool of other-parsers; repeat for several",
    "--parsed FOLDER": "folder for the parsed sentences of each cell, as CoNLL-U",
}


def run_experiment(options: argparse.Namespace) -> int:
    """``crossarc experiment``."""
    if options.name is None:
        if options.config or options.set or options.only:
            raise CrossarcError(f"experiment: no name given; allowed: {', '.join(experiments())}")
        print(describe_experiments())
        return 0
    options.out = options.out or f"{Path(options.name).stem}.out"
    name = _named(options)
    modules = [module_of(name)] if is_own(name) else []
    with only_run(Path(options.out)):
        try:
            with on_cluster(options.jobs, modules) as jobs, progress_of(options) as progress:
                run_declared(
                    name,
                    options.out,
                    config=options.config,
                    settings=options.set,
                    only=options.only,
                    jobs=jobs,
                    parsed=options.parsed,
                    progress=progress,
                )
        except UnfinishedError as stopped:
            if not options.quiet:
                tell(f"{stopped}; the same command computes the others")
            raise KeyboardInterrupt from None
    return 0


def _named(options: argparse.Namespace) -> str:
    """The experiment that is meant; a YAML file in its place becomes the option ``--config``."""
    if options.name in experiments() or is_own(options.name):
        return str(options.name)
    if not options.name.endswith((".yaml", ".yml")):
        raise CrossarcError(f"experiment {choices(options.name, experiments())}")
    if options.config:
        raise CrossarcError(f"experiment: found two YAML files, {options.name} and {options.config}; allowed: one")
    options.config = options.name
    return experiment_of(options.config)
