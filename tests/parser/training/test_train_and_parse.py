"""Training and parsing: trees and labels of the output, roots, and invalid or underivable training trees."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from crossarc import Config, TreebankOptions, load_config, load_model, read_treebank, save_model, train
from crossarc.parser.base.data_warnings import DataWarning
from crossarc.parser.config.config import LabelledRoot
from crossarc.parser.models import model as model_module
from crossarc.parser.treebank import conll_text
from crossarc.transitions.registry import SYSTEMS
from crossarc.transitions.trees import is_tree, roots
from installed import needs
from refusals import refusal

TREES = [name for name in SYSTEMS if not SYSTEMS[name].chains]
FEATURES = "templates:\n  - form(Input[0])\n  - upos(Stack[0])\n  - merge(upos(Stack[0]), upos(Stack[1]))\n"


def rows(*words):
    lines = [f"{k}\t{form}\t_\t{form}\t_\t_\t{head}\t{deprel}\t_\t_" for k, (form, head, deprel) in enumerate(words, 1)]
    return "\n".join(lines) + "\n\n"


SINGLE = rows(("the", 2, "det"), ("cat", 3, "subj"), ("sleeps", 0, "root"))
TWO_ROOTS = rows(("cat", 0, "root"), ("sleeps", 0, "root"))
SEVERAL = "{} training trees have several roots, which the parser cannot build with root.single=true"
CROSSING = rows(("a", 3, "x"), ("b", 4, "y"), ("c", 0, "root"), ("d", 3, "z"))
CYCLE = rows(("a", 2, "x"), ("b", 1, "y"), ("c", 0, "root"))


def config(folder, text, **options):
    (folder / "t.conllu").write_text(text, "utf-8")
    (folder / "f.yaml").write_text(FEATURES, "utf-8")
    given = {"treebank": TreebankOptions(train=str(folder / "t.conllu")), "features": str(folder / "f.yaml"), **options}
    guide = {"learner": "svm", "min_count": 1}
    return replace(Config(guide=guide), **given)


def told(chosen):
    """The model, and what training tells: its warnings and its progress."""
    lines = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        model = train(chosen, lines.append)
    return model, [*(str(own.message) for own in caught), *lines]


def refused(chosen):
    return refusal(lambda: train(chosen))


def parsed(model, sentences):
    return list(model.parse(sentences))


def sentences_of(text, folder):
    path = folder / "input.conllu"
    path.write_text(text, "utf-8")
    return read_treebank(str(path)).sentences


def assert_single_rooted_trees(sentences, labels):
    for sentence in sentences:
        heads = sentence.heads()
        assert is_tree(heads)
        assert len(roots(heads)) == 1
        assert set(sentence.column("deprel")) <= set(labels)


@pytest.mark.parametrize("system", TREES)
def test_every_system_trains_and_parses(trained, system, sentences):
    model = trained(system)
    known = {label for sentence in sentences for label in sentence.column("deprel")}
    output = parsed(model, sentences)
    assert_single_rooted_trees(output, sorted(known))
    heads = [[head for sentence in trees for head in sentence.heads()] for trees in (sentences, output)]
    assert np.mean(np.equal(*heads)) > 0.7


def test_tagging_learns_chains_or_only_labels_of_other_trees(tmp_path):
    chain = rows(("the", 0, "DET"), ("walking", 1, "VERB"), ("dog", 2, "NOUN"))
    model, lines = told(config(tmp_path, chain * 9, system="tagging", features="rich"))
    assert not any("chains only" in line for line in lines)
    unknown = rows(("the", 0, "_"), ("talking", 0, "_"), ("dog", 0, "_"))
    labels_only = config(tmp_path, CROSSING * 9, system="tagging", features="rich")
    for tagger in (model, told(labels_only)[0]):
        (found,) = parsed(tagger, sentences_of(unknown if tagger is model else CROSSING, tmp_path))
        assert found.heads() == list(range(-1, len(found)))
        assert " ".join(found.deprels()[1:]) == ("DET VERB NOUN" if tagger is model else "x y root z")
    assert any("tagging derives chains only" in line for line in told(config(tmp_path, CROSSING, system="tagging"))[1])


@pytest.mark.filterwarnings("ignore:the model does not know most values of UPOS", "ignore:.*never occurred in training")
@pytest.mark.parametrize("system", SYSTEMS)
def test_sentences_unlike_training_get_trees(trained, system, tmp_path):
    words = ["x", "y", ".", "ke", "na"]
    text = "".join(rows(*[(words[k * n % 5], 0, "_") for k in range(n)]) for n in range(1, 30))
    model = trained(system)
    assert_single_rooted_trees(parsed(model, sentences_of(text, tmp_path)), model.labels)


def test_decorated_labels_are_not_in_the_output(sentences):
    config = Config(features="small", transforms=("pseudo-projective:encoding=head+path",))
    model = train(config, sentences=sentences)
    known = {label for sentence in sentences for label in sentence.column("deprel")}
    assert set(model.labels) - known
    assert_single_rooted_trees(parsed(model, sentences), sorted(known))


def test_the_input_tree_is_ignored_and_all_else_is_kept(trained, tmp_path):
    text = (
        "# sent_id = a\n# any comment\n1-2\tIm\t_\t_\t_\t_\t_\t_\t_\tX=1\n"
        "1\tin\tin\tADP\t_\t_\t{0}\t{1}\t_\tA=1\n2\tdem\tder\tDET\t_\tCase=Dat\t{0}\t{1}\t0:x\t_\n"
        "2.1\tnode\t_\t_\t_\t_\t_\t_\t_\t_\n3\tHaus\tHaus\tNOUN\t_\t_\t{0}\t{1}\t_\tSpaceAfter=No\n\n"
    )
    model = trained("arc-eager")
    outputs = []
    for head, deprel in (("0", "root"), ("99", "nonsense"), ("_", "_"), ("-7", "")):
        outputs.append("".join(map(conll_text, parsed(model, sentences_of(text.format(head, deprel), tmp_path)))))
    assert len(set(outputs)) == 1
    heads = [line.split("\t")[6] for line in outputs[0].splitlines() if line.partition("\t")[0].isdigit()]
    before, after = text.replace("2.1\tnode" + "\t_" * 8 + "\n", "").splitlines(), outputs[0].splitlines()
    assert [line.split("\t")[:6] for line in after] == [line.split("\t")[:6] for line in before]
    kept = [
        line.replace("0:x", "_").split("\t")[8:] for line in before
    ]  # DEPS and empty nodes described the tree of the input
    assert [line.split("\t")[8:] for line in after] == kept
    assert len(heads) == 3
    assert set(heads) <= set("0123")


def test_batches_and_chunks_do_not_change_the_trees(trained, sentences, monkeypatch):
    model = trained("swap")
    assert parsed(model, []) == []
    expected = parsed(model, sentences)
    for batch in (1, 7):
        monkeypatch.setattr("crossarc.parser.models.transition_model.BATCH", batch)
        assert parsed(model, sentences) == expected
    monkeypatch.setattr(model_module, "CHUNK", 7)
    assert parsed(model, sentences) == expected


def test_sentences_are_read_when_they_are_needed(trained, sentences, monkeypatch):
    monkeypatch.setattr(model_module, "CHUNK", 5)
    monkeypatch.setattr(model_module, "FIRST", 5)
    pulled = []

    def stream():
        for number, sentence in enumerate(sentences):
            pulled.append(number)
            yield sentence

    output = trained("swap").parse(stream())
    assert not pulled
    next(output)
    assert len(pulled) == 5
    assert len(list(output)) == 39


def test_features_can_read_additional_columns(tmp_path):
    """Only column ``SIDE`` of a CoNLL-U Plus file determines the head of ``b``."""

    def treebank(side):
        head = {"l": 1, "r": 3}[side]
        table = (("a", "_", 0, "root"), ("b", side, head, "dep"), ("c", "_", 1, "dep"))
        return "".join(f"{k}\t{form}\t{own}\t{h}\t{d}\n" for k, (form, own, h, d) in enumerate(table, 1)) + "\n"

    columns = "# global.columns = ID FORM SIDE HEAD DEPREL\n"
    chosen = config(tmp_path, columns + (treebank("l") + treebank("r")) * 3)
    (tmp_path / "f.yaml").write_text("templates:\n  - form(Stack[0])\n  - side(Stack[0])\n  - side(Stack[1])\n")
    found = parsed(train(chosen), sentences_of(columns + treebank("r") + treebank("l"), tmp_path))
    assert [sentence.heads()[2] for sentence in found] == [3, 1]


def test_features_without_columns_are_allowed(tmp_path):
    chosen = config(tmp_path, SINGLE * 5)
    (tmp_path / "f.yaml").write_text("templates:\n  - distance(Stack[0], Input[0])\n  - arity(Stack[0], left)\n")
    assert_single_rooted_trees(parsed(train(chosen), sentences_of(SINGLE, tmp_path)), ["det", "root", "subj"])


def single(model):
    return model.stages[0].system.single_root


def test_a_single_root_is_inferred_from_the_training_trees(tmp_path):
    assert single(train(config(tmp_path, SINGLE * 3)))
    assert not single(train(config(tmp_path, SINGLE * 3 + TWO_ROOTS)))


def test_several_roots_are_learned_if_allowed(tmp_path):
    model = train(config(tmp_path, TWO_ROOTS * 5, root=LabelledRoot(single=False)))
    assert parsed(model, sentences_of(TWO_ROOTS, tmp_path))[0].heads() == [-1, 0, 0]


@pytest.mark.parametrize("system", TREES)
def test_a_single_root_is_kept_even_if_training_has_several(tmp_path, system):
    chosen = config(tmp_path, TWO_ROOTS * 3 + SINGLE * 3, root=LabelledRoot(single=True), system=system)
    (tmp_path / "f.yaml").write_text(FEATURES.replace("Stack", SYSTEMS[system].sources[0]))
    model, lines = told(chosen)
    assert f"the {system} oracle cannot derive 3 of 6 trees (50.0 %): projectivize" in lines
    assert "3 of them cannot be derived as projective trees either; derived as far as possible" in lines
    assert SEVERAL.format("3 of 6") in lines
    assert_single_rooted_trees(parsed(model, sentences_of(TWO_ROOTS + SINGLE, tmp_path)), model.labels)


@needs("graph")
@pytest.mark.parametrize(("single", "warned"), [(True, True), ("auto", False), (False, False)])
def test_graph_based_training_reports_several_roots(sentences, single, warned):
    flat = [sentence.with_tree([0] * (len(sentence) + 1), sentence.deprels()) for sentence in sentences]
    config = load_config("graph-first-order", ["graph.epochs=1", "graph.table_bits=14"], {"root.single": single})
    lines = []
    train(config, lines.append, flat)
    assert (SEVERAL.format("40 of 40") in lines) == warned


@pytest.mark.parametrize(
    ("way", "instances"), [("projectivize", [8 + 6]), ("skip", [6]), ("best-effort", range(7, 8 + 6))]
)
def test_underivable_trees_are_treated_as_configured(tmp_path, way, instances):
    """With best-effort, the oracle's decisions are instances, but default transitions are not."""
    _, lines = told(config(tmp_path, SINGLE + CROSSING, underivable=way))
    assert f"the arc-standard oracle cannot derive 1 of 2 trees (50.0 %): {way}" in lines
    assert int(next(line for line in lines if " instances, " in line).partition(" instances, ")[0]) in instances


