"""Feature extractor: keys agree with values that are recomputed from the definitions on plain lists."""

import random

import numpy as np
import pytest
from crossarc.features.extractor import ABSENT, ColumnSize, Extractor
from crossarc.features.template import FeatureModel, TemplateError, parse_template
from crossarc.transitions.configuration import Configuration
from crossarc.transitions.registry import SYSTEMS, make_system
from hypothesis import given, strategies as st
from plain_configurations import LABELS, SIZES, Plain, value_tuples
from random_features import every_template, random_columns
from refusals import refusal


class Bijection:
    """Checks that equal value tuples of a template have equal keys, and different ones different keys."""

    def __init__(self, extractor, model):
        self.places = {
            template: [number for number, slot in enumerate(extractor.slots) if slot.template == str(template)]
            for template in model.templates
        }
        self.slots = extractor.slots
        self.keys = {}
        self.seen = {}

    def check(self, template, expected, row):
        found = [int(row[place]) for place in self.places[template] if row[place] != ABSENT]
        assert len(found) == len(set(found)) == len(expected), str(template)
        for place in self.places[template]:
            slot = self.slots[place]
            assert row[place] == ABSENT or slot.offset <= row[place] < slot.offset + slot.size
        known = {self.keys[template, values] for values in expected if (template, values) in self.keys}
        assert known <= set(found), str(template)
        new = [values for values in expected if (template, values) not in self.keys]
        fresh = [key for key in found if key not in known]
        assert not any(key in self.seen for key in fresh), str(template)
        if len(new) == 1:
            self.keys[template, new[0]] = fresh[0]
            self.seen[fresh[0]] = (template, new[0])


@pytest.mark.parametrize(("name", "seed"), [(name, number % 2) for number, name in enumerate(SYSTEMS)])
def test_keys_correspond_to_values_one_to_one(name, seed):
    dice = random.Random(f"{name} {seed}")
    system = make_system(name, single_root=bool(seed))
    lengths = [dice.randint(1, 7), 1, dice.randint(17, 24), dice.randint(2, 12)]
    columns = random_columns(dice, lengths)
    model = every_template(system.sources, dice)
    extractor = Extractor(model, SIZES, LABELS)
    bijection = Bijection(extractor, model)
    plains = {row: Plain(n) for row, n in enumerate(lengths)}
    rows = list(plains)
    c = system.initial(np.array(lengths))
    while True:
        running = ~system.terminal(c)
        if not running.any():
            break
        if not running.all():
            c = c.at(running).compact() if dice.random() < 0.5 else c.at(running)
            rows = [row for row, still in zip(rows, running, strict=True) if still]
        keys = extractor.keys(c, columns)
        assert keys.dtype == np.int64
        assert keys.shape == (len(rows), len(extractor.slots))
        for place, row in enumerate(rows):
            for template in model.templates:
                bijection.check(template, value_tuples(template, plains[row], row, columns), keys[place])
        place = dice.randrange(len(rows))
        alone = extractor.keys(c.at(np.array([place])), columns)
        assert alone.tolist() == [keys[place].tolist()]
        legal = system.legal(c)
        moves = np.array([dice.choice(np.flatnonzero(of_row).tolist()) for of_row in legal])
        labels = np.array([dice.randrange(LABELS) if system.moves[move].labelled else -1 for move in moves])
        for row, move, label in zip(rows, moves, labels, strict=True):
            plains[row].apply(name, system.moves[move].name, int(label))
        system.advance(c, moves, labels)
    assert len(bijection.seen) > 400


def initial_keys(model, columns, lengths):
    return Extractor(model, SIZES, LABELS).keys(Configuration(np.array(lengths)), columns)


def model_of(*lines):
    return FeatureModel(tuple(parse_template(line, "here") for line in lines))


def test_keys_of_a_worked_example():
    """The words have the forms 4 and 2 (unknown) and the tags 3 and 4."""
    columns = {"form": np.array([[1, 4, 2, 0]]), "upos": np.array([[1, 3, 4, 0]])}
    model = model_of(
        "form(Input[0])",
        "upos(Input[1])",
        "merge(form(Input[0]), upos(Stack[0]))",
        "form(Input[2])",
        "deprel(Input[0])",
    )
    extractor = Extractor(model, SIZES, LABELS)
    assert [(slot.template, slot.offset, slot.size) for slot in extractor.slots] == [
        ("upos(Input[1])", 0, 5),
        ("deprel(Input[0])", 5, 6),
        ("form(Input[0])", 11, 9),
        ("form(Input[2])", 20, 9),
        ("merge(form(Input[0]), upos(Stack[0]))", 29, 45),
    ]
    assert initial_keys(model, columns, [2]).tolist() == [[0 + 4, 5 + 0, 11 + 4, 20 + 0, 29 + 4 * 5 + 1]]


