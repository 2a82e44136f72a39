"""How other Python programs hold a parser: an estimator of scikit-learn, and sentences of other libraries."""
