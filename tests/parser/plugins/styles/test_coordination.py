import random

import pytest
from crossarc.parser.transforms.distortion import distortion
from crossarc.parser.transforms.registry import parse_transform, transform_from_json
from crossarc.parser.treebank.tree import Tree
from crossarc.transitions.trees import is_projective
from handmade import applied_and_inverted, labelled_trees, read_trees, tree
from hypothesis import assume, given, strategies as st
from refusals import refusal

VARIANTS = ("c", "c*", "c+", "c+*")
# figure 6.2 of Nilsson (2009): velkou bojovností a nečekanou tvrdostí under a verb, with a full stop
PRAGUE = "0:Pred 3:Atr 4:Obj_Co 1:Coord 6:Atr 4:Obj_Co 1:AuxK"
# figure 6.3 of Nilsson (2009)
CHAIN = "0:Pred 3:Atr 1:Obj 3:Coord 6:Atr 4:Obj 1:AuxK"


def coordination(**params):
    return parse_transform({"name": "coordination", "params": params})


UNMARKED, UD = {"profile": "prague-unmarked"}, {"profile": "ud"}


@pytest.mark.parametrize(
    ("params", "before", "after"),
    [
        *(({"variant": variant}, PRAGUE, CHAIN) for variant in VARIANTS),
        # A , B and C
        ({}, "4:Sb_Co 4:AuxX 4:Sb_Co 6:Coord 4:Sb_Co 0:Pred", "6:Sb 1:AuxX 2:Sb 3:Coord 4:Sb 0:Pred"),
        # A , and B: the second conjunct depends on the nearest separator
        ({}, "3:Sb_Co 3:AuxX 5:Coord 3:Sb_Co 0:Pred", "5:Sb 1:AuxX 1:Coord 3:Sb 0:Pred"),
        # A B and C: no separator between the first two
        ({}, "3:Sb_Co 3:Sb_Co 5:Coord 3:Sb_Co 0:Pred", "5:Sb 3:Sb 1:Coord 3:Sb 0:Pred"),
        # dependents of the whole coordination before the first and after the last conjunct
        ({}, "3:Atr 3:Sb_Co 5:Coord 3:Sb_Co 0:Pred 3:Atr", "2:Atr+ 5:Sb 2:Coord 3:Sb 0:Pred 4:Atr+"),
        # one conjunct after a conjunction that begins the sentence
        ({}, "0:Coord 1:Pred_Co 2:Obj 1:AuxK", "2:Coord 0:Pred 2:Obj 2:AuxK+"),
        # conjuncts with prepositions: the words below the prepositions have the suffix
        ({}, "6:AuxP 1:Adv_Co 6:AuxX 6:AuxP 4:Adv_Co 8:Coord 6:Adv_Co 0:Pred",
         "8:AuxP 1:Adv 1:AuxX 3:AuxP 4:Adv 4:Coord 6:Adv 0:Pred"),
        # [A and B] or C
        ({}, "2:Sb_Co 4:Coord 2:Sb_Co 6:Coord 4:Sb_Co 0:Pred", "6:Sb 1:Coord 2:Sb 1:Coord 4:Sb 0:Pred"),
        # A and [B or C]
        ({}, "2:Sb_Co 6:Coord 4:Sb_Co 2:Coord 4:Sb_Co 0:Pred", "6:Sb 1:Coord 2:Sb 3:Coord 4:Sb 0:Pred"),
        # a conjunction without conjuncts
        ({}, "2:Coord 0:Pred 1:Sb", "2:Coord+ 0:Pred 1:Sb"),
        # without suffixes, equal labels on both sides are conjuncts
        (UNMARKED, "3:Atr 3:Sb 6:Coord 3:AuxY 3:Sb 0:Pred", "2:Atr+ 6:Sb 2:Coord 2:AuxY+ 3:Sb 0:Pred"),
        # Universal Dependencies in Prague style
        (UD, "6:nsubj 3:punct 1:conj 5:cc 1:conj 0:root", "4:nsubj_co 4:punct 4:nsubj_co 6:coord 4:nsubj_co 0:root"),
    ],
)  # fmt: skip
def test_worked_examples(params, before, after):
    transform = coordination(**params)
    assert transform.apply(tree(before)) == tree(after)
    assert transform.invert(tree(after)) == tree(before)


