"""Graph-based parsing: the best tree for the scores of its edges and pairs of edges."""

READ_FIRST = "edges.py, decode.py"
KINDS = {"graph": "config:GraphConfig"}
MODELS = {"graph": "model:GraphModel"}
TRAINERS = {"graph": "training:train_graph"}
