"""Partly annotated treebanks: what is decided, what is learned from it, and what every config makes of it."""

import json
import random

import crossarc
import pytest
from command_line import run
from crossarc import CrossarcError, Sentence, load_config, train, write_sentences
from crossarc.parser.config.ready import LEVELS, ready_configs
from crossarc.parser.training import partial
from crossarc.parser.training.partial import completed, decided_words, only_decided
from crossarc.parser.training.train import train_any
from installed import needs
from refusals import refusal

pytestmark = needs("annotation")

NOUNS, VERBS = [f"n{number}" for number in range(8)], [f"v{number}" for number in range(8)]


def sentence(rng, words=None):
    """A verb with a subject before it and an object behind it, with true tags and arcs."""
    forms = words or [rng.choice(NOUNS), rng.choice(VERBS), rng.choice(NOUNS)]
    tags = ["NOUN" if form[0] == "n" else "VERB" for form in forms]
    columns = {"upos": tags, "xpos": tags, "lemma": forms, "misc": ["_"] * 3}
    return Sentence.from_tokens(forms, **columns).with_tree([-1, 2, 0, 2], ["", "subj", "root", "obj"])


def opened(own, decided):
    """The sentence without the arcs of undecided words. decided: whether each word is."""
    columns = {
        name: [value if kept else "_" for value, kept in zip(own.column(name), decided, strict=True)]
        for name in ("head", "deprel")
    }
    return own.with_columns({name: tuple(values) for name, values in columns.items()})


def marked(own, decided, tag="X"):
    """The sentence as a parser wrote it: undecided words have a wrong tag, each has an arc; decided ones are marked."""
    tags = tuple(value if kept else tag for value, kept in zip(own.column("upos"), decided, strict=True))
    misc = tuple("Keep=Yes" if kept else "_" for kept in decided)
    heads = tuple(head if kept else "0" for head, kept in zip(own.column("head"), decided, strict=True))
    return own.with_columns({"upos": tags, "misc": misc, "head": heads})


@pytest.fixture(scope="module")
def treebank():
    rng = random.Random(1)
    whole = [sentence(rng) for _ in range(40)]
    return whole, [opened(sentence(rng), [False, True, True]) for _ in range(10)]


def test_what_is_decided(treebank):
    whole, part = treebank
    marks = [marked(whole[0], [True, False, True])]
    assert decided_words("auto", whole) is None
    assert decided_words("heads", whole + marks) is None
    assert decided_words("auto", whole + part) == decided_words("heads", part) == "given"
    assert decided_words("auto", whole + marks) == decided_words("keep", whole) == "marked"
    assert only_decided(marks, "marked")[0].column("head") == ("2", "_", "2")
    named = marks[0].with_columns({"misc": ("Keep=upos", "Keep=head", "_")})
    with pytest.warns(match="1 words have Keep= for HEAD or DEPREL alone"):
        assert only_decided([named], "marked")[0].column("head") == ("_", "_", "_")


def test_decided_arcs_stay_and_the_others_are_completed(treebank):
    whole, part = treebank
    odd = opened(sentence(random.Random(2)), [False, False, False])
    unusual = part[0].with_columns({"head": ("_", "3", "0"), "deprel": ("_", "subj", "root")})
    said = []
    with pytest.warns(match="left out 1 of 52 sentences"):
        result = completed(
            [*whole, odd, unusual, *part], lambda config, _, own: train(config, sentences=own), said.append
        )
    assert [sentence.heads() for sentence in result] == [sentence.heads() for sentence in whole] + [
        result[40].heads()
    ] + [[-1, 2, 0, 2]] * 10
    assert result[40].heads()[2:] == [3, 0]
    assert "11 words of 11 sentences" in said[0]
    assert "40 complete sentences" in said[0]


@pytest.mark.parametrize("config", [*sorted({"fast", "accurate"} & {*LEVELS}), *ready_configs()])
def test_every_config_learns_from_a_partly_annotated_treebank(config, treebank):
    whole, part = treebank
    settings = ["graph.epochs=1", "graph.table_bits=8"] if config.startswith("graph") else []
    model = train_any(load_config(config, settings, sentences=whole + part), sentences=whole + part)
    assert [sentence.heads() for sentence in model.parse_chunk(whole[:5])] == [
        sentence.heads() for sentence in whole[:5]
    ]