def test_predefined_labels_are_attached_to_the_conjunction():
    prague, chain = tree("2:Obj_Co 0:Coord 2:Obj_Co 2:AuxG 2:Atr"), tree("0:Obj 1:Coord 2:Obj 3:AuxG 3:Atr")
    assert coordination(variant="c*").apply(prague) == chain
    assert coordination(variant="c*").invert(chain) == tree("2:Obj_Co 0:Coord 2:Obj_Co 2:AuxG 3:Atr")
    assert coordination(variant="c").invert(chain) == tree("2:Obj_Co 0:Coord 2:Obj_Co 3:AuxG 3:Atr")
    assert coordination(variant="c+*").apply(prague) == tree("0:Obj 1:Coord 2:Obj 3:AuxG 3:Atr+")
    assert coordination(variant="c+*").invert(coordination(variant="c+*").apply(prague)) == prague


@pytest.mark.parametrize(
    ("alpino", "collins", "melcuk"),
    [
        # de A en B
        ("2:det 3:cnj 5:obj1 3:cnj 0:ROOT", "2:det 5:obj1 2:coord 2:cnj 0:ROOT", "2:det 5:obj1 2:coord 3:obj1 0:ROOT"),
        # A , B , en C: the comma before the conjunction depends on B; C depends on the conjunction in Mel'čuk style
        ("5:cnj 1:punct 5:cnj 3:punct 7:su 5:cnj 0:ROOT",
         "7:su 1:punct 1:cnj 3:punct 3:coord 3:cnj 0:ROOT",
         "7:su 1:punct 2:su 3:punct 3:coord 5:su 0:ROOT"),
        # A , van X , B en C: only the last comma between A and B links them in Mel'čuk style
        ("7:cnj 1:punct 1:mod 3:obj1 4:punct 7:cnj 9:su 7:cnj 0:ROOT",
         "9:su 1:punct 1:mod 3:obj1 4:punct 1:cnj 6:coord 6:cnj 0:ROOT",
         "9:su 1:punct 1:mod 3:obj1 1:punct 5:su 6:coord 7:su 0:ROOT"),
        # A B en C: no separator before B
        ("3:cnj 3:cnj 5:su 3:cnj 0:ROOT", "5:su 1:cnj 2:coord 2:cnj 0:ROOT", "5:su 1:cnj 2:coord 3:su 0:ROOT"),
        # [A en B] , of C
        ("2:cnj 5:cnj 2:cnj 3:punct 7:su 5:cnj 0:ROOT",
         "7:su 1:coord 1:cnj 3:punct 1:coord 1:cnj 0:ROOT",
         "7:su 1:coord 2:su 1:punct 1:coord 5:su 0:ROOT"),
        # A of [B en C]
        ("2:cnj 6:su 4:cnj 2:cnj 4:cnj 0:ROOT",
         "6:su 1:coord 1:cnj 3:coord 3:cnj 0:ROOT",
         "6:su 1:coord 2:su 3:coord 4:su 0:ROOT"),
    ],
)  # fmt: skip
def test_alpino_coordinations_in_collins_and_melcuk_style(alpino, collins, melcuk):
    for style, chain in (("", collins), ("collins", collins), ("melcuk", melcuk)):
        transform = coordination(profile="alpino", style=style)
        assert transform.apply(tree(alpino)) == tree(chain)
        assert transform.invert(tree(chain)) == tree(alpino)


