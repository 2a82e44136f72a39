"""Scores of predicted against gold trees, error analysis and significance tests."""

from .align import pair_sentences, score_sentences, scored_tree
from .comparison import Comparison, ScoredTree, compare
from .mcnemar import McNemar, mcnemar, pairwise, significance
from .metrics import evaluate, score_comparison
from .propagation import Propagation, propagation
from .scores import Accuracy, ArcScores, DeprelScores, PrecisionRecall, Scores, SentenceClasses, Totals

__all__ = [
    "Accuracy",
    "ArcScores",
    "Comparison",
    "DeprelScores",
    "McNemar",
    "PrecisionRecall",
    "Propagation",
    "ScoredTree",
    "Scores",
    "SentenceClasses",
    "Totals",
    "compare",
    "evaluate",
    "mcnemar",
    "pair_sentences",
    "pairwise",
    "propagation",
    "score_comparison",
    "score_sentences",
    "scored_tree",
    "significance",
]
