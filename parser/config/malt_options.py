"""Translation of MaltParser's option files into configs (MaltParser 1.9, "Available options").

An option file has one ``option`` element for each setting, in groups: ``singlemalt.parsing_algorithm`` is
``nivreeager``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

import yaml

from ...transitions.registry import system_type
from ..base.errors import CrossarcError, choices
from .loading import make_config, path_in_config
from .malt_features import ALGORITHMS, Element, NoCounterpartError, Translator

KNOWN = ("experiment", "optioncontainer", "optiongroup", "option")
ALGORITHM, FLOWCHART, FEATURES = "singlemalt.parsing_algorithm", "config.flowchart", "guide.features"
LEARNER_OPTIONS = ("lib.options", "liblinear.liblinear_options", "libsvm.libsvm_options")
TWO_STEP = {"guide.decide": "two-step"}
WITHOUT_EFFECT = (
    *("config.logging", "config.logfile", "config.workingdir", "config.type", "config.url", "input.iterations"),
    *("singlemalt.mode", "singlemalt.diagnostics", "singlemalt.diafile", "output.outfile"),
    *("verbosity", "save_instance_files", "external", "path"),
)
"""Options that change no parser, with their group or in any group."""
ALWAYS: Mapping[str, Collection[str]] = {
    "input.charset": ("UTF-8",),
    "output.charset": ("UTF-8",),
    "input.reader": ("tab",),
    "output.writer": ("tab",),
    "output.format": ("conllx", "conllu"),
    "nivre.allow_root": ("true",),
    "nivre.allow_reduce": ("false",),
    "nivre.enforce_tree": ("true",),
    "nivre.root_handling": ("normal",),
    "covington.allow_root": ("true",),
    "covington.allow_shift": ("true",),
    "planar.acyclicity": ("true",),
    "2planar.reduceonswitch": ("false",),
    "multiplanar.planar_root_handling": ("normal",),
    "singlemalt.use_partial_tree": ("false",),
}
"""Values of options that always hold here."""
VALUES: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    FLOWCHART: {"learn": {}, "learnwo": {}, "parse": {}},
    "input.format": {"conllx": {"treebank.format": "conllx"}, "conllu": {"treebank.format": "conllu"}},
    "guide.learner": {"liblinear": {"guide.learner": "svm"}, "libsvm": {"guide.learner": "svm-poly"}},
    "guide.decision_settings": {"T.TRANS+A.DEPREL": {}, "T.TRANS;A.DEPREL": TWO_STEP, "T.TRANS,A.DEPREL": TWO_STEP},
}
"""For each option and value of MaltParser, the equivalent config keys and values."""
MODEL_TYPES: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "liblinear": {
        "-s": {"4": {}, **{number: {"guide.learner": "maxent"} for number in ("0", "6", "7")}},
        "-B": {"-1": {}},
    },
    "libsvm": {"-s": {"0": {}}, "-t": {"0": {"guide.learner": "svm"}, "1": {}}, "-d": {"2": {}}},
}
"""The same for the options of LIBLINEAR and LIBSVM."""
NUMBERS = {"-c": "guide.C", "-e": "guide.tol", "-g": "guide.gamma", "-r": "guide.coef0"}
"""Options of these learners with numbers as values, and the equivalent config keys."""
MARKING = {"pproj.marking_strategy": "encoding", "pproj.lifting_order": "order", "pproj.covered_root": "covered_roots"}
SPLIT = {"guide.data_split_column", "guide.data_split_structure", "guide.data_split_threshold"}
DEFAULT_THRESHOLD = "50"


@dataclass(slots=True)
class MaltOptions:
    """A translated option file.

    algorithm: MaltParser's parsing algorithm.
    values: values by config key.
    notes: options without an equivalent, and steps that the user must take.
    """

    algorithm: str
    values: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def to_yaml(self, name: str) -> str:
        """Return the text of the config file.

        name: name of the option file.
        """
        nested: dict[str, Any] = {}
        for key, value in self.values.items():
            section, _, own = key.rpartition(".")
            (nested.setdefault(section, {}) if section else nested)[own] = value
        lines = [f"# From {name}, an option file of MaltParser.", *(f"# {note}" for note in self.notes)]
        return "\n".join(lines) + "\n" + yaml.safe_dump(nested, sort_keys=False, allow_unicode=True, width=120)


def malt_options(
    elements: Sequence[Element], name: str, folder: Path = Path(), features: str = "", algorithm: str = ""
) -> MaltOptions:
    """Translate the options in the elements of an XML file; a note names each option without an equivalent.

    name: file name for messages.
    folder: folder that the config will be written to; its paths are relative to it. MaltParser's are relative to the
        working directory.
    features: file of the translated feature model, if it has been translated.
    algorithm: a name from :data:`.malt_features.ALGORITHMS` that replaces the name in the file.

    Raises CrossarcError for other files, and for values that are invalid in configs.
    """
    given = _given(elements, name)
    own_algorithm = given.pop(ALGORITHM, "nivreeager")
    algorithm = algorithm or own_algorithm
    if algorithm not in ALGORITHMS:
        raise CrossarcError(f"{name}: {ALGORITHM} {choices(algorithm, ALGORITHMS)}")
    system = ALGORITHMS[algorithm]
    result = MaltOptions(algorithm)
    result.values |= {"system": system.system} | ({"oracle": system.oracle} if system.oracle != "auto" else {})
    result.values["guide.learner"] = "svm"
    learner = given.pop("guide.learner", "liblinear")
    _value(VALUES, "guide.learner", learner, result)
    _files(given, folder, result)
    if label := given.pop("graph.root_label", ""):
        result.values["root.label"] = label
    _features(given, folder, features, result)
    _learner(" ".join(given.pop(option, "") for option in LEARNER_OPTIONS), learner, result)
    _split(given, algorithm, result)
    _marking(given, system_type(system.system).projective, result)
    if "input.format" in given:  # a name, or a file such as /appdata/dataformat/conllx.xml
        given["input.format"] = PurePath(given["input.format"]).stem
    for option, value in given.items():
        without_effect = option in WITHOUT_EFFECT or option.rpartition(".")[2] in WITHOUT_EFFECT
        if not without_effect and value not in ALWAYS.get(option, ()):
            _value(VALUES, option, value, result)
    try:
        make_config(result.values).learner()
    except CrossarcError as error:
        raise CrossarcError(f"{name}: {error}") from error
    return result


def _files(given: dict[str, str], folder: Path, result: MaltOptions) -> None:
    """Translate the names of treebank and model; of an option file that parses, give the command instead."""
    treebank, output, name = (given.pop(f"{own}", "") for own in ("input.infile", "output.outfile", "config.name"))
    model = f"{name}.model" if name else ""
    if given.get(FLOWCHART) == "parse":
        command = f"crossarc parse {model or 'MODEL'} {treebank or 'FILE'} -o {output or '-'}"
        result.notes.append(f"this option file parses: {command}")
    elif treebank:
        result.values["treebank.train"] = path_in_config(treebank, folder)
    if model:
        result.values["model"] = path_in_config(model, folder)


def _given(elements: Sequence[Element], name: str) -> dict[str, str]:
    """Return the values of options by ``group.option``."""
    given: dict[str, str] = {}
    group = ""
    for element in elements:
        if element.name not in KNOWN:
            raise CrossarcError(f"{name}:{element.line}: element {choices(element.name, KNOWN)}")
        if element.name == "optiongroup":
            group = element.attributes.get("groupname", "")
        elif element.name == "option":
            given[f"{group}.{element.attributes.get('name', '')}"] = element.attributes.get("value", "").strip()
    return given


def _value(table: Mapping[str, Mapping[str, Mapping[str, Any]]], option: str, value: str, result: MaltOptions) -> None:
    """Add the equivalent of an option's value to the result, or a note if the table has none."""
    if value in table.get(option, {}):
        result.values |= table[option][value]
    else:
        result.notes.append(f"no equivalent: {option}={value}")


