"""The commands of the command line: what arguments each takes, and what it does."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from ..oracles.registry import ORACLES
from ..transitions.registry import SYSTEMS
from ..transitions.trees import is_projective
from .blend_commands import describe_blend, run_blend, train_blend_from
from .blend_model import BlendModel, BlendParser, load_any_model, open_parser
from .blend_train import is_blend_config
from .command_options import add_format, add_reading, print_json
from .confidence import ConfidentParser
from .config import ALLOWED, THREE_STEP, describe_ready_configs, load_config, name_ready_configs
from .coverage import OracleReport, oracle_report
from .draw import draw_tree
from .errors import CrossarcError, choices
from .evaluate_commands import describe_compare, describe_evaluate, run_compare, run_evaluate
from .explain import explain
from .info import model_json, model_text
from .model import ParserModel, save_model
from .parse import GreedyParser
from .pass_coverage import ThreeStepReport, three_step_report
from .train import score_on, train
from .transforms import Tree, distortion, fit_all, invert_all
from .transforms.composed import parse_composed
from .treebank import Sentence, check, format_report, read_sentences, write_sentences

__all__ = ["COMMANDS"]


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _no_progress(line: str) -> None:
    pass


def _quiet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress on standard error")


def positive(text: str) -> int:
    """A whole number above 0, for argparse."""
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a whole number, 1 or more")
    return number


def _input(parser: argparse.ArgumentParser, *names: str, optional: bool = False) -> None:
    for name in names:
        parser.add_argument(name, nargs="?" if optional else None, default="-", help="CoNLL file, or - for pipes")
    parser.set_defaults(file_is_optional=optional)
    add_reading(parser)


def _output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", default="-", help="file to write, standard output without it")


def _refuse_overwriting(output: str, *inputs: str) -> None:
    """Refuse an output file that is one of the inputs, which would be lost."""
    for name in inputs:
        with suppress(OSError):
            if os.path.isfile(output) and os.path.samefile(output, name):
                raise CrossarcError(f"{output}: cannot be written: it is an input as well")


def describe_train(parser: argparse.ArgumentParser) -> None:
    """Train a parser, or a blend of several, from a YAML config."""
    parser.add_argument(
        "config", nargs="?", help="a YAML file, or a ready config; without it, the ready ones are listed"
    )
    parser.add_argument("--train", help="training treebank, instead of the config's")
    parser.add_argument("--dev", help="development treebank to score the parser on")
    parser.add_argument("--model", help="file to write the model to")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="set any key of the config")
    _quiet(parser)


def run_train(options: argparse.Namespace) -> int:
    given = {"treebank.train": options.train, "treebank.dev": options.dev, "model": options.model}
    overrides = {key: value for key, value in given.items() if value}
    if options.config is None:
        if overrides or options.set:
            raise CrossarcError(f"train: no CONFIG given; {name_ready_configs()}")
        print(describe_ready_configs())
        return 0
    progress = _no_progress if options.quiet else _progress
    if is_blend_config(options.config):
        return train_blend_from(options.config, options.set, overrides, progress)
    config = load_config(options.config, options.set, overrides)
    if config.model in ("", "-"):
        raise CrossarcError("no file to write the model to; give one with --model or the config's key 'model'")
    _refuse_overwriting(config.model, options.config, config.features, config.treebank.train, config.treebank.dev)
    model = train(config, progress)
    if config.treebank.dev:
        model, scores = score_on(model, config, config.treebank.dev)
        progress(f"dev: LAS {scores.las:.2f} UAS {scores.uas:.2f} LEM {scores.lem:.2f} UEM {scores.uem:.2f}")
    save_model(model, config.model)
    progress(f"wrote {config.model}")
    return 0


def describe_parse(parser: argparse.ArgumentParser) -> None:
    """Parse a CoNLL file with a model."""
    parser.add_argument("model", help="a model that crossarc train wrote")
    _input(parser, "file", optional=True)
    _output(parser)
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="worker processes (1)")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--scores", action="store_true", help="write the confidence in each arc to MISC (CoNLL-U)")
    kind.add_argument(
        "--explain", action="store_true", help="print why each transition was taken, instead of the trees"
    )
    _quiet(parser)


def run_parse(options: argparse.Namespace) -> int:
    _refuse_overwriting(options.output, options.model, options.file)
    if options.scores or options.explain:
        model = load_any_model(options.model)
        if isinstance(model, BlendModel):
            raise CrossarcError(
                f"{options.model}: a blend has no transitions to score or explain; parse with one parser"
            )
        if options.explain:
            return _explain(model, options)
        parser: GreedyParser | BlendParser = ConfidentParser(model)
    else:
        parser = open_parser(options.model)
    sentences = read_sentences(options.file, options.format, options.columns)
    counts = Counter[str]()
    start = time.monotonic()
    write_sentences(_counted(parser.parse(sentences, options.jobs), counts), options.output)
    if not options.quiet:
        seconds = time.monotonic() - start
        _progress(f"parsed {counts['sentences']} sentences, {counts['words']} words in {seconds:.1f} s")
    return 0


def _explain(model: ParserModel, options: argparse.Namespace) -> int:
    if options.output != "-":
        raise CrossarcError("--explain: prints to standard output; allowed: without -o")
    for sentence in read_sentences(options.file, options.format, options.columns):
        for line in explain(model, sentence):
            print(line)
    return 0


def _counted(sentences: Iterable[Sentence], counts: Counter[str]) -> Iterator[Sentence]:
    for sentence in sentences:
        counts["sentences"] += 1
        counts["words"] += len(sentence)
        yield sentence


def describe_info(parser: argparse.ArgumentParser) -> None:
    """Say what a model is: system, features, labels, where it came from, how it scored."""
    parser.add_argument("model", help="a model that crossarc train wrote")
    parser.add_argument("--json", action="store_true", help="everything, as JSON")


def run_info(options: argparse.Namespace) -> int:
    model = load_any_model(options.model)
    size = os.path.getsize(options.model)
    parts = model.components if isinstance(model, BlendModel) else {"": model}
    if options.json:
        found = {name: model_json(part, size) for name, part in parts.items()}
        print_json(found if isinstance(model, BlendModel) else found[""])
    for name, part in parts.items() if not options.json else ():
        print(f"{name}:\n{model_text(part, size)}\n" if name else model_text(part, size))
    return 0


def describe_oracle(parser: argparse.ArgumentParser) -> None:
    """Derive a treebank's trees with an oracle: derivations, and how many trees it covers."""
    parser.add_argument("system", choices=(*SYSTEMS, THREE_STEP), help="a transition system")
    parser.add_argument("--first", choices=ALLOWED["first"], default="arc-eager", help="first step of three-step")
    _input(parser, "file")
    names = sorted({name for oracles in ORACLES.values() for name in oracles})
    parser.add_argument("--oracle", choices=names, help="an oracle of the system; its default without it")
    parser.add_argument("--single-root", action="store_true", help="allow one dependent of node 0 only")
    parser.add_argument("--transitions", action="store_true", help="print the derivations, one sentence a line")
    parser.add_argument("--json", action="store_true", help="everything, as JSON")


