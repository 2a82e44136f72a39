"""Generated treebanks: determinism, valid trees, and exact control of crossing arcs."""

import hashlib
from collections import Counter

import pytest
from crossarc.__main__ import main
from crossarc.experiments.synthetic.generator import CONSTRUCTIONS, KINDS, SITE_SHARE, GeneratorOptions, generate
from crossarc.experiments.synthetic.lexicon import load_grammar
from crossarc.parser.treebank import conll_text
from crossarc.transitions.trees import is_projective, is_tree, lifts, nonprojective_arcs, roots
from hypothesis import given, strategies as st
from refusals import refusal


def sample(**changes):
    return list(generate(GeneratorOptions(**{"sentences": 400, "seed": 7, **changes})))


def conllu(sentences):
    return "".join(map(conll_text, sentences)).encode()


def crossing(made):
    return [word for word, crosses in enumerate(nonprojective_arcs(made.heads())) if crosses]


def gap(made, displaced):
    """Number of words between the displaced constituent and its head, counted in the tree."""
    constituent = {displaced}
    while grown := {word for word, head in enumerate(made.heads()) if head in constituent} - constituent:
        constituent |= grown
    return min(abs(word - made.heads()[displaced]) for word in constituent) - 1


options = st.builds(
    GeneratorOptions,
    sentences=st.just(4),
    seed=st.integers(0, 2**40),
    rate=st.floats(0, 1),
    kind=st.sampled_from(KINDS),
    depth=st.none() | st.integers(1, 4),
    distance=st.none() | st.integers(4, 15),
)


@given(options)
def test_sentences_are_trees_with_only_the_intended_crossing(chosen):
    for made in generate(chosen):
        heads, n = made.heads(), len(made)
        assert is_tree(heads)
        assert len(roots(heads)) == 1
        assert made.column("upos")[-1] == "PUNCT"
        assert heads[n] == roots(heads)[0]
        assert [d for d, h in zip(made.deprels(), heads, strict=True) if h == 0] == ["root"]
        assert len(crossing(made)) <= 1
        for displaced in crossing(made):
            assert chosen.depth in (None, lifts(heads)[displaced])
            assert chosen.distance in (None, gap(made, displaced))


def test_generated_bytes_are_the_same_on_every_platform():
    """If the generator changes on purpose, all figures on generated data must be measured again."""
    assert hashlib.sha256(conllu(sample(sentences=100))).hexdigest().startswith("824cfd302678969baed98bd6")
    others = [sample(sentences=30, rate=1.0, kind=kind, distance=9, depth=3) for kind in KINDS]
    assert hashlib.sha256(b"".join(map(conllu, others))).hexdigest().startswith("0d4ae5adef34e5478a143a32")