def _features(given: dict[str, str], folder: Path, translated: str, result: MaltOptions) -> None:
    file = given.pop(FEATURES, "")
    if translated:
        result.values["features"] = path_in_config(translated, folder)
    elif file in ("", *ALGORITHMS):
        result.notes.append("features are those of crossarc; to keep MaltParser's, give its feature model as well")
    else:
        result.values["features"] = path_in_config(own := str(PurePath(file).with_suffix(".yaml")), folder)
        result.notes.append(f"first translate the feature model: crossarc import-malt {file} -o {own}")


def _learner(text: str, learner: str, result: MaltOptions) -> None:
    """Translate options of LIBLINEAR or LIBSVM such as ``-s_4_-c_0.1``."""
    words = text.replace("_", " ").split()
    for option, value in zip(words[::2], words[1::2], strict=False):
        if option in MODEL_TYPES.get(learner, {}):
            _value(MODEL_TYPES[learner], option, value, result)
    kernel = result.values["guide.learner"] == "svm-poly"
    for option, value in zip(words[::2], words[1::2], strict=False):
        if option in NUMBERS and (kernel or option in ("-c", "-e")):
            try:
                result.values[NUMBERS[option]] = float(value)
            except ValueError:
                result.notes.append(f"not a number: {option} {value}")
        elif option not in MODEL_TYPES.get(learner, {}):
            result.notes.append(f"no equivalent: {option} {value} of {learner}")


def _split(given: dict[str, str], algorithm: str, result: MaltOptions) -> None:
    column, structure, threshold = (given.pop(option, "") for option in sorted(SPLIT))
    if not (column and structure):
        return
    try:
        result.values["guide.split"] = Translator(algorithm, result.notes).template(
            f"InputColumn({column}, {structure})"
        )
        result.values["guide.split_threshold"] = int(threshold or DEFAULT_THRESHOLD)
    except (NoCounterpartError, ValueError) as error:
        result.values.pop("guide.split", None)
        result.notes.append(f"no equivalent: a split of the data by {column} of {structure}: {error}")


def _marking(given: dict[str, str], projective: bool, result: MaltOptions) -> None:
    found = {own: given.pop(option, "none") for option, own in MARKING.items()}
    chosen = {own: value for own, value in found.items() if value != "none"}
    if "encoding" not in chosen and "covered_roots" in chosen and projective:
        chosen = {"encoding": "baseline", **chosen}
    if "encoding" in chosen:
        arguments = ",".join(f"{own}={value}" for own, value in chosen.items())
        result.values["transforms"] = [f"pseudo-projective:{arguments},search=papers"]
    elif "covered_roots" in chosen:
        result.notes.append(f"no equivalent: pproj.covered_root={chosen['covered_roots']} without a marking strategy")
