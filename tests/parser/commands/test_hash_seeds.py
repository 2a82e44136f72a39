"""Outputs do not depend on the seed of Python's hashes, which decides the order of sets of text."""

import os
import subprocess
import sys

from command_line import conll09, conllu, contents
from installed import needs

SCRIPT = """
import contextlib, sys
from crossarc.__main__ import main

def run(*arguments):
    with open(f"{arguments[0]}-{len(done)}.out", "w") as file, contextlib.redirect_stdout(file):
        done.append(main(["--" + own if own == "json" else own for own in arguments]))

done = []
run("train", "arc-standard-small", "-q", "--set", "tags=auto", "--set", "constraints=learned",
    "--train", "train.conllu", "--dev", "u.conllu", "--model", "words.model")
run("train", "graph-first-order", "-q", "--set", "graph.epochs=1", "--set", "graph.table_bits=12", "--train",
    "train.conllu", "--dev", "u.conllu", "--model", "graph.model")
run("train", "fast", "-q", "--set", "input=text", "--train", "train.conllu", "--model", "text.model")
for data in ("u.conllu", "n.conll09", "x.conll"):
    for options in ([], ["--retag"], ["--keep", "given"], ["--scores"]):
        if data == "u.conllu" or "--scores" not in options:
            run("parse", "-q", "words.model", data, *options)
    run("tag", "-q", "words.model", data)
    run("parse", "-q", "words.model", data, "-o", f"parsed-{data}")
    run("evaluate", data, f"parsed-{data}", "json")
    run("check", data, "json")
    run("arcs", data)
    run("transform", "pseudo-projective", data)
    run("oracle", "swap", data)
run("parse", "-q", "words.model", "u.conllu", "-o", "scores.tsv", "--scores")
run("show", "u.conllu", "parsed-u.conllu", "-o", "page.html")
run("tokenize", "-q", "text.model", "text.txt")
run("parse", "-q", "text.model", "text.txt", "--format", "text")
run("info", "text.model", "json")
run("list", "features")
print(done)
"""


def outputs(folder, seed):
    """What a list of commands writes in a new folder, with their exit statuses."""
    folder.mkdir()
    text = conllu(81, 12)
    x = "".join(f"{line}\n" for line in text.split("\n") if not line.startswith("#"))
    files = {
        "train.conllu": conllu(1, 28),
        "u.conllu": text,
        "n.conll09": conll09(text, "N"),
        "x.conll": x,
        "text.txt": "The dog barks . A cat sleeps .\n",
    }
    for name, content in files.items():
        (folder / name).write_text(content, "utf-8")
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return {"statuses": done.stdout.encode(), "errors": done.stderr.encode(), **contents(folder)}


@needs("analysis", "annotation", "drawing", "graph", "levels", "raw_text", "tagging")
def test_files_are_equal_for_all_hash_seeds(tmp_path):
    first, second = (outputs(tmp_path / str(seed), seed) for seed in (1, 2))
    assert set(first["statuses"].decode().strip("[]\n").split(", ")) == {"0"}, first["errors"].decode()
    assert [name for name in first if first[name] != second[name]] == []
    assert len(first) > 40