@pytest.mark.parametrize("style", ["collins", "melcuk"])
def test_well_formed_alpino_coordinations_are_restored(style):
    transform = coordination(profile="alpino", style=style)
    generator = random.Random(5)
    for _ in range(400):
        own = alpino_sentence(generator)
        applied = transform.apply(own)
        assert applied != own
        assert is_projective(applied.heads)
        assert transform.invert(applied) == own


def alpino_sentence(generator):
    """Random sentence: a verb after its subject, a coordination with modifiers, commas and nested coordinations."""
    heads, labels = [-1], [""]

    def word(label, head=0):
        heads.append(head)
        labels.append(label)
        return len(heads) - 1

    def comma():
        word("punct", len(heads) - 1)

    def phrase(label, depth):
        if depth < 3 and generator.random() < 0.4:
            return coordination_of(label, depth)
        before = [phrase("mod", depth + 2) for _ in range(generator.random() < 0.3)]
        own = word(label)
        if depth < 4 and generator.random() < 0.3:
            if generator.random() < 0.5:
                comma()
            before.append(phrase("obj1", depth + 2))
        for below in before:
            heads[below] = own
        return own

    def coordination_of(label, depth):
        conjuncts = [phrase("cnj", depth + 1)]
        for _ in range(generator.choice([0, 0, 1, 2])):
            comma()
            conjuncts.append(phrase("cnj", depth + 1))
        if generator.random() < 0.2:
            comma()
        base = word(label)
        for conjunct in (*conjuncts, phrase("cnj", depth + 1)):
            heads[conjunct] = base
        return base

    subject = coordination_of("su", 0)
    heads[subject] = word("ROOT")
    return Tree(heads, labels, {})


def test_last_conjunct_of_a_melcuk_chain_labels_the_coordination():
    transform = coordination(profile="alpino", style="melcuk")
    assert transform.invert(tree("5:su 1:coord 2:obj1 3:mod 0:ROOT")) == tree("2:cnj 5:obj1 2:cnj 3:mod 0:ROOT")


def test_commas_that_depend_on_the_conjunction_keep_their_head():
    own = tree("2:cnj 6:su 2:punct 2:cnj 6:mod 0:ROOT")
    for style in ("collins", "melcuk"):
        transform = coordination(profile="alpino", style=style)
        assert transform.apply(own).heads[3] == 2
        assert transform.invert(transform.apply(own)) == own


@pytest.mark.parametrize(
    ("parsed", "inverted"),
    [
        ("4:nsubj 4:coord 2:nsubj_co 0:root", "4:nsubj 3:cc 1:conj 0:root"),
        ("0:root 1:coord 2:root_co", "0:root 3:cc 1:conj"),
        ("3:coord 1:nsubj_co 0:root", "2:cc 3:nsubj 0:root"),
    ],
)
def test_first_conjunct_need_not_depend_on_the_conjunction(parsed, inverted):
    """The first conjunct is a sibling of the conjunction, its head, or missing."""
    assert coordination(profile="ud").invert(tree(parsed)) == tree(inverted)


def test_profiles_are_saved_with_the_transform():
    transform = coordination(profile="agdt")
    data = transform.to_json()
    data["params"]["profile"] = "gone.yaml"
    assert transform_from_json(data).invert(tree("0:PRED 1:COORD 2:PRED")) == tree("2:PRED_CO 0:COORD 2:PRED_CO")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"variant": "c++"}, "transform coordination: variant: found 'c++' (did you mean 'c+'?)"),
        ({"profile": "agdt", "style": "collins"},
         "transform coordination: style for profile agdt is 'collins'; allowed: melcuk"),
        ({"profile": "ud", "style": "melcuk"},
         "transform coordination: style for profile ud is 'melcuk'; allowed: prague"),
        ({"profile": "gone.yaml"}, "gone.yaml: cannot read the profile: No such file or directory"),
    ],
)  # fmt: skip
def test_invalid_parameters_are_refused(params, message):
    assert refusal(lambda: coordination(**params)).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("style: german", "style: found 'german'; allowed: prague, alpino, ud"),
        ("base: Coord", "base: found 'Coord'; expected a list, each text"),
        ("conjunct: [cnj]", "conjunct: found a list of 1; expected text"),
        ("bases: []", "unknown key 'bases' (did you mean 'base'?)"),
        ("[]", "expected a mapping of keys"),
        ("style: alpino\nconjunct: cnj", "base: found none; profiles of style alpino need it"),
        ("{style: ud, base: [c], conjunct: c}", "conjunct_suffix: found none; profiles of style ud need it"),
    ],
)
def test_invalid_profiles_are_refused(tmp_path, text, message):
    path = tmp_path / "own.yaml"
    path.write_text(text)
    assert refusal(lambda: coordination(profile=str(path))).startswith(f"{path}: {message}")


