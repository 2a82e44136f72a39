"""Parts that users add: registration, files and entry points; faults of own systems and oracles are named."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from typing import Any

import crossarc
import pytest
from command_line import run, write_splits
from crossarc.oracles.arc_standard import ArcStandardOracle
from crossarc.oracles.registry import DYNAMIC_ORACLES, ORACLES, register_oracle
from crossarc.transitions import plugins
from crossarc.transitions.arc_standard import SHIFT, ArcStandard
from crossarc.transitions.registry import SYSTEMS, register_system
from installed import needs
from refusals import refusal

pytestmark = pytest.mark.usefixtures("no_other_parts")


def own_system(name="own", **methods):
    return register_system(features="arc-standard-rich")(type("Own", (ArcStandard,), {"name": name, **methods}))


def own_oracle(name="static", system="own", **methods):
    return register_oracle(type("OwnOracle", (ArcStandardOracle,), {"name": name, "systems": (system,), **methods}))


def dead_end(self, c):
    return dict.fromkeys(self.moves, c.lengths < 0)


def swinging(self, c):
    moves = dict(ArcStandard.permissible(self, c))
    return {**{move: own & False for move, own in moves.items()}, SHIFT: c.lengths >= 0}


def idle(self, c, move, label):
    return None


def confused(self, c, legal):
    if (c.lengths == 3).any():
        raise KeyError("seven")
    return ArcStandardOracle.decide(self, c, legal)


FAULTS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "never ends": ({"permissible": swinging, "apply": idle}, {}, "own: a derivation has not ended after 6 transitions"),
    "terminal is never true": ({"terminal": lambda self, c: c.lengths < 0}, {}, "own: "),
    "no permissible move": ({"permissible": dead_end}, {}, "own: a configuration that is not terminal has no permissi"),
    "oracle fails": ({}, {"decide": confused}, r"own: OwnOracle: KeyError 'seven' in confused \(test_plugins.py, line"),
}


@pytest.fixture
def treebank(tmp_path):
    """Two sentences, ``long`` and ``short``."""
    file = tmp_path / "train.conllu"
    rows = [("a", 2, "x"), ("b", 0, "root"), ("c", 2, "y")]
    lines = [f"{n}\t{form}\t_\tX\tX\t_\t{head}\t{label}\t_\t_" for n, (form, head, label) in enumerate(rows, 1)]
    texts = ["# sent_id = long", *lines, "", "# sent_id = short", "1\td\t_\tX\tX\t_\t0\troot\t_\t_", "", ""]
    file.write_text("\n".join(texts), "utf-8")
    return file


def config_for(file, **keys):
    return crossarc.Config(**{"system": "own", **keys}, treebank=crossarc.TreebankOptions(train=str(file)))


@pytest.mark.parametrize("fault", FAULTS)
@needs("analysis")
def test_faults_of_own_parts_name_system_sentence_and_rule(fault, treebank):
    of_system, of_oracle, message = FAULTS[fault]
    own_system(**of_system)
    own_oracle(**of_oracle)
    name = "long" if of_oracle else "(long|short)"
    sentences = list(crossarc.read_sentences(str(treebank)))
    with pytest.raises(crossarc.CrossarcError, match=rf"^{name}: {message}"):
        crossarc.oracle_report("own", sentences)
    with pytest.raises(crossarc.CrossarcError, match=rf"{name}: {message}"):
        crossarc.train(config_for(treebank))


@needs("further_learners")
def test_system_that_never_ends_is_stopped_in_compiled_code_and_in_beams(treebank):
    own_system()
    own_oracle()
    greedy, beam = (
        crossarc.train(config_for(treebank, **keys)) for keys in ({}, {"guide": {"learner": "perceptron"}, "beam": 8})
    )
    sentences = list(crossarc.read_sentences(str(treebank)))
    greedy.stages[0].loop.hint_workload(80_000)  # compiles the loop
    for model in (greedy, beam):
        system = model.stages[0].system
        system.__class__ = type("Endless", (type(system),), {"apply": idle})
        with pytest.raises(crossarc.CrossarcError, match="own: a derivation has not ended"):
            list(model.parse(sentences * 50))


def test_own_oracle_of_an_installed_system_trains_and_parses(treebank):
    own_oracle("mine", "arc-standard")
    assert list(ORACLES["arc-standard"]) == ["static", "mine"]
    model = crossarc.train(config_for(treebank, system="arc-standard", oracle="mine"))
    assert [sentence.heads() for sentence in model.parse(crossarc.read_sentences(str(treebank)))] == [
        [-1, 2, 0, 2],
        [-1, 0],
    ]


@pytest.mark.parametrize("system", DYNAMIC_ORACLES)
@needs("analysis")
def test_dynamic_oracles_derive_trees_on_request(system, treebank, capsys):
    assert run("oracle", f"{system}:dynamic", treebank, "-q") == 0
    assert "derived      2 (100.00 %)" in capsys.readouterr().out
    assert crossarc.train(config_for(treebank, system=system, oracle="dynamic")).labels


def test_registration_refuses_unusable_parts():
    assert "arc-eager is an installed transition system" in refusal(lambda: own_system("arc-eager"), ValueError)
    assert "arc-eager has an installed oracle static" in refusal(lambda: own_oracle("static", "arc-eager"), ValueError)
    for systems in ((), "swap"):
        assert "needs a class attribute systems" in refusal(lambda: own_oracle(systems=systems), ValueError)  # noqa: B023
    own_system()
    assert own_system() is SYSTEMS["own"]  # a cell of a notebook may run twice


def test_plugin_files_are_refused_with_reason_and_line(tmp_path, capsys, monkeypatch):
    for name, text, reason in (
        ("raises.py", "x = 1\nx / 0\n", "ZeroDivisionError: division by zero (line 2)"),
        ("syntax.py", "x = 1\n\ndef\n", "(line 3)"),
        ("numpy.py", "", "a module numpy exists already; rename the file"),
        ("notes.txt", "", "not a Python file"),
    ):
        (tmp_path / name).write_text(text, "utf-8")
        assert run("list", "systems", "--plugin", tmp_path / name) == 1
        assert reason in capsys.readouterr().err
    assert run("list", "systems", "--plugin", tmp_path / "absent.py") == 1
    assert "absent.py: no such file" in capsys.readouterr().err
    monkeypatch.setenv(plugins.VARIABLE, str(tmp_path / "raises.py"))
    assert run("list", "systems") == 1
    assert capsys.readouterr().err.startswith(f"crossarc: {plugins.VARIABLE}: ")


def test_entry_points_that_fail_are_skipped_with_a_warning(monkeypatch):
    entries = [
        EntryPoint("own", value, "crossarc.systems") for value in ("no_such_module:Own", f"{__name__}:ArcStandard")
    ]
    monkeypatch.setattr(plugins.metadata, "entry_points", lambda group: entries if group == "crossarc.systems" else [])
    with pytest.warns(UserWarning, match="no_such_module"):
        assert SYSTEMS["own"] is ArcStandard


NOTEBOOK = """
import sys
import crossarc
import crossarc.parser.models.model as model
from crossarc.parser.config.loading import load_any_config
from crossarc.parser.training.train import train_any
from crossarc.oracles.arc_standard import ArcStandardOracle
from crossarc.transitions.arc_standard import ArcStandard

