"""Messages of commands: grouped faults, long sentences, empty columns, and gold or predicted tags."""

import json

from command_line import conll09, few, run
from installed import needs

RICH = "extends: few.yaml\ntemplates:\n- upos(Stack[0])\n- feats(Stack[0])\n- form(Stack[1])\n"


def column_emptied(text, *numbers):
    rows = [row.split("\t") for row in text.split("\n")]
    for row in rows:
        for number in numbers if len(row) > 1 else ():
            row[number] = "_"
    return "\n".join("\t".join(row) for row in rows)


PAIRS = (
    "templates:\n- merge(upos(Head), upos(Dependent))\n- merge(upos(Head), upos(Sibling), upos(Dependent))\n"
    "- merge(upos(Dependent), form(Grandchild))\n"
)


@needs("graph")
def test_sentences_too_long_for_pairs_of_edges_are_counted(here, capsys):
    (here / "pairs.yaml").write_text(PAIRS)
    settings = ["features=pairs.yaml", "graph.epochs=1", "graph.table_bits=10"]
    arguments = [word for setting in settings for word in ("--set", setting)]
    assert run("train", "graph", "--train", "train.conllu", "--model", "g", "-q", *arguments) == 0
    row = "{}\tw\tw\tNOUN\tN\t_\t{}\tx\t_\t_\n"
    text = "".join("".join(row.format(n, n - 1) for n in range(1, length + 1)) + "\n" for length in (3, 201, 200))
    (here / "long.conllu").write_text(text)
    assert run("parse", "g", "long.conllu", "-o", "parsed") == 0
    told = "crossarc: warning: sentences of more than 200 words, parsed with first-order scores: 1"
    assert capsys.readouterr().err.splitlines()[-2] == told
    assert run("evaluate", "long.conllu", "parsed") == 0
    assert run("parse", "g", "test.conllu", "-o", "parsed") == 0
    assert "more than" not in capsys.readouterr().err


@needs("analysis", "graph")
def test_check_and_oracle_group_faults_and_list_them_in_json(here, capsys):
    two = "1\ta\ta\tX\tX\t_\t0\tx\t_\t_\n2\tb\tb\tX\tX\t_\t0\tx\t_\t_\n\n"
    (here / "roots.conllu").write_text(two * 50)
    assert run("check", "roots.conllu") == 0
    short = capsys.readouterr().out.splitlines()
    assert "warning: several roots: 50" in short
    assert "  and 47 more; --json lists them" in short
    assert run("check", "roots.conllu", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["faults"]) == 50
    assert run("oracle", "swap", "roots.conllu", "--single-root", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["underivable"]) == 50


@needs("annotation", "drawing", "graph")
def test_input_without_tags_is_refused_unless_allowed(here, capsys):
    (here / "rich.yaml").write_text(RICH)
    arguments = ["--train", "train.conllu", "--model", "rich", "-q", "--set", "features=rich.yaml"]
    assert run("train", "swap", *arguments) == 0
    assert run("-q", "calibrate", "rich", "test.conllu") == 0
    text = (here / "test.conllu").read_text("utf-8")
    (here / "bare.conllu").write_text(column_emptied(text, 2, 3, 4, 5), "utf-8")
    refusal = "crossarc: bare.conllu:3: the sentence{} no tags, but the model reads UPOS, XPOS; tag the words first"
    for options in ([], ["-q"], ["--jobs", 2], ["--k-best", 2], ["--stream"], ["--scores"]):
        assert run("parse", "rich", "bare.conllu", *options) == 1
        said = capsys.readouterr()
        assert said.err.startswith(refusal.format(" has" if "--stream" in options else " and 11 others have"))
        assert said.err.count("\n") == 1
        assert said.out == ""
        assert run("parse", "rich", "bare.conllu", "--allow-empty-columns", *options) == 0
        said = capsys.readouterr()
        assert said.err.startswith("crossarc: warning: bare.conllu:3: the sentence")
        assert said.err.count("no tags, but the model reads UPOS, XPOS: expect poor trees") == 1
        assert said.out
    assert run("parse", "rich", "test.conllu", "-o", "x") == 0
    assert "tags" not in capsys.readouterr().err
    (here / "bare.conllu").write_text(column_emptied(text, 5), "utf-8")
    assert run("parse", "rich", "bare.conllu", "-o", "x") == 0
    warning = "crossarc: warning: columns that the model reads are empty: FEATS"
    assert capsys.readouterr().err.splitlines()[0] == warning


@needs("analysis", "graph")
def test_models_parse_the_predicted_columns_they_were_trained_on(here, capsys):
    """All gold tags are equal here, so a parser that reads them predicts other trees."""
    for name in ("train", "test"):
        (here / name).write_text(conll09((here / f"{name}.conllu").read_text("utf-8"), "X"), "utf-8")
    (here / "tags.yaml").write_text("templates:\n- upos(Stack[0])\n- upos(Stack[1])\n")
    options = ["--set", "features=tags.yaml", "--set", "treebank.columns=predicted", "--set", "treebank.format=conll09"]
    assert run("train", "swap", "--train", "train", "--model", "09", "-q", *options) == 0
    assert run("info", "09") == 0
    assert "treebank     columns=predicted, " in capsys.readouterr().out
    warning = "crossarc: warning: the model was trained on the predicted columns of CoNLL-2009, but"
    for words in (["parse", "09", "test", "-q"], ["show", "test", "--derivation", "09"]):
        found = {}
        for columns in ("", "-predicted", "-gold"):
            assert run(*words, "--format", f"conll09{columns}") == 0
            found[columns], err = capsys.readouterr()
            assert err.count(warning) == (columns == "-gold")
            assert "UserWarning" not in err
        assert found[""] == found["-predicted"] != found["-gold"]
    assert run("evaluate", "test", "test", "--format", "conll09-predicted") == 0
    assert "gold values" not in capsys.readouterr().err


@needs("drawing", "graph")
def test_reports_state_that_tags_are_taken_as_given(here, capsys):
    files = ["--train", "train.conllu", "--dev", "test.conllu", "--model", "new"]
    assert run("train", "swap", *files, *few()) == 0
    told = capsys.readouterr().err.splitlines()
    assert "the model reads FORM, XPOS and takes their values as given: scores assume that they are correct" in told
    assert run("parse", "new", "test.conllu", "-o", "parsed") == 0
    text = (here / "parsed").read_text("utf-8")
    (here / "other").write_text(column_emptied(text, 3, 5), "utf-8")
    (here / "bare").write_text(column_emptied(text, 3, 4, 5), "utf-8")
    capsys.readouterr()
    for name, columns in (("parsed", "UPOS, XPOS, FEATS"), ("other", "XPOS"), ("bare", "")):
        assert run("evaluate", "test.conllu", name) == 0
        line = f"the parsed file has the gold values of {columns}; the scores assume that input has them"
        assert capsys.readouterr().err.splitlines() == ([line] if columns else [])
        assert run("evaluate", "test.conllu", name, "-q", "--json", "-o", "page.html") == 0
        told = json.loads(capsys.readouterr().out)["gold_columns"]
        assert ", ".join(told).upper() == columns
        assert (f"<p>{line}</p>" in (here / "page.html").read_text("utf-8")) == bool(columns)
