"""The config of a blend: several configs, and how the weights of their votes are learned."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from ..base.errors import CrossarcError, choices
from ..base.parameters import FLAG, WEIGHTINGS, Parameter, check_value, one_of, parameter, parameters_of, whole
from ..base.text_files import file_name, read_text
from ..base.yaml_values import load_yaml
from .config import AUTO, Config, TreebankOptions
from .loading import TEXT, load_config
from .ready import name_ready_configs, ready_blends

KEYS = (
    *("components", "shared", "weights", "held_out", "retrain", "choose", "folds", "seed", "jobs"),
    *("root", "treebank", "model"),
)
RENAMED = {"held-out": "held_out"}


@dataclass(frozen=True, slots=True)
class BlendConfig:
    """Several configs, and how the weights of their votes are learned.

    components: configs by name. files: config files of the components.

    >>> import crossarc
    >>> list(crossarc.load_blend_config("six-parsers").components)[:2]
    ['arc-eager', 'arc-eager reversed']
    """

    components: Mapping[str, Config]
    treebank: TreebankOptions
    weights: str = parameter(
        "pos",
        one_of(*WEIGHTINGS, AUTO),
        "unit that has a weight of its own for its votes; auto: chosen by cross-validation, needs `choose: true`",
    )
    held_out: int = parameter(
        10,
        whole(2),
        "n: hold out every n-th training sentence to learn the weights on (Nilsson 2009, section 8.2: 10); no effect "
        "on equal weights",
    )
    retrain: bool = parameter(
        False, FLAG, "whether the components are trained again on all sentences after the weights are learned"
    )
    choose: bool = parameter(
        False,
        FLAG,
        "whether components and weights are chosen by cross-validation on the training treebank; the chosen components "
        "are trained on all of it",
    )
    folds: int = parameter(3, whole(2), "number of folds of the cross-validation")
    seed: int = parameter(1, whole(0), "random seed of the division into folds")
    jobs: int = parameter(1, whole(1), "number of worker processes")
    single_root: bool | str = parameter(
        AUTO,
        one_of(AUTO, True, False),
        "whether node 0 gets exactly one dependent; auto: true if it does in all components",
    )
    model: str = ""
    files: tuple[str, ...] = ()

    @property
    def files_read(self) -> list[str]:
        """The files that training reads."""
        components = [name for own in self.components.values() for name in own.files_read]
        return [*self.files, self.treebank.train, self.treebank.dev, *components]


OPTIONS: Mapping[str, Parameter] = {
    name.replace("single_root", "root.single"): own for name, own in parameters_of(BlendConfig).items()
}
"""The keys that only a blend has, dotted."""
OWN = (*OPTIONS, "model")


def is_blend_config(path: str, text: str | None = None) -> bool:
    """Whether the name, file or text describes a blend: a config that lists components."""
    if text is None and _is_ready(path):
        return True
    try:
        document = load_yaml(read_text(path, "blend") if text is None else text, path)
    except CrossarcError:
        return False
    return isinstance(document, Mapping) and "components" in document


def load_any_config(
    path: str, settings: Sequence[str] = (), overrides: Mapping[str, Any] | None = None, text: str | None = None
) -> Config | BlendConfig:
    """The config of a parser or of a blend, from a file, the name of a ready config or a text."""
    return (load_blend_config if is_blend_config(path, text) else load_config)(path, settings, overrides, text)


def load_blend_config(
    path: str, settings: Sequence[str] = (), overrides: Mapping[str, Any] | None = None, text: str | None = None
) -> BlendConfig:
    """Load the config of a blend from a YAML file, or a ready blend by its name.

    The key ``components`` lists configs. Each is a name, a file, or a mapping with the keys ``config``, ``name`` and
    any keys of a config. The key ``shared`` has keys of a config for all components. settings: ``key=value`` texts;
    keys that a blend does not have are added to ``shared``. overrides: values for ``treebank.train``, ``treebank.dev``
    and ``model``. Raises CrossarcError for invalid input.

    >>> import crossarc
    >>> crossarc.load_blend_config("six-parsers", ["weights=equal"]).weights
    'equal'
    """
    folder = None if text is not None or _is_ready(path) else Path(path).parent
    document = load_yaml(_text_of(path) if text is None else text, path)
    if not isinstance(document, Mapping) or "components" not in document:
        raise CrossarcError(f"{path}: not a blend, expected a mapping with the key 'components'")
    for key in document:
        if key not in KEYS:
            raise _unknown(key, path)
    given = {key: value for key, value in document.items() if key in OWN}
    given.update({f"root.{key}": value for key, value in _mapping(document, "root", path).items()})
    treebank = {f"treebank.{key}": value for key, value in _mapping(document, "treebank", path).items()}
    from_file = set(treebank) | set(given)
    shared = [f"{key}={_setting(value)}" for key, value in _mapping(document, "shared", path).items()]
    for setting in settings:
        key, equals, text = setting.partition("=")
        if key in RENAMED:
            raise _unknown(key, f"--set {setting}")
        if equals and (key in OWN or key.startswith("treebank.")):
            own = given if key in OWN else treebank
            own[key] = text if key in TEXT else load_yaml(text, f"--set {setting}")
            from_file.discard(key)
        else:
            shared.append(setting)
    for key, value in (overrides or {}).items():
        (treebank if key.startswith("treebank.") else given)[key] = value
        from_file.discard(key)
    _check(given, path)
    for key in ("folds", "seed"):
        if key in given and not given.get("choose"):
            raise CrossarcError(f"{path}: {key}: has no effect without cross-validation; allowed: with choose: true")
    if given.get("weights") == AUTO and not given.get("choose"):
        raise CrossarcError(f"{path}: weights: found 'auto' without choose: true; allowed: {', '.join(WEIGHTINGS)}")
    if folder is not None:
        for own, key in ((treebank, "treebank.train"), (treebank, "treebank.dev"), (given, "model")):
            if key in from_file and isinstance(own[key], str) and not own[key].startswith(("$", "~", "/")):
                own[key] = str(folder / file_name(own[key])) if own[key] else ""
    try:
        # a config of these values checks them
        base = load_config("arc-standard", (), {**treebank, "model": given.pop("model", "")})
    except CrossarcError as error:
        raise CrossarcError(f"{path}: {error}") from error
    components, files = _components(document["components"], path, folder, shared)
    options = {key.replace("root.single", "single_root"): value for key, value in given.items()}
    return BlendConfig(components, base.treebank, model=base.model, files=files, **options)


def _is_ready(path: str) -> bool:
    return path in ready_blends() and not Path(path).is_file()


def _text_of(path: str) -> str:
    if _is_ready(path):
        return resources.files("crossarc.configs").joinpath("blends", f"{path}.yaml").read_text("utf-8")
    try:
        return read_text(path, "blend")
    except CrossarcError as error:
        raise CrossarcError(f"{error}; {name_ready_configs(path)}") from error


def _components(
    listed: Any, where: str, folder: Path | None, shared: Sequence[str]
) -> tuple[dict[str, Config], tuple[str, ...]]:
    """(the components by name, their config files)."""
    if not isinstance(listed, list) or len(listed) < 2:
        raise CrossarcError(f"{where}: components: expected a list of two or more configs")
    components: dict[str, Config] = {}
    files = []
    unknown = set(shared)
    for number, entry in enumerate(listed, 1):
        keys = {"config": entry} if isinstance(entry, str) else entry
        if not isinstance(keys, Mapping) or "config" not in keys:
            raise CrossarcError(f"{where}: component {number}: expected a config or a mapping with the key 'config'")
        base = str(keys["config"])
        if folder is not None and (folder / base).is_file():
            base = str(folder / base)
        given = {str(key): value for key, value in keys.items() if key not in ("config", "name")}
        try:
            systems = [setting for setting in shared if setting.startswith("system=")]
            kind = load_config(base, systems, given).kind
            known = [setting for setting in shared if kind.knows(setting.partition("=")[0])]
            unknown.intersection_update(set(shared).difference(known))
            config = load_config(base, known, given)
        except CrossarcError as error:
            raise CrossarcError(f"{where}: component {number}: {error}") from error
        name = str(keys.get("name", f"{number} {Path(base).stem}"))
        if name in components:
            raise CrossarcError(f"{where}: two components have the name {name!r}")
        components[name] = config
        files += [base] if Path(base).is_file() else []
    for setting in sorted(unknown):
        raise CrossarcError(f"{where}: shared: {setting.partition('=')[0]}: no component has this key")
    return components, tuple(files)


def _check(given: Mapping[str, Any], where: str) -> None:
    for key, value in given.items():
        if key not in OWN:
            raise _unknown(key, where)
        if described := OPTIONS.get(key):
            check_value(described.allowed, value, f"{where}: {key}")


def _unknown(key: object, where: str) -> CrossarcError:
    if key in RENAMED:
        return CrossarcError(f"{where}: key {key!r} is now called {RENAMED[str(key)]!r}")
    allowed = OWN if str(key).startswith("root.") else KEYS
    return CrossarcError(f"{where}: unknown key {choices(key, allowed)}")


def _mapping(document: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = document.get(key, {})
    if not isinstance(value, Mapping):
        raise CrossarcError(f"{where}: {key}: found {value!r}, expected a mapping")
    return value


def _setting(value: Any) -> str:
    """A value in the notation of --set."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