def test_few_complete_trees_are_refused(treebank):
    whole, part = treebank
    fault = refusal(lambda: train(load_config("arc-standard-small"), sentences=whole[: partial.LEAST - 1] + part))
    assert f":{part[0].line_of(1)}: HEAD '_', and {partial.LEAST - 1} sentences have a HEAD for each word" in fault
    assert "explore=1" in fault
    with pytest.raises(CrossarcError):
        load_config("fast", sentences=part)


@pytest.mark.parametrize("blended", [False, True])
@needs("blending")
def test_partial_trees_are_left_out_if_faulty_ones_are(blended, treebank, tmp_path):
    whole, part = treebank
    (tmp_path / "blend.yaml").write_text("components: [arc-standard-small, swap-small]\nweights: equal\n")
    keys = {"treebank.faulty": "skip"}
    blend = crossarc.load_blend_config(str(tmp_path / "blend.yaml"), [], keys)
    config = blend if blended else load_config("arc-standard-small", [], keys)
    with pytest.warns(match="left out 10 of 19 sentences with invalid trees"):
        model = train_any(config, sentences=whole[: partial.LEAST - 1] + part)
    assert len(model.parse_chunk(whole[:2])) == 2


@pytest.mark.parametrize("decided", ["auto", "keep", "heads"])
@needs("tagging")
def test_tags_are_learned_from_decided_words_alone(decided):
    rng = random.Random(3)
    treebank = [sentence(rng) for _ in range(12)]
    treebank = [marked(own, [True] * 3) for own in treebank]
    treebank += [marked(sentence(rng), [rng.random() < 0.3 for _ in range(3)]) for _ in range(60)]
    treebank = [
        sentence.with_columns({"head": ("2", "0", "2")}) if decided == "heads" else sentence for sentence in treebank
    ]
    config = load_config("arc-standard-small", ["tags=[upos]"], {"treebank.decided": decided})
    model = train(config, sentences=treebank)
    tagged = model.tagged([sentence(rng) for _ in range(20)], True)
    wrong = [
        tag
        for sentence in tagged
        for form, tag in zip(sentence.column("form"), sentence.column("upos"), strict=True)
        if tag != ("NOUN" if form[0] == "n" else "VERB")
    ]
    assert bool(wrong) == (decided == "heads")
    assert (model.provenance["tags"]["upos"] > 95) == (decided != "heads")


@pytest.mark.parametrize("level", ["fast", "accurate"])
@needs("levels")
def test_levels_choose_a_parser_that_learns_from_partial_trees(level, treebank):
    whole, part = treebank
    config = load_config(level, sentences=whole + part)
    assert config.learns_from_partial_trees
    assert not load_config(level, sentences=whole).learns_from_partial_trees
    marks = [marked(own, [True, False, True]) for own in whole[:10]]
    everything = [marked(own, [True] * 3) for own in whole]
    assert load_config(level, sentences=everything + marks).learns_from_partial_trees


def test_commands_count_what_is_decided(treebank, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole, part = treebank
    write_sentences(whole[:20] + part, "part.conllu")
    right = [sentence.with_tree([-1, 2, 0, 2], ["", "subj", "root", "obj"]) for sentence in part]
    right[0] = right[0].with_tree([-1, 3, 0, 2], ["", "obj", "root", "subj"])
    write_sentences([*whole[:20], *right], "parsed.conllu")
    assert run("evaluate", "part.conllu", "parsed.conllu", "--json") == 0
    assert json.loads(capsys.readouterr().out)["scores"]["parsed.conllu"] == {
        "las": 100 * 79 / 80, "uas": 100.0, "la": 100 * 79 / 80, "words": 80,
    }  # fmt: skip
    assert run("evaluate", "part.conllu", "parsed.conllu", "-o", "x.csv") == 1
    assert run("check", "part.conllu", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["partial"], report["decided"], report["words"], report["ok"]) == (10, 80, 90, True)
    (tmp_path / "cycle.conllu").write_text(
        "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n3\tc" + "\t_" * 8 + "\n\n"
    )
    assert run("check", "cycle.conllu") == 1
    capsys.readouterr()
    odd = [sentence.with_columns({"deprel": ("_", "obj", "obj")}) for sentence in part[:1]]
    write_sentences(whole + odd + part[1:], "part.conllu")
    assert run("suspects", "part.conllu", "-q") == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()[1:]]
    assert [(row[0], row[1]) for row in rows[:1]] == [("part.conllu:161", "2")]
    assert not any(int(row[0].partition(":")[2]) > 160 and row[1] == "1" for row in rows)
