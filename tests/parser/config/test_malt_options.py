"""MaltParser's option files: each option becomes keys of a config, or a note names it."""

import io
from pathlib import Path

import pytest
import yaml
from command_line import conllu, run
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.config.malt_features import read_xml
from crossarc.parser.config.malt_options import malt_options


def xml(options):
    """An option file with these values by ``group.option``."""
    rows = ""
    for name, value in options.items():
        group, _, option = name.partition(".")
        rows += f'<optiongroup groupname="{group}"><option name="{option}" value="{value}"/></optiongroup>'
    return f"<experiment><optioncontainer>{rows}</optioncontainer></experiment>".encode()


def translated(options):
    return malt_options(read_xml(xml(options), "o.xml"), "o.xml")


EQUIVALENTS = """
=> system=arc-eager guide.learner=svm
singlemalt.parsing_algorithm=stackeager => system=swap oracle=eager
singlemalt.parsing_algorithm=covnonproj => system=covington
singlemalt.parsing_algorithm=2planar => system=2-planar
config.name=swedish config.flowchart=learn => model=swedish.model
input.infile=a.conll input.format=conllx => treebank.train=a.conll treebank.format=conllx
input.format=/appdata/dataformat/conllx.xml => treebank.format=conllx
graph.root_label=ROOT nivre.allow_root=true => root.label=ROOT
guide.learner=liblinear lib.options=-s_4_-c_0.3_-e_0.2 => guide.C=0.3 guide.tol=0.2
liblinear.liblinear_options=-s_0_-c_2 => guide.learner=maxent guide.C=2.0
guide.learner=libsvm => guide.learner=svm-poly
guide.learner=libsvm libsvm.libsvm_options=-s_0_-t_1_-d_2_-g_0.3_-c_0.5_-r_0.1_-e_1.0 =>
  guide.learner=svm-poly guide.C=0.5 guide.gamma=0.3 guide.coef0=0.1 guide.tol=1.0
guide.learner=libsvm lib.options=-t_0_-c_0.5 => guide.learner=svm guide.C=0.5
guide.features=my/F.xml => features=my/F.yaml
guide.data_split_column=POSTAG guide.data_split_structure=Input[0] =>
  guide.split=xpos(Input[0]) guide.split_threshold=50
guide.data_split_column=POSTAG guide.data_split_structure=Input[0] guide.data_split_threshold=1000
  singlemalt.parsing_algorithm=nivrestandard => guide.split=xpos(Stack[0]) guide.split_threshold=1000
guide.decision_settings=T.TRANS;A.DEPREL => guide.decide=two-step
pproj.marking_strategy=head => transforms=['pseudo-projective:encoding=head,search=papers']
pproj.marking_strategy=path pproj.lifting_order=deepest pproj.covered_root=left =>
  transforms=['pseudo-projective:encoding=path,order=deepest,covered_roots=left,search=papers']
pproj.marking_strategy=none pproj.covered_root=head =>
  transforms=['pseudo-projective:encoding=baseline,covered_roots=head,search=papers']
"""
"""Options of MaltParser, and the config keys that they become. An indented line continues the line before it."""
SPLIT = "guide.data_split_column=POSTAG guide.data_split_structure="


def pairs(text):
    return {name: value for name, _, value in (own.partition("=") for own in text.split())}


@pytest.mark.parametrize("line", EQUIVALENTS.strip().replace("\n  ", " ").split("\n"))
def test_options_with_an_equivalent_become_config_keys(line):
    options, _, keys = line.partition("=>")
    values = {key: yaml.safe_load(value) for key, value in pairs(keys).items()}
    found = translated(pairs(options))
    assert found.values | values == found.values
    assert not [note for note in found.notes if note.startswith("no ")]
    always = "nivre.enforce_tree=true singlemalt.mode=parse input.reader=tab config.logging=info lib.verbosity=silent"
    assert translated(pairs(f"{options} {always}")) == found
    assert (set(found.values) - set(values)) <= {"system", "guide.learner"}


