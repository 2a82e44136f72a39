"""MaltParser's feature models: each function is translated or refused, and parsers train with the result."""

import re
import shlex
from pathlib import Path

import crossarc
import pytest
from command_line import conllu, run
from crossarc import CrossarcError, load_config
from crossarc.features.address import FUNCTIONS
from crossarc.features.template import parse_template
from crossarc.parser.config.feature_files import load_features
from crossarc.parser.plugins.maltparser.features import (
    ALGORITHMS,
    COLUMNS,
    HANDLED,
    OTHER_NAMES,
    malt_features,
    read_xml,
)
from crossarc.parser.treebank.symbols import nameable_columns
from crossarc.transitions.registry import system_type
from hypothesis import given, strategies as st
from refusals import refusal

ROOT = Path(crossarc.__file__).parent
NAMES = nameable_columns(["form", "lemma", "upos", "xpos", "feats"])


def xml(*features, name="nivreeager"):
    rows = "".join(f"    <feature>{feature}</feature>\n" for feature in features)
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<featuremodels>\n  <featuremodel name="{name}">\n{rows}'
    return f"{text}  </featuremodel>\n</featuremodels>\n".encode()


def read_malt_features(content, name, algorithm=""):
    return malt_features(read_xml(content, name), name, algorithm)


def translated(feature, algorithm="nivreeager"):
    (line,) = read_malt_features(xml(feature, name=algorithm), "m.xml").templates
    return line


TRANSLATIONS = """
nivreeager:  InputColumn ( CPOSTAG ,Input[2] )  => upos(Input[2])
nivreeager: InputColumn(UPOSTAG, Input[0]) => upos(Input[0])
nivreeager: InputColumn(CLUSTER, Stack[0]) => cluster(Stack[0])
nivreeager: Split(InputColumn(FEATS, Input[0]), \\|) => feats(Input[0])
nivreeager: InputColumn(FORM, head(head(Stack[0]))) => form(head(head(Stack[0])))
nivreeager: InputColumn(LEMMA, pred(Input[0])) => lemma(pred(Input[0]))
nivreeager: Merge(InputColumn(FORM, Stack[0]), InputColumn(FORM, Stack[0])) => form(Stack[0])
nivreeager: NumOf(Stack[0], rdep, 0|1|2|) => arity(Stack[0], right)
nivreeager: NumOf(Stack[0], dep, |0|1|) => arity(Stack[0])
nivreeager: Suffix(InputColumn(FORM, Stack[0]), 3) => suffix(form(Stack[0]), 3)
nivreeager: Prefix(InputColumn(LEMMA, Stack[0]), 2) => prefix(lemma(Stack[0]), 2)
nivrestandard: InputColumn(FORM, Stack[0]) => form(Stack[1])
nivrestandard: InputColumn(FORM, Input[0]) => form(Stack[0])
nivrestandard: InputColumn(FORM, Input[2]) => form(Lookahead[1])
stackproj: InputColumn(FORM, Stack[1]) => form(Stack[1])
stackproj: InputColumn(FORM, Lookahead[1]) => form(Lookahead[1])
stacklazy: InputColumn(FORM, Input[0]) => form(Input[0])
stackeager: InputColumn(FORM, Lookahead[0]) => form(Lookahead[0])
stackswap: InputColumn(FORM, Stack[2]) => form(Stack[2])
stackattardi: InputColumn(FORM, Stack[3]) => form(Stack[3])
stackprojective: InputColumn(FORM, Stack[1]) => form(Stack[1])
stackincremental: OutputColumn(DEPREL, head(Stack[0])) => deprel(head(Stack[0]))
planar: InputColumn(FORM, Stack[0]) => form(Stack[0])
planareager: InputColumn(FORM, head(Stack[0])) => form(head(Stack[0]))
planareager: InputColumn(FORM, ActiveStack[1]) => form(Stack[1])
2planar: InputColumn(FORM, ActiveStack[0]) => form(Stack[0])
2planar: InputColumn(FORM, InactiveStack[1]) => form(OtherStack[1])
covnonproj: InputColumn(FORM, Left[1]) => form(Left[1])
covnonproj: InputColumn(FORM, Right[0]) => form(Input[0])
covnonproj: InputColumn(FORM, RightContext[0]) => form(LeftContext[0])
covproj: InputColumn(FORM, LeftContext[1]) => form(pred(pred(Input[0])))
"""


@pytest.mark.parametrize("line", TRANSLATIONS.strip().split("\n"))
def test_functions_columns_and_data_structures_are_translated(line):
    algorithm, feature, template = re.split(": | => ", line)
    assert translated(feature, algorithm) == template
    system = ALGORITHMS[OTHER_NAMES.get(algorithm, algorithm)].system
    assert parse_template(template, "m.xml", [*NAMES, "cluster"], system_type(system).sources)


