"""Settings of an experiment from its YAML file: treebanks, parsers, and the experiment's own keys."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...parser.base.errors import CrossarcError, check_names
from ...parser.base.parameters import parameters_of
from ...parser.base.progress import Progress
from ...parser.base.text_files import file_name, read_text
from ...parser.base.yaml_values import load_yaml
from ...parser.config.config import AUTO, FILES_OF_TRAINING, Config, ParserConfig
from ...parser.config.feature_files import load_stage_features
from ...parser.config.loading import load_config
from ...parser.config.ready import LEVELS, ready_configs
from ...parser.transforms.registry import parse_transform
from ...parser.treebank import write_sentences
from ...transitions import plugins
from ..synthetic.generator import GeneratorOptions, generate
from .figures import check_path
from .parsing import TreebankPart
from .registry import experiments, file_of, is_own

SPLITS = ("train", "dev", "test")
TREEBANKS = Path(__file__).parents[1] / "treebanks.yaml"
"""The YAML file with the files of known treebanks, for entries that name no files."""
VARIANTS = "settings"
"""The folder for settings of single runs if there are too many to be beside the experiment's YAML file."""
ENTRY = (*SPLITS, "format", "columns", "sentences", "published", "beside")


@dataclass(frozen=True, slots=True)
class TreebankEntry:
    """A treebank that an experiment lists.

    files: file by split.
    sentences: number of training sentences, from the first (0: all).
    published: the paper's name for this treebank; "" if the paper has no figures of it.
    beside: the paper's name for another treebank whose figures are shown beside ours ("": none).
    """

    name: str
    files: Mapping[str, str]
    format: str = AUTO
    columns: str = "gold"
    sentences: int = 0
    published: str = ""
    beside: str = ""

    def part(self, split: str) -> TreebankPart:
        """The sentences of a split. Raises CrossarcError if the treebank has no file for it."""
        check_names(f"treebank {self.name}: no file for", [split], self.files)
        limit = self.sentences if split == "train" else 0
        return TreebankPart(self.files[split], self.format, self.columns, limit)

    @property
    def twin(self) -> tuple[str, str]:
        """The paper's name of the treebank whose figures are shown beside ours ("": none), and their name."""
        called = "published" if self.published else f"published for another treebank, {self.beside}"
        return self.published or self.beside, called


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run.

    values: the experiment's own keys, with the same types as in the installed YAML file.
    treebanks: the treebanks to use.
    specs: by parser, its entry in the YAML file: ``config`` and keys of a config.
    keys: by parser, these keys, with absolute paths.
    parsers: the config of each parser; that of a parser of a level is chosen for each treebank.
    command: the command line that gives these settings.
    measures: by the name of a row of figures, the path of each figure in a result.
    title, note: title and note of the report; the note may name settings in braces.
    """

    values: Mapping[str, Any]
    treebanks: tuple[TreebankEntry, ...]
    parsers: Mapping[str, ParserConfig]
    command: str
    specs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    keys: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    measures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    title: str = ""
    note: str = ""


def load_settings(
    experiment: str,
    path: str | None = None,
    settings: Sequence[str] = (),
    only: Sequence[str] = (),
    out: str | None = None,
) -> Settings:
    """The settings of a run: the experiment's installed YAML file, overridden by ``path`` and then by ``settings``.

    path: a YAML file, or the name of a file that is installed with the experiment.
    settings: texts ``KEY=VALUE``; keys may be dotted.
    only: names of the treebanks and ``tools`` to use (empty: all).
    out: output folder, for the command line in :class:`Settings`.

    ``$NAME`` in paths is replaced by the environment variable, if it is set. Paths in a file are relative to it. A
    parser has the key ``config``, a ready config, a level or a file, and keys of a config that override it. The key
    ``guide``, unless it is empty, replaces the guide of every parser. Raises CrossarcError for invalid settings.
    """
    installed = file_of(experiment)
    defaults: dict[str, Any] = load_yaml(installed.read_text("utf-8"), experiment)
    defaults["experiment"] = experiment
    values = dict(defaults)
    beside = installed.parent
    folder = beside if is_own(experiment) else Path()
    if path is not None:
        file = _file(path, experiment, installed)
        folder = file.parent
        settings_read = _checked(_document(str(file)), defaults, path)
        values.update(settings_read)
        beside = folder if "parsers" in settings_read else beside
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise CrossarcError(f"--set {setting}: expected KEY=VALUE")
        changed = _changed(values, key.split("."), load_yaml(text, f"--set {setting}"))
        values.update(_checked(changed, defaults, f"--set {setting}"))
    if (named := values.pop("experiment")) != experiment:
        raise CrossarcError(
            f"{path or '--set'}: experiment: found {named!r}, expected the experiment that is run, {experiment!r}"
        )
    treebanks = tuple(_entry(name, entry, folder) for name, entry in values.pop("treebanks", {}).items())
    tools = values.get("tools", {})
    check_names("treebank or tool" if tools else "treebank", only, [*(entry.name for entry in treebanks), *tools])
    treebanks = tuple(entry for entry in treebanks if entry.name in only) or treebanks
    if chosen := {name: spec for name, spec in tools.items() if name in only}:
        values["tools"] = chosen
    specs = values.pop("parsers", {})
    keys = {name: _keys(name, spec, beside) for name, spec in specs.items()}
    parsers = {name: _parser(name, str(spec["config"]), keys[name], values, beside) for name, spec in specs.items()}
    command = command_line(experiment, path, settings, only, out, plugins.files())
    title, note, measures = values.pop("title", experiment), values.pop("note", ""), values.pop("measures", {})
    installed_measures = defaults.get("measures", {})
    measures = {**installed_measures, **measures}
    for row, paths in measures.items():
        if paths != installed_measures.get(row):
            _check_measures(row, paths, installed_measures.get(row, {}))
    return Settings(values, treebanks, parsers, command, specs, keys, measures, title, note)


def _check_measures(row: str, paths: Any, installed: Mapping[str, str]) -> None:
    """Check the paths of a row of figures of scores before anything is trained.

    installed: the experiment's own paths; if no scores have them, the row is of other results, which are not checked.
    """
    if not isinstance(paths, Mapping) or not all(isinstance(path, str) for path in paths.values()):
        raise CrossarcError(f"measures: {row}: expected a mapping of names to paths, such as {{las: las}}")
    try:
        for path in installed.values():
            check_path(path)
    except CrossarcError:
        return
    for name, path in paths.items():
        try:
            check_path(path)
        except CrossarcError as error:
            raise CrossarcError(f"measures: {row}: {name}: {error}") from error


def experiment_of(path: str) -> str:
    """The experiment that a YAML file names with its key ``experiment``. Raises CrossarcError if it names none."""
    name = _document(path).get("experiment")
    if name is None:
        raise CrossarcError(f"{path}: the key 'experiment' is missing; set it to the name of the experiment")
    check_names(f"{path}: experiment", [name], experiments())
    return str(name)


def command_line(
    experiment: str,
    path: str | None,
    settings: Sequence[str],
    only: Sequence[str],
    out: str | None = None,
    files: Sequence[str] = (),
) -> str:
    """The shell command that runs an experiment with these settings. files: of plugins.

    >>> command_line("learners", "my own.yaml", ["split=test"], [])
    "crossarc experiment learners --config 'my own.yaml' --set split=test"
    """
    words = ["crossarc", "experiment", experiment, *(("--config", path) if path else ())]
    words += [word for setting in settings for word in ("--set", setting)]
    words += [word for name in only for word in ("--only", name)]
    words += [word for file in files for word in ("--plugin", os.path.relpath(file))]
    words += ["--out", out] if out not in (None, f"{experiment}.out") else []
    return shlex.join(words)


def available(treebanks: Sequence[TreebankEntry], progress: Progress) -> list[TreebankEntry]:
    """The treebanks whose files exist; ``progress`` receives a line for each other one.

    Raises CrossarcError if none exists.
    """
    entries = []
    for entry in treebanks:
        missing = next(filter(missing_reason, entry.files.values()), None)
        if missing is None:
            entries.append(entry)
        else:
            progress(f"{entry.name}: skipped: {missing}: {missing_reason(missing)}")
    if treebanks and not entries:
        raise CrossarcError("found no treebank; set CROSSARC_TREEBANKS to their folder, or name files with --config")
    return entries


def missing_reason(file: str) -> str | None:
    """The reason why a file cannot be used; None if it exists. A ``$NAME`` in it is an unset variable."""
    if unset := re.search(r"\$\{?(\w+)", file):
        return f"the environment variable {unset.group(1)} is not set"
    return None if os.path.isfile(file) else "there is no such file"


def _file(path: str, experiment: str, settings_file: Path) -> Path:
    """The file to read. Raises CrossarcError for a name that is neither in the current folder nor installed."""
    if os.path.dirname(path) or os.path.exists(path):
        return Path(path)
    folders = (settings_file.parent, settings_file.parent / VARIANTS)
    for folder in folders:
        if (folder / path).is_file():
            return folder / path
    variants = [file for folder in folders for file in sorted(folder.glob("*.yaml")) if file != settings_file]
    named = [file.name for file in variants if _document(str(file)).get("experiment") == experiment]
    installed = f"; installed with {experiment}: {', '.join(named)}" if named else ""
    raise CrossarcError(f"--config {path}: there is no such file{installed}")


def _document(path: str) -> Mapping[Any, Any]:
    document = load_yaml(read_text(path, "experiment"), path)
    if not isinstance(document, Mapping):
        raise CrossarcError(f"{path}: expected a mapping of keys")
    return document


def _checked(values: Mapping[Any, Any], defaults: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    check_names(f"{where}: unknown key", values, defaults)
    for key, value in values.items():
        if type(value) is not type(defaults[key]):
            expected = "a mapping" if isinstance(defaults[key], Mapping) else repr(defaults[key])
            raise CrossarcError(f"{where}: {key}: found {value!r}, expected a value like {expected}")
    return values


def _changed(values: Mapping[str, Any], keys: Sequence[str], value: Any) -> dict[str, Any]:
    """A copy of nested mappings with one value set."""
    if len(keys) == 1:
        return {**values, keys[0]: value}
    inner = values.get(keys[0])
    return {**values, keys[0]: _changed(inner if isinstance(inner, Mapping) else {}, keys[1:], value)}


def _entry(name: str, value: Any, folder: Path) -> TreebankEntry:
    entry = {} if value is None else value
    if isinstance(entry, Mapping) and not any(split in entry for split in SPLITS):
        entry = {**load_yaml(TREEBANKS.read_text("utf-8"), TREEBANKS.name).get(name, {}), **entry}
    if not isinstance(entry, Mapping) or not any(split in entry for split in SPLITS):
        raise CrossarcError(f"treebank {name}: expected a mapping with files for {', '.join(SPLITS)}")
    check_names(f"treebank {name}: unknown key", entry, ENTRY)
    files = {split: _located(str(entry[split]), folder) for split in SPLITS if split in entry}
    limit = entry.get("sentences", 0)
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
        raise CrossarcError(f"treebank {name}: sentences: found {limit!r}, expected a number of sentences (0: all)")
    texts = {key: str(entry[key]) for key in ("format", "columns", "published", "beside") if key in entry}
    return TreebankEntry(name, files, sentences=limit, **texts)


def _located(path: str, folder: Path) -> str:
    """The absolute path of a treebank: worker processes may have another working directory."""
    expanded = os.path.expandvars(file_name(path))
    return expanded if "$" in expanded else os.path.abspath(folder / expanded)


def _keys(name: str, spec: Any, folder: Path) -> dict[str, Any]:
    """The keys of a config in the entry of a parser, with absolute paths of files."""
    if not isinstance(spec, Mapping) or "config" not in spec:
        raise CrossarcError(f"parser {name}: expected a mapping with the key 'config' and keys of a config")
    keys = {str(key): value for key, value in spec.items() if key != "config"}
    for key, value in keys.items():
        if isinstance(value, str) and value and (key in FILES_OF_TRAINING or value.endswith(".yaml")):
            keys[key] = _located(value, folder)
        elif isinstance(value, list) and key in FILES_OF_TRAINING:
            keys[key] = [_located(str(file), folder) for file in value]
    return keys


def with_guide(config: ParserConfig, values: Mapping[str, Any]) -> ParserConfig:
    """The config with the guide of the settings, if they have one. values: of the settings."""
    guide = values.get("guide", {})
    return replace(config, guide=dict(guide)) if guide and isinstance(config, Config) else config


def _parser(name: str, base: str, keys: Mapping[str, Any], values: Mapping[str, Any], folder: Path) -> ParserConfig:
    if base == "most-accurate":
        raise CrossarcError(f"parser {name}: {base} is a blend; allowed: fast, accurate, a ready config or a file")
    base = "arc-standard" if base in LEVELS else base
    if base not in ready_configs():
        base = str(folder / base)
    try:
        config = with_guide(load_config(base, (), keys), values)
        if isinstance(config, Config):
            config.learner()
        load_stage_features(config, None)
        for transform in config.transforms:
            parse_transform(transform)
    except CrossarcError as error:
        raise CrossarcError(f"parser {name}: {error}") from error
    return config


OPTIONS = tuple(name for name in parameters_of(GeneratorOptions) if name not in ("sentences", "first"))


def generated_entries(specs: Mapping[str, Mapping[str, Any]], folder: Path) -> list[TreebankEntry]:
    """Generate treebanks into ``folder/treebanks``.

    specs: for each treebank, by name, the number of sentences of its splits, and options of the generator.

    Sentences are numbered consecutively in the order train, dev, test, so that no sentence is in two splits. Raises
    CrossarcError for unknown options and for a folder that cannot be written.
    """
    home = folder / "treebanks"
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrossarcError(f"{home}: cannot be written: {error.strerror or error}") from error
    entries = []
    for name, spec in specs.items():
        check_names(f"generated treebank {name}: unknown key", spec, (*SPLITS, *OPTIONS))
        changes = {key: value for key, value in spec.items() if key in OPTIONS}
        files, first = {}, 1
        for split in (split for split in SPLITS if split in spec):
            files[split] = str(home / f"{name.replace(' ', ',')}.{split}.conllu")
            options = GeneratorOptions(sentences=spec[split], first=first, **changes)
            write_sentences(generate(options), files[split])
            first += spec[split]
        entries.append(TreebankEntry(name, files, "conllu"))
    return entries