@pytest.mark.parametrize(
    ("options", "note"),
    [
        ("singlemalt.null_value=one", "no equivalent: singlemalt.null_value=one"),
        ("nivre.enforce_tree=false", "no equivalent: nivre.enforce_tree=false"),
        (
            "config.flowchart=parse input.infile=a output.outfile=b config.name=m",
            "this option file parses: crossarc parse m.model a -o b",
        ),
        ("guide.learner=timbl", "no equivalent: guide.learner=timbl"),
        ("lib.options=-s_1", "no equivalent: -s=1"),
        ("lib.options=-q_1", "no equivalent: -q 1 of liblinear"),
        ("lib.options=-c_much", "not a number: -c much"),
        (
            f"{SPLIT}Left[0]",
            "no equivalent: a split of the data by POSTAG of Left[0]: data structure 'Left'; allowed: Stack, Input",
        ),
        (
            "pproj.covered_root=head singlemalt.parsing_algorithm=stacklazy",
            "no equivalent: pproj.covered_root=head without a marking strategy",
        ),
        ("guide.features=F.xml", "first translate the feature model: crossarc import-malt F.xml -o F.yaml"),
    ],
)
def test_notes_name_all_other_options(options, note):
    found = translated(pairs(options))
    assert note in found.notes
    assert f"# {note}\n" in found.to_yaml("o.xml")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<experiment><feature/></experiment>", "o.xml:1: element 'feature'; allowed: experiment, optioncontainer"),
        (
            xml({"singlemalt.parsing_algorithm": "own"}),
            "o.xml: singlemalt.parsing_algorithm 'own'; allowed: nivreeager,",
        ),
        (xml({"lib.options": "-c_-1"}), "o.xml: guide.C: "),
    ],
)
def test_broken_files_are_refused(content, message):
    with pytest.raises(CrossarcError, match=message):
        malt_options(read_xml(content, "o.xml"), "o.xml")


def test_a_translated_config_trains_a_parser(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(1, 30), "utf-8")
    split = {"guide.data_split_column": "CPOSTAG", "guide.data_split_structure": "Input[0]"}
    options = {"config.name": "own", "input.infile": "train.conllu", "lib.options": "-s_4_-c_0.2", **split}
    Path("options.xml").write_bytes(xml(options))
    assert run("import-malt", "options.xml", "-o", "own.yaml") == 0
    assert yaml.safe_load(Path("own.yaml").read_text("utf-8"))["guide"]["split"] == "upos(Input[0])"
    assert run("train", "own.yaml", "-q") == 0
    assert run("parse", "own.model", "train.conllu", "-o", "out.conllu", "-q") == 0


FEATURES = """<featuremodels><featuremodel name="nivreeager">
<feature>InputColumn(POSTAG, Stack[0])</feature><feature>InputColumn(POSTAG, Input[0])</feature>
</featuremodel></featuremodels>"""


def test_options_and_features_are_translated_in_one_step_into_another_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    Path("train.conllu").write_text(conllu(1, 30), "utf-8")
    options = {"config.name": "own", "input.infile": "train.conllu", "guide.features": "F.xml"}
    Path("options.xml").write_bytes(xml(options))
    Path("F.xml").write_text(FEATURES, "utf-8")
    assert run("import-malt", "options.xml", "F.xml", "-o", "sub/own.yaml") == 0
    assert run("train", "sub/own.yaml", "-q") == 0
    Path("own.model").unlink()
    monkeypatch.setattr("sys.stdin", io.StringIO(Path("sub/own.yaml").read_text("utf-8")))
    monkeypatch.chdir("sub")
    assert run("train", "-", "-q") == 0
    assert Path("../own.model").is_file()
    capsys.readouterr()
    for words, message in (
        (["../options.xml", "../F.xml"], "two files need an output file"),
        (["../F.xml", "../F.xml", "-o", "a"], "found several files of one kind"),
    ):
        assert run("import-malt", *words) == 1
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(("words", "system"), [([], "arc-standard"), (["--algorithm", "stacklazy"], "swap")])
def test_options_choose_the_algorithm_of_both_files(words, system, tmp_path, monkeypatch, capsys):
    """A copied feature model often keeps the name of another algorithm."""
    monkeypatch.chdir(tmp_path)
    Path("o.xml").write_bytes(xml({"singlemalt.parsing_algorithm": "stackproj", "guide.kbest": "2"}))
    content = '<featuremodels><featuremodel name="nivreeager"><feature>{}</feature></featuremodel></featuremodels>'
    Path("F.xml").write_text(content.format("InputColumn(POSTAG, Lookahead[0])"), "utf-8")
    assert run("import-malt", "o.xml", "F.xml", "-o", "own.yaml", *words) == 0
    assert "warning: o.xml: no equivalent: guide.kbest=2\n" in capsys.readouterr().err
    assert f"system: {system}\n" in Path("own.yaml").read_text("utf-8")
    features = Path("own-features.yaml").read_text("utf-8")
    assert f"here for the system {system}.\n" in features
    assert "- xpos(Lookahead[0])\n" in features
