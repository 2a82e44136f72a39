"""``crossarc show``: filters, output formats and refused arguments."""

import re
from xml.etree import ElementTree

import pytest
from command_line import run
from crossarc import save_model
from crossarc.parser.treebank import read_sentences, write_sentences
from drawn import hearing, view


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two sentences: gold.conllu, parsed.conllu with errors in the first one, and best.conllu without errors."""
    made = [hearing(), view([-1, 2, 0, 2], [-1, 2, 0, 2], name="flat")]
    for name in ("gold", "best"):
        write_sentences([drawn_view.sentence for drawn_view in made], tmp_path / f"{name}.conllu")
    write_sentences([drawn_view.parsed[0] for drawn_view in made], tmp_path / "parsed.conllu")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(capsys, *arguments):
    assert run("show", *arguments) == 0
    return [line[2:] for line in capsys.readouterr().out.splitlines() if line.startswith("# ") and "LAS" not in line]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], ["s1", "flat"]),
        (["--where", "nonprojective"], ["s1"]),
        (["--where", "lifts >= 1"], ["s1"]),
        (["--where", "lifts >= 2"], []),
        (["--id", "flat"], ["flat"]),
        (["--id", "1"], ["s1"]),
        (["--where", "length < 6"], ["flat"]),
        (["--where", "length < 6", "--where", "nonprojective"], []),
    ],
)
def test_filters_choose_sentences(capsys, options, expected):
    assert shown(capsys, "gold.conllu", *options) == expected
    assert shown(capsys, *options, "gold.conllu") == expected


@pytest.mark.usefixtures("folder")
def test_parsed_files_are_compared(capsys):
    assert shown(capsys, "gold.conllu", "--where", "las < 100", "parsed.conllu") == ["s1"]
    assert run("show", "gold.conllu", "parsed.conllu", "--id", "s1") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:2] == ["# s1", "# parsed.conllu: LAS 50.00"]
    assert [line.partition("≠")[2] for line in out[2:8]] == ["", " 3 obj", "", " 3 acl", "", " 5 obj"]
    assert run("show", "gold.conllu", "best.conllu", "parsed.conllu", "--where", "las2 < las") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:3] == ["# s1", "# best.conllu: LAS 100.00", "# parsed.conllu: LAS 50.00"]
    assert out[4].endswith("3 nsubj  ≠ parsed.conllu: 3 obj")


def test_svg_files_contain_one_sentence_each(folder):
    assert run("show", "gold.conllu", "parsed.conllu", "-o", "out", "--below", "xpos") == 0
    one, two = sorted((folder / "out").iterdir())
    assert (one.name, two.name) == ("00001-s1.svg", "00002-flat.svg")
    texts = [node.text for node in ElementTree.parse(one).iter("{http://www.w3.org/2000/svg}text")]
    assert {"gold.conllu", "parsed.conllu", "hearing's", "being", "_"} <= set(texts)


def test_partly_annotated_sentences_are_drawn_with_their_arcs(folder, capsys):
    gold = next(iter(read_sentences("gold.conllu")))
    heads = ["_" if word in (1, 3) else head for word, head in enumerate(gold.column("head"), 1)]
    write_sentences([gold.with_columns({"head": tuple(heads)})], "part.conllu")
    assert run("show", "part.conllu") == 0
    lines = capsys.readouterr().out.splitlines()[1 : len(gold) + 1]
    assert [line.split()[-1] == "_" for line in lines] == [head == "_" for head in heads]
    assert run("show", "part.conllu", "-o", "part.html") == 0
    assert run("show", "part.conllu", "--id", "1", "-o", "part.svg") == 0
    assert run("show", "part.conllu", "gold.conllu") == 1


def test_one_sentence_is_a_picture_with_glosses(folder, capsys):
    glossed = (folder / "gold.conllu").read_text("utf-8").replace("\t_\n", "\tGloss=go&away|Translit=x\n", 1)
    (folder / "glossed.conllu").write_text(glossed, "utf-8")
    assert (
        run("show", "glossed.conllu", "--id", "s1", "-o", "tree.svg", "--below", "Gloss,Translit", "--below", "upos")
        == 0
    )
    texts = [node.text for node in ElementTree.parse(folder / "tree.svg").iter("{http://www.w3.org/2000/svg}text")]
    assert {"go&away", "x", "_"} <= set(texts)
    for wrong in (
        ["-o", "tree.svg"],
        ["-o", "tree.svg", "--id", "none"],
        ["--id", "s1", "-o", "t.svg", "--below", "glos"],
    ):
        capsys.readouterr()
        assert run("show", "glossed.conllu", *wrong) == 1
    assert "glos" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options", [[], ["-o", "page.html"], ["-o", "steps.tex", "--derivation", "swap"], ["--derivation", "swap"]]
)
def test_below_is_refused_where_nothing_stands_below_words(folder, capsys, options):
    assert run("show", "gold.conllu", "--below", "xpos", *options) == 1
    assert "--below is for trees in SVG and LaTeX" in capsys.readouterr().err


def test_keys_of_misc_that_no_word_has_are_told(folder, capsys):
    assert run("show", "gold.conllu", "-o", "out", "--below", "UPOS,Glos") == 0
    assert capsys.readouterr().err.splitlines() == [
        "show: --below: no word has the key UPOS in MISC (did you mean 'upos'?)",
        "show: --below: no word has the key Glos in MISC",
    ]


def test_a_dash_is_standard_output(folder, capsys):
    printed = []
    for more in ([], ["-o", "-"]):
        assert run("show", "gold.conllu", *more) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert not (folder / "-").exists()


def test_models_of_one_name_have_pictures_of_their_own(folder, trained):
    for name in ("a", "b"):
        (folder / name).mkdir()
        save_model(trained("swap"), str(folder / name / "own.model"))
    both = [word for name in ("a", "b") for word in ("--derivation", f"{name}/own.model")]
    assert run("show", "gold.conllu", "--id", "s1", *both, "-o", "steps") == 0
    names = [path.name for path in (folder / "steps").iterdir()]
    assert sum("-a_own.model-" in name for name in names) == sum("-b_own.model-" in name for name in names) > 1


def test_latex_files_contain_each_tree(folder):
    assert run("show", "gold.conllu", "-o", "trees.tex") == 0
    assert (folder / "trees.tex").read_text("utf-8").count(r"\begin{dependency}") == 2


def test_html_pages_contain_the_chosen_sentences(folder):
    assert run("show", "gold.conllu", "parsed.conllu", "-o", "page.html", "--where", "errors") == 0
    page = (folder / "page.html").read_text("utf-8")
    assert "<title>gold.conllu · parsed.conllu</title>" in page
    assert '"id":"s1"' in page
    assert '"id":"flat"' not in page


def test_files_with_equal_names_are_shown_with_their_folders(folder, capsys):
    (folder / "a").mkdir()
    (folder / "gold.conllu").rename(folder / "a" / "parsed.conllu")
    assert run("show", "best.conllu", "a/parsed.conllu", str(folder / "parsed.conllu"), "--id", "s1") == 0
    found = re.findall("^# (.*): LAS (.*)", capsys.readouterr().out, re.M)
    assert found == [("a/parsed.conllu", "100.00"), (f"{folder.name}/parsed.conllu", "50.00")]


def test_derivations_are_drawn_as_text_svg_page_and_tikz(folder, capsys):
    two = ["--derivation", "swap:eager", "--derivation", "covington"]
    assert run("show", "gold.conllu", "--id", "s1", *two) == 0
    out = capsys.readouterr().out
    assert re.findall("^# .*", out, re.M) == ["# s1", "# swap (eager oracle)", "# covington"]
    assert run("show", "gold.conllu", "--id", "s1", "--derivation", "swap", "-o", "steps") == 0
    names = sorted(path.name for path in (folder / "steps").iterdir())
    assert names == [f"00001-s1-swap-{step:03}.svg" for step in range(15)]
    assert run("show", "gold.conllu", *two, "-o", "steps.html") == 0
    page = (folder / "steps.html").read_text("utf-8")
    assert "<title>swap:eager · covington</title>" in page
    assert page.count('"id":') == 2
    assert run("show", "gold.conllu", "--id", "s1", *two, "-o", "steps.tex") == 0
    written = (folder / "steps.tex").read_text("utf-8")
    steps = [line for line in out.splitlines() if re.match(r" *\d+ ", line)]
    assert written.count(r"\begin{dependency}") == len(steps)
    assert r"{6 SWAP \\ stack: ROOT hearing scheduled \\ buffer: is today .};" in written
    assert r"$\lambda$2: A hearing \\ buffer: is" in written


def test_long_ids_are_cut_in_file_names(folder):
    write_sentences([view([-1, 0], name="語" * 90).sentence], "long.conllu")
    assert run("show", "long.conllu", "-o", "out") == 0
    assert [path.name for path in (folder / "out").iterdir()] == [f"00001-{'語' * 33}.svg"]


def test_a_page_of_too_many_derivations_is_refused(folder, capsys):
    write_sentences([view([-1, 0]).sentence] * 201, "many.conllu")
    asked = ["show", "many.conllu", "--derivation", "swap", "-o", "page.html"]
    assert run(*asked) == 1
    message = "more than 200 sentences for one file; choose some, e.g. with --id"
    assert capsys.readouterr().err == f"crossarc: show: --derivation: {message}\n"
    assert not (folder / "page.html").exists()
    assert run(*asked, "--where", "number <= 200") == 0


@pytest.mark.parametrize("words", [["--where", "length > 1000"], ["--id", "none"]])
def test_conditions_that_no_sentence_meets_are_reported(small_treebank, capsys, words):
    assert run("show", small_treebank, *words) == 0
    out, err = capsys.readouterr()
    assert (out, err) == ("", "show: no sentence meets the conditions\n")
