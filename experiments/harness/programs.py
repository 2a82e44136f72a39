"""Train or run another parser.

Run as one of:

    python programs.py PARSER train MODEL TRAIN_FILE DEV_FILE INPUT OPTIONS
    python programs.py PARSER parse MODEL INPUT_FILE OUTPUT_FILE INPUT OPTIONS

INPUT is ``gold`` for gold tags, ``words``, or ``text`` for raw text. Files have ten columns, and no comments, ranges or
empty nodes; with ``text``, training files are complete. This program does not import crossarc, whose import would count
as start-up.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

UD_TAGS = set("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X _".split())  # noqa: SIM905

DOCUMENT = 10
"""Sentences of a document that spaCy learns from for raw text."""


def udpipe_train(model: str, train: str, _: str, input_kind: str, options: str) -> None:
    """Train a parser, except for gold tags a tagger, and for raw text a tokenizer. options: of all of them.

    UDPipe expects one root labelled ``root`` per sentence; for other treebanks the option ``single_root=0`` is added.
    """
    from ufal import udpipe

    error, none = udpipe.ProcessingError(), udpipe.Pipeline.NONE
    reader, sentences, sentence = udpipe.InputFormat.newConlluInputFormat(), udpipe.Sentences(), udpipe.Sentence()
    if any([row[7] for row in sentence if row[6] == "0"] != ["root"] for sentence in _sentences(train)):
        options = ";".join(filter(None, [options, "single_root=0"]))
    reader.setText(Path(train).read_text("utf-8"))
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    tokenizer, tagger = {"gold": (none, none), "words": (none, ""), "text": (options, options)}[input_kind]
    made = udpipe.Trainer.train("morphodita_parsito", sentences, udpipe.Sentences(), tokenizer, tagger, options, error)
    if error.occurred():
        sys.exit(error.message)
    Path(model).write_bytes(made)


def udpipe_parse(model: str, source: str, target: str, input_kind: str, _: str) -> None:
    """Parse with given tags or with tags of the model; raw text is split first."""
    from ufal import udpipe

    loaded = udpipe.Model.load(model) or sys.exit(f"{model}: UDPipe cannot load it")
    tagger = udpipe.Pipeline.NONE if input_kind == "gold" else udpipe.Pipeline.DEFAULT
    error = udpipe.ProcessingError()
    pipeline = udpipe.Pipeline(
        loaded, "tokenize" if input_kind == "text" else "conllu", tagger, udpipe.Pipeline.DEFAULT, "conllu"
    )
    parsed = pipeline.process(Path(source).read_text("utf-8"), error)
    if error.occurred():
        sys.exit(error.message)
    Path(target).write_text(parsed, "utf-8")


def spacy_train(model: str, train: str, dev: str, input_kind: str, options: str) -> None:
    """Train tagger, morphologizer and parser of the quickstart config for CPUs.

    options: language and keys of the config, e.g. ``en training.max_steps=100``.

    With ``text``, a document has :data:`DOCUMENT` sentences, so that the parser learns to split text into sentences;
    otherwise it has one. Without UD's tags in the column UPOS there is no morphologizer. spaCy replaces the label of
    roots by its own; a file beside the model has the original label.
    """
    from tempfile import TemporaryDirectory

    from spacy import blank
    from spacy.cli.init_config import init_config
    from spacy.cli.train import train as fit
    from spacy.tokens import Doc, DocBin

    language, *changes = options.split()
    values = {key: json.loads(value) for key, value in (change.split("=") for change in changes)}
    sentences = list(_sentences(train))
    universal = all(row[3] in UD_TAGS for sentence in sentences for row in sentence)
    pipeline = ["tagger", *["morphologizer"] * universal, "parser"]
    vocab = blank(language).vocab
    with TemporaryDirectory() as scratch:
        for file, sentences_of_file in (
            (f"{scratch}/train.spacy", sentences),
            (f"{scratch}/dev.spacy", list(_sentences(dev))),
        ):
            docs = []
            for sentence in sentences_of_file:
                columns = [list(column) for column in zip(*sentence, strict=True)]
                words, upos, xpos, feats, heads, deprels = (columns[k] for k in (1, 3, 4, 5, 6, 7))
                more = {"pos": _known(upos), "morphs": _known(feats)} if universal else {}
                tags = [tag if tag != "_" else other for tag, other in zip(xpos, upos, strict=True)]
                targets = [int(head) - 1 if head != "0" else k for k, head in enumerate(heads)]
                labels = ["ROOT" if head == "0" else label for head, label in zip(heads, deprels, strict=True)]
                spaces = ["SpaceAfter=No" not in misc for misc in columns[9]]
                docs.append(Doc(vocab, words, spaces, tags=tags, heads=targets, deps=labels, **more))
            if input_kind == "text":
                groups = (docs[start : start + DOCUMENT] for start in range(0, len(docs), DOCUMENT))
                docs = [Doc.from_docs(group, ensure_whitespace=False) for group in groups]
            DocBin(docs=docs).to_disk(file)
        config = init_config(lang=language, pipeline=pipeline, optimize="efficiency", gpu=False)
        config.to_disk(f"{scratch}/config.cfg")
        paths = {"paths.train": f"{scratch}/train.spacy", "paths.dev": f"{scratch}/dev.spacy"}
        fit(f"{scratch}/config.cfg", f"{scratch}/out", overrides={**paths, **values})
        Path(scratch, "out", "model-best").rename(model)
    _keep_root(model, sentences)


def spacy_parse(model: str, source: str, target: str, input_kind: str, _: str) -> None:
    """Parse each sentence as a document of one sentence, or each paragraph of raw text as a document."""
    import spacy
    from spacy.tokens import Doc

    nlp, root = spacy.load(model), Path(f"{model}.root").read_text("utf-8")
    if input_kind == "text":
        paragraphs = Path(source).read_text("utf-8").split("\n\n")
        docs = (" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())
    else:
        sentences = ([row[1] for row in sentence] for sentence in _sentences(source))
        docs = (Doc(nlp.vocab, words, sent_starts=[True, *[False] * (len(words) - 1)]) for words in sentences)
    with open(target, "w", encoding="utf-8") as out:
        for doc in nlp.pipe(docs):
            for sentence in doc.sents:
                for token in sentence:
                    head = 0 if token.head.i == token.i else token.head.i - sentence.start + 1
                    tags = [token.pos_ or "_", token.tag_ or "_", str(token.morph) or "_"]
                    label = token.dep_ if head else root
                    _write(out, token.i - sentence.start + 1, token.text, "_", *tags, head, label)
                out.write("\n")


def nltk_train(model: str, train: str, *_: str) -> None:
    """Train NLTK's arc-standard parser. NLTK does not save its dictionaries; a file beside the model has them."""
    import pickle

    import nltk
    from nltk.parse.transitionparser import TransitionParser

    nltk.data.path.append(str(Path(model).parent))  # the folders that NLTK may write to
    parser = TransitionParser("arc-standard")
    parser.train(_graphs(train), model, verbose=False)
    _keep_root(model, list(_sentences(train)))
    kept = (parser._dictionary, parser._transition, parser._match_transition)
    Path(f"{model}.names").write_bytes(pickle.dumps(kept))


