"""Scores: equal to naive counts from their definitions, worked examples, and errors for invalid arguments."""

import cProfile
import json
import pstats
from unicodedata import normalize

import pytest
from crossarc import CrossarcError, Sentence, score_sentences
from crossarc.parser.base.data_warnings import DataWarning
from crossarc.parser.evaluate.comparison import compare
from handmade import CROSSING, MISPARSED, evaluate, words_tree
from hypothesis import given, strategies as st
from naive_scores import PUNCTUATION, both, corpora, head, label, naive_pr, naive_tokens, random_corpus, seen, share
from refusals import refusal


@given(corpora)
def test_totals_equal_naive_counts(corpus):
    scores = evaluate(*corpus)
    rows = naive_tokens(*corpus)
    for totals, kept in ((scores.all, rows), (scores.no_punct, [r for r in rows if r["form"] not in PUNCTUATION])):
        sentences = {row["sentence"] for row in kept}
        for name, right in (("las", both), ("uas", head), ("la", label)):
            assert getattr(totals, name) == share(sum(map(right, kept)), len(kept))
        for name, right in (("lem", both), ("uem", head)):
            whole = {s for s in sentences if all(right(r) for r in kept if r["sentence"] == s)}
            assert getattr(totals, name) == share(len(whole), len(sentences))
        assert totals.tokens == len(kept)
        assert totals.sentences == len(sentences)


@given(corpora, st.sampled_from(["all", "no_punct"]))
def test_scores_by_projectivity_equal_naive_counts(corpus, breakdowns):
    scores = evaluate(*corpus, breakdowns=breakdowns)
    rows = [r for r in naive_tokens(*corpus) if breakdowns == "all" or r["form"] not in PUNCTUATION]
    for table, status in ((scores.projective, False), (scores.nonprojective, True)):
        for arcs, kept in (
            (table.all, rows),
            (table.projective_sentences, [r for r in rows if not r["sentence_np"]]),
            (table.nonprojective_sentences, [r for r in rows if r["sentence_np"]]),
        ):
            for found, right in ((arcs.unlabelled, head), (arcs.labelled, both)):
                assert seen(found) == naive_pr(kept, lambda arc, status=status: arc["np"] == status, right)


@given(corpora, st.sampled_from(["all", "no_punct"]))
def test_tables_of_arcs_equal_naive_counts(corpus, breakdowns):
    scores = evaluate(*corpus, breakdowns=breakdowns)
    rows = [r for r in naive_tokens(*corpus) if breakdowns == "all" or r["form"] not in PUNCTUATION]
    for table, key in ((scores.by_arc_length, "signed"), (scores.by_arc_length_bin, "bin"), (scores.by_depth, "depth")):
        assert set(table) == {str(r[s][key]) for r in rows for s in ("gold", "predicted")}
        for name, arcs in table.items():
            for found, right in ((arcs.unlabelled, head), (arcs.labelled, both)):
                assert seen(found) == naive_pr(rows, lambda arc, k=key, name=name: str(arc[k]) == name, right)
    for name, deprel in scores.by_deprel.items():
        for found, right in ((deprel.head, head), (deprel.head_label, both), (deprel.label, label)):
            assert seen(found) == naive_pr(rows, lambda arc, name=name: arc["deprel"] == name, right)
    assert list(scores.by_deprel) == sorted({r[s]["deprel"] for r in rows for s in ("gold", "predicted")})
    assert seen(scores.root.unlabelled) == naive_pr(rows, lambda arc: arc["root"], head)
    assert seen(scores.root.labelled) == naive_pr(rows, lambda arc: arc["root"], both)
    assert seen(scores.nonroot.unlabelled) == naive_pr(rows, lambda arc: not arc["root"], head)
    assert seen(scores.nonroot.labelled) == naive_pr(rows, lambda arc: not arc["root"], both)


