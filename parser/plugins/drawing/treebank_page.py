"""The HTML page for browsing a treebank, with the trees of parsers beside the gold trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .page import interactive_page
from .view import View, measure_names, suffixes
from .word_line import right_to_left

SCRIPTS = ("where.js", "tree.js", "treebank.js")
NOT_IN_TABLES = frozenset({"id", "form", "head", "deprel"})


def treebank_page(
    views: Iterable[View],
    names: Sequence[str],
    service: Mapping[str, Any] | None = None,
    sources: Sequence[str] = (),
    notes: Sequence[Mapping[int, str]] = (),
) -> str:
    """Return the text of the page.

    names: names of the gold file and of the parsed files.
    service: for trees that can be corrected, the ``address`` of a service, relative to the page, and its ``model``;
        for a file that can be edited, also the address ``edit`` that stores sentences.
    sources: for such a file, the lines of each sentence.
    notes: what is to be said of words, by sentence and number of the word; these words are marked.

    Raises CrossarcError for an invalid tree.
    """
    tables: dict[str, dict[str, int]] = {}
    deprels: dict[str, int] = {}
    columns: dict[str, None] = {}
    sums: Counter[str] = Counter()
    sentences = []
    form = 1
    for view in views:
        columns.update(dict.fromkeys(view.sentence.format.names))
        form = view.sentence.format.index["form"]
        sentences.append(_sentence(view, tables, deprels))
        if service is not None:
            sentences[-1]["comments"] = view.sentence.comments
        sums.update(view.measures)
    data = {
        "files": list(names),
        "columns": list(columns),
        "form": form,
        "tables": {name: list(table) for name, table in tables.items()},
        "deprels": list(deprels),
        "measures": measure_names(len(names) - 1),
        "totals": _totals(len(sentences), sums, names),
        "sentences": sentences,
        **({"service": service} if service else {}),
    }
    for sentence, source in zip(sentences, sources, strict=False):
        sentence["source"] = source
    for sentence, said in zip(sentences, notes, strict=False):
        sentence["notes"] = said
    title = " · ".join(names)
    if service is None:
        return interactive_page("treebank", SCRIPTS, title, data)
    editor = ("edit.js",) if sources else ()
    return interactive_page("treebank", ("correct.js", *editor, *SCRIPTS), title, data, "'self'")


def _sentence(view: View, tables: dict[str, dict[str, int]], deprels: dict[str, int]) -> dict[str, Any]:
    """Return the data of one sentence.

    Column values and deprels become numbers. New values are added to the tables.
    """
    sentence = view.sentence
    forms = sentence.column("form")
    columns: dict[str, Any] = {"form": forms}
    for name, values in zip(sentence.format.names, sentence.columns, strict=True):
        if name not in NOT_IN_TABLES and set(values) != {"_"}:
            table = tables.setdefault(name, {})
            columns[name] = [table.setdefault(value, len(table)) for value in values]
    return {
        "id": sentence.id,
        "text": sentence.text,
        "columns": columns,
        "extras": [(before, row.split("\t")) for before, row in sentence.extras],
        "trees": [
            {"heads": tree.heads, "labels": [deprels.setdefault(label, len(deprels)) for label in tree.deprels[1:]]}
            for tree in view.trees
        ],
        "measures": [round(value, 6) for value in view.measures.values()],
        **({"rightToLeft": True} if right_to_left(forms) else {}),
    }


def _totals(sentences: int, sums: Mapping[str, float], names: Sequence[str]) -> str:
    """Return one line about all sentences of the page, with the LAS of each parsed file over all words.

    sums: of the measures over the sentences. names: of the gold file, then of the parsed files.
    """
    words = sums["length"]
    crossing = f"{sums['crossing']:.0f} non-projective arcs in {sums['nonprojective']:.0f} sentences"
    parts = [f"{sentences} sentences, {words:.0f} words, {crossing}"]
    for suffix, name in zip(suffixes(len(names) - 1), names[1:], strict=True):
        errors = sums[f"errors{suffix}"]
        parts.append(f"{name}: LAS {100 * (1 - errors / words) if words else 100:.2f}")
    return "; ".join(parts)
