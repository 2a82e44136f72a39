"""All pages: links have targets, commands are valid, generated parts and figures are up to date."""

import re
import shlex
from pathlib import Path

import crossarc
import pytest
from crossarc import load_blend_config, load_config, ready_configs
from crossarc.__main__ import COMMANDS
from crossarc.experiments.harness.documentation import generated_parts
from crossarc.experiments.harness.pages import main as pages_main
from crossarc.features.address import FACTOR_NODES, FUNCTIONS, SOURCES
from crossarc.features.template import KINDS
from crossarc.parser.config.ready import ready_blends
from crossarc.parser.console.line import parse_line

ROOT = Path(crossarc.__file__).parent
PAGES = [
    path
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob(".github/*.md"), *ROOT.glob("*/**/*.md")])
    if path.relative_to(ROOT).parts[0]
    in (path.name, ".github", "transitions", "oracles", "features", "parser", "configs", "experiments", "tests")
]
TEMPLATES = sorted(ROOT.glob("experiments/**/*.md.j2"))
FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.M | re.S)
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def prose(page):
    return FENCED.sub("", page.read_text("utf-8"))


def anchors(page):
    """The anchors of the headings, as sites such as GitHub make them."""
    titles = re.findall(r"^#{1,6} (.*)$", prose(page), re.M)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower() for title in titles]
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in plain}


def broken_links(page):
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    return broken


@every_page
def test_links_have_targets(page):
    assert broken_links(page) == []


@every_page
def test_files_that_a_page_names_exist(page):
    folders = "parser|transitions|oracles|features|configs|experiments|tests"
    named = set(re.findall(rf"`((?:{folders})/[\w./-]+)`", prose(page)))
    roots = (ROOT, page.parent, page.parent.parent)
    missing = {name for name in named if not any((root / name).exists() for root in roots)}
    # Placeholders, and files of the example of a new system.
    assert [name for name in missing if not re.search(r"/[A-Z]+$|-N$|arc.standard.buffer", name)] == []


def commands(page):
    """The commands of crossarc in shell blocks; a line that ends with a backslash is joined with the next."""
    blocks = [text for _, language, text in FENCED.findall(page.read_text("utf-8")) if language == "sh"]
    lines = [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [line for line in lines if re.match(r"(\S*/)?crossarc ", line)]


def understood(line):
    """Raise SystemExit or CrossarcError if a command line is invalid."""
    words = shlex.split(line, comments=True)
    parts = [[]]
    for word, before in zip(words, ["", *words], strict=False):
        if word == "|":
            parts.append([])
        elif word not in "<>" and before not in ("<", ">"):
            parts[-1].append(word)
    for words in (part[1:] for part in parts if part[0].endswith("crossarc")):
        if words == ["--help"] or "--help" in words or "COMMAND" in words:
            continue
        options = parse_line(COMMANDS, words)
        if options.command == "train" and options.config in (*ready_configs(), *ready_blends()):
            load = load_blend_config if options.config in ready_blends() else load_config
            load(options.config, options.set)


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda own: str(own.relative_to(ROOT)))
def test_commands_are_valid(page):
    for line in commands(page):
        if "arc-standard-buffer" not in line:
            understood(line)


def test_page_of_features_lists_sources_functions_and_kinds():
    page = (ROOT / "features" / "README.md").read_text("utf-8")
    words = [f"`{name}[0]`" for name in SOURCES] + [f"`{name}`" for name in (*FUNCTIONS, *FACTOR_NODES)]
    assert [word for word in words if word not in page] == []
    assert [kind for kind in KINDS if f"`{kind}(" not in page] == []


def test_pages_are_up_to_date(capsys):
    """``make docs`` changes nothing."""
    assert pages_main(["--check"]) == 0, capsys.readouterr().err


def test_every_generated_part_is_on_a_page():
    texts = [page.read_text("utf-8") for page in [*PAGES, *TEMPLATES]]
    parts = [[f"<!-- generated: {name} -->", f'{{{{ generated("{name}") }}}}'] for name in generated_parts()]
    assert [part for part in parts if not any(own in text for own in part for text in texts)] == []


