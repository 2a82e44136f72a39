"""The inflection of the invented language.

FEATS show only what the form shows. If several cells of a paradigm have the same form, a feature lists all their values
(``Case=Acc,Nom``); a feature that may have any value is left out. So the case of some nouns is unknown; subjects and
objects can then be distinguished only by order, agreement and lexical preference.
"""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[str, str, str]
Endings = dict[Cell, tuple[str, str]]

_GENDERS = ("Fem", "Masc", "Neut")
_CASES = ("Acc", "Dat", "Gen", "Nom")
# gender, number, endings in the order of _CASES (0: no ending)
_NOUN = """
Masc Sing en en es 0
Masc Plur i im or i
Fem Sing u e e a
Fem Plur e im or e
Neut Sing o u es o
Neut Plur a im or a
"""
_ADJECTIVE = """
Masc Sing en em es er
Masc Plur e en er e
Fem Sing e er er e
Fem Plur e en er e
Neut Sing es em es es
Neut Plur e en er e
"""
_RELATIVE = {("Masc", "Sing"): "a", ("Fem", "Sing"): "i", ("Neut", "Sing"): "u"}
_RELATIVE_CASE = {"Nom": "n", "Acc": "t", "Dat": "r"}
# person, number; endings of past and present; personal pronoun in nominative, accusative and dative; clitic in
# accusative and dative
_PERSONS = """
1 Sing ai o eo men mir me me
2 Sing ais es tu ten tir te te
3 Sing a e il lon lir lo li
1 Plur aim em nos nos nor ne ne
2 Plur ait et vos vos vor ve ve
3 Plur ain en ile lonen lirin les li
"""


class Morphology(NamedTuple):
    """Paradigms: (ending, FEATS) by gender, number and case.

    finite: by person, number and tense.
    personal, clitic: pronouns, by person, number and case, with the complete form as ending.
    """

    noun: Endings
    adjective: Endings
    relative: Endings
    finite: Endings
    personal: Endings
    clitic: Endings


def build_morphology() -> Morphology:
    """All paradigms of the language."""
    finite: Endings = {}
    personal: Endings = {}
    clitic: Endings = {}
    for person, number, past, present, *forms in _rows(_PERSONS):
        agreement = f"Number={number}|Person={person}"
        for tense, ending in (("Past", past), ("Pres", present)):
            finite[person, number, tense] = (ending, f"Mood=Ind|{agreement}|Tense={tense}|VerbForm=Fin")
        for pronouns, own, feats in (
            (personal, dict(zip(("Nom", "Acc", "Dat"), forms, strict=False)), agreement),
            (clitic, dict(zip(("Acc", "Dat"), forms[3:], strict=True)), f"Clitic=Yes|{agreement}"),
        ):
            for case, form in own.items():
                same = ",".join(sorted(other for other, shape in own.items() if shape == form))
                pronouns[person, number, case] = (form, f"Case={same}|{feats}|PronType=Prs")
    relative = {
        (gender, number, case): (
            _RELATIVE.get((gender, number), "e") + consonant,
            f"Case={case}|{f'Gender={gender}|' if number == 'Sing' else ''}Number={number}|PronType=Rel",
        )
        for gender in _GENDERS
        for number in ("Plur", "Sing")
        for case, consonant in _RELATIVE_CASE.items()
    }
    return Morphology(_declension(_NOUN, True), _declension(_ADJECTIVE, False), relative, finite, personal, clitic)


def _declension(table: str, gendered: bool) -> Endings:
    """A paradigm from its table. gendered: whether a word has one gender, which is known, as nouns have."""
    cells = {
        (gender, number, case): ending.replace("0", "")
        for gender, number, *row in _rows(table)
        for case, ending in zip(_CASES, row, strict=True)
    }
    found = {}
    for own, ending in cells.items():
        same = [cell for cell, other in cells.items() if other == ending and (not gendered or cell[0] == own[0])]
        values = [("Case", 4, {cell[2] for cell in same}), ("Gender", 3, {cell[0] for cell in same})]
        values.append(("Number", 2, {cell[1] for cell in same}))
        found[own] = (ending, "|".join(f"{name}={','.join(sorted(few))}" for name, n, few in values if len(few) < n))
    return found


def _rows(table: str) -> list[list[str]]:
    return [line.split() for line in table.strip().splitlines()]
