"""Lemmas as edit rules from form to lemma; many words share a rule, which serves as label."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache

from ..treebank import EMPTY

WHOLE = "="
"""Prefix of rules that contain the lemma itself."""
CASES: Mapping[str, Callable[[str], str]] = {"lower": str.lower, "same": str, "title": str.capitalize}
"""How the letters of the form are changed before anything is cut off; of equally short rules the first counts."""
LONGEST = 200
"""Maximum number of characters of form and lemma that are compared; comparing takes quadratic time."""
_RULE = re.compile(rf"({'|'.join(CASES)}) -(\d{{1,4}})\+(.*) -(\d{{1,4}})\+(.*)", re.DOTALL)


@lru_cache(maxsize=2**16)
def rule_of(form: str, lemma: str) -> str:
    """The rule that makes the lemma of the form and changes the fewest characters.

    A rule states how many characters to remove, and which to insert, at the beginning and at the end.

    >>> rule_of("Walking", "walk"), rule_of("gemacht", "machen"), rule_of("went", "go")
    ('lower -0+ -3+', 'lower -2+ -1+en', '=go')
    """
    found = [(WHOLE + lemma, 1 + len(lemma))]
    for name, change in CASES.items():
        base = change(form)
        if max(len(base), len(lemma)) > LONGEST:
            if base == lemma:
                found.append((f"{name} -0+ -0+", 0))
            continue
        match = SequenceMatcher(None, base, lemma, autojunk=False).find_longest_match()
        prefix, suffix = lemma[: match.b], lemma[match.b + match.size :]
        end = len(base) - match.a - match.size
        found.append((f"{name} -{match.a}+{prefix} -{end}+{suffix}", match.a + end + len(prefix) + len(suffix)))
    rule, _ = min((own for own in found if lemma_by(own[0], form) == lemma), key=lambda own: own[1])
    return rule


def lemma_by(rule: str, form: str) -> str:
    """The lemma that a rule makes of a form; the form itself if the text is not a rule.

    >>> lemma_by("lower -0+ -3+", "Talking"), lemma_by("=go", "went")
    ('talk', 'go')
    """
    if rule.startswith(WHOLE):
        return rule.removeprefix(WHOLE)
    found = _RULE.fullmatch(rule)
    if found is None:
        return form
    case, front, prefix, end, suffix = found.groups()
    base = CASES[case](form)
    lemma = prefix + base[int(front) : max(len(base) - int(end), 0)] + suffix
    return form if lemma in EMPTY else lemma