LABELS = [
    "Sb", "Obj", "Obj_Co", "Pred", "Pred_Co", "Coord", "Coord_Co", "AuxX", "AuxP", "AuxC", "AuxG", "Sb+", "AuxX+",
    "x\\", "cnj", "coord", "conj", "conj:a", "cc", "punct", "Sb_co", "coord:cc:b", "", "_Co", "+",
]  # fmt: skip


TRANSFORMS = [
    *({"profile": profile, "variant": variant} for profile in ("prague", "prague-unmarked") for variant in VARIANTS),
    {"profile": "alpino"},
    {"profile": "alpino", "style": "melcuk"},
    {"profile": "ud"},
]


@pytest.mark.parametrize("params", TRANSFORMS, ids=str)
@given(own=labelled_trees(st.sampled_from(LABELS)))
def test_any_tree_is_applied_and_inverted_to_trees(params, own):
    for result in applied_and_inverted(coordination(**params), own):
        assert len(result.deprels) == len(own.heads)
        assert result.deprels[0] == ""
        assert result.columns == own.columns


@given(own=labelled_trees(st.sampled_from(["cnj", "coord", "punct", "su"])))
@pytest.mark.parametrize("style", ["collins", "melcuk"])
def test_any_tree_with_alpino_labels_is_applied_and_inverted_to_trees(style, own):
    for result in applied_and_inverted(coordination(profile="alpino", style=style), own):
        assert not any("\t" in label for label in result.deprels)


@pytest.mark.parametrize("params", TRANSFORMS, ids=str)
@given(own=labelled_trees(st.sampled_from(["Sb", "AuxX", "AuxP", "AuxG", "punct", "cc", "root"])))
def test_trees_without_coordination_do_not_change(params, own):
    transform = coordination(**params)
    assert transform.apply(own) == own
    if params.get("style") == "melcuk":
        # in Mel'čuk style, a separator that depends on a word before it and has dependents after it links conjuncts
        assume(not any(own.deprels[head] == "punct" and head < word for word, head in enumerate(own.heads) if head > 0))
    assert transform.invert(own) == own


@given(own=labelled_trees(st.text(max_size=3) | st.text("ab+\\", max_size=4)))
def test_trees_with_arbitrary_labels_are_restored(own):
    transform = coordination()
    assert transform.invert(transform.apply(own)) == own


@pytest.mark.parametrize(("variant", "at_least"), [pytest.param("c", 91.7, marks=pytest.mark.slow), ("c+*", 98.1)])
def test_distortion_of_the_greek_treebank(treebanks, variant, at_least):
    own = read_trees(treebanks / "Ancient_Greek-AGDT/train.conll.xz")
    found = distortion(own, [coordination(profile="agdt", variant=variant)])
    assert found["uas"] >= at_least


@pytest.mark.slow
def test_distortion_of_universal_dependencies(treebanks):
    own = read_trees(treebanks / "English-EWT/train.conllu.xz")
    assert distortion(own, [coordination(profile="ud")])["uas"] > 99.5
