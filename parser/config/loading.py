"""Building of checked configs from YAML, settings and overrides."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from ...oracles.registry import DYNAMIC_ORACLES
from ...transitions.registry import SYSTEMS
from ..base import parameters as schema
from ..base.errors import CrossarcError, choices
from ..base.lazy import Lazy
from ..base.progress import Progress, nothing
from ..base.text_files import file_name, read_text
from ..base.yaml_values import load_yaml
from ..learners.registry import USUAL
from ..treebank import ReadTreebank, Sentence, read_treebank
from ..treebank.pairs import valid_sentences
from .config import AUTO, CONSTRAINTS, AnyConfig, ParserConfig, TreebankOptions, all_keys, config_type
from .ready import LEVELS, SIMPLEST, name_ready_configs, ready_features, ready_text

OF_TAGGERS = ("tag_directions", "tag_candidates", "tag_features", "lemma_features")
"""The keys of the training of taggers."""
LOADERS: Mapping[str, Callable[..., AnyConfig]] = Lazy(__package__, {}, "LOADERS")
"""Functions that load configs of several parsers, by the key that such a config has; plugins declare them."""


class Document(NamedTuple):
    """A config as parsed from YAML.

    name: name for messages.
    values: the values, nested as in YAML.
    folder: folder that relative paths start from; None: the working directory.
    """

    name: str
    values: Mapping[str, Any]
    folder: Path | None = None

    @property
    def loader(self) -> Callable[..., AnyConfig] | None:
        """The function that loads the config if it describes several parsers."""
        return next((load for key, load in LOADERS.items() if key in self.values), None)


def load_config(
    path: str | Path | Document,
    settings: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
    *,
    sentences: Sequence[Sentence] | None = None,
    progress: Progress = nothing,
) -> ParserConfig:
    """Load the config of a parser from a YAML file, a ready config by its name (:func:`ready_configs`), or a level.

    path: file, name or level of effort.
    settings: ``key=value`` texts that replace values of the file, such as ``guide.C=0.2``. Values are YAML.
    overrides: values by dotted key. They replace both.
    sentences: treebank whose facts choose the settings of a level, instead of ``treebank.train``.
    progress: receives the reasons for the settings of a level, one line at a time.

    If settings or overrides choose another ``guide.learner``, earlier parameters of the guide are dropped. Paths in the
    file are relative to the file, others to the working directory. ``~`` is expanded, and in the file ``${NAME}``, an
    environment variable. Raises CrossarcError for unknown keys, invalid values and unreadable files.

    >>> import crossarc
    >>> config = crossarc.load_config("swap", ["guide.C=0.2"], {"treebank.train": "train.conllu"})
    >>> config.system, config.guide["C"], config.treebank.train
    ('swap', 0.2, 'train.conllu')
    """
    document = read_document(path, settings, overrides, sentences, progress)
    if document.loader:
        raise CrossarcError(f"{document.name}: is a blend of several parsers; use load_blend_config, or crossarc train")
    config = build_config(layered_values(document, settings, overrides, all_keys()))
    said = [setting.partition("=")[0] for setting in settings] + [str(key) for key in overrides or {}]
    for key in said if not config.tags else ():  # a file may have them for the day when tags are predicted
        if key in OF_TAGGERS:
            raise CrossarcError(f"{key}: only taggers read it; set tags, or another input than gold tags")
    return config


def load_any_config(
    path: str | Path | Document,
    settings: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
    progress: Progress = nothing,
    read: ReadTreebank = read_treebank,
) -> AnyConfig:
    """Load the config of a parser, or of several; see :func:`load_config` for the parameters.

    read: reads the treebank by whose facts a level chooses; a caller may keep it.
    """
    document = read_document(path, settings, overrides, progress=progress, read=read)
    return (document.loader or load_config)(document, settings, overrides)


def layered_values(
    document: Document,
    settings: Sequence[str],
    overrides: Mapping[str, Any] | None,
    keys: Mapping[str, schema.Parameter],
    folder: Path | None = None,
) -> dict[str, Any]:
    """Return the values by dotted key. Settings replace values of the document; overrides replace both.

    settings: ``key=value`` texts.
    overrides: values by dotted key.
    keys: the allowed keys.
    folder: folder of the file from which the overrides come, to which their paths are relative; None for the command
        line and Python.

    Raises CrossarcError for other keys and for values that are not allowed.
    """
    set_values: list[dict[str, Any]] = []
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise CrossarcError(f"--set {setting}: expected KEY=VALUE")
        is_text = key in keys and keys[key].allowed in schema.TEXTS
        parsed = value if is_text else load_yaml(value, f"--set {setting}")
        set_values.append(_flatten(_nest(key, parsed), f"--set {setting}", None, keys))
    demanded = [_flatten(_nest(str(key), value), str(key), folder, keys) for key, value in (overrides or {}).items()]
    return layered(
        [_flatten(document.values, document.name, document.folder, keys), _joined(set_values), _joined(demanded)]
    )


def _joined(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The values of one layer. Raises CrossarcError for a list of training treebanks beside ``also``."""
    further = [part for part in parts if "also" in part]
    if len(further) > 1 and any("treebank.train" in part for part in further):
        raise CrossarcError("treebank.train: found a list beside also; give one of them")
    return {key: value for part in parts for key, value in part.items()}