@crossarc.register_system(features="arc-standard-small")
class Mine(ArcStandard):
    name = "mine"

@crossarc.register_oracle
class MineOracle(ArcStandardOracle):
    systems = ("mine",)

treebank = f"treebank.train={sys.argv[1]}"
parser = crossarc.train(crossarc.load_config("arc-standard", ["system=mine", treebank]))
model.START = 0  # worker processes start at once
sentences = crossarc.read_treebank(sys.argv[1]).sentences * 40
assert list(parser.parse(sentences, jobs=2)) == list(parser.parse(sentences))
blend = load_any_config(sys.argv[2], [treebank])
blended = train_any(blend, jobs=2)
assert len(list(blended.parse(sentences[:5]))) == 5
"""


@needs("blending")
def test_systems_of_a_notebook_work_in_worker_processes(tmp_path):
    """Workers cannot import the module that runs, which has no file in a notebook."""
    write_splits(tmp_path, {"train": 60}, rate=0)
    (tmp_path / "a.yaml").write_text("system: mine\nfeatures: auto\n")
    (tmp_path / "b.yaml").write_text("system: mine\nfeatures: auto\ntransforms: [reversal]\n")
    (tmp_path / "blend.yaml").write_text("components: [a.yaml, b.yaml]\n")
    words = [sys.executable, "-", str(tmp_path / "train.conllu"), str(tmp_path / "blend.yaml")]
    done = subprocess.run(words, input=NOTEBOOK, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
