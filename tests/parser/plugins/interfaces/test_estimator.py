"""The estimator: configs from parameters, use with scikit-learn's tools, and scikit-learn's own checks."""

import json
import pickle
import re
from copy import copy
from functools import partial

import crossarc
import numpy as np
import pytest
from crossarc import DependencyParser, load_blend_config, ready_configs, train_blend
from crossarc.parser.plugins.interfaces.estimator import UnfittedError
from crossarc.transitions.registry import SYSTEMS
from installed import needs
from refusals import refusal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import check_is_fitted

SMALL = {"features": "small"}


@pytest.fixture(scope="module")
def fitted(sentences):
    return DependencyParser("swap", C=0.03, **SMALL).fit(sentences)


CHECKS = (
    *("estimator_cloneable", "estimator_repr", "estimator_tags_renamed", "estimators_unfitted", "mixin_order"),
    *("do_not_raise_errors_in_init_or_set_params", "no_attributes_set_in_init", "set_params", "valid_tag_types"),
    *("parameters_default_constructible", "get_params_invariance"),
)
"""Checks of scikit-learn that do not fit a matrix of numbers; the samples of this estimator are sentences."""


class OfMatrices(DependencyParser):
    """Declares that it takes matrices, because scikit-learn has few checks for other estimators."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        return tags


@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn_pass():
    import sklearn.utils.estimator_checks as checks

    if not hasattr(checks, "estimator_checks_generator"):
        pytest.skip("this scikit-learn does not list its checks")
    done = set()
    for estimator, check in checks.estimator_checks_generator(OfMatrices()):
        if (name := check.func.__name__.removeprefix("check_")) in CHECKS:
            check(estimator)
            done.add(name)
    assert len(done) > 8


NUMPY = {"guide.epochs": np.int64(3), "root.single": np.bool_(True)}


@needs("further_learners")
def test_parameters_can_be_numpy_numbers():
    parser = DependencyParser("arc-eager", C=np.float32(0.5), beam=np.int64(2), settings=NUMPY)
    config = parser.set_params(learner="perceptron", C=None).config()
    assert json.dumps(config.to_json())
    assert (config.beam, config.guide["epochs"], config.root.single) == (2, 3, True)


def test_parallel_prediction_gives_the_same_trees(fitted, sentences):
    several = copy(fitted).set_params(n_jobs=np.int64(-1))
    assert several.predict(sentences[:3]) == fitted.predict(sentences[:3])


@pytest.mark.parametrize("n_jobs", [0, "all", 1.5])
def test_invalid_n_jobs_is_refused(n_jobs, sentences):
    parser = DependencyParser("swap", **SMALL, n_jobs=n_jobs).fit(sentences[:1])
    with pytest.raises(crossarc.CrossarcError, match=f"^n_jobs: found {n_jobs!r}, expected a whole number"):
        parser.predict(sentences[:1])


@pytest.mark.parametrize("name", sorted({*ready_configs(), *SYSTEMS}))
def test_without_parameters_the_ready_config_is_used(name):
    config = DependencyParser(name).config()
    if name in ready_configs():
        assert config == crossarc.load_config(name)
    else:
        assert config == crossarc.Config(system=name)


def test_parameters_set_keys_of_the_config():
    transforms = ["pseudo-projective:encoding=path"]
    more = {"guide.tol": 0.2, "root.label": "root", "underivable": "skip"}
    parser = DependencyParser("arc-eager", C=0.5, features="plain", transforms=transforms, beam=4, settings=more)
    settings = ["guide.C=0.5", "features=plain", f"transforms={transforms}", "underivable=skip", "beam=4"]
    settings += ["guide.tol=0.2", "root.label=root"]
    assert parser.config() == crossarc.load_config("arc-eager", settings)
    assert DependencyParser(learner="knn", settings={"guide.k": 3}).config().guide == {"learner": "knn", "k": 3}


def test_configs_can_be_files(tmp_path):
    (tmp_path / "own.yaml").write_text("system: arc-eager\nguide: {C: 0.7}\n", "utf-8")
    config = DependencyParser(str(tmp_path / "own.yaml"), features="small").config()
    assert (config.system, config.guide["C"], config.features) == ("arc-eager", 0.7, "small")


def test_fit_gives_the_same_parser_as_train(fitted, sentences, tmp_path):
    config = crossarc.load_config("swap", ["features=small", "guide.C=0.03"])
    model = crossarc.train(config, sentences=sentences)
    assert fitted.predict(sentences) == list(model.parse(sentences))
    again = clone(fitted).fit(sentences)
    for name, parser in (("one", fitted), ("other", again)):
        parser.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert fitted.score(sentences) == crossarc.score_sentences(sentences, model.parse(sentences)).las


def test_fit_returns_the_estimator_and_changes_no_parameter(fitted, sentences):
    parser = DependencyParser(settings={"guide.tol": 0.5}, **SMALL)
    before = parser.get_params()
    assert parser.fit(sentences) is parser
    assert parser.get_params() == before
    assert {name for name in vars(parser) if name not in before} == {"model_", "labels_"}
    assert parser.labels_ == fitted.labels_
    assert "nsubj" in parser.labels_


def test_fitted_estimators_pickle(fitted, sentences):
    assert pickle.loads(pickle.dumps(fitted)).predict(sentences) == fitted.predict(sentences)


def test_unfitted_estimators_fail(fitted, sentences, tmp_path):
    check_is_fitted(fitted)
    parser = clone(fitted)
    with pytest.raises(NotFittedError):
        check_is_fitted(parser)
    for use in (parser.predict, parser.score, lambda _: parser.save(tmp_path / "m")):
        with pytest.raises(UnfittedError, match="this parser has not been trained; call fit"):
            use(sentences)
    assert issubclass(UnfittedError, NotFittedError)
    assert issubclass(UnfittedError, crossarc.CrossarcError)


def test_y_must_be_none(fitted, sentences):
    assert fitted.score(sentences, None) > 90
    with pytest.raises(crossarc.CrossarcError, match=r"^y: found list, expected None: the gold trees are in the sent"):
        DependencyParser(**SMALL).fit(sentences, [1] * len(sentences))


def test_estimators_can_be_cross_validated(sentences):
    """cross_val_predict returns the sentences in a numpy array of objects."""
    parser, sentences = DependencyParser(**SMALL), sentences[:16]
    parsed = cross_val_predict(parser, sentences, cv=2)
    scores = cross_val_score(parser, sentences, cv=2)
    half = len(sentences) // 2
    first, second = clone(parser).fit(sentences[half:]), clone(parser).fit(sentences[:half])
    assert list(parsed[:half]) == first.predict(sentences[:half])
    assert scores.tolist() == [first.score(sentences[:half]), second.score(sentences[half:])]


def test_estimators_can_end_a_pipeline(fitted, sentences):
    pipeline = make_pipeline("passthrough", clone(fitted)).fit(sentences)
    assert pipeline.predict(sentences) == fitted.predict(sentences)


@pytest.mark.parametrize(
    "parser",
    [
        DependencyParser("swap", C=0.03, **SMALL),
        DependencyParser("graph", settings={"graph.epochs": 1, "graph.order": 1, "graph.table_bits": 16}),
        DependencyParser("arc-hybrid", **SMALL, settings={"explore": 1}),
        DependencyParser("arc-eager", learner="plugin", settings={"guide.parameters": {"alpha": 0.5}}, **SMALL),
    ],
    ids=["svm", "graph", "explored", "plugin"],
)
@needs("further_learners", "graph")
def test_files_restore_parser_and_parameters(parser, sentences, tmp_path):
    sentences = sentences[:12]
    parser = clone(parser).fit(sentences)
    parser.save(tmp_path / "own.model")
    again = DependencyParser.load(tmp_path / "own.model")
    assert again.predict(sentences[:5]) == parser.predict(sentences[:5])
    assert again.config().to_json() == parser.config().to_json()
    clone(again).fit(sentences).save(tmp_path / "again.model")
    assert DependencyParser.load(tmp_path / "again.model").predict(sentences) == parser.predict(sentences)


@needs("graph")
def test_blends_cannot_be_loaded_as_estimators(small_treebank, tmp_path):
    (tmp_path / "own.yaml").write_text("components: [arc-standard-small, swap-small]\nweights: equal\n", "utf-8")
    config = load_blend_config(str(tmp_path / "own.yaml"), [], {"treebank.train": str(small_treebank)})
    crossarc.save_model(train_blend(config), tmp_path / "blend.model")
    with pytest.raises(crossarc.CrossarcError, match=r"a blend is not an estimator; open it with"):
        DependencyParser.load(tmp_path / "blend.model")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"system": "swop"}, "swop: cannot read the config"),
        ({"system": None}, "system: found None, expected the name of a system or of a config"),
        ({"C": -1}, r"guide\.C: found -1; allowed: a number above 0"),
        ({"learner": "knn", "C": 1.0}, "C"),
        ({"transforms": "reversal"}, "transforms: found 'reversal', expected a list of transforms"),
        ({"settings": ["guide.C=1"]}, "settings: found .'guide.C=1'., expected a mapping from keys to values"),
        ({"settings": {"guide.C": 1.0}, "C": 2.0}, "settings: guide.C is given twice, in settings and as a separate"),
        ({"settings": {"gude.C": 1.0}}, "gude"),
    ],
)
def test_wrong_parameters_are_reported_in_one_line(parameters, message, sentences):
    assert re.search(message, refusal(partial(DependencyParser(**parameters).fit, sentences)))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "sentences: found none, expected one or more to train on"),
        ("Dogs bark", "sentences: found str, expected a list of sentences"),
        ([["Dogs", "bark"]], "head of word 1|HEAD"),
        ([1], "sentence 1: found int, expected a Sentence, a conllu.TokenList, a pandas.DataFrame, a spaCy Doc"),
    ],
)
def test_invalid_training_sentences_are_refused(value, message):
    assert re.search(message, refusal(partial(DependencyParser(**SMALL).fit, value)))


def test_scores_need_words(fitted):
    assert fitted.predict([]) == []
    with pytest.raises(crossarc.CrossarcError, match="score: found no words"):
        fitted.score([])


@pytest.mark.parametrize(
    ("separate", "settings", "name"),
    [
        ({"C": 3.0}, {"guide": {"C": 1}}, "guide.C"),
        ({"C": 3.0}, {"guide.C": 1}, "guide.C"),
        ({}, {"system": "arc-eager"}, "system"),
        ({"beam": 2}, {"beam": 3}, "beam"),
    ],
)
def test_a_key_is_given_once(separate, settings, name):
    parser = DependencyParser("arc-standard", **separate, settings=settings)
    assert refusal(parser.config).startswith(f"settings: {name} is given twice")


@needs("levels")
def test_a_level_may_be_taken_with_another_system(sentences):
    assert DependencyParser("fast", settings={"system": "swap"}).config(sentences).system == "swap"
