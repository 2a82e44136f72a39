"""The config of a blend: several configs, and how the weights of their votes are learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from ...base.errors import CrossarcError
from ...base.parameters import FILE, FLAG, Parameter, one_of, parameter, parameters_of
from ...config.config import (
    AUTO,
    CONSTRAINTS,
    CONSTRAINTS_MEANING,
    ParserConfig,
    TreebankOptions,
    all_keys,
    config_type,
)
from ...config.loading import Document, build_config, knows, layered, layered_values, make_section, read_document
from ...config.ready import SIMPLEST

COMPONENTS = "components"
"""The key that only configs of blends have."""
WEIGHTINGS = ("equal", "accuracy", "pos", "deprel", "pos+deprel")
"""Units that have weights of their own in a blend, see :class:`~.vote_weights.Weights`."""


@dataclass(frozen=True)
class BlendConfig:
    """The settings of a blend: several configs, and how the weights of their votes are learned.

    components: configs by name.
    files: config files of the components.

    >>> import crossarc
    >>> list(crossarc.load_blend_config("six-parsers").components)[:2]
    ['arc-eager', 'arc-eager reversed']
    """

    kind: ClassVar[str] = "blend"

    components: Mapping[str, ParserConfig]
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
    single_root: bool | str = parameter(
        AUTO,
        one_of(AUTO, True, False),
        "whether node 0 gets exactly one dependent; auto: true if it does in all components",
    )
    constraints: str = parameter("none", CONSTRAINTS, CONSTRAINTS_MEANING)
    model: str = parameter("", FILE, "file that the model is written to")
    files: tuple[str, ...] = ()

    @property
    def parsers(self) -> Sequence[ParserConfig]:
        """The configs of the components."""
        return list(self.components.values())

    @property
    def files_read(self) -> list[str]:
        """The files that training reads."""
        components = [name for component in self.components.values() for name in component.files_read]
        return [*self.files, self.constraints, self.treebank.train, self.treebank.dev, *components]


KEYS: Mapping[str, Parameter] = {
    name.replace("single_root", "root.single"): parameter for name, parameter in parameters_of(BlendConfig).items()
}
"""The keys of a blend beside ``components`` and ``shared``, dotted."""


def options_of_blends() -> Mapping[str, Parameter]:
    """The keys that only a blend has, or that have another meaning in a blend."""
    return {name: parameter for name, parameter in KEYS.items() if name == "root.single" or name not in all_keys()}


def load_blend_config(
    path: str | Path | Document, settings: Sequence[str] = (), overrides: Mapping[str, Any] | None = None
) -> BlendConfig:
    """Load the config of a blend from a YAML file, a ready blend by its name, or the level ``most-accurate``.

    path: file, name or level. Its key ``components`` lists configs: names, files, or mappings with the keys ``config``,
        ``name`` and any keys of a config. Its key ``shared`` has keys of a config for all components. The files and
        the model of a component's own config are set aside: a blend has one treebank and one model.
    settings: ``key=value`` texts. Keys that a blend does not have apply to all components that know them, whatever
        ``shared`` and the components themselves say.
    overrides: values by dotted key, which replace settings.

    Raises CrossarcError for unknown keys, invalid values and unreadable files.

    >>> import crossarc
    >>> crossarc.load_blend_config("six-parsers", ["weights=equal"]).weights
    'equal'
    """
    document = read_document(path, settings, overrides)
    path = document.name
    if COMPONENTS not in document.values:
        raise CrossarcError(f"{path}: not a blend, expected a mapping with the key 'components'")
    shared = document.values.get("shared", {})
    if not isinstance(shared, Mapping):
        raise CrossarcError(f"{path}: shared: found {shared!r}, expected a mapping")
    settings_of = {True: list[str](), False: list[str]()}  # settings of the blend, and of all components
    demanded: dict[bool, dict[str, Any]] = {True: {}, False: {}}
    for key, value in (overrides or {}).items():
        demanded[key in KEYS or str(key).partition(".")[0] == "treebank"][key] = value
    for setting in settings:
        key = setting.partition("=")[0]
        settings_of[key in KEYS or key.partition(".")[0] == "treebank"].append(setting)
    chosen_for_all = layered_values(Document(path, {}), settings_of[False], demanded[False], all_keys())
    shared_values = layered_values(Document(f"{path}: shared", shared, document.folder), (), None, all_keys())
    _refuse_own_treebank(f"{path}: shared", shared_values)
    if "treebank.train" in layered_values(Document(path, {}), settings_of[True], demanded[True], KEYS):
        shared_values.pop("also", None)  # it was chosen together with the replaced treebank
    blend_values = {key: value for key, value in document.values.items() if key not in ("components", "shared")}
    values = layered_values(document._replace(values=blend_values), settings_of[True], demanded[True], KEYS)
    if values.get("weights") == AUTO and not values.get("choose"):
        raise CrossarcError(f"{path}: weights: found 'auto' without choose: true; allowed: {', '.join(WEIGHTINGS)}")
    values["components"], values["files"] = _components(document, shared_values, chosen_for_all, values)
    blend: BlendConfig = make_section(
        BlendConfig, {key.replace("root.single", "single_root"): value for key, value in values.items()}
    )
    return blend


def _refuse_own_treebank(where: str, values: Mapping[str, Any]) -> None:
    """Raise CrossarcError for keys that a blend has once, by dotted key, among those of its components."""
    for key in values:
        if key in ("model", "constraints") or key.startswith("treebank."):
            raise CrossarcError(f"{where}: {key}: a blend has one; write it beside 'components'")


def _components(
    document: Document, shared: Mapping[str, Any], demanded: Mapping[str, Any], values: Mapping[str, Any]
) -> tuple[dict[str, ParserConfig], tuple[str, ...]]:
    """Return (the components by name, their config files).

    shared, demanded: values of all components, by dotted key; the first rank below those of components, the others
        above.
    values: values of the blend, whose treebank chooses the settings of levels.
    """
    listed, where, folder = document.values[COMPONENTS], document.name, document.folder
    if not isinstance(listed, list) or len(listed) < 2:
        raise CrossarcError(f"{where}: components: expected a list of two or more configs")
    treebank = {key: value for key, value in values.items() if key.startswith("treebank.")}
    components: dict[str, ParserConfig] = {}
    files = []
    unknown = {*shared, *demanded}
    for number, entry in enumerate(listed, 1):
        keys = {"config": entry} if isinstance(entry, str) else entry
        if not isinstance(keys, Mapping) or "config" not in keys:
            raise CrossarcError(f"{where}: component {number}: expected a config or a mapping with the key 'config'")
        base = str(keys["config"])
        if folder is not None and (folder / base).is_file():
            base = str(folder / base)
        name = str(keys.get("name", f"{number} {Path(base).stem}"))
        if name in components:
            raise CrossarcError(f"{where}: two components have the name {name!r}")
        try:
            ready = layered_values(read_document(base, (), treebank), (), None, all_keys())
            changed = {key: value for key, value in keys.items() if key not in ("config", "name")}
            changed_values = layered_values(Document(base, {}), (), changed, all_keys(), folder)
            _refuse_own_treebank(name, changed_values)
            layers = [layered([ready, shared]), changed_values, demanded]
            kind = config_type(layered(layers).get("system", SIMPLEST))
            unknown = {key for key in unknown if not knows(kind, key)}
            known, wanted = ({key: layer[key] for key in layer if knows(kind, key)} for layer in (shared, demanded))
            components[name] = build_config(layered([layered([ready, known]), changed_values, wanted]))
        except CrossarcError as error:
            raise CrossarcError(f"{where}: component {number}: {error}") from error
        files += [base] if Path(base).is_file() else []
    for key in sorted(unknown):
        raise CrossarcError(f"{where}: shared: {key}: no component has this key")
    return components, tuple(files)
