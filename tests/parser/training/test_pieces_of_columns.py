"""Features of pieces of columns, compared with features of columns that contain only the piece."""

import io

import pytest
from command_line import generated
from crossarc import load_config, load_model, save_model, train
from crossarc.parser.models.pieces import PieceParser
from crossarc.parser.treebank import conll_text, read_pieces

MARKS = ("Case=Nom|Number=Sing", "Case=Acc", "Number=Plur|Case=Acc", "_")
PIECES = """templates:
  - upos(Stack[0])
  - merge(upos(Stack[1]), upos(Stack[0]))
  - feats(Stack[0], Case)
  - merge(feats(Stack[1], Number), upos(Lookahead[0]), upos(Stack[1], 2))
"""
COLUMNS = """templates:
  - upos(Stack[0])
  - merge(upos(Stack[1]), upos(Stack[0]))
  - xpos(Stack[0])
  - merge(lemma(Stack[1]), upos(Lookahead[0]), misc(Stack[1]))
"""


def attribute(value, name):
    return dict(own.split("=") for own in value.split("|") if "=" in own).get(name, "_")


def marked(own):
    """The sentence with FEATS that depend on the last character of the form. XPOS is the case of FEATS, LEMMA the
    number, and MISC the second letter of UPOS."""
    feats = [MARKS[ord(form[-1]) % len(MARKS)] for form in own.column("form")]
    case, number = ([attribute(value, name) for value in feats] for name in ("Case", "Number"))
    columns = {"feats": feats, "xpos": case, "lemma": number, "misc": [tag[1] for tag in own.column("upos")]}
    return own.with_columns({name: tuple(values) for name, values in columns.items()})


@pytest.fixture(scope="module")
def treebank():
    return [marked(own) for own in generated(1, 80, rate=0.3)]


def test_pieces_and_separate_columns_give_the_same_trees(treebank, tmp_path):
    found = {}
    for name, text in (("pieces", PIECES), ("columns", COLUMNS)):
        (tmp_path / f"{name}.yaml").write_text(text)
        config = load_config("swap", [f"features={tmp_path / name}.yaml", "guide.min_count=1"])
        model = train(config, sentences=treebank[:60])
        save_model(model, str(tmp_path / name))
        again = load_model(str(tmp_path / name))
        found[name] = [(sentence.heads(), sentence.deprels()) for sentence in model.parse(treebank[60:])]
        parsed = list(again.parse(treebank[60:]))
        assert [(sentence.heads(), sentence.deprels()) for sentence in parsed] == found[name]
        text = "".join(map(conll_text, treebank[60:])).encode()
        pieces = map(PieceParser(model), read_pieces(io.BytesIO(text)))
        assert b"".join(piece.data for piece in pieces).decode() == "".join(map(conll_text, parsed))
    assert found["pieces"] == found["columns"]


def test_training_reports_pieces_without_values(treebank, tmp_path):
    (tmp_path / "own.yaml").write_text("templates:\n  - upos(Stack[0])\n  - feats(Stack[0], Mood)\n")
    lines = []
    train(load_config("swap", [f"features={tmp_path / 'own.yaml'}"]), lines.append, treebank[:20])
    said = "the training treebank has no Mood in FEATS: 1 templates never have a value: feats(Stack[0], Mood)"
    assert any(line == said for line in lines), lines
