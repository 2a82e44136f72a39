import json

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.base.parameters import parameters_of
from crossarc.parser.transforms.registry import TRANSFORMS, parse_transform, transform_from_json
from crossarc.parser.transforms.transform import Transform, apply_all, fit_all, invert_all
from crossarc.parser.treebank.tree import Tree


def test_specs_and_configs_give_the_same_transform():
    given = {"encoding": "head+path", "order": "deepest", "label_cap": 30}
    spec = parse_transform("pseudo-projective:encoding=head+path,order=deepest,label_cap=30")
    config = parse_transform({"name": "pseudo-projective", "params": given})
    assert spec.params() == config.params() == {**given, "covered_roots": "ignore", "search": "verified"}
    assert parse_transform("pseudo-projective").params()["encoding"] == "head"
    assert parse_transform({"name": "pseudo-projective"}).params()["label_cap"] is None


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("pseudo-projektive", "unknown transform 'pseudo-projektive' .did you mean 'pseudo-projective'"),
        ("", "unknown transform ''"),
        ("pseudo-projective:encodng=head", "unknown parameter 'encodng' .did you mean 'encoding'"),
        ("pseudo-projective:encoding", "found 'encoding'; allowed: parameter=value"),
        ("pseudo-projective:order=deepest,order=shortest", "'order' is given twice"),
        ("pseudo-projective:encoding=both", "encoding: found 'both'"),
        ({"nam": "pseudo-projective"}, "unknown key 'nam' .did you mean 'name'"),
        ({"name": "pseudo-projective", "params": [1]}, "params is .1.; allowed: a mapping"),
        ("pseudo-projective:label_cap=" + "9" * 5000, "^transform pseudo-projective: label_cap: found '9{50,60}"),
        ("pseudo-projective:label_cap=1e3", "^transform pseudo-projective: label_cap: found '1e3'; allowed: none, or "),
        (["pseudo-projective"], "allowed: a spec"),
        ("a\n\nb:c", r"^transform a\\n\\nb: found 'c'; allowed: parameter=value, "),  # found by fuzzing
    ],
)
def test_invalid_specs_are_refused_in_one_line(spec, message):
    with pytest.raises(CrossarcError, match=message) as caught:
        parse_transform(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", sorted(TRANSFORMS))
def test_transforms_are_restored_from_json(name):
    transform = parse_transform(f"{name}:label=X" if "label" in parameters_of(TRANSFORMS[name]) else name)
    again = transform_from_json(json.loads(json.dumps(transform.to_json())))
    assert type(again) is type(transform)
    assert again.params() == transform.params()


def test_unknown_state_is_refused():
    data = {"name": "pseudo-projective", "params": {}, "state": {"weights": []}}
    with pytest.raises(CrossarcError, match="unknown state 'weights'"):
        transform_from_json(data)


class Tag(Transform):
    name = "tag"

    def __init__(self, sign="x"):
        self.sign = sign
        self.seen = None

    def fit(self, trees):
        self.seen = [tree.deprels[1] for tree in trees]
        return self

    def apply(self, tree):
        return tree._replace(deprels=["", *(label + self.sign for label in tree.deprels[1:])])

    def invert(self, tree):
        assert all(label.endswith(self.sign) for label in tree.deprels[1:])
        return tree._replace(deprels=["", *(label[:-1] for label in tree.deprels[1:])])


def test_transforms_are_applied_in_order_and_inverted_in_reverse():
    first, second = Tag("x"), Tag("y")
    tree = Tree([-1, 0], ["", "a"], {})
    assert fit_all([first, second], [tree])[0].deprels[1] == "axy"
    assert (first.seen, second.seen) == (["a"], ["ax"])
    applied = apply_all([first, second], tree)
    assert applied.deprels[1] == "axy"
    assert invert_all([first, second], applied) == tree
