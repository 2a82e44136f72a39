"""The config of a blend: several configs, and how the weights of their votes are learned."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..base.errors import CrossarcError
from ..base.parameters import FLAG, TEXT, WEIGHTINGS, Parameter, nested_parameters, one_of, parameter, whole
from ..base.progress import Progress, nothing
from .config import AUTO, KEYS as CONFIG_KEYS, Config, TreebankOptions
from .loading import Document, check_settings, layered_values, load_config, make_section, read_document


@dataclass(frozen=True, slots=True)
class BlendConfig:
    """The settings of a blend: several configs, and how the weights of their votes are learned.

    components: configs by name.
    files: config files of the components.

    >>> import crossarc
    >>> list(crossarc.load_blend_config("six-parsers").components)[:2]
    ['arc-eager', 'arc-eager reversed']
    """

    components: Mapping[str, Config]
    treebank: TreebankOptions = field(default_factory=TreebankOptions)
    weights: str = parameter(
        "pos",
        one_of(*WEIGHTINGS, AUTO),
        "unit that has a weight of its own for its votes; auto: chosen by cross-validation, needs `choose: true`",
    )
    choose: bool = parameter(
        False,
        FLAG,
        "whether components and weights are chosen by cross-validation on the training treebank; the chosen components "
        "are trained on all of it",
    )
    jobs: int = parameter(1, whole(1), "number of worker processes")
    single_root: bool | str = parameter(
        AUTO,
        one_of(AUTO, True, False),
        "whether node 0 gets exactly one dependent; auto: true if it does in all components",
    )
    model: str = parameter("", TEXT, CONFIG_KEYS["model"].meaning)
    files: tuple[str, ...] = ()

    @property
    def files_read(self) -> list[str]:
        """The files that training reads."""
        components = [name for own in self.components.values() for name in own.files_read]
        return [*self.files, self.treebank.train, self.treebank.dev, *components]


KEYS: Mapping[str, Parameter] = {
    name.replace("single_root", "root.single"): own for name, own in nested_parameters(BlendConfig).items()
}
"""The keys of a blend beside ``components`` and ``shared``, dotted."""
OPTIONS = {name: own for name, own in KEYS.items() if name == "root.single" or name not in CONFIG_KEYS}
"""The keys that only a blend has, or that have another meaning in a blend."""


def load_any_config(
    path: str | Path | Document,
    settings: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
    progress: Progress = nothing,
) -> Config | BlendConfig:
    """Load the config of a parser or of a blend; see :func:`load_config` for the parameters."""
    document = read_document(path, settings, overrides, progress=progress)
    return (load_blend_config if document.is_blend else load_config)(document, settings, overrides)


def load_blend_config(
    path: str | Path | Document, settings: Sequence[str] = (), overrides: Mapping[str, Any] | None = None
) -> BlendConfig:
    """Load the config of a blend from a YAML file, a ready blend by its name, or the level ``most-accurate``.

    path: file, name or level. Its key ``components`` lists configs: names, files, or mappings with the keys ``config``,
        ``name`` and any keys of a config. Its key ``shared`` has keys of a config for all components.
    settings: ``key=value`` texts. Keys that a blend does not have are added to ``shared``.
    overrides: values for ``treebank.train``, ``treebank.dev`` and ``model``.

    Raises CrossarcError for unknown keys, invalid values and unreadable files.

    >>> import crossarc
    >>> crossarc.load_blend_config("six-parsers", ["weights=equal"]).weights
    'equal'
    """
    document = read_document(path, settings, overrides)
    path = document.name
    if not document.is_blend:
        raise CrossarcError(f"{path}: not a blend, expected a mapping with the key 'components'")
    shared = document.values.get("shared", {})
    if not isinstance(shared, Mapping):
        raise CrossarcError(f"{path}: shared: found {shared!r}, expected a mapping")
    of_all = [f"{key}={_setting(value)}" for key, value in shared.items()]
    own: list[str] = []
    for setting in check_settings(settings):
        key = setting.partition("=")[0]
        (own if key in KEYS or key.startswith("treebank.") else of_all).append(setting)
    given = {key: value for key, value in document.values.items() if key not in ("components", "shared")}
    values = layered_values(document._replace(values=given), own, overrides, KEYS)
    if values.get("weights") == AUTO and not values.get("choose"):
        raise CrossarcError(f"{path}: weights: found 'auto' without choose: true; allowed: {', '.join(WEIGHTINGS)}")
    values["components"], values["files"] = _components(document, of_all, values)
    blend: BlendConfig = make_section(
        BlendConfig, {key.replace("root.single", "single_root"): value for key, value in values.items()}
    )
    return blend


def _components(
    document: Document, shared: Sequence[str], values: Mapping[str, Any]
) -> tuple[dict[str, Config], tuple[str, ...]]:
    """Return (the components by name, their config files).

    shared: settings of all components.
    values: values of the blend, whose treebank chooses the settings of levels.
    """
    listed, where, folder = document.values["components"], document.name, document.folder
    if not isinstance(listed, list) or len(listed) < 2:
        raise CrossarcError(f"{where}: components: expected a list of two or more configs")
    treebank = {key: value for key, value in values.items() if key.startswith("treebank.")}
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
            component = read_document(base, (), treebank)
            systems = [setting for setting in shared if setting.startswith("system=")]
            kind = load_config(component, systems, given).kind
            known = [setting for setting in shared if kind.knows(setting.partition("=")[0])]
            unknown.intersection_update(set(shared).difference(known))
            config = load_config(component, known, given)
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


def _setting(value: Any) -> str:
    """Write a value in the notation of --set."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
