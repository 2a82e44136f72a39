"""What fuzzing begins with; as a program, writes the models among it: ``python tests/fuzz/seeds.py``."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from crossarc.features.template import parse_feature_model
from crossarc.parser.base.yaml_values import load_yaml
from crossarc.parser.config.config import KEYS
from crossarc.parser.config.loading import make_config
from crossarc.parser.models.files import save_model
from crossarc.parser.treebank import Sentence

__all__ = ["SEEDS"]

ROOT = Path(__file__).resolve().parents[2]
MODELS = Path(__file__).with_name("models")
GUIDES: Mapping[str, Mapping[str, Any]] = {
    "svm": {"learner": "svm"},
    "poly": {"learner": "svm", "kernel": "poly"},
    "maxent": {"learner": "maxent"},
    "knn": {"learner": "knn"},
    "plugin": {"learner": "plugin", "estimator": "sklearn.linear_model.RidgeClassifier"},
}


def _treebanks() -> list[bytes]:
    text = (ROOT / "tests/data/models/version-1/sentences.conllu").read_bytes()[:400]
    nodes = b"# text = vamos\n1-2\tvamos\t_\t_\t_\t_\t_\t_\t_\t_\n" + b"".join(
        b"%d\tw\tw\tVERB\tV\tA=b|C=d\t%d\troot\t%d:root\tSpaceAfter=No\n" % (number, number - 1, number - 1)
        for number in (1, 2)
    )
    row = b"1\tw\tw\tw\tN\tN\ta=b\ta=b\t0\t0\troot\troot\tY\tw.01\tA0\n"
    return [b"\x00" + text, b"\x01" + nodes + b"2.1\tx" + b"\t_" * 8 + b"\n\n", b"\x03" + row + b"\n", b"\x02" + text]


def _documents() -> list[bytes]:
    """The ready configs and blends, and one with everything that they leave out, as JSON."""
    texts = [path.read_text() for folder in ("configs", "configs/blends") for path in (ROOT / folder).glob("*.yaml")]
    every: dict[str, Any] = {}
    for key, own in KEYS.items():
        *sections, last = key.split(".")
        inner = every
        for name in sections:
            inner = inner.setdefault(name, {})
        inner[last] = own.default if isinstance(own.default, str | int | float | bool | dict) else []
    every["settings"] = ["guide.C=0.5", "guide.learner=maxent", "treebank.train=x"]
    return [json.dumps(own).encode() for own in [*(load_yaml(text, "") for text in texts), every]]


SEEDS: Mapping[str, Callable[[], list[bytes]]] = {
    "treebank": _treebanks,
    "yaml": lambda: [
        b"a: 1e-3\nb: [x, 'y', \"z\"]\n",
        b"- &a {k: ~}\n- *a\n- !!str x\n",
        b"? a\n: |\n  text\n  more\n# remark\n",
        b"a: {b: [1, 0x1f, .inf, true, 2001-01-01]}\n<<: {c: >-\n  d}\n",
    ],
    "config": _documents,
    "features": lambda: [
        b"templates:\n- form(Stack[0])\n- merge(xpos(Stack[1]), upos(ldep(Lookahead[0])))\n",
        b"templates: [distance(Stack[1], Stack[0]), valency(Stack[0], left)]\nextends: x\n",
        b"templates:\n  - dependents(Stack[0], right) # c\n  - 'deprel(head(rdep2(Stack[0])))'\n",
    ],
    "template": lambda: [
        b"form(Stack[0])",
        b"merge(xpos(Stack[1]), upos(ldep(Lookahead[0])), feats(pred(Stack[0])))",
        b"distance(Stack[1], Stack[0])",
        b"valency(Stack[0], left)",
        b"dependents(lsib(head(Stack[0])), right)",
        b"deprel(succ(rdep2(Stack[0])))",
    ],
    "transform": lambda: [
        b"pseudo-projective:encoding=head+path,label_cap=30",
        b"coordination:style=melcuk",
        b"reversal",
    ],
    "weights": lambda: [
        b'{"by": "pos", "overall": [0.5, 0.6, 0.7], "special": [{"NOUN": 0.5}, {"NOUN": 0.1}, {}]}',
        b'{"by": "equal", "overall": [1, 1, 1], "special": []}',
    ],
    "model": lambda: [path.read_bytes() for path in sorted(MODELS.glob("*.model"))],
    "metadata": lambda: [zipfile.ZipFile(MODELS / "svm.model").read("metadata.json")],
    "request": lambda: (
        [bytes([number]) + own[1:] for number, own in enumerate(_treebanks())]
        + [
            b'\x05{"model": "a", "sentences": [[{"form": "x", "upos": "X"}, "y"]]}',
            b"\x03a b c\nd e",
            b"\x04a\nb\n\nc\n",
        ]
    ),
}


def _write_models() -> None:
    """Models of a few hundred numbers, one of each learner and kind."""
    from crossarc.parser.training.train import train

    few = parse_feature_model("templates:\n- upos(Stack[0])\n- form(Lookahead[0])\n", "few")
    tagged = Sentence.from_tokens(["a", "b", "c"], upos=["X", "Y", "X"], heads=[2, 0, 2], deprels=["l", "root", "r"])
    for name, guide in GUIDES.items():
        chosen = make_config({"system": "arc-standard", "guide": guide})
        save_model(train(chosen, sentences=[tagged, tagged], features=few), MODELS / f"{name}.model")
    graph = make_config({"system": "graph", "graph.epochs": 1, "graph.table_bits": 8})
    save_model(train(graph, sentences=[tagged, tagged]), MODELS / "graph.model")


if __name__ == "__main__":
    _write_models()
