"""Templates and feature models: parsing, writing, and messages for invalid ones."""

import pytest
from crossarc.features.address import FUNCTIONS, SOURCES, Address
from crossarc.features.piece import piece_of
from crossarc.features.template import FeatureModel, Part, Template, TemplateError, parse_feature_model, parse_template
from hypothesis import given, strategies as st
from refusals import refusal

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "column11", "PARSEME:MWE")
PIECES = (
    "feats/Case",
    "feats/Number[psor]",
    "xpos/1",
    "PARSEME:MWE/15",
    "form/shape()",
    "feats/Case/lower()/prefix(12)",
)
ALL_SOURCES = ", ".join(SOURCES)
KINDS = "deprel, distance, arity, dependents, valencies"
ALL_FUNCTIONS = "head, ldep, ldep2, rdep, rdep2, lsib, rsib, pred, succ"
KEYS = (
    "'templates' with a list of templates, 'extends' with the name of a feature model or a list of names, and 'places' "
    "with the place of each attribute in FEATS"
)


def addresses():
    functions = st.lists(st.sampled_from(sorted(FUNCTIONS)), max_size=4).map(tuple)
    return st.builds(Address, st.sampled_from(sorted(SOURCES)), st.integers(0, 99), functions)


def parts():
    one = addresses().map(lambda address: (address,))
    return st.one_of(
        st.builds(Part, st.just("column"), one, column=st.sampled_from((*COLUMNS, *PIECES))),
        st.builds(Part, st.just("deprel"), one),
        st.builds(Part, st.just("distance"), st.tuples(addresses(), addresses())),
        st.builds(Part, st.just("arity"), one, side=st.sampled_from(["", "left", "right"])),
        st.builds(Part, st.just("dependents"), one, side=st.sampled_from(["left", "right"])),
        st.just(Part("valencies", ())),
    )


def templates():
    return st.lists(parts(), min_size=1, max_size=6, unique=True).map(lambda found: Template(tuple(found)))


@given(templates())
def test_templates_are_restored_from_their_text(template):
    assert parse_template(str(template), "here", COLUMNS) == template


@given(templates(), st.data())
def test_spaces_are_ignored(template, data):
    text = str(template)
    for mark in "()[],":
        spaces = data.draw(st.sampled_from(["", " ", "  ", "\t"]))
        text = text.replace(mark, f"{spaces}{mark}{spaces}")
    assert parse_template(text, "here", COLUMNS) == template


@given(st.text("abSt ack[](),01merge²-", max_size=30))
def test_any_text_is_parsed_or_refused_in_one_line(text):
    message = ""
    try:
        template = parse_template(text, "model.yaml:3")
    except TemplateError as error:
        message = str(error)
    if message:
        assert message.startswith("model.yaml:3: template ")
        assert "\n" not in message
    else:
        assert parse_template(str(template), "again") == template


def test_innermost_function_comes_first():
    template = parse_template("merge(upos(ldep(head(Stack[0]))), arity(Input[2], left))", "here")
    address = Address("Stack", 0, ("head", "ldep"))
    assert template.parts == (
        Part("column", (address,), column="upos"),
        Part("arity", (Address("Input", 2),), side="left"),
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "found 'the end', expected a column or one of " + KINDS),
        ("form", "found 'the end', expected '('"),
        ("form(Stack)", "found ')', expected '['"),
        ("form(Stack[²])", "found '²', expected the number of a node, 0 or more"),
        ("form(Stack[", "found 'the end', expected the number of a node, 0 or more"),
        ("form(Stack[1000])", "found '1000', expected the number of a node, at most 999"),
        ("form(Stack[0]", "found 'the end', expected ')'"),
        ("form(Stack[0]) x", "found 'x' after the end of the template"),
        ("form()", "found ')', expected an address such as Stack[0]"),
        ("form(Satck[0])", f"unknown source 'Satck' (did you mean 'Stack'?); allowed: {ALL_SOURCES}"),
        ("form(ldpe(Stack[0]))", f"unknown function 'ldpe' (did you mean 'ldep'?); allowed: {ALL_FUNCTIONS}"),
        (
            "frm(Stack[0])",
            "unknown column 'frm' (did you mean 'form'?); allowed: form, lemma, upos, xpos, feats, column11, "
            "PARSEME:MWE, " + KINDS + ", lower, shape, bare, prefix, suffix, merge",
        ),
        ("lower(deprel(Stack[0]))", "lower takes a column, found deprel"),
        ("prefix(form(Stack[0]))", "found ')', expected ','"),
        ("suffix(form(Stack[0]), 0)", "found '0', expected a number of characters, 1 or more"),
        ("lower(" * 9 + "form(Stack[0])" + ")" * 9, "too many nested functions; allowed: 8 at most"),
        ("distance(Stack[0])", "distance takes 2 addresses, found 1"),
        ("dependents(Stack[0])", "found ')', expected ','"),
        ("dependents(Stack[0], both)", "unknown side 'both'; allowed: left, right"),
        ("feats(Stack[0], )", "found ')', expected the name of an attribute, or the place of a character"),
        ("feats(Stack[0], 0)", "found '0', expected the place of a character, 1 or more"),
        ("feats(Stack[0], 1000)", "found '1000', expected the place of a character, at most 999"),
        ("feats(Stack[0], Number[psor)", "found ')', expected ']'"),
        ("feats(Stack[0], Case, Number)", "found ',', expected ')'"),
        ("deprel(Stack[0], 2)", "deprel has no pieces; allowed: columns of the treebank, such as feats"),
        ("valencies(Stack[0])", "found 'Stack', expected ')'"),
        ("merge(form(Stack[0]))", "merge takes 2 to 6 parts, found 1"),
        (f"merge({', '.join(f'form(Stack[{k}])' for k in range(7))})", "merge takes 2 to 6 parts, found 7"),
        ("merge(form(Stack[0]), form(Stack[0]))", "merge has the same part twice; remove one"),
        ("merge(merge(form(Stack[0]), form(Stack[1])))", "a merge inside a merge; write one merge with all parts"),
        (f"form({'head(' * 9}Stack[0]{')' * 10}", "9 nested functions; allowed: 8 at most"),
        (f"form({'head(' * 5000}Stack[0]{')' * 5001}", "9 nested functions; allowed: 8 at most"),
    ],
)
def test_invalid_templates_are_refused_with_the_reason(text, reason):
    message = refusal(lambda: parse_template(text, "model.yaml:3", COLUMNS), TemplateError)
    assert message == f"model.yaml:3: template {text!r}: {reason}"


