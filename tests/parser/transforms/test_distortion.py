import pytest
from crossarc.parser.transforms.distortion import distortion
from crossarc.parser.transforms.lifting.pseudo_projective import PseudoProjective
from crossarc.parser.transforms.registry import parse_transform
from crossarc.parser.treebank.tree import Tree
from handmade import read_trees
from installed import needs

LIFTED = Tree([-1, 5, 1, 0, 5, 3, 3, 6, 0], ["", "AuxP", "Atr", "Pred", "AuxZ", "Sb", "AuxP", "Adv", "AuxK"], {})
PLAIN = Tree([-1, 2, 0], ["", "Sb", "Pred"], {})


def test_counts_for_two_sentences():
    found = distortion([LIFTED, PLAIN], [PseudoProjective(encoding="head+path")])
    assert found == {
        "sentences": 2,
        "words": 10,
        "nonprojective_sentences": 1,
        "nonprojective_arcs": 1,
        "changed_sentences": 1,
        "changed_arcs": 1,
        "lifts": {1: 1},
        "labels_before": 7,
        "labels_after": 9,
        "new_labels": 2,
        "uas": 100.0,
        "las": 100.0,
        "nonprojective_uas": 100.0,
        "nonprojective_las": 100.0,
        "nonprojective_lost": 0,
        "restored_sentences": 2,
    }


def test_baseline_encoding_loses_all_nonprojective_arcs():
    found = distortion([LIFTED, PLAIN], [PseudoProjective(encoding="baseline")])
    assert (found["nonprojective_uas"], found["uas"], found["labels_after"]) == (0.0, 90.0, 7)
    assert (found["nonprojective_lost"], found["restored_sentences"]) == (1, 1)


def test_reversed_trees_are_compared_in_the_former_order():
    turned = [parse_transform("reversal")]
    assert distortion([LIFTED, PLAIN], turned)["changed_arcs"] == 0
    lifting = PseudoProjective(encoding="head+path")
    alone = distortion([LIFTED, PLAIN], [lifting])
    assert distortion([LIFTED, PLAIN], [lifting, *turned]) == alone == distortion([LIFTED, PLAIN], [*turned, lifting])


def test_percentages_without_trees_or_crossing_arcs_are_none():
    assert distortion([], [PseudoProjective()])["uas"] is None
    assert distortion([PLAIN], [PseudoProjective()])["nonprojective_uas"] is None


@pytest.mark.parametrize(
    ("name", "encoding", "labels", "at_least"),
    [
        # numbers of labels and percentages of restored arcs of MaltParser 1.9.2 on the same file
        ("Gothic-PROIEL/train.conllu.xz", "head", 180, 96.4),
        pytest.param("Gothic-PROIEL/train.conllu.xz", "path", 92, 94.8, marks=pytest.mark.slow),
        pytest.param("Gothic-PROIEL/train.conllu.xz", "head+path", 219, 99.2, marks=pytest.mark.slow),
        pytest.param("English-EWT/train.conllu.xz", "head", 136, 87.3, marks=pytest.mark.slow),
        pytest.param("English-EWT/train.conllu.xz", "path", 103, 96.1, marks=pytest.mark.slow),
        pytest.param("English-EWT/train.conllu.xz", "head+path", 164, 99.2, marks=pytest.mark.slow),
        pytest.param("Ancient_Greek-AGDT/train.conll.xz", "head+path", 810, 97.5, marks=pytest.mark.slow),
    ],
)
def test_treebanks_are_restored_as_well_as_by_maltparser(treebanks, name, encoding, labels, at_least):
    found = distortion(read_trees(treebanks / name), [PseudoProjective(encoding=encoding)])
    assert found["labels_after"] == labels
    assert found["nonprojective_uas"] >= at_least


def test_counts_for_one_sentence_are_integers():
    found = distortion([PLAIN], [PseudoProjective()])
    counts = ("nonprojective_sentences", "changed_sentences", "restored_sentences")
    assert {type(found[name]) for name in counts} == {int}


@needs("styles")
def test_transforms_are_fitted_on_the_output_of_earlier_ones():
    tree = Tree([-1, 2, 5, 5, 2, 0], ["", "Sb_Co", "Coord", "Adv", "Sb_Co", "Pred"], {})
    specs = ("coordination", "verb-groups", "pseudo-projective:label_cap=1")
    assert distortion([tree], list(map(parse_transform, specs)))["restored_sentences"] == 1