NOT_PROSE = re.compile(r"^```.*?^```|^ {4}.*?$|`[^`\n]*`|\{%.*?%\}|\{\{ .*? -?\}\}|\]\([^)]*\)", re.S | re.M)
SOURCE = re.compile(r"\{#- source: \S.*? #\}|<!-- source: \S.*? -->", re.S)
NO_FIGURE = re.compile(
    r"\b(?:tables?|sections?|figures?|chapters?|version|Python|MaltParser|C|gamma|coef0|tol|p [=<>])\s+\d[\d.]*"
    r"(?:(?:,| to| and| or)\s+\d[\d.]*)*|\b0\.0[15]\b(?! %)"
)
"""Numbers that are not results: numbers of tables or sections, versions, parameters, significance levels."""
FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+|(?:\.\d+)?\s%)(?!\w|\.\d)")


def unsourced(text):
    """Paragraphs, list items and tables with typed figures that name no source. A source of its own paragraph applies
    up to the next heading."""
    found, sourced = [], False
    blocks = re.split(r"\n[ \t]*\n|\n(?=(?:-|\d+\.) )", NOT_PROSE.sub("", text))
    for block, following in zip(blocks, [*blocks[1:], ""], strict=True):
        sourced = not block.lstrip().startswith("#") and (sourced or bool(SOURCE.fullmatch(block.strip())))
        below = block.startswith("|") and SOURCE.match(following.strip())
        if FIGURE.search(NO_FIGURE.sub(" ", SOURCE.sub("", block))) and not (sourced or below or SOURCE.search(block)):
            found.append(block)
    return found


@pytest.mark.parametrize("page", TEMPLATES, ids=lambda page: page.parent.name)
def test_typed_figures_name_a_source(page):
    """Figures of committed results are written by an expression; others need a comment ``{#- source: ... #}``."""
    assert unsourced(page.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("LAS 81.57, 12 % of 7", 1),
        ("LAS {{ cell('a') }} and 3.5", 1),
        ("LAS 81.57 and\n3.5 more {#- source: a run #}", 0),
        ("- 1.5 {#- source: a run #}\n- 2.5\n- 3", 1),
        ("# a\n\n{#- source: a run #}\n\n1.5\n\n- 2.5\n\n# b\n\n3.5", 1),
        ("    1.5\n\n```\n1.5\n```\n\n`C=1.5` [it](1.5)", 0),
        ("tables 1.1, 2.2 and 3.3, section 4.1 at C 0.03 (0.05, p < 0.0001), MaltParser 1.9.2, v1.5", 0),
        ("\n| a |\n|---|\n| 1.5 |\n\nText.", 1),
    ],
)
def test_typed_figures_without_a_source_are_found(text, wrong):
    assert len(unsourced(text)) == wrong


TESTED = r"better|worse|same|differs"
COMPARED = "higher|lower|gain"
TYPED = r"better|worse|significan\w*|beats?|outperform\w*|(?:higher|lower) [LU]AS"


