"""Linear learners, whose scores are sums of weights, one for each feature and class."""
