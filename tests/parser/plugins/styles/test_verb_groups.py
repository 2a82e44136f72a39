import pytest
from crossarc import CrossarcError
from crossarc.parser.transforms.distortion import distortion
from crossarc.parser.transforms.registry import parse_transform, transform_from_json
from handmade import applied_and_inverted, labelled_trees, read_trees, tree
from hypothesis import given, strategies as st


@pytest.mark.parametrize(
    ("prague", "chain"),
    [
        # figures 6.5 and 6.6 of Nilsson (2009): její příprava bude trvat několik měsíců .
        ("2:Atr 4:Sb 4:AuxV 0:Pred 6:Adv 4:Obj 0:AuxK", "2:Atr 3:Sb 0:AuxV 3:Pred 6:Adv 4:Obj 0:AuxK"),
        # the main verb comes first: only its dependents after the auxiliary move to the auxiliary
        ("2:Sb 0:Pred 2:Adv 2:AuxV 2:Obj", "2:Sb 4:Pred 2:Adv 0:AuxV 4:Obj"),
        # the leftmost of two auxiliaries becomes the head; the other is treated like any dependent
        ("3:AuxV 3:AuxV 0:Pred", "0:AuxV 3:AuxV 1:Pred"),
    ],
)
def test_worked_examples(prague, chain):
    transform = parse_transform("verb-groups")
    assert transform.apply(tree(prague)) == tree(chain)
    assert transform.invert(tree(chain)) == tree(prague)


@pytest.mark.parametrize("profile", ["ud", "alpino"])
def test_profiles_without_auxiliaries_are_refused(profile):
    with pytest.raises(CrossarcError, match=f"the profile {profile} names no auxiliaries"):
        parse_transform(f"verb-groups:profile={profile}")


def test_labels_of_main_verbs_are_learned():
    own = tree("3:Sb 3:AuxV 4:Obj 0:Pred")
    transform = parse_transform("verb-groups").fit([own])
    changed = transform.apply(own)
    assert changed == tree("2:Sb 4:AuxV 2:Obj 0:Pred")
    assert transform_from_json(transform.to_json()).invert(changed) == own
    assert parse_transform("verb-groups").invert(changed) == changed


@given(labelled_trees(st.sampled_from(["Pred", "AuxV", "Sb", "Obj", "", "AuxV+"])))
def test_any_tree_is_applied_and_inverted_to_trees(own):
    for transform in (parse_transform("verb-groups"), parse_transform("verb-groups").fit([own])):
        for result in applied_and_inverted(transform, own):
            assert result.deprels == own.deprels
        if "AuxV" not in own.deprels:
            assert transform.apply(own) == own == transform.invert(own)


def test_distortion_of_the_greek_treebank(treebanks):
    own = read_trees(treebanks / "Ancient_Greek-AGDT/train.conll.xz")
    found = distortion(own, [parse_transform("verb-groups:profile=agdt")])
    assert found["changed_arcs"] > 50
    assert found["uas"] >= 99.99
