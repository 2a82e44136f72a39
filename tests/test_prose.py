"""Prose of pages: sentences are short, and the amount of hand-written text is limited."""

import re
from pathlib import Path

import crossarc
import pytest

ROOT = Path(crossarc.__file__).parent
PAGES = sorted(path for path in ROOT.rglob("*.md") if not {".venv", ".pytest_cache"} & {*path.relative_to(ROOT).parts})
GENERATED = re.compile(r"<!-- (?:generated|table): .*?<!-- end -->|\{\{.*?\}\}|\{#.*?#\}|\{%.*?%\}", re.S)
LONGEST = 40
AVERAGE = 18
MOST_BYTES = 200_000


def sentences(page):
    """The sentences of a page without code, tables, headings, comments, generated parts and link targets."""
    text = re.sub(r"^```.*?^```|<!--.*?-->", "", GENERATED.sub("", page), flags=re.S | re.M)
    text = re.sub(r"`[^`]*`", "code", re.sub(r"\]\([^)]*\)", "]", text))
    text = re.sub(r"\b(e\.g|i\.e|vs|cf|fig|et al)\.", r"\1", text)
    text = re.sub(r"^\s*(?:[-*]|\d+\.) ", "\n\n", text, flags=re.M)
    blocks = [block for block in re.split(r"\n\s*\n", text) if not re.match(r"\s*(\||#|    )", block)]
    found = [part for block in blocks for part in re.split(r"(?<=[.!?])\s+(?=[A-Z0-9*`\[(])", " ".join(block.split()))]
    return [sentence for sentence in found if sentence]


def words(sentence):
    return len(re.findall(r"\w[\w'’-]*", sentence))


@pytest.mark.parametrize("page", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in PAGES])
def test_no_sentence_is_long(page):
    long = [sentence for sentence in sentences(page.read_text("utf-8")) if words(sentence) > LONGEST]
    assert not long


def test_sentences_are_short_on_average():
    lengths = [words(sentence) for page in PAGES for sentence in sentences(page.read_text("utf-8"))]
    assert sum(lengths) / len(lengths) <= AVERAGE


def test_hand_written_text_is_limited():
    written = [template if (template := page.with_name(f"{page.name}.j2")).exists() else page for page in PAGES]
    texts = [GENERATED.sub("", page.read_text("utf-8")) for page in written]
    assert sum(len(text.encode()) for text in texts) <= MOST_BYTES


def test_root_page_has_600_to_800_words():
    text = re.sub(r"<!--.*?-->", "", (ROOT / "README.md").read_text("utf-8"), flags=re.S)
    assert 600 <= len(text.split()) <= 800
