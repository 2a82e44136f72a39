"""The public names, each with its home; `__init__.py` imports a home when one of its names is asked for."""

from .features.registry import register_feature as register_feature
from .oracles.registry import register_oracle as register_oracle
from .parser.base.errors import CrossarcError as CrossarcError
from .parser.config.config import Config as Config, TreebankOptions as TreebankOptions
from .parser.config.loading import load_config as load_config
from .parser.config.ready import ready_configs as ready_configs
from .parser.evaluate.align import compare_sentences as compare_sentences, score_sentences as score_sentences
from .parser.evaluate.conll18 import Conll18Scores as Conll18Scores, evaluate_conll18 as evaluate_conll18
from .parser.evaluate.mcnemar import mcnemar as mcnemar
from .parser.evaluate.over_sentences import SentenceTest as SentenceTest, compare_parsers as compare_parsers
from .parser.evaluate.report import format_scores as format_scores
from .parser.evaluate.scores import Scores as Scores
from .parser.learners.registry import register_learner as register_learner
from .parser.models.files import load_model as load_model, open_parser as open_parser, save_model as save_model
from .parser.models.model import ParserModel as ParserModel
from .parser.plugins.analysis.conformance import check_system as check_system
from .parser.plugins.analysis.derivation import explain as explain
from .parser.plugins.analysis.oracle_report import oracle_report as oracle_report
from .parser.plugins.analysis.replay import replayed as replayed
from .parser.plugins.blending.config import BlendConfig as BlendConfig, load_blend_config as load_blend_config
from .parser.plugins.blending.training import train_blend as train_blend
from .parser.plugins.drawing.text_tree import draw_tree as draw_tree
from .parser.plugins.interfaces.estimator import DependencyParser as DependencyParser
from .parser.plugins.interfaces.frames import to_frame as to_frame
from .parser.plugins.interfaces.nltk_graphs import to_dependency_graph as to_dependency_graph
from .parser.plugins.interfaces.notebook import beside as beside
from .parser.plugins.interfaces.spacy_docs import to_doc as to_doc
from .parser.plugins.interfaces.token_lists import to_token_list as to_token_list
from .parser.training.scoring import score_on as score_on
from .parser.training.train import train as train
from .parser.transforms.registry import parse_transform as parse_transform
from .parser.treebank import (
    Sentence as Sentence,
    Treebank as Treebank,
    read_sentences as read_sentences,
    read_treebank as read_treebank,
    write_sentences as write_sentences,
)
from .parser.treebank.check import check as check
from .parser.treebank.samples import as_sentence as as_sentence, as_sentences as as_sentences
from .parser.treebank.sentence import Word as Word
from .transitions.registry import register_system as register_system
from .version import __version__ as __version__
