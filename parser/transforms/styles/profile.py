"""Treebank profiles: which labels coordination and verb groups have, in YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import resources
from typing import Any

from ...base.errors import CrossarcError, choices
from ...base.text_files import read_text
from ...base.yaml_values import load_yaml

__all__ = ["Profile", "load_profile", "profile_from_model", "ready_profiles"]

STYLES = ("prague", "alpino", "ud")
NEEDED = {"prague": (), "alpino": ("base", "conjunct"), "ud": ("base", "conjunct", "conjunct_suffix", "conjunctions")}


@dataclass(frozen=True, slots=True)
class Profile:
    """What a treebank's annotation looks like.

    style: how coordination is annotated: ``prague`` (the conjunction is the head, the conjuncts have the function),
    ``alpino`` (the conjunction has both) or ``ud`` (the first conjunct is the head). base: labels of base conjunctions;
    the first is given where the treebank has none of its own. conjunct: the label of conjuncts in ``alpino`` and
    ``ud``. conjunct_suffix: marks conjuncts in Prague style; "" for treebanks where heuristics must find them.
    conjunctions: labels of conjunctions in ``ud``. separators: labels of the commas between conjuncts. through: labels
    of words that leave suffix and function to a dependent (AuxP, AuxC). never: labels that conjuncts never have.
    predefined: labels that the variants ``c*`` and ``c+*`` attach to the conjunction. auxiliaries: labels of auxiliary
    verbs; main_verbs: labels of the main verbs that they belong to.
    """

    style: str = "prague"
    base: tuple[str, ...] = ()
    conjunct: str = ""
    conjunct_suffix: str = ""
    conjunctions: tuple[str, ...] = ()
    separators: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    predefined: tuple[str, ...] = ()
    auxiliaries: tuple[str, ...] = ()
    main_verbs: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The keys and values as a profile writes them."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


def load_profile(name: str) -> Profile:
    """The profile of a file, if the name ends in ``.yaml``, or else a ready one (:func:`ready_profiles`).

    Raises CrossarcError for files that cannot be read, unknown keys and wrong values.
    """
    if name.endswith(".yaml"):
        text = read_text(name, "profile")
    else:
        if name not in ready_profiles():
            raise CrossarcError(f"profile: found {choices(name, [*ready_profiles(), 'a file ending in .yaml'])}")
        text = _folder().joinpath(f"{name}.yaml").read_text("utf-8")
    return _profile(load_yaml(text, name), name)


def ready_profiles() -> list[str]:
    """The names of the profiles that are installed with crossarc."""
    return sorted(file.name.removesuffix(".yaml") for file in _folder().iterdir() if file.name.endswith(".yaml"))


def profile_from_model(document: Mapping[str, Any], where: str) -> Profile:
    """The profile that a model keeps, also with the hyphens that keys once had; ``where`` begins messages."""
    return _profile({key.replace("-", "_"): value for key, value in document.items()}, where)


def _profile(document: Any, where: str) -> Profile:
    if not isinstance(document, Mapping):
        raise CrossarcError(f"{where}: found no mapping of keys")
    kinds = {field.name: type(field.default) for field in fields(Profile)}
    values: dict[str, Any] = {}
    for key, value in document.items():
        if key not in kinds:
            if (now := str(key).replace("-", "_")) in kinds:
                raise CrossarcError(f"{where}: key {key!r} is now written {now!r}")
            raise CrossarcError(f"{where}: unknown key {choices(key, kinds)}")
        if kinds[key] is tuple:
            if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
                raise CrossarcError(f"{where}: {key}: found {value!r}, expected a list of labels")
            value = tuple(value)
        elif not isinstance(value, str):
            raise CrossarcError(f"{where}: {key}: found {value!r}, expected text")
        values[key] = value
    profile = Profile(**values)
    if profile.style not in STYLES:
        raise CrossarcError(f"{where}: style: found {choices(profile.style, STYLES)}")
    for key in NEEDED[profile.style]:
        if not profile.to_json()[key]:
            raise CrossarcError(f"{where}: {key}: found none, which profiles of style {profile.style} need")
    return profile


def _folder() -> Any:
    return resources.files("crossarc.configs").joinpath("profiles")