def test_features_of_impossible_nodes_are_left_out():
    merged = "Merge(InputColumn(FORM, Stack[0]), InputColumn(FORM, head(Input[1])))"
    content = xml("InputColumn(FORM, Input[0])", merged, "InputColumn(FORM, Stack[0])", name="stackproj")
    found = read_malt_features(content, "m.xml")
    assert found.templates == ["form(Stack[0])"]
    assert found.notes == ["Input has no counterpart in arc-standard: features of it are left out"]


def test_functions_may_be_nested_up_to_twenty_deep():
    def nested(merges):
        one = "InputColumn(FORM, Stack[0])"
        return f"Merge({one}, " * merges + one + ")" * merges

    assert translated(nested(19)) == "form(Stack[0])"
    found = read_malt_features(xml(nested(20), nested(1)), "m.xml")
    assert found.notes[0].endswith("21 nested functions; allowed: 20 at most")


def test_submodels_are_joined():
    inside = "<submodel name='A.DEPREL'><feature>InputColumn(FORM, Stack[0])</feature></submodel>"
    content = xml("InputColumn(FORM, Input[0])").replace(b"  </featuremodel>", inside.encode() + b"</featuremodel>")
    found = read_malt_features(content, "m.xml")
    assert found.templates == ["form(Input[0])", "form(Stack[0])"]
    assert found.notes == ["all decisions use the features of all submodels here"]


columns = st.sampled_from(["FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS"])
places = st.builds("{}[{}]".format, st.sampled_from(["Stack", "Input"]), st.integers(0, 5))
nodes = st.recursive(
    places, lambda inner: st.builds("{}({})".format, st.sampled_from([*FUNCTIONS]), inner), max_leaves=3
)
parts = st.one_of(
    st.builds("InputColumn({}, {})".format, columns, nodes),
    st.builds("OutputColumn(DEPREL, {})".format, nodes),
    st.builds("Distance({}, {}, 0|1|)".format, nodes, nodes),
)


@given(st.lists(parts, min_size=1, max_size=6, unique=True), st.randoms())
def test_nested_merges_become_one_merge(pieces, dice):
    single = [translated(piece) for piece in pieces]
    waiting = list(pieces)
    while len(waiting) > 1:
        count = dice.choice([2, 3]) if len(waiting) > 2 else 2
        place = dice.randrange(len(waiting) - count + 1)
        name = "Merge" if count == 2 else "Merge3"
        waiting[place : place + count] = [f"{name}({', '.join(waiting[place : place + count])})"]
    distinct = list(dict.fromkeys(single))
    expected = distinct[0] if len(distinct) == 1 else f"merge({', '.join(distinct)})"
    assert translated(waiting[0]) == expected