@given(corpora)
def test_tables_of_tokens_equal_naive_counts(corpus):
    scores = evaluate(*corpus)
    rows = naive_tokens(*corpus)
    classes = {
        "projective": lambda r: not r["gold"]["np"],
        "projective_left": lambda r: not r["gold"]["np"] and r["gold"]["signed"].startswith("-"),
        "projective_right": lambda r: not r["gold"]["np"] and r["gold"]["signed"].isdigit(),
        "nonprojective": lambda r: r["gold"]["np"],
        "nonprojective_left": lambda r: r["gold"]["np"] and r["gold"]["signed"].startswith("-"),
        "nonprojective_right": lambda r: r["gold"]["np"] and r["gold"]["signed"].isdigit(),
        "root": lambda r: r["gold"]["root"],
        "nonroot": lambda r: not r["gold"]["root"],
    }
    assert set(scores.gold_arcs) == set(classes)
    expected = {("gold_arcs", name): [r for r in rows if member(r)] for name, member in classes.items()}
    expected |= {("by_upos", tag): [r for r in rows if r["tag"] == tag] for tag in {r["tag"] for r in rows}}
    expected |= {("by_position", str(k)): [r for r in rows if r["word"] == k] for k in {r["word"] for r in rows}}
    for table in ("by_upos", "by_position"):
        assert set(getattr(scores, table)) == {name for t, name in expected if t == table}
    for (table, name), kept in expected.items():
        found = getattr(scores, table)[name]
        assert found.tokens == len(kept)
        for score, right in (("las", both), ("uas", head), ("la", label)):
            assert getattr(found, score) == share(sum(map(right, kept)), len(kept))
    for name, shortest, longest in (("1-10", 1, 10), ("11-20", 11, 20)):
        kept = [r for r in rows if shortest <= r["n"] <= longest]
        assert (name in scores.by_sentence_length) == bool(kept)
        if kept:
            found = scores.by_sentence_length[name]
            assert found.las == share(sum(map(both, kept)), len(kept))
            assert found.sentences == len({r["sentence"] for r in kept})


@given(corpora)
def test_confusions_equal_naive_counts(corpus):
    rows = [r for r in naive_tokens(*corpus) if not r["label"]]
    pairs = {(r["gold"]["deprel"], r["predicted"]["deprel"]) for r in rows}
    expected = []
    for pair in pairs:
        kept = [r for r in rows if (r["gold"]["deprel"], r["predicted"]["deprel"]) == pair]
        expected.append((-len(kept), *pair, sum(map(head, kept))))
    found = evaluate(*corpus).confusions
    assert [(-c.tokens, c.gold, c.predicted, c.head_right) for c in found] == sorted(expected)[:20]


def test_hand_worked_example():
    scores = evaluate([CROSSING], [MISPARSED])
    assert (scores.uas, scores.las, scores.la) == (60, 40, 80)
    assert (scores.no_punct.uas, scores.no_punct.las, scores.no_punct.la) == (50, 50, 100)
    assert (scores.uem, scores.lem) == (0, 0)
    assert seen(scores.projective.all.unlabelled) == (60, 75, 5, 4)
    assert seen(scores.projective.all.labelled) == (40, 50, 5, 4)
    assert seen(scores.nonprojective.all.unlabelled) == (None, 0, 0, 1)
    assert scores.gold_arcs["nonprojective_right"].tokens == 1
    assert scores.gold_arcs["nonprojective_left"].las is None
    assert [(c.gold, c.predicted, c.tokens, c.head_right) for c in scores.confusions] == [("punct", "obj", 1, 1)]


def test_gold_tree_determines_the_class_of_a_sentence():
    """As in tables 3 and 5 of Kuhlmann & Nivre (2010), where P0 has a precision in non-projective analyses."""
    scores = evaluate([CROSSING], [MISPARSED])
    assert seen(scores.projective.nonprojective_sentences.unlabelled) == (60, 75, 5, 4)
    assert seen(scores.projective.projective_sentences.unlabelled) == (None, None, 0, 0)


def test_empty_corpora_have_no_scores():
    scores = evaluate([], [])
    assert (scores.las, scores.lem, scores.no_punct.uas, scores.root.labelled.recall) == (None,) * 4
    assert scores.by_deprel == scores.by_depth == scores.by_sentence_length == {}
    json.dumps(scores.to_json(), allow_nan=False)


def test_long_arcs_deep_words_and_late_positions_share_classes():
    n = 60
    chain = words_tree([-1, *range(n)], ["", *["x"] * n], ["w"] * n)
    star = words_tree([-1, *[n] * (n - 1), 0], chain.deprels, chain.columns["form"])
    scores = evaluate([chain], [star])
    assert scores.by_depth[">15"].unlabelled.gold == n - 15
    assert scores.by_arc_length["<-15"].unlabelled.predicted == n - 1 - 15
    assert scores.by_position[">40"].tokens == n - 40
    assert scores.by_sentence_length["51-"].sentences == 1
    assert scores.by_arc_length_bin["7-"].unlabelled.predicted == n - 1 - 6
    assert "2" not in {k for k, v in scores.by_arc_length_bin.items() if v.unlabelled.gold}


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("unicode", [False, True, True, False, False]),
        ("upos:PUNCT", [False, True, False, True, False]),
        ("upos:PUNCT,SYM", [False, True, False, True, True]),
        ("deprel:punct", [False, False, True, False, False]),
    ],
)
def test_punctuation_definitions(definition, expected):
    forms, tags = ["a.b", "—", "?!", "``", "$"], ["X", "PUNCT", "X", "PUNCT", "SYM"]
    tree = words_tree([-1, 0, 1, 1, 1, 1], ["", "root", "dep", "punct", "dep", "dep"], forms, tags)
    assert compare([tree], [tree], definition).punctuation.tolist() == expected


