"""The command line: results of commands, closed pipes and locales."""

import gzip
import json
import os
import random
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from command_line import TEMPLATES, crossarc, few, run, without_trees
from crossarc import load_model, read_treebank
from installed import needs


def of_training():
    """The numbers of sentences and words of the training treebank, as messages show them."""
    sentences = read_treebank("train.conllu").sentences
    return f"{len(sentences)} sentences, {sum(map(len, sentences))} words"


def test_training_parsing_and_evaluation_agree_on_scores(here, capsys):
    assert run("train", "swap", "--train", "train.conllu", "--dev", "test.conllu", "--model", "own", *few()) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[0] == f"train.conllu: {of_training()}"
    assert err.splitlines()[-1] == "wrote own"
    dev = re.search(r"^dev: LAS ([\d.]+) UAS ", err, re.M)
    assert dev
    assert run("parse", "own", "test.conllu", "-o", "parsed.conllu", "--quiet") == 0
    assert capsys.readouterr() == ("", "")
    assert run("evaluate", "test.conllu", "parsed.conllu", "--json") == 0
    scores = json.loads(capsys.readouterr().out)
    assert f"{scores['las']:.2f}" == dev[1]
    assert {"las", "uas", "la", "lem", "uem"} <= scores.keys()
    assert without_trees((here / "parsed.conllu").read_text()) == without_trees((here / "test.conllu").read_text())


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "# only a comment\n\n",
        "\n\n\n",
        "".join(f"{at}\t{form}" + "\t_" * 8 + "\n" for at, form in enumerate("Щащ жыж", 1)) + "\n",  # without tags
        "1\ta\n\n",
    ],
    ids=["nothing", "comment", "blank", "untagged", "malformed"],
)
def test_small_files_are_parsed_together_as_alone(here, odd, capsys):
    blocks = Path("test.conllu").read_text("utf-8").strip("\n").split("\n\n")
    for name, text in {"a": "\n\n\n".join(blocks[:3]), "b": odd, "c": blocks[3], "d": "\n\n".join(blocks[4:9])}.items():
        Path(name).write_text(text + "\n\n" * (name != "b"), "utf-8")
    alone = {name: run("-q", "parse", "m", name, "-o", f"{name}.alone") for name in "abcd"}
    single = [line for line in capsys.readouterr().err.splitlines() if "warning" in line]
    Path("out").mkdir()
    assert run("-q", "parse", "m", *"abcd", "-o", "out") == max(alone.values())
    together = [line for line in capsys.readouterr().err.splitlines() if "warning" in line]
    assert len(together) == len(single)
    assert all(re.search(r"warning: [abcd]: ", line) for line in together)
    for name, status in alone.items():
        assert Path("out", name).exists() == (status == 0)
        assert status or Path("out", name).read_bytes() == Path(f"{name}.alone").read_bytes()


def test_streamed_trees_are_written_to_a_file(here):
    assert run("-q", "parse", "m", "test.conllu", "-o", "whole") == 0
    assert run("-q", "parse", "m", "test.conllu", "--stream", "-o", "streamed") == 0
    assert Path("streamed").read_bytes() == Path("whole").read_bytes()
    assert run("-q", "parse", "m", "test.conllu", "--stream", "-o", "streamed.gz") == 0
    assert gzip.decompress(Path("streamed.gz").read_bytes()) == Path("whole").read_bytes()


def test_the_card_of_a_model_has_the_interval_of_its_score_and_the_licence(here, capsys):
    Path("train.conllu").write_text("# license = CC BY 4.0\n" + Path("train.conllu").read_text("utf-8"), "utf-8")
    assert run("train", "swap", "--train", "train.conllu", "--dev", "test.conllu", "--model", "own", *few()) == 0
    capsys.readouterr()
    assert run("info", "own") == 0
    card = dict(re.findall(r"^(\w+(?: \w+)?) {2,}(.*)$", capsys.readouterr().out, re.M))
    assert card["licence"] == "CC BY 4.0"
    ends = load_model("own").provenance["dev"]["las_interval"]
    assert "las_interval={:.4g} {:.4g}".format(*ends) in card["dev"]
    las, low, high = map(float, re.findall(r"(?<!\d)\d+\.\d\d", card["scores"])[:3])
    gold = read_treebank("test.conllu")
    right = []
    for one, other in zip(gold, load_model("own").parse(gold), strict=True):
        pairs = zip(one.heads()[1:], other.heads()[1:], one.deprels()[1:], other.deprels()[1:], strict=True)
        right.append([head == own_head and label == own for head, own_head, label, own in pairs])
    drawn = random.Random(2)
    samples = (list(chain.from_iterable(drawn.choices(right, k=len(right)))) for _ in range(2000))
    means = sorted(100 * sum(sample) / len(sample) for sample in samples)
    assert (low, high) == pytest.approx((means[50], means[1949]), abs=1)
    assert low < las < high