def run_oracle(options: argparse.Namespace) -> int:
    sentences = list(read_sentences(options.file, options.format, options.columns))
    three_step = options.system == THREE_STEP
    report: OracleReport | ThreeStepReport = (three_step_report if three_step else oracle_report)(
        options.first if three_step else options.system,
        [sentence.heads() for sentence in sentences],
        [sentence.deprels() for sentence in sentences],
        [sentence.id for sentence in sentences],
        oracle_name=options.oracle,
        single_root=options.single_root,
    )
    if options.json:
        print_json(report.to_json(derivations=options.transitions))
    elif options.transitions:
        for line in report.derivations():
            print(line)
        print(report.to_text(), file=sys.stderr)
    else:
        print(report.to_text())
    return 0


def describe_check(parser: argparse.ArgumentParser) -> None:
    """Say what is in a treebank, how non-projective it is, and what is wrong with it."""
    parser.add_argument("file", help="CoNLL file, or - for pipes")
    add_format(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")


def run_check(options: argparse.Namespace) -> int:
    report = check(options.file, options.format)
    if options.json:
        print_json(report.to_json())
    else:
        print(format_report(report))
    return 0 if report.ok else 1


def describe_transform(parser: argparse.ArgumentParser) -> None:
    """Transform the trees of a treebank, undo a transformation, or measure what a round trip loses."""
    parser.add_argument("transform", help="e.g. pseudo-projective:encoding=head; several with ' / ' between")
    _input(parser, "file")
    _output(parser)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--invert", action="store_true", help="undo the transformation")
    kind.add_argument("--distortion", action="store_true", help="print what applying and inverting loses, as JSON")


def run_transform(options: argparse.Namespace) -> int:
    _refuse_overwriting(options.output, options.file)
    transform = parse_composed(options.transform)
    sentences = list(read_sentences(options.file, options.format, options.columns))
    trees = [_tree(sentence) for sentence in sentences]
    if options.distortion:
        print_json(distortion(trees, transform))
        return 0
    done = [invert_all([transform], tree) for tree in trees] if options.invert else fit_all([transform], trees)
    write_sentences(_with_trees(sentences, done), options.output)
    return 0


def _tree(sentence: Sentence) -> Tree:
    names = [name for name in sentence.format.names if name not in ("id", "head", "deprel")]
    return Tree(sentence.heads(), sentence.deprels(), {name: sentence.column(name) for name in names})


def _with_trees(sentences: list[Sentence], trees: list[Tree]) -> Iterator[Sentence]:
    for sentence, tree in zip(sentences, trees, strict=True):
        changed = {name: tuple(own) for name, own in tree.columns.items() if tuple(own) != sentence.column(name)}
        if changed:
            # multiword tokens and empty nodes have no place among words in another order
            sentence = replace(sentence.with_columns(changed), extras=())
        yield sentence.with_tree(tree.heads, tree.deprels)


def describe_show(parser: argparse.ArgumentParser) -> None:
    """Draw the trees of a treebank as text."""
    _input(parser, "file", optional=True)
    parser.add_argument("--nonprojective", action="store_true", help="only sentences with non-projective arcs")


def run_show(options: argparse.Namespace) -> int:
    for sentence in read_sentences(options.file, options.format, options.columns):
        heads = sentence.heads()
        if options.nonprojective and is_projective(heads):
            continue
        drawing = draw_tree(heads, sentence.deprels(), sentence.column("form"))
        print(f"# {sentence.id}\n{drawing}\n")
    return 0


def describe_experiment(parser: argparse.ArgumentParser) -> None:
    """Run an experiment: a published comparison, or one of our own."""
    parser.add_argument("name", help="e.g. kuhlmann-nivre-2010; an unknown one lists all")
    parser.add_argument("--config", help="YAML whose keys win over those of the experiment's own")
    parser.add_argument("--out", help="folder for the results, kept and not computed again (NAME.out)")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes (1)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="e.g. learner=poly")
    parser.add_argument("--only", action="append", default=[], metavar="TREEBANK", help="run on this treebank only")


