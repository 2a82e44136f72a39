"""The command that lists configs, systems, features, learners, transforms and keys."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence

from ...features.address import FUNCTIONS, SOURCES
from ...oracles.registry import DYNAMIC_ORACLES, ORACLES
from ...transitions import plugins
from ...transitions.registry import SYSTEMS
from ..base.errors import CrossarcError, check_names, choices
from ..base.parameters import TEXTS, Parameter, allowed_text, parameters_of, value_text
from ..base.plugins import found_plugins, missing_libraries
from ..config.config import all_keys
from ..config.ready import describe_ready_configs, ready_features
from ..console.help import WIDEST
from ..console.options import Options, option
from ..learners.learner import Learner
from ..learners.registry import LEARNERS, section_text
from ..transforms.registry import TRANSFORMS


def run_list(options: argparse.Namespace) -> int:
    """Run ``crossarc list``: print the topics, or what a topic has; return its exit status."""
    if options.what is None:
        print("\n".join(f"crossarc list {name:<12}{topic.__doc__}" for name, topic in TOPICS.items()))
    else:
        print(TOPICS[options.what](options.name), end="")
    return 0


def config_text(names: Sequence[str]) -> str:
    """the levels, ready configs and blends"""
    lines = {line.split()[0]: line for line in describe_ready_configs().splitlines()}
    return _lines(lines[name] for name in _chosen("config", names, lines))


def system_text(names: Sequence[str]) -> str:
    """the transition systems, their moves and oracles"""
    lines = []
    for name in _chosen("transition system", names, SYSTEMS):
        system = SYSTEMS[name]
        summary, *_ = (system.__doc__ or "").strip().partition("\n")
        lines += [f"{name}: {summary}"]
        lines += _wrapped("  moves", ", ".join(move.name for move in system.moves))
        dynamic = "; a dynamic one" if name in DYNAMIC_ORACLES else ""
        lines += _wrapped("  oracles", ", ".join(ORACLES[name]) + dynamic)
    return _lines(lines)


def learner_text(names: Sequence[str]) -> str:
    """the learners, how a config chooses them, and their parameters"""
    lines: list[str] = []
    known = {**LEARNERS, **plugins.added("learners")}
    for name in _chosen("learner", names, known):
        kind = known[name]
        if issubclass(kind, Learner):
            lines += [f"{name}: {kind.summary}", f"  guide: {section_text(kind)}; features: {kind.features}"]
            lines += [*_parameters(parameters_of(kind)), ""]
        else:
            lines += [f"{name}: own class {kind.__name__}; parameters: arguments of its constructor"]
            lines += [f"  guide: {{learner: {name}}}; features: {LEARNERS['plugin'].features}", ""]
    return _lines(lines[:-1])


def transform_text(names: Sequence[str]) -> str:
    """the transforms and their parameters"""
    lines: list[str] = []
    for name in _chosen("transform", names, TRANSFORMS):
        kind = TRANSFORMS[name]
        lines += [f"{name}: {kind.summary}", *_parameters(parameters_of(kind)), ""]
    return _lines(lines[:-1])


def feature_text(names: Sequence[str]) -> str:
    """the ready feature models of each system, and the words that templates are made of"""
    if names:
        models = ready_features()
        return _lines(f"{name}: {', '.join(models[name])}" for name in _chosen("system", names, models))
    lines = [f"{name}: {', '.join(models)}" for name, models in ready_features().items()]
    functions = [*FUNCTIONS, *plugins.added("features")]
    lines += ["", *_wrapped("sources", ", ".join(SOURCES)), *_wrapped("functions", ", ".join(functions))]
    lines += _wrapped("values", "columns of the treebank, deprel, distance, arity, dependents; merge(...) of several")
    return _lines(lines)


def key_text(names: Sequence[str]) -> str:
    """the keys of configs, their defaults and meanings"""
    keys = all_keys()
    if not names:
        return _lines(
            f"{key:<25}{value_text(described.default) or '-':<16} {_first(described.meaning)}"
            for key, described in keys.items()
        )
    of_names = {name: [key for key in keys if key == name or key.startswith(f"{name}.")] for name in names}
    if unknown := [name for name in names if not of_names[name]]:
        raise CrossarcError(f"key {choices(unknown[0], keys)}")
    wanted = [key for key in keys if any(key in of_name for of_name in of_names.values())]
    return _lines(_parameters({key: keys[key] for key in wanted}, indent=""))


def _first(meaning: str) -> str:
    """The first part of a meaning, up to a semicolon."""
    return meaning.partition(";")[0].partition(":")[0]


def plugin_text(names: Sequence[str]) -> str:
    """the plugins, their commands, and libraries that they lack"""
    known = {plugin.__name__.rpartition(".")[2]: plugin for plugin in found_plugins()}
    lines = []
    for name in _chosen("plugin", names, known):
        summary, *_ = (known[name].__doc__ or "").partition("\n")
        lines.append(f"{name}: {summary}")
        if commands := getattr(known[name], "COMMANDS", ()):
            lines += _wrapped("  commands", ", ".join(commands))
        if missing := missing_libraries(known[name]):
            lines += _wrapped("  not installed", ", ".join(missing))
    return _lines(lines)


TOPICS: Mapping[str, Callable[[Sequence[str]], str]] = {
    "configs": config_text,
    "systems": system_text,
    "learners": learner_text,
    "transforms": transform_text,
    "features": feature_text,
    "keys": key_text,
    "plugins": plugin_text,
}
LIST: Options = {
    "[WHAT]": option(f"topic: {', '.join(TOPICS)}", choices=TOPICS),
    "[NAME]...": "list only these items; for keys: those that begin with NAME",
}


def _chosen(kind: str, names: Sequence[str], known: Mapping[str, object]) -> Sequence[str]:
    check_names(kind, names, known)
    return names or list(known)


def _parameters(described: Mapping[str, Parameter], indent: str = "  ") -> Iterator[str]:
    """List parameters, each with its name, default, meaning and allowed values."""
    column = max((len(name) for name in described), default=0)
    for name, parameter in described.items():
        default = value_text(parameter.default) or "-"
        start = f"{indent}{name:<{column}}  {default}"
        allowed = "" if parameter.allowed in TEXTS else f" ({allowed_text(parameter.allowed)})"
        yield from _wrapped(start, parameter.meaning + allowed, at=column + len(indent) + 16)


def _wrapped(start: str, text: str, at: int = 12) -> list[str]:
    """Wrap a text into lines. The first line begins with ``start``; the text begins at column ``at``."""
    first = f"{start}  ".ljust(at)
    return textwrap.wrap(text, WIDEST, initial_indent=first, subsequent_indent=" " * at, break_on_hyphens=False)


def _lines(lines: Iterator[str] | Sequence[str]) -> str:
    return "\n".join(lines) + "\n"
