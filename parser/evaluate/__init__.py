"""Scores of predicted against gold trees, error analysis and significance tests."""

from .align import pair_sentences, score_sentences, scored_tree
from .chart import line_chart
from .comparison import Comparison, ScoredTree, compare
from .figure import Arrow, arrows, significance_figure
from .mcnemar import McNemar, mcnemar, pairwise, significance
from .metrics import evaluate, score_comparison
from .percent import error_reduction
from .propagation import Propagation, propagation
from .report import format_scores, format_significance
from .scores import Accuracy, ArcScores, DeprelScores, PrecisionRecall, Scores, SentenceClasses, Totals

__all__ = [
    "Accuracy",
    "ArcScores",
    "Arrow",
    "Comparison",
    "DeprelScores",
    "McNemar",
    "PrecisionRecall",
    "Propagation",
    "ScoredTree",
    "Scores",
    "SentenceClasses",
    "Totals",
    "arrows",
    "compare",
    "error_reduction",
    "evaluate",
    "format_scores",
    "format_significance",
    "line_chart",
    "mcnemar",
    "pair_sentences",
    "pairwise",
    "propagation",
    "score_comparison",
    "score_sentences",
    "scored_tree",
    "significance",
    "significance_figure",
]
