"""Learning from several treebanks of one language, or of related ones, whose conventions differ."""

READ_FIRST = "training.py"
STEPS = {"treebank": "step:TreebankName"}
STEP_TRAINERS = {"also": "training:AlsoTrainer"}
SUPPLIED = {"treebank": "templates:with_treebanks"}
