"""Linear learners: a weight for each feature and class, learned once and added up fast."""