def test_keys_of_sets_in_a_worked_example():
    """One word has two of at most three atoms, one has none; a merge has one key per atom."""
    columns = {"feats": np.array([[[0, 0, 0], [5, 3, 0], [0, 0, 0], [0, 0, 0]]]), "upos": np.array([[1, 3, 4, 0]])}
    model = model_of("feats(Input[0])", "feats(Input[1])", "merge(upos(Input[0]), feats(Input[0]))")
    slots = Extractor(model, SIZES, LABELS).slots
    assert [(slot.offset, slot.size) for slot in slots] == [(0, 7)] * 3 + [(7, 7)] * 3 + [(14, 35)] * 3
    expected = [5, 3, ABSENT, ABSENT, ABSENT, ABSENT, 14 + 3 * 7 + 5, 14 + 3 * 7 + 3, ABSENT]
    assert initial_keys(model, columns, [2]).tolist() == [expected]


@pytest.mark.parametrize(
    ("n", "bin_number"), [(1, 2), (2, 3), (4, 5), (5, 6), (6, 6), (7, 7), (9, 7), (10, 8), (14, 8), (15, 9), (40, 9)]
)
def test_distances_are_binned(n, bin_number):
    """Stack[0] is node 0, so the n-th word is n words away."""
    model = model_of(f"distance(Stack[0], Input[{n - 1}])")
    assert initial_keys(model, {}, [n]).tolist() == [[bin_number]]
    assert initial_keys(model, {}, [n - 1]).tolist() == [[0]]


def test_valencies_are_capped():
    model = model_of("arity(Stack[0])", "arity(Stack[0], right)", "arity(Stack[0], left)")
    extractor = Extractor(model, {}, LABELS)
    assert [slot.size for slot in extractor.slots] == [7, 7, 7]
    for dependents in range(9):
        c = Configuration(np.array([9]))
        for word in range(1, dependents + 1):
            c.add_arc(np.array([0]), np.array([1]), np.array([word]))
        most = min(dependents, 6)
        assert extractor.keys(c, {}).tolist() == [[most, 7 + most, 14]]


@given(st.permutations(range(5)))
def test_ranges_are_disjoint_and_small_ones_come_first(order):
    lines = [
        "form(Stack[0])",
        "feats(Stack[0])",
        "upos(Stack[0])",
        "merge(form(Input[0]), feats(Stack[0]))",
        "deprel(Stack[0])",
    ]
    slots = Extractor(model_of(*(lines[number] for number in order)), SIZES, LABELS).slots
    ranges = list(dict.fromkeys((slot.template, slot.offset, slot.size) for slot in slots))
    assert len(ranges) == 5
    end = 0
    for (_, offset, size), before in zip(ranges, [0, *(size for _, _, size in ranges)], strict=False):
        assert offset == end
        assert size >= before
        end += size


def test_columns_with_only_empty_sets_have_no_slots():
    model = model_of("empty(Stack[0])", "form(Stack[0])", "merge(empty(Input[0]), form(Input[0]))")
    extractor = Extractor(model, SIZES, LABELS)
    assert [slot.template for slot in extractor.slots] == ["form(Stack[0])"]
    columns = {"form": np.array([[1, 3, 0]]), "empty": np.zeros((1, 3, 0), np.int32)}
    assert extractor.keys(Configuration(np.array([1])), columns).tolist() == [[1 + extractor.slots[0].offset]]


@pytest.mark.parametrize("name", SYSTEMS)
def test_empty_batches_have_no_keys(name):
    system = make_system(name)
    model = every_template(system.sources, random.Random(1))
    extractor = Extractor(model, SIZES, LABELS)
    columns = random_columns(random.Random(1), [3, 2])
    c = system.initial(np.array([3, 2])).at(np.array([], dtype=np.int64))
    assert extractor.keys(c, columns).shape == (0, len(extractor.slots))


def test_keys_of_62_bits_are_exact():
    sizes = {"form": ColumnSize(2**31)}
    extractor = Extractor(model_of("merge(form(Input[0]), form(Input[1]))"), sizes, LABELS)
    assert extractor.slots[0].size == 2**62
    columns = {"form": np.array([[1, 2**31 - 1, 2**31 - 1, 0]])}
    assert extractor.keys(Configuration(np.array([2])), columns).tolist() == [[2**62 - 1]]


MERGE = "allowed: 2**62 in all templates; merge fewer columns, or columns with fewer values"
FORMS = "merge(form(Stack[0]), form(Stack[1]))"
SETS = "merge(feats(Stack[0]), form(Stack[0]), feats(Input[0]))"


@pytest.mark.parametrize(
    ("lines", "forms", "message"),
    [
        (["deprel(Stack[0])", FORMS], 2**31, f"template {FORMS!r}: too many possible keys ({2**62}); {MERGE}"),
        ([FORMS], 2**31 + 1, f"template {FORMS!r}: too many possible keys ({(2**31 + 1) ** 2}); {MERGE}"),
        ([SETS], 9, f"template {SETS!r}: merges two set-valued columns; allowed: one at most"),
        (["empty(Stack[0])"], 9, "every column that the feature model reads is empty; use features of other columns"),
    ],
)
def test_unusable_models_are_refused(lines, forms, message):
    """forms: number of values of FORM."""
    sizes = {**SIZES, "form": ColumnSize(forms)}
    assert refusal(lambda: Extractor(model_of(*lines), sizes, LABELS), TemplateError).startswith(message)