def unfounded(text):
    """Sentences of a template that claim a difference without an expression that checks it.

    Only expressions write "better", "worse", "significant", "higher LAS". A sentence about a gain has an expression
    that compares figures. Its block then has a test, or says "not tested", unless the page tests nothing.
    A sentence that reports a publication is in italics, or names it in a comment (source: the paper, ...).
    """
    text = re.sub(r"(?:\{%.*?%\}|\{\{ (?:define|chart)\(.*? -?\}\})\s*", "", text, flags=re.S)
    nothing_tested = "No difference on this page is tested." in " ".join(text.split())
    text = re.sub(r"\{#- source: the (?:paper|thesis)\b.*?#\}", "PUBLISHED", text, flags=re.S)
    text = re.sub(r"\{#.*?#\}", "", text, flags=re.S)
    text = re.sub(rf"\{{\{{\W*(?:{TESTED})\(.*?\}}\}}", "TESTED", text, flags=re.S)
    text = re.sub(rf"\{{\{{\W*(?:{COMPARED})\(.*?\}}\}}", "COMPARED", text, flags=re.S)
    text = re.sub(r"(?<!\*)\*[^*\n][^*]*\*(?!\*)", "", NOT_PROSE.sub("x", text))
    found = []
    for block in re.split(r"\n[ \t]*\n|\n(?=(?:-|\d+\.) )", text):
        tested = nothing_tested or re.search(r"TESTED|not tested", " ".join(block.split()))
        for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z*`\[(])", " ".join(block.split())):
            typed = re.search(rf"\b(?:{TYPED})\b", sentence, re.I)
            claimed = re.search(r"\b[Gg]ain(?:s|ed)?\b|COMPARED", sentence)
            founded = re.search("TESTED|COMPARED", sentence) and tested
            if (
                not sentence.startswith(("#", "|"))
                and "PUBLISHED" not in sentence
                and (typed or (claimed and not founded))
            ):
                found.append(sentence)
    return found


@pytest.mark.parametrize("page", TEMPLATES, ids=lambda page: page.parent.name)
def test_claims_of_differences_are_checked(page):
    assert unfounded(page.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("P1 is better than P0.", 1),
        ("P1 is {{ better('las/*/P1') }}. No other is significantly so.", 1),
        ("P1 has a higher LAS.", 1),
        ("P1 gains {{ gain('a', 'b') }} LAS.", 1),
        ("P1 gains\n{{ gain('a', 'b') }} LAS (not\ntested).\n\nP1 gains {{ cell('a') }} (not tested).", 1),
        ("P1 is {{ better('a') }}: it gains {{ gain('a', 'b') }}.\n\n# Gains\n\n    significant\n", 0),
        ("*P1 is better.* P1 is better. {#- source: the paper, section 5 #}", 1),
        ("P1 is better{#- source: the paper, section 5 #}.", 0),
        ("| better |\n| --- |\n\nP1 is {{ higher('a', 'b') }}. No difference on this page is tested.", 0),
    ],
)
def test_claims_without_a_check_are_found(text, wrong):
    assert len(unfounded(text)) == wrong


WIDEST = 8


@every_page
def test_tables_have_at_most_eight_columns(page):
    """Only the tables of papers, on ``tables.md``, are wider."""
    rules = re.findall(r"^ *\|((?: *:?-+:? *\|)+)$", prose(page), re.M)
    of_paper = page.name == "tables.md" and page.parent.parent.name == "papers"
    assert of_paper or [rule for rule in rules if rule.count("|") > WIDEST] == []


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if {"papers", "studies"} & {*page.parts} and "| --" in page.read_text("utf-8")],
    ids=lambda page: page.parent.name,
)
def test_first_table_of_an_experiment_begins_by_line_40(page):
    lines = page.read_text("utf-8").splitlines()
    assert next(number for number, line in enumerate(lines, 1) if line.startswith("|")) <= 40


def test_frequent_messages_occur_in_the_code():
    page = (ROOT / "parser" / "commands" / "messages.md").read_text("utf-8").partition("<!-- generated")[0]
    messages = re.findall(r"^\| `(.*?)` \|", page, re.M)
    sources = [path.read_text("utf-8") for path in (*ROOT.glob("parser/**/*.py"), *ROOT.glob("experiments/**/*.py"))]
    code = re.sub(r"""["']\s*\n\s*f?["']""", "", "\n".join(sources))
    variable = r"\b(?:FILE|GOLD|MODEL|NAME|LINE|UPOS|graph)\b|'[^']*'|-?\d\w*|--\w+|\([^)]*\)|guide\.C|columns?,|[:;]"
    fragments = {message: max(re.split(variable, message), key=len).strip() for message in messages}
    assert messages
    assert {message: own for message, own in fragments.items() if len(own) < 8 or own not in code} == {}
