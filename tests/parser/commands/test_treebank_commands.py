"""``crossarc check`` and ``crossarc transform --distortion``: output and exit status."""

import gzip
import io
import json
import re

import pytest
from command_line import CYCLE, run
from crossarc.parser.transforms.distortion import distortion
from crossarc.parser.transforms.registry import parse_transform
from handmade import read_trees

# the arc from 1 to 3 spans the root 2 and crosses the arc from 2 to 4
CROSSING = "1 2 a, 2 0 root, 3 1 b, 4 2 a"
FLAT = "1 2 a, 2 0 root"


def rows(*trees):
    """CoNLL-U text of trees, each written as ``WORD HEAD DEPREL, WORD HEAD DEPREL, ...``."""
    row = "{0}\tw{0}\t_\tX\t_\t_\t{1}\t{2}\t_\t_\n"
    return "".join("".join(row.format(*own.split()) for own in tree.split(", ")) + "\n" for tree in trees)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "two.conllu").write_text(rows(CROSSING, FLAT), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


CHECKED = """\
sentences 2
words 6
non-projective 1 (50.00 %)
arcs 6, mean length 1.50
projective 5 (83.33 %), mean length 1.33
lifts 1: 1 (100.00 %), 2: 0 (0.00 %), 3: 0 (0.00 %), >3: 0 (0.00 %)
by deprel b 1 100.00 1:3
by length 2 1 50.00 1:3
by depth 3 1 100.00 1:3
different values form 4, lemma 0, upos 1, xpos 0, feats 0, deprel 3, deps 0, misc 0
deprels (3) a 3, root 2, b 1
0 faults, 0 warnings"""


def test_check_describes_a_treebank(folder, capsys, monkeypatch):
    data = (folder / "two.conllu").read_bytes()
    (folder / "two.conllu.gz").write_bytes(gzip.compress(data))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    for name, words in (("two.conllu", ()), ("two.conllu.gz", ("--format", "conllu")), ("<stdin>", ())):
        assert run("-q", "check", "-" if name == "<stdin>" else name, *words) == 0
        out, err = capsys.readouterr()
        lines = [" ".join(line.split()) for line in out.splitlines()]
        assert (lines[0], err) == (f"{name}: CoNLL-U", "")
        assert [line for line in CHECKED.splitlines() if line not in lines] == []


def test_check_exits_with_status_1_after_faults(folder, capsys):
    (folder / "round.conllu").write_text(rows(FLAT) + CYCLE, "utf-8")
    assert run("check", "round.conllu") == 1
    assert capsys.readouterr().out.endswith("\n2 faults, 0 warnings\n")
    assert run("check", "round.conllu", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["sentences"], found["faulty"]) == (False, 2, 1)


PSEUDO = "pseudo-projective:encoding"


@pytest.mark.parametrize("transform", [f"{PSEUDO}=head", f"{PSEUDO}=baseline", f"reversal / {PSEUDO}=baseline"])
def test_distortion_prints_figures_only(folder, capsys, transform):
    before = (folder / "two.conllu").read_bytes()
    assert run("transform", transform, "two.conllu", "--distortion") == 0
    out, err = capsys.readouterr()
    found = distortion(read_trees(folder / "two.conllu"), [parse_transform(part) for part in transform.split(" / ")])
    assert json.loads(out) == json.loads(json.dumps(found))
    assert found["restored_sentences"] == (2 if transform.endswith("head") else 1)
    assert err == ""
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"two.conllu": before}


def test_treebanks_without_trees_have_no_faults_and_no_figures(folder, capsys):
    (folder / "bare.conllu").write_text(re.sub(r"\t\d\t(a|b|root)\t", "\t_\t_\t", rows(CROSSING, FLAT)), "utf-8")
    assert run("check", "bare.conllu") == 0
    out = capsys.readouterr().out
    assert "  without a tree     2\n" in out
    assert "trees                0\n" in out