def test_parsers_train_with_translated_models(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    functions = ("InputColumn(POSTAG, Left[0])", "OutputColumn(DEPREL, ldep(Left[0]))", "InputColumn(FORM, Right[1])")
    merged = "Merge(InputColumn(POSTAG, LeftContext[0]), InputColumn(POSTAG, RightContext[0]))"
    Path("malt.xml").write_bytes(xml(*functions, merged, name="covnonproj"))
    Path("train.conllu").write_text(conllu(1, 20), "utf-8")
    assert run("import-malt", "malt.xml", "-o", "own.yaml") == 0
    assert len(load_features("own.yaml", "covington", NAMES).lines()) == 4
    words = ["train", "covington", "--train", "train.conllu", "--set", "features=own.yaml", "--model", "m", "-q"]
    assert run(*words) == 0


def test_translated_files_name_source_and_differences(capsys, tmp_path):
    file = tmp_path / "malt.xml"
    other, distance = "Cover(FORM, Stack[0])", "Distance(Stack[0], Input[0], 0|1|)"
    file.write_bytes(xml(other, distance, distance))
    assert run("import-malt", file) == 0
    assert capsys.readouterr() == (
        "# From malt.xml, for MaltParser's nivreeager; here for the system arc-eager.\n"
        f"# left out, line 4: {other}: found {other}; allowed: {', '.join(HANDLED)}\n"
        "# distances are binned here at 0, 1, 2, 3, 4, 5, 7, 10 and 15 words, neighbours being 1 apart\n"
        "templates:\n  - distance(Stack[0], Input[0])\n",
        f"crossarc: warning: {file}: features without a counterpart are left out: 1; the new file lists them\n",
    )
    assert run("import-malt", file, "--algorithm", "nivrestandard") == 0
    assert "distance(Stack[1], Stack[0])" in capsys.readouterr().out


ALL, OWN = ", ".join(HANDLED), f"{', '.join(COLUMNS)}, or one of your own"
NODES = ", ".join([*(f"{name}(NODE)" for name in FUNCTIONS), "SOURCE[N]"])
AT_MOST = "the number of a node, at most 999"


@pytest.mark.parametrize(
    ("feature", "reason"),
    [
        ("Cover(FORM, Stack[0])", f"found Cover(FORM, Stack[0]); allowed: {ALL}"),
        ("InputColumn(FORM)", f"found InputColumn(FORM); allowed: {ALL}"),
        ("InputColumn(FORM, Lookahead[0])", "data structure 'Lookahead'; allowed: Stack, Input"),
        ("InputColumn(FORM, Stack[-1])", f"found Stack[-1]; allowed: {NODES}"),
        ("InputColumn(FORM, anc(Stack[0]))", f"found anc(Stack[0]); allowed: {NODES}"),
        ("InputColumn(HEAD, Stack[0])", f"column HEAD is not an input column; allowed: {OWN}"),
        ("OutputColumn(HEAD, Stack[0])", f"found OutputColumn(HEAD, Stack[0]); allowed: {ALL}"),
        (r"Split(InputColumn(LEMMA, Stack[0]), \|)", "only FEATS is split here, at |"),
        ("Split(InputColumn(FEATS, Stack[0]), 1)", f"found Split(InputColumn(FEATS, Stack[0]), 1); allowed: {ALL}"),
        ("NumOf(Stack[0], head, 0|1|)", f"found NumOf(Stack[0], head, 0); allowed: {ALL}"),
        ("InputColumn(FORM, Stack[0]", "not a function with its arguments"),
        ("Merge(" * 500 + ")" * 500, "500 nested functions; allowed: 20 at most"),
        ("InputColumn(FORM, Stack[1000])", "template 'form(Stack[1000])': found '1000', expected " + AT_MOST),
    ],
)
def test_features_without_counterpart_are_named_with_their_line(feature, reason):
    found = read_malt_features(xml("InputColumn(FORM, Stack[0])", feature), "m.xml")
    assert found.templates == ["form(Stack[0])"]
    assert found.notes == [f"left out, line 5: {feature}: {reason}"]


LAUGHS = b"""<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
<featuremodels><featuremodel name="nivreeager"><feature>&b;</feature></featuremodel></featuremodels>"""
EXTERNAL = b'<!DOCTYPE f SYSTEM "file:///etc/passwd">\n<featuremodels/>'
DOCTYPE = "found a DOCTYPE; expected a file without one"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (LAUGHS, f"m.xml:2: {DOCTYPE}"),
        (EXTERNAL, f"m.xml:1: {DOCTYPE}"),
        (b"", "m.xml:1: not XML: no element found"),
        (b"<featuremodels><featuremodel>&x;</featuremodel></featuremodels>", "m.xml:1: not XML: undefined entity"),
        (b'<?xml version="1.0" encoding="nonsense"?><a/>', "m.xml: not XML: unknown encoding: nonsense"),
        (b"\xff\xfe\x00", "m.xml:1: not XML: unclosed token"),
        (b"<featuremodels/>", "m.xml: found 0 elements featuremodel, expected one"),
        (b"<a>" + b"<featuremodel/>" * 2 + b"</a>", "m.xml: found 2 elements featuremodel, expected one"),
        (xml(), "m.xml: found no feature that can be translated"),
        (
            xml("InputColumn(FORM, Stack[0])", name="own"),
            f"m.xml: algorithm 'own'; allowed: {', '.join(ALGORITHMS)}; --algorithm names another",
        ),
    ],
)
def test_hostile_and_broken_files_are_refused(content, reason):
    assert refusal(lambda: read_malt_features(content, "m.xml")) == reason


@given(st.binary(max_size=60) | st.text(max_size=40).map(lambda text: xml(text)))
def test_any_file_is_translated_or_refused_in_one_line(content):
    said = ""
    try:
        read_malt_features(content, "m.xml")
    except CrossarcError as error:
        said = str(error)
    assert "\n" not in said


def rows(page, heading):
    """The rows of the first table below a heading of a page."""
    (table,) = re.findall(
        rf"## {heading}.*?\n\|[^\n]*\n\|[ :|-]*\|\n((?:\|[^\n]*\n)+)", (ROOT / page).read_text("utf-8"), re.S
    )
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table.splitlines()]


def test_the_table_of_functions_matches_the_translations():
    done = 0
    for malt, ours, _ in rows("features/README.md", "Coming from MaltParser"):
        if "`" in ours:
            assert translated(malt.strip("`").replace("\\|", "|")) == ours.strip("`")
            done += 1
    assert done > 6


def test_the_table_of_options_names_valid_settings():
    settings = [
        own
        for row in rows("experiments/guides/moving.md", "From MaltParser")
        for own in re.findall(r"`([^`]+)`", row[1])
    ]
    assert len(settings) > 15
    for setting in settings:
        if not setting.startswith("crossarc ") and "=" in setting:
            load_config("arc-standard", shlex.split(setting.replace("...", "")))