def nltk_parse(model: str, source: str, target: str, *_: str) -> None:
    """Parse; words that NLTK leaves without an arc become roots."""
    import pickle

    import nltk
    from nltk.parse.transitionparser import TransitionParser

    nltk.data.path.append(str(Path(model).parent))
    parser = TransitionParser("arc-standard")
    names = pickle.loads(Path(f"{model}.names").read_bytes())
    parser._dictionary, parser._transition, parser._match_transition = names
    root = Path(f"{model}.root").read_text("utf-8")
    with open(target, "w", encoding="utf-8") as out:
        for graph in parser.parse(_graphs(source), model):
            nodes = [graph.nodes[number] for number in range(1, len(graph.nodes))]
            for node in nodes:
                tags = [node[name] for name in ("word", "lemma", "ctag", "tag", "feats")]
                _write(out, node["address"], *tags, node["head"], node["rel"] or root)
            out.write("\n")


def _sentences(file: str) -> Iterator[list[list[str]]]:
    for block in Path(file).read_text("utf-8").split("\n\n"):
        if block.strip():
            rows = (line.split("\t") for line in block.strip("\n").split("\n"))
            yield [row for row in rows if row[0].isdigit()]


def _keep_root(model: str, sentences: list[list[list[str]]]) -> None:
    roots = [row[7] for sentence in sentences for row in sentence if row[6] == "0"]
    Path(f"{model}.root").write_text(max(sorted(set(roots)), key=roots.count), "utf-8")


def _known(values: list[str]) -> list[str]:
    return [value if value != "_" else "" for value in values]


def _graphs(file: str) -> list[Any]:
    from nltk.parse import DependencyGraph

    return [
        DependencyGraph("\n".join("\t".join(row) for row in sentence), cell_separator="\t")
        for sentence in _sentences(file)
    ]


def _write(out: Any, *columns: object) -> None:
    out.write("\t".join(map(str, columns)) + "\t_\t_\n")


if __name__ == "__main__":
    globals()[f"{sys.argv[1]}_{sys.argv[2]}"](*sys.argv[3:])