def test_sources_that_the_system_lacks_are_refused():
    assert parse_template("form(LeftContext[0])", "here").parts[0].addresses == (Address("LeftContext", 0),)
    message = (
        r"^here: template 'form\(LeftContext\[0\]\)': unknown source 'LeftContext'; allowed: Stack, Input, Lookahead$"
    )
    with pytest.raises(TemplateError, match=message):
        parse_template("form(LeftContext[0])", "here", COLUMNS, ("Stack", "Input", "Lookahead"))


@given(st.lists(templates(), min_size=1, max_size=8, unique=True))
def test_models_are_restored_from_yaml(found):
    model = FeatureModel(tuple(found))
    text = "".join(f"  - {line}\n" for line in model.lines())
    assert parse_feature_model(f"templates:\n{text}", "m.yaml", COLUMNS) == model


def test_templates_of_the_extended_model_come_first():
    files = {"small": "templates:\n  - upos(Stack[0])\n", "middle": "extends: small\ntemplates:\n  - form(Stack[0])\n"}
    text = "templates:\n  - form(Stack[1])\nextends: middle\n"
    model = parse_feature_model(text, "m", read=lambda name, where: files[name])
    assert model.lines() == ["upos(Stack[0])", "form(Stack[0])", "form(Stack[1])"]


def test_several_models_are_extended_in_the_given_order():
    files = {
        "a": "templates: ['upos(Stack[0])', 'upos(Stack[1])']",
        "b": "templates: ['form(Stack[0])', 'upos(Stack[0])']",
    }
    model = parse_feature_model("extends: [b, a]\n", "m", read=lambda name, where: files[name])
    assert model.lines() == ["form(Stack[0])", "upos(Stack[0])", "upos(Stack[1])"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"m.yaml: expected a mapping; allowed: {KEYS}"),
        ("\ntemplate:\n  - form(Stack[0])", f"m.yaml:2: found 'template'; allowed: {KEYS}"),
        ("templates: form(Stack[0])", f"m.yaml:1: found 'templates'; allowed: {KEYS}"),
        ("? [a, b]\n: 1", f"m.yaml:1: found a sequence; allowed: {KEYS}"),
        ("extends: [a, [b]]\n", f"m.yaml:1: found 'extends'; allowed: {KEYS}"),
        ("templates: []", "m.yaml: the feature model has no templates"),
        ("templates:\n  - [form, upos]", "m.yaml:2: found a sequence, expected a template such as form(Stack[0])"),
        ("templates:\n  - form: 3", "m.yaml:2: found a mapping, expected a template such as form(Stack[0])"),
        ("templates:\n- form(Stack[0])\n- form( Stack[0])", "m.yaml:3: template form(Stack[0]) is already in m.yaml:2"),
        ("extends: other", "m.yaml:1: extends is not supported for this feature model; write all templates"),
        ("extends: x\ntemplates\n  - form(Stack[0])", "m.yaml:3: not YAML: could not find expected ':'"),
        ("places: {Case: x}", "m.yaml:1: places: Case: found 'x', expected a place from 1 to 999"),
        ("places:\n  Case: 0", "m.yaml:2: places: Case: found '0', expected a place from 1 to 999"),
        ("places: {Case: 1000}", "m.yaml:1: places: Case: found '1000', expected a place from 1 to 999"),
        ("places: {Case: [1]}", "m.yaml:1: places: Case: found a sequence, expected a place from 1 to 999"),
        ("places: {[a]: 1}", "m.yaml:1: places: expected the name of an attribute"),
        ("places: 3", f"m.yaml:1: found 'places'; allowed: {KEYS}"),
        ("places: {Case: 8, Case: 3}", "m.yaml:1: duplicate key 'Case', first in line 1"),
        ("templates: []\nplaces: {A: 1}\nplaces: {B: 2}", "m.yaml:3: duplicate key 'places', first in line 2"),
    ],
)
def test_invalid_models_are_refused_with_the_line(text, message):
    assert refusal(lambda: parse_feature_model(text, "m.yaml", COLUMNS), TemplateError) == message