def make_config(values: Mapping[str, Any]) -> ParserConfig:
    """Return the config with the given values by dotted key; other keys have defaults.

    Raises CrossarcError for invalid values.
    """
    return build_config(layered_values(Document("", {}), (), values, all_keys()))


def saved_values(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values by dotted key of a config that a model stores."""
    return dict(_dotted(config))


def _dotted(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping) and prefix != "guide.":
            yield from _dotted(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def read_document(
    path: str | Path | Document,
    settings: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
    sentences: Sequence[Sentence] | None = None,
    progress: Progress = nothing,
    read: ReadTreebank = read_treebank,
) -> Document:
    """Return the parsed config of a file, ready config, ready blend or level; see :func:`load_any_config`.

    path: "-" is standard input.

    Raises CrossarcError for settings that are not a list of texts and for overrides that are not a mapping.
    """
    if isinstance(settings, str) or not all(isinstance(setting, str) for setting in settings):
        raise CrossarcError(f"settings: found {settings!r}, expected a list of texts like 'guide.C=0.2'")
    if not isinstance(overrides, Mapping | None):
        raise CrossarcError(f"overrides: found {overrides!r}, expected a mapping from keys to values")
    if isinstance(path, Document):
        return path
    name = str(path)
    if name == "-":
        return _document("<stdin>", sys.stdin.read(), Path())
    if Path(name).is_file():
        return _document(name, read_text(name, "config"), Path(name).parent)
    if name in LEVELS:
        return _level_document(name, settings, overrides, sentences, progress, read)
    try:  # a pipe is no regular file, but can be read
        return _document(name, ready_text(name) or read_text(name, "config"), None)
    except CrossarcError as error:
        raise CrossarcError(f"{error}; {name_ready_configs(name)}") from error


def _document(name: str, text: str, folder: Path | None) -> Document:
    values = load_yaml(text, name)
    if not isinstance(values, Mapping | None):
        raise CrossarcError(f"{name}: expected a mapping; allowed: keys {', '.join(all_keys())}")
    return Document(name, values or {}, folder)


def _level_document(
    level: str,
    settings: Sequence[str],
    overrides: Mapping[str, Any] | None,
    sentences: Sequence[Sentence] | None,
    progress: Progress,
    read: ReadTreebank,
) -> Document:
    """Return the config that a level chooses for a treebank."""
    asked = ("treebank", "system", "also")
    reading = [setting for setting in settings if setting.startswith(asked)]
    files = {key: value for key, value in (overrides or {}).items() if str(key).startswith(asked)}
    values = layered_values(Document(level, {}), reading, files, all_keys())
    system, further = values.pop("system", ""), values.pop("also", ())
    options: TreebankOptions = make_section(TreebankOptions, values, "treebank.")
    if sentences is None and not options.train:
        raise CrossarcError(
            f"{level}: this level needs a treebank to choose by; give one with --train or treebank.train"
        )
    name = options.train if sentences is None else level
    if sentences is None:
        sentences = read(options.train, options.format, options.columns).sentences
    valid = valid_sentences(sentences) if options.faulty == "skip" else sentences
    values, reasons = LEVELS[level].choose(valid, name, options.decided)
    if further:
        values.pop("root", None)  # which all treebanks decide
    user_keys = {str(key).partition("=")[0].partition(".")[0] for key in (*settings, *(overrides or {}))}
    for line, keys in reasons:
        if user_keys.isdisjoint(keys):
            progress(f"{level}: {line}")
    if system and "components" not in values:
        values, said = _without_unusable(values, system, user_keys)
        for line in said:
            progress(f"{level}: {line}")
    return Document(level, values)


def _without_unusable(
    values: Mapping[str, Any], system: str, user_keys: Collection[str]
) -> tuple[dict[str, Any], list[str]]:
    """The values of a level without those that another system cannot use, and a line for each of these.

    user_keys: the top keys that the user has set; they stay.
    """
    kept, said = dict(values), []
    keys = schema.parameters_of(config_type(system))
    known = {key.partition(".")[0] for key in keys}
    root = kept.get("root", {})
    kept["root"] = {name: value for name, value in root.items() if f"root.{name}" in keys}
    for key in [key for key in kept if key not in known and key not in user_keys]:
        said.append(f"{system} has no key {key}: set aside")
        del kept[key]
    if kept.get("explore") and system not in DYNAMIC_ORACLES and "explore" not in user_keys:
        said.append(f"{system} has no dynamic oracle: no exploration")
        kept["explore"] = 0
    if kept.get("transforms") and "transforms" not in user_keys:
        if system in SYSTEMS and not SYSTEMS[system].projective:
            said.append(f"{system} derives crossing arcs: no transforms")
            kept["transforms"] = []
        else:
            said.append(f"transforms for crossing arcs stay with {system}; transforms=[] omits them")
    features = kept.get("features")
    if features and "features" not in user_keys and features not in ready_features().get(system, ()):
        said.append(f"{system} has no feature model {features}: its default")
        kept["features"] = AUTO
    return kept, said


def layered(layers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the values of all layers; later layers replace earlier ones.

    If a later layer chooses another learner, the parameters of the earlier one go with it: those in the layer that
    chose it, which is the first one if none did, and in the layers before. If a layer names a training treebank, the
    further ones go in the same way.
    """
    kept = [dict(layer) for layer in layers]
    for key, default, attached in (("guide.learner", USUAL, "guide."), ("treebank.train", None, "also")):
        chooser = 0
        for number, layer in enumerate(layers):
            if number and key in layer and (default is None or layer[key] != layers[chooser].get(key, default)):
                for earlier in kept[: chooser + 1]:
                    for name in [name for name in earlier if name.startswith(attached)]:
                        del earlier[name]
            if key in layer:
                chooser = number
    return {name: value for layer in kept for name, value in layer.items()}


def _nest(key: str, value: Any) -> dict[str, Any]:
    for part in reversed(key.split(".")):
        value = {part: value}
    return value


def _flatten(
    document: Mapping[Any, Any], where: str, folder: Path | None, keys: Mapping[str, schema.Parameter], prefix: str = ""
) -> dict[str, Any]:
    """Return checked values by dotted key."""
    values: dict[str, Any] = {}
    for name, value in document.items():
        key = f"{prefix}{name}"
        inside = [known for known in keys if known.startswith(f"{key}.")]
        if value is None and (inside or key in keys):
            raise CrossarcError(f"{where}: {key}: found no value")
        more: dict[str, Any] = {}
        if key == "treebank.train" and isinstance(value, list | tuple) and value and "also" in keys:
            value, *others = value
            more = {"also": _checked("also", others, where, folder, keys["also"].allowed)} if others else {}
        if prefix == "guide.":
            more = {f"{key}.{argument}": one for argument, one in value.items()} if _is_section(value) else {key: value}
        elif inside or (key == "guide" and key in keys):
            if not isinstance(value, Mapping):
                known = ", ".join(inside) or "guide.learner, guide.C, ..."
                raise CrossarcError(f"{where}: {key}: found {value!r}, expected a mapping with {known}")
            more = _flatten(value, where, folder, keys, f"{key}.")
            if "also" in more and "also" in document:
                raise CrossarcError(f"{where}: treebank.train: found a list beside also; give one of them")
        elif key not in keys:
            if full := [known for known in keys if known.endswith(f".{key}")]:
                raise CrossarcError(f"{where}: unknown key {key!r} (did you mean {full[0]!r}?)")
            allowed = [known for known in keys if known.startswith(prefix)]
            raise CrossarcError(f"{where}: unknown key {choices(key, allowed)}")
        else:
            more[key] = _checked(key, value, where, folder, keys[key].allowed)
        if twice := values.keys() & more.keys():
            raise CrossarcError(f"{where}: {min(twice)} is given twice, expected one value")
        values |= more
    return values


def _checked(key: str, value: Any, where: str, folder: Path | None, allowed: schema.Allowed) -> Any:
    if allowed is schema.FILE and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if allowed is schema.FILES:
        value = [value] if isinstance(value, str | os.PathLike) else value
        if isinstance(value, list | tuple):
            value = [os.fspath(name) if isinstance(name, os.PathLike) else name for name in value]
    if key == "transforms" and isinstance(value, str):
        value = (value,)
    schema.check_value(allowed, value, f"{where}: {key}")
    if key == "transforms":
        return _whole_specs(value)
    if allowed is schema.FILES:
        return tuple(_located(name, where, key, folder) for name in value)
    is_file = allowed is schema.FILE or (allowed in (schema.FEATURES, CONSTRAINTS) and value.endswith(".yaml"))
    return _located(value, where, key, folder) if is_file and value else value


def _whole_specs(specs: Sequence[Any]) -> tuple[Any, ...]:
    """Join parameters to the transform before them.

    A shell removes the quotes of ``transforms=["name:a=1,b=2"]``, and YAML then finds two values.

    >>> _whole_specs(["pseudo-projective:encoding=head", "search=papers", "reversal"])
    ('pseudo-projective:encoding=head,search=papers', 'reversal')
    """
    whole: list[Any] = []
    for spec in specs:
        if whole and isinstance(spec, str) and isinstance(whole[-1], str) and re.match(r"\w+=", spec):
            whole[-1] = f"{whole[-1]},{spec}"
        else:
            whole.append(spec)
    return tuple(whole)


def _located(value: str, where: str, key: str, folder: Path | None) -> str:
    try:
        named = value if folder is None else file_name(value)
    except CrossarcError as error:
        raise CrossarcError(f"{where}: {key}: {error}") from None
    if folder is None:  # the value comes from the command line or from Python, where "$" is part of a file name
        return os.path.expanduser(named)
    expanded = os.path.expanduser(os.path.expandvars(named))
    if unset := re.search(r"\$(\w+|\{\w*\})", expanded):
        raise CrossarcError(f"{where}: {key}: {value}: the environment variable {unset[1].strip('{}')} is not set")
    return str(folder / expanded)


def path_in_config(path: str, folder: Path) -> str:
    """Return a file name as a config in ``folder`` contains it; the loader expands ``~`` and ``$``."""
    if "$" in path:
        raise CrossarcError(
            f"{path}: $ begins an environment variable in configs and cannot be part of a file name; rename the file"
        )
    if os.path.isabs(path):
        return path
    relative = os.path.relpath(path, folder)
    return f"./{relative}" if relative.startswith("~") else relative


def build_config(values: Mapping[str, Any]) -> ParserConfig:
    """Return the config with checked values by dotted key. Raises CrossarcError for keys without effect."""
    system = values.get("system", SIMPLEST)
    kind = config_type(system)
    if unknown := [key for key in values if not knows(kind, key)]:
        known = ", ".join(schema.parameters_of(kind))
        raise CrossarcError(f"{unknown[0]}: unknown key of {system}; allowed: {known}")
    config: ParserConfig = make_section(kind, values)
    return config


def knows(kind: type[ParserConfig], key: str) -> bool:
    """Return whether configs of a kind have a dotted key; those of learners stand in the section ``guide``."""
    return ("guide" if key.startswith("guide.") else key) in schema.parameters_of(kind)


def make_section(kind: Any, values: Mapping[str, Any], prefix: str = "") -> Any:
    """Build a section from values by dotted key; other keys have defaults."""
    arguments: dict[str, Any] = {}
    for field in fields(kind):
        key = f"{prefix}{field.name}"
        inside = {name.removeprefix(f"{key}."): value for name, value in values.items() if name.startswith(f"{key}.")}
        if key in values:
            arguments[field.name] = values[key]
        elif inside:
            section = schema.section_of(field)
            arguments[field.name] = (
                make_section(section, values, f"{key}.") if section else {"learner": "svm", **_nested(inside)}
            )
    return kind(**arguments)


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a guide by key; ``parameters.alpha`` is a value in the mapping ``parameters``."""
    result: dict[str, Any] = {}
    for key, value in values.items():
        name, _, argument = key.partition(".")
        if not argument:
            result[name] = value
        elif isinstance(section := result.get(name, {}), Mapping):
            result[name] = {**section, argument: value}
        else:
            raise CrossarcError(f"guide.{key}: guide.{name} is {section!r} and has no values inside")
    return result


def _is_section(value: Any) -> bool:
    """Whether the value of a guide's key has values that are set one by one, such as the arguments of a classifier."""
    return (
        isinstance(value, Mapping) and bool(value) and all(isinstance(name, str) and "." not in name for name in value)
    )