def test_a_model_states_the_treebank_that_the_config_names(here, capsys):
    facts = {"name": "UD_Own", "version": "2.5", "licence": "CC BY-SA 4.0"}
    settings = chain.from_iterable(("--set", f"treebank.{key}={value}") for key, value in facts.items())
    assert run("train", "swap", "--train", "train.conllu", "--model", "own", *few(), *settings) == 0
    assert {key: load_model("own").provenance[key] for key in facts} == facts
    capsys.readouterr()
    assert run("info", "own") == 0
    card = capsys.readouterr().out
    assert "UD_Own 2.5: " in card
    assert "CC BY-SA 4.0" in card


def test_training_without_a_config_lists_the_ready_ones(capsys):
    assert run("train") == 0
    lines = capsys.readouterr().out.splitlines()
    assert {"arc-eager", "swap", "three-step"} <= {line.split()[0] for line in lines}
    assert all(len(line.split()) > 4 for line in lines)


def test_info_describes_a_model(here, capsys):
    assert run("info", "m") == 0
    text = capsys.readouterr().out
    assert re.search(rf"^trained on +{of_training()}$", text, re.M)
    assert re.search(rf"^size +{(here / 'm').stat().st_size / 1e6:.1f} MB$", text, re.M)
    assert re.search(r"^input +FORM, XPOS, taken as given$", text, re.M)
    assert re.search(r"^scores +none; train with --dev$", text, re.M)
    assert re.search(r"^stages +system=swap, single_root=True, .*, features=4, root_label=root$", text, re.M)
    assert re.search(
        rf"^train +sample=\d+, sentences=60, sha256=[0-9a-f]{{64}}, words={of_training().split()[2]}$", text, re.M
    )
    assert run("info", "m", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["bytes"] == (here / "m").stat().st_size
    assert [f"- {own}" for own in data["stages"][0]["features"]] == TEMPLATES.split("\n")[2:-1]
    assert "nsubj" in data["labels"]
    tags = {row.split("\t")[4] for row in (here / "train.conllu").read_text("utf-8").splitlines() if "\t" in row}
    assert data["columns"]["xpos"] == len(tags)


@pytest.mark.usefixtures("here")
@needs("analysis")
def test_oracle_prints_transitions_and_coverage(capsys):
    assert run("oracle", "swap", "test.conllu", "--json") == 0
    lines = [row["derivation"] for row in json.loads(capsys.readouterr().out)["derivations"]]
    assert len(lines) == 12
    assert all(re.fullmatch(r"(SH|SW|[LR]A\+[\w:]+)( (SH|SW|[LR]A\+[\w:]+))*", line) for line in lines)
    assert run("oracle", "swap", "test.conllu") == 0
    assert "derived      12 (100.00 %)" in capsys.readouterr().out


@pytest.mark.usefixtures("here")
def test_closed_pipes_cause_no_error_message():
    parser = f"{sys.executable} -m crossarc"
    Path("long.conllu").write_bytes(Path("test.conllu").read_bytes() * 400)
    command = f"{parser} parse -q m long.conllu | head -n 1; exit ${{PIPESTATUS[0]}}"
    numpy = {**os.environ, "CROSSARC_KERNEL": "numpy"}
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=120, check=False, env=numpy)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"# sent_id = 1-61\n", b"")


@pytest.mark.usefixtures("here")
@needs("analysis")
def test_output_is_utf8_in_any_locale():
    done = crossarc("show", "test.conllu", env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert "└" in done.stdout.decode("utf-8")