@pytest.mark.parametrize("text", ["templates: [", "a: b: c", "\x01", "--- {}\n--- {}", "a: *b", "[" * 3_000])
def test_invalid_yaml_is_refused_in_one_line(text):
    with pytest.raises(TemplateError, match=r"\Am\.yaml(:\d+)?: not YAML: .+\Z"):
        parse_feature_model(text, "m.yaml")


def test_templates_of_the_extended_model_may_not_be_repeated():
    text = "extends: other\ntemplates:\n  - upos(Stack[0])\n"
    with pytest.raises(TemplateError, match=r"^m.yaml:3: template upos\(Stack\[0\]\) is already in other$"):
        parse_feature_model(text, "m.yaml", read=lambda name, where: "templates: ['upos(Stack[0])']")


@pytest.mark.parametrize(
    "files", [{"m": "extends: m\n"}, {"m": "extends: a\n", "a": "extends: b\n", "b": "extends: a"}]
)
def test_models_that_extend_themselves_are_refused(files):
    with pytest.raises(TemplateError, match=r"\A\w:1: feature model '\w' extends itself\Z"):
        parse_feature_model(files["m"], "m", read=lambda name, where: files[name])


@pytest.mark.parametrize(
    ("value", "key", "piece"),
    [
        ("Number[psor]=Plur|Number=Sing", "Number", "Sing"),
        ("Number[psor]=Plur|Number=Sing", "Number[psor]", "Plur"),
        ("Case=Nom|Number=Sing", "Num", "_"),
        ("Case|Number=", "Number", "_"),
        ("_", "Case", "_"),
        ("n-s---mn-", "9", "-"),
        ("n-s---mn-", "10", "_"),
        ("", "1", "_"),
        ("Walking", "prefix(3)", "Wal"),
        ("is", "suffix(3)", "is"),
        ("Éclairs", "lower()", "éclairs"),
        ("iPhone-14a", "shape()", "xXxx-00x"),
        ("WALKING...", "lower()/suffix(4)", "g..."),
        ("Case=Acc", "Case/prefix(1)", "A"),
        ("walks", "cut(3)", "_"),
        ("walks", "prefix(0)", "_"),
    ],
)
def test_pieces_of_values_are_selected_by_key(value, key, piece):
    assert piece_of(value, key) == piece


def test_columns_of_a_model_include_pieces():
    text = "templates:\n  - feats(Stack[0], Case)\n  - merge(xpos(Stack[0], 5), feats(Stack[0]))\n"
    model = parse_feature_model(text, "m.yaml", COLUMNS)
    assert model.columns == ("feats", "feats/Case", "xpos/5")
    model.check_columns(model.columns)
    message = r"^model: templates use unknown column 'feats/Case'; allowed: feats, xpos/5$"
    with pytest.raises(TemplateError, match=message):
        model.check_columns(["feats", "xpos/5"])


POSITIONAL = """places:
  Case: 8
  Number: 3
  Mood: 5
  VerbForm: 5
templates:
  - feats(Stack[0])
  - feats(Stack[1], Case)
  - feats(Stack[1], Degree)
  - morph(Stack[0])
  - merge(feats(Stack[0], Mood), feats(Stack[0], VerbForm), xpos(Stack[0], Case))
"""


def test_places_replace_attributes_of_positional_tags():
    assert parse_feature_model(POSITIONAL, "m.yaml").lines() == [
        "feats(Stack[0], 8)",
        "feats(Stack[0], 3)",
        "feats(Stack[0], 5)",
        "feats(Stack[1], 8)",
        "feats(Stack[1], Degree)",
        "morph(Stack[0])",
        "merge(feats(Stack[0], 5), xpos(Stack[0], Case))",
    ]
    inherited = parse_feature_model("extends: other\nplaces: {Case: 2}\n", "m.yaml", read=lambda *_: POSITIONAL)
    assert "feats(Stack[1], 8)" in inherited.lines()  # places of the extended model take precedence
    bare = 'templates: ["feats(Stack[1], Case)"]\n'
    assert parse_feature_model("extends: other\nplaces: {Case: 2}\n", "m.yaml", read=lambda *_: bare).lines() == [
        "feats(Stack[1], 2)"
    ]
