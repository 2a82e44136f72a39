"""The inflection of the invented language.

What a word's FEATS say is what its form says: where several cells of a paradigm share a form, the features list all
the values (``Case=Acc,Nom``), and a feature that could have any value is left out. So the case of a noun is not
always known, and who does what to whom is then a matter of order, agreement and lexical preference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["CASES", "CLITICS", "NUMBERS", "PERSONAL", "Morphology", "build_morphology"]

CASES = ("Acc", "Dat", "Gen", "Nom")
NUMBERS = ("Plur", "Sing")
_GENDERS = ("Fem", "Masc", "Neut")

Cell = tuple[str, str, str]  # gender, number, case
Ending = tuple[str, str]  # ending, FEATS

# in the order of CASES
_NOUN = {
    ("Masc", "Sing"): ("en", "en", "es", ""),
    ("Masc", "Plur"): ("i", "im", "or", "i"),
    ("Fem", "Sing"): ("u", "e", "e", "a"),
    ("Fem", "Plur"): ("e", "im", "or", "e"),
    ("Neut", "Sing"): ("o", "u", "es", "o"),
    ("Neut", "Plur"): ("a", "im", "or", "a"),
}
_ADJECTIVE = {
    ("Masc", "Sing"): ("en", "em", "es", "er"),
    ("Masc", "Plur"): ("e", "en", "er", "e"),
    ("Fem", "Sing"): ("e", "er", "er", "e"),
    ("Fem", "Plur"): ("e", "en", "er", "e"),
    ("Neut", "Sing"): ("es", "em", "es", "es"),
    ("Neut", "Plur"): ("e", "en", "er", "e"),
}
_RELATIVE = {("Masc", "Sing"): "a", ("Fem", "Sing"): "i", ("Neut", "Sing"): "u"}
_RELATIVE_CASE = {"Nom": "n", "Acc": "t", "Dat": "r"}

_PRESENT = {("1", "Sing"): "o", ("2", "Sing"): "es", ("3", "Sing"): "e"}
_PRESENT |= {("1", "Plur"): "em", ("2", "Plur"): "et", ("3", "Plur"): "en"}
_PAST = {("1", "Sing"): "ai", ("2", "Sing"): "ais", ("3", "Sing"): "a"}
_PAST |= {("1", "Plur"): "aim", ("2", "Plur"): "ait", ("3", "Plur"): "ain"}

# (person, number) -> forms of nominative, accusative, dative
PERSONAL: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("1", "Sing"): {"Nom": "eo", "Acc": "men", "Dat": "mir"},
    ("2", "Sing"): {"Nom": "tu", "Acc": "ten", "Dat": "tir"},
    ("3", "Sing"): {"Nom": "il", "Acc": "lon", "Dat": "lir"},
    ("1", "Plur"): {"Nom": "nos", "Acc": "nos", "Dat": "nor"},
    ("2", "Plur"): {"Nom": "vos", "Acc": "vos", "Dat": "vor"},
    ("3", "Plur"): {"Nom": "ile", "Acc": "lonen", "Dat": "lirin"},
}
CLITICS: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("1", "Sing"): {"Acc": "me", "Dat": "me"},
    ("2", "Sing"): {"Acc": "te", "Dat": "te"},
    ("3", "Sing"): {"Acc": "lo", "Dat": "li"},
    ("1", "Plur"): {"Acc": "ne", "Dat": "ne"},
    ("2", "Plur"): {"Acc": "ve", "Dat": "ve"},
    ("3", "Plur"): {"Acc": "les", "Dat": "li"},
}


@dataclass(frozen=True, slots=True)
class Morphology:
    """Paradigms: (ending, FEATS) by cell."""

    noun: Mapping[Cell, Ending]
    adjective: Mapping[Cell, Ending]
    relative: Mapping[Cell, Ending]
    finite: Mapping[tuple[str, str, str], Ending]  # person, number, tense
    personal: Mapping[tuple[str, str, str], Ending]  # person, number, case; the whole form as ending
    clitic: Mapping[tuple[str, str, str], Ending]


def build_morphology() -> Morphology:
    """All paradigms of the language."""
    noun: dict[Cell, Ending] = {}
    for gender in _GENDERS:
        noun |= _declension({key: row for key, row in _NOUN.items() if key[0] == gender}, {"Gender": {gender}})
    finite = {
        (*key, tense): ending for tense, row in (("Past", _PAST), ("Pres", _PRESENT)) for key, ending in row.items()
    }
    return Morphology(
        noun=noun,
        adjective=_declension(_ADJECTIVE, {}),
        relative=_relatives(),
        finite={
            (person, number, tense): (ending, f"Mood=Ind|Number={number}|Person={person}|Tense={tense}|VerbForm=Fin")
            for (person, number, tense), ending in finite.items()
        },
        personal=_pronouns(PERSONAL, ""),
        clitic=_pronouns(CLITICS, "Clitic=Yes|"),
    )


def _declension(table: Mapping[tuple[str, str], tuple[str, ...]], known: Mapping[str, set[str]]) -> dict[Cell, Ending]:
    cells = {
        (gender, number, case): ending
        for (gender, number), row in table.items()
        for case, ending in zip(CASES, row, strict=True)
    }
    return {cell: (ending, _features(cells, ending, known)) for cell, ending in cells.items()}


def _features(cells: Mapping[Cell, str], form: str, known: Mapping[str, set[str]]) -> str:
    """The FEATS that all cells with this form have in common."""
    same = [cell for cell, other in cells.items() if other == form]
    values = {"Case": {case for _, _, case in same}, "Gender": {gender for gender, _, _ in same}}
    values["Number"] = {number for _, number, _ in same}
    full = {"Case": CASES, "Gender": _GENDERS, "Number": NUMBERS}
    return "|".join(
        f"{name}={','.join(sorted(found))}"
        for name, found in values.items()
        if name in known or len(found) < len(full[name])
    )


def _relatives() -> dict[Cell, Ending]:
    result: dict[Cell, Ending] = {}
    for gender in _GENDERS:
        for number in NUMBERS:
            for case, consonant in _RELATIVE_CASE.items():
                agreement = f"Gender={gender}|Number=Sing" if number == "Sing" else "Number=Plur"
                vowel = _RELATIVE.get((gender, number), "e")
                result[gender, number, case] = (vowel + consonant, f"Case={case}|{agreement}|PronType=Rel")
    return result


def _pronouns(table: Mapping[tuple[str, str], Mapping[str, str]], prefix: str) -> dict[tuple[str, str, str], Ending]:
    result: dict[tuple[str, str, str], Ending] = {}
    for (person, number), forms in table.items():
        for case, form in forms.items():
            same = ",".join(sorted(other for other, shape in forms.items() if shape == form))
            feats = f"Case={same}|{prefix}Number={number}|Person={person}|PronType=Prs"
            result[person, number, case] = (form, feats)
    return result
