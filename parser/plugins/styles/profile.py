"""Treebank profiles in YAML: the labels of coordination and of verb groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

from ...base.errors import CrossarcError, check_names
from ...base.parameters import TEXT, parameter
from ...base.shapes import ANY, ListOf, MapOf, Record, check_file
from ...base.text_files import read_text
from ...base.yaml_values import load_yaml
from ...transforms.transform import Transform

Labelled = tuple[list[int], list[str]]
"""The heads and labels of a tree."""
NEEDED = {"prague": (), "alpino": ("base", "conjunct"), "ud": ("base", "conjunct", "conjunct_suffix", "conjunctions")}


@dataclass(frozen=True, slots=True)
class Profile:
    """The annotation style of a treebank.

    style: annotation of coordination: ``prague`` (the conjunction is the head, the conjuncts have the function),
        ``alpino`` (the conjunction is the head and has the function) or ``ud`` (the first conjunct is the head).
    base: labels of base conjunctions; conversions use the first for treebanks without such a label.
    conjunct: label of conjuncts in ``alpino`` and ``ud``.
    conjunct_suffix: suffix of conjuncts in Prague style; "" if heuristics must find conjuncts.
    conjunctions: labels of conjunctions in ``ud``.
    separators: labels of the commas between conjuncts.
    through: labels of words whose suffix and function are on a dependent (AuxP, AuxC).
    never: labels that conjuncts never have.
    predefined: labels that the variants ``c*`` and ``c+*`` attach to the conjunction.
    auxiliaries: labels of auxiliary verbs.
    main_verbs: labels of the main verbs of these auxiliaries.
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
        """The keys and values in the form of a profile file."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


KEYS = {field.name: TEXT if field.default == "" or field.name == "style" else ListOf(TEXT) for field in fields(Profile)}


@dataclass(kw_only=True, eq=False)
class Profiled(Transform):
    """A transform for treebanks of different styles. Models contain the profile, not the name of its file."""

    learned: ClassVar[Record] = Record({"profile": MapOf(ANY)})

    profile: str = parameter("prague", TEXT, "ready profile or YAML file that describes the labels of a treebank")
    _loaded: Profile | None = field(default=None, init=False, repr=False)

    def validate(self) -> None:
        self._profile()

    def state(self) -> dict[str, Any]:
        return {"profile": self._profile().to_json()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._loaded = _profile(state["profile"], f"transform {self.name}")

    def _profile(self) -> Profile:
        if self._loaded is None:
            self._loaded = load_profile(str(self.profile))
        return self._loaded


def load_profile(name: str) -> Profile:
    """The profile of a file if the name ends in ``.yaml``, otherwise a ready profile.

    Raises CrossarcError for files that cannot be read, unknown keys and invalid values.
    """
    if name.endswith(".yaml"):
        text = read_text(name, "profile")
    else:
        folder = Path(__file__).with_name("profiles")
        ready = {file.name.removesuffix(".yaml"): file for file in folder.iterdir() if file.name.endswith(".yaml")}
        check_names("profile: found", [name], [*sorted(ready), "a file ending in .yaml"])
        text = ready[name].read_text("utf-8")
    return _profile(load_yaml(text, name), name)


def _profile(document: Any, where: str) -> Profile:
    if not isinstance(document, Mapping):
        raise CrossarcError(f"{where}: expected a mapping of keys")
    check_names(f"{where}: unknown key", document, KEYS)
    check_file(dict(document), Record({}, KEYS), where)
    values: Any = {key: tuple(value) if isinstance(value, list) else value for key, value in document.items()}
    profile = Profile(**values)
    check_names(f"{where}: style: found", [profile.style], NEEDED)
    for key in NEEDED[profile.style]:
        if not profile.to_json()[key]:
            raise CrossarcError(f"{where}: {key}: found none; profiles of style {profile.style} need it")
    return profile