def run_experiment(options: argparse.Namespace) -> int:
    from ..experiments.registry import EXPERIMENTS

    if options.name not in EXPERIMENTS:
        raise CrossarcError(f"experiment {choices(options.name, EXPERIMENTS)}")
    options.out = options.out or f"{options.name}.out"
    return EXPERIMENTS[options.name](options)


def describe_generate(parser: argparse.ArgumentParser) -> None:
    """Generate a treebank of an invented language with crossing arcs of a set rate, kind, distance and depth."""
    from ..experiments.synthetic import add_arguments

    add_arguments(parser)


def run_generate(options: argparse.Namespace) -> int:
    from ..experiments.synthetic import run

    return run(options)


COMMANDS: Mapping[str, tuple[Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]] = {
    "train": (describe_train, run_train),
    "parse": (describe_parse, run_parse),
    "blend": (describe_blend, run_blend),
    "info": (describe_info, run_info),
    "evaluate": (describe_evaluate, run_evaluate),
    "compare": (describe_compare, run_compare),
    "oracle": (describe_oracle, run_oracle),
    "transform": (describe_transform, run_transform),
    "check": (describe_check, run_check),
    "show": (describe_show, run_show),
    "experiment": (describe_experiment, run_experiment),
    "generate": (describe_generate, run_generate),
}
