"""Further learners: votes, decisions in two steps, one learner per value, whole derivations, scikit-learn."""

READ_FIRST = "voting.py"
LEARNERS = {"perceptron": "structured:StructuredPerceptron", "voting": "voting:Voting", "plugin": "scikit_learn:Plugin"}
COMBINERS = {"two-step": "two_step:TwoStep", "split": "split:Split"}