ONE = words_tree([-1, 0], ["", "root"], ["a"], ["X"])
UNTAGGED = ONE._replace(columns={"form": ["a"]})
EMPTY = ONE._replace(columns={"form": ["a"], "upos": ["_"]})
DEFINITIONS = "allowed: unicode, upos:TAG,..., deprel:LABEL,..."


@pytest.mark.parametrize(
    ("gold", "options", "message"),
    [
        (ONE, {"punctuation": "unicod"}, f"punctuation: 'unicod' (did you mean 'unicode'?); {DEFINITIONS}"),
        (ONE, {"punctuation": "upos:"}, f"punctuation: 'upos:' (did you mean 'upos:TAG,...'?); {DEFINITIONS}"),
        (UNTAGGED, {"punctuation": "upos:P"}, "punctuation 'upos:P' needs tags, and the gold sentences have none"),
        (EMPTY, {"punctuation": "upos:P"}, "punctuation 'upos:P' needs tags, and the gold sentences have none"),
        (ONE, {"punctuation": 1}, "punctuation: found int, expected text"),
        (ONE, {"breakdowns": "some"}, "breakdowns: 'some'; allowed: all, no_punct"),
    ],
)
def test_invalid_arguments_are_refused(gold, options, message):
    assert refusal(lambda: evaluate([gold], [ONE], **options)) == message


def test_one_sentence_without_tags_is_named_and_a_rule_without_words_told():
    with pytest.raises(CrossarcError, match="needs tags, and gold sentence 2 has none"):
        compare([ONE, EMPTY], [ONE, EMPTY], "upos:P")
    with pytest.warns(match="no gold word is punctuation by 'upos:PNCT'"):
        compare([ONE], [ONE], "upos:PNCT")


@pytest.mark.parametrize(("column", "right"), [("feats", 1), ("lemma", 0), ("xpos", 0)])
def test_the_order_of_parts_matters_but_for_features(column, right):
    gold, parsed = (ONE._replace(columns={**ONE.columns, column: [value]}) for value in ("a|b", "b|a"))
    assert compare([gold], [parsed]).columns[column].tolist() == [bool(right)]


def test_unknown_scores_are_refused():
    comparison = compare([ONE], [ONE])
    with pytest.raises(CrossarcError, match=r"^token score 'lem'; allowed: las, uas, la$"):
        comparison.token_right("lem")
    with pytest.raises(CrossarcError, match=r"^sentence score 'las'"):
        comparison.sentence_right("las")


def test_calls_per_word_do_not_increase_with_the_corpus():
    """Calls are counted because, unlike time, they do not depend on other processes."""

    def calls(sentences):
        gold, predicted = random_corpus(7, sentences, 39, 0.5)
        profile = cProfile.Profile()
        profile.runcall(evaluate, gold, predicted)
        return pstats.Stats(profile).total_calls / sum(len(tree.heads) - 1 for tree in gold)

    few, many = calls(50), calls(400)
    assert many < few
    assert many < 20


def test_lemmas_are_equal_composed_and_decomposed():
    """And sentences of the gold treebank without tags are told, since their words count as wrong."""
    lemma = "café"
    sentences = [
        Sentence.from_tokens([form], lemma=[normalize(form, lemma)], upos=[tag], heads=[0], deprels=["root"])
        for form, tag in (("NFC", "NOUN"), ("NFD", "_"))
    ]
    gold = [sentences[0], sentences[1].with_columns({"lemma": (normalize("NFC", lemma),)})]
    with pytest.warns(DataWarning, match="1 gold sentence has no UPOS: the predicted values count as wrong"):
        scores = score_sentences(gold, [sentence.with_columns({"upos": ("NOUN",)}) for sentence in sentences])
    assert [scores.columns[name].correct for name in ("lemma", "upos")] == [2, 1]