def test_errors_for_underivable_trees(tmp_path):
    chosen = config(tmp_path, SINGLE + "# sent_id = odd\n" + CROSSING, underivable="refuse")
    fault = "the arc-standard oracle cannot derive 1 of 2 trees (50.0 %), the first is odd"
    assert refused(chosen) == f"{fault}; set underivable to another value"
    chosen = config(tmp_path, CROSSING, underivable="skip")
    assert refused(chosen) == "the arc-standard oracle cannot derive any tree of the training treebank"


@pytest.mark.parametrize(
    ("faulty", "fault"),
    [
        (CYCLE, "not a tree, words 1 2 form a cycle"),
        (rows(("a", 9, "x"), ("b", 0, "root")), "HEAD '9' out of range, expected a number from 0 to 2"),
    ],
)
def test_faulty_trees_are_refused_or_skipped(tmp_path, faulty, fault):
    chosen = config(tmp_path, SINGLE + faulty)
    path = chosen.treebank.train
    assert refused(chosen) == f"{path}:5: {fault}; treebank.faulty=skip leaves such sentences out"
    skipping = replace(chosen, treebank=replace(chosen.treebank, faulty="skip"))
    model, lines = told(skipping)
    skipped = f"left out 1 of 2 sentences with invalid trees, the first: {path}:5: {fault}"
    assert lines[:2] == [skipped, f"{path}: 1 sentences, 3 words"]
    assert model.provenance["train"]["sentences"] == 1
    (tmp_path / "t.conllu").write_text(faulty)
    assert refused(skipping) == "the training treebank has no usable sentence"


def test_the_root_label_must_occur_in_training(tmp_path):
    chosen = config(tmp_path, SINGLE * 2)
    message = "root.label: 'rot' is not a label of the training treebank"
    assert refused(replace(chosen, root=LabelledRoot(label="rot"))) == message
    model = train(replace(chosen, root=LabelledRoot(label="det")))
    assert model.labels[model.stages[0].fallback.root_label] == "det"


def test_feature_models_without_values_are_refused(tmp_path):
    chosen = config(tmp_path, SINGLE)
    (tmp_path / "f.yaml").write_text("templates:\n  - feats(Stack[0])\n")
    assert refused(chosen) == "every column that the feature model reads is empty; use features of other columns"


def test_labels_of_roots_are_exclusive(tmp_path):
    text = "".join(rows(("a", 2, "x"), ("b", 0, "root"), ("c", 2, "y")) for _ in range(6))
    model = train(config(tmp_path, text))
    (stage,) = model.stages
    assert stage.label_places.tolist() == [[False, True, True], [True, False, False]]
    save_model(model, tmp_path / "m")
    (again,) = load_model(tmp_path / "m").stages
    assert np.array_equal(again.label_places, stage.label_places)