def described(value, key):
    """All values of a key anywhere in the grammar."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = [value[key]] if isinstance(value, dict) and key in value else []
    return own + [found for part in inside for found in described(part, key)]


def test_all_names_in_the_grammar_exist():
    """Some alternatives are so rare that generated sentences may not show a wrong name."""
    grammar = load_grammar()
    fillers = [name for filler in grammar["fillers"].values() for name in filler["phrases"].values()]
    assert {*described(grammar, "phrase"), *fillers} <= {*grammar["phrases"]}
    lexemes, inflections = map(set, zip(*described(grammar, "word"), strict=True))
    governed = described(grammar["sites"], "lexeme")
    lexemes |= {name for own in governed for name in (own.values() if isinstance(own, dict) else [own])}
    assert lexemes - {None} == {*grammar["lexemes"]}
    assert inflections == {*grammar["inflections"]}
    used = {name for own in described(grammar, "fillers") if isinstance(own, list) for name in own}
    assert used == {*grammar["fillers"]}
    assert {own[0] for own in described(grammar["inflections"], "paradigm")} == {*grammar["paradigms"]}
    assert {*grammar["sites"]} == {*CONSTRUCTIONS}


def test_sentences_depend_only_on_seed_and_number():
    whole = sample(sentences=30)
    assert whole[10:] == sample(sentences=20, first=11)
    assert conllu(whole) != conllu(sample(sentences=30, seed=8))


def test_text_and_features_are_consistent():
    for made in sample():
        spaced = "".join(
            form + ("" if misc == "SpaceAfter=No" else " ")
            for form, misc in zip(made.column("form"), made.column("misc"), strict=True)
        )
        assert made.comments[1] == f"# text = {spaced.rstrip()}"
        for feats in made.column("feats"):
            names = [pair.split("=")[0] for pair in feats.split("|")]
            assert feats == "_" or names == sorted(set(names)), feats


def test_rate_is_the_share_of_nonprojective_sentences():
    shares = []
    for rate in (0.0, 0.1, 0.4, 0.7, 1.0):
        treebank = sample(sentences=500, rate=rate)
        share = sum(not is_projective(made.heads()) for made in treebank) / 500
        assert abs(share - rate) <= 0.04
        shares.append(share)
    assert shares[0] == 0
    assert shares[-1] == 1
    assert shares == sorted(set(shares))


def test_rates_up_to_the_share_of_sites_change_only_word_order():
    moved = 0
    for plain, crossed in zip(sample(rate=0.0), sample(rate=SITE_SHARE), strict=True):
        arcs = [
            Counter(
                (lemmas[word], sentence.deprels()[word], lemmas[head])
                for lemmas in [("", *sentence.column("lemma"))]
                for word, head in enumerate(sentence.heads())
                if word
            )
            for sentence in (plain, crossed)
        ]
        assert arcs[0] == arcs[1]
        moved += bool(crossing(crossed))
    assert moved > 120


@pytest.mark.parametrize("kind", KINDS)
def test_distance_depth_and_rate_are_independent(kind):
    for distance, depth in ((4, 1), (4, 3), (9, 1), (9, 3)):
        treebank = sample(sentences=120, kind=kind, distance=distance, depth=depth)
        displaced = [(made, word) for made in treebank for word in crossing(made)]
        assert {lifts(made.heads())[word] for made, word in displaced} == {depth}
        assert {gap(made, word) for made, word in displaced} == {distance}
        length = sum(abs(made.heads()[word] - word) for made, word in displaced) / len(displaced)
        assert distance + 1 <= length <= distance + 6
        assert 0.15 <= len(displaced) / 120 <= 0.27


@pytest.mark.parametrize("kind", CONSTRUCTIONS)
def test_each_kind_displaces_its_constituent(kind):
    for made in sample(sentences=80, kind=kind, rate=1.0):
        (item,) = crossing(made)
        head, deprel, tags = made.heads()[item], made.deprels()[item], ("", *made.column("xpos"))
        if kind == "extraposition":
            assert deprel == "acl:relcl"
            assert head < item
            assert any(tags[word] == "PREL" for word in range(1, item) if made.heads()[word] == item)
        elif kind == "wh":
            assert item == 1 or (item == 2 and tags[1] == "PWAT")
            assert made.column("form")[-1] == "?"
        elif kind == "clitic":
            assert (tags[item], tags[head]) == ("PCL", "VINF")
            assert deprel in ("obj", "iobj")
        else:
            assert tags[item] in ("NN", "NE", "PPER")
            assert tags[head] == "VINF"
            assert item < head


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rate": 1.5}, "rate: found 1.5; allowed: a probability from 0 to 1"),
        ({"rate": float("nan")}, "rate: found nan; allowed: a probability from 0 to 1"),
        ({"sentences": -1}, "sentences: found -1; allowed: a whole number from 0 to 2147483647"),
        ({"first": 0}, "first: found 0; allowed: a whole number from 1 to 2147483647"),
        ({"depth": 0}, "depth: found 0; allowed: none, or a whole number from 1 to 8"),
        ({"depth": 9}, "depth: found 9; allowed: none, or a whole number from 1 to 8"),
        ({"distance": 2, "depth": 3}, "distance: found 2; allowed at depth 3: 3 to 25 words"),
        ({"distance": 26}, "distance: found 26; allowed at depth 1: 1 to 25 words"),
        ({"kind": "clitics"}, f"kind: found 'clitics' (did you mean 'clitic'?); allowed: {', '.join(KINDS)}"),
    ],
)
def test_options_out_of_range_are_refused(changes, message):
    assert refusal(lambda: sample(**changes)) == message


def test_generate_command_writes_the_sentences_of_the_generator(tmp_path, capfdbinary):
    keys = ["seed=7", "rate=0.5", "kind=wh", "distance=5", "depth=2", "first=3"]
    command = ["generate", "-q", "--sentences", "20", *(word for key in keys for word in ("--set", key))]
    expected = conllu(sample(sentences=20, rate=0.5, kind="wh", distance=5, depth=2, first=3))
    assert main([*command, "-o", str(tmp_path / "made.conllu")]) == 0
    assert (tmp_path / "made.conllu").read_bytes() == expected
    assert main(command) == 0
    assert capfdbinary.readouterr().out == expected
    assert main([*command, "--set", "sentences=10"]) == 1
