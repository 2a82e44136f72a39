"""Scores of predicted against gold trees, error analysis and significance tests."""

from ..treebank.tree import Tree
from .align import score_sentences, scored_tree
from .comparison import Comparison, compare
from .error_figures import (
    by_length,
    clustering_figure,
    depth_figure,
    error_charts,
    error_figures,
    length_figure,
    length_precisions,
    position_figure,
    position_rates,
)
from .mcnemar import McNemar, mcnemar, pairwise, significance, significance_json
from .metrics import evaluate, score_comparison
from .percent import error_reduction
from .propagation import Propagation, propagation
from .report import (
    comparison_table,
    format_comparison,
    format_scores,
    format_significance,
    score_tables,
    significance_table,
)
from .scores import Accuracy, ArcScores, DeprelScores, PrecisionRecall, Scores, SentenceClasses, Totals
from .significance_figure import Arrow, arrows, significance_figure

__all__ = [
    "Accuracy",
    "ArcScores",
    "Arrow",
    "Comparison",
    "DeprelScores",
    "McNemar",
    "PrecisionRecall",
    "Propagation",
    "Scores",
    "SentenceClasses",
    "Totals",
    "Tree",
    "arrows",
    "by_length",
    "clustering_figure",
    "compare",
    "comparison_table",
    "depth_figure",
    "error_charts",
    "error_figures",
    "error_reduction",
    "evaluate",
    "format_comparison",
    "format_scores",
    "format_significance",
    "length_figure",
    "length_precisions",
    "mcnemar",
    "pairwise",
    "position_figure",
    "position_rates",
    "propagation",
    "score_comparison",
    "score_sentences",
    "score_tables",
    "scored_tree",
    "significance",
    "significance_figure",
    "significance_json",
    "significance_table",
]
