"""Small models of all learners and kinds, for tests that damage them."""

import crossarc
import pytest
from command_line import generated
from crossarc import load_config, save_model
from crossarc.parser.training.train import train_any
from installed import PLUGINS

TEMPLATES = "templates:\n- upos(Stack[0])\n- form(Lookahead[0])\n- merge(feats(Stack[1]), upos(Stack[0]))\n"
VOTERS = "guide.guides=[{learner: svm}, {learner: maxent}]"
MODELS = {
    "svm": ("swap",),
    "maxent": ("maxent",),
    "knn": ("knn",),
    "svm-poly": ("arc-standard", "guide.learner=svm-poly"),
    "three-step": ("three-step", "passes=plain"),
}
if "further_learners" in PLUGINS:
    MODELS |= {
        "perceptron": ("beam", "guide.epochs=1", "beam=2"),
        "voting": ("arc-standard", "guide.learner=voting", VOTERS),
        "ridge": ("arc-standard", "guide.learner=plugin", "guide.estimator=sklearn.linear_model.RidgeClassifier"),
    }
if "graph" in PLUGINS:
    MODELS["graph"] = ("graph", "graph.epochs=1", "graph.table_bits=8")
"""A ready config and settings of each model; beside these there is the model ``blend``."""


@pytest.fixture(scope="session")
def small_models(tmp_path_factory):
    """A folder with ``NAME.model`` for each of :data:`MODELS` and a blend."""
    folder, sentences = tmp_path_factory.mktemp("models"), generated(1, 12)
    (folder / "few.yaml").write_text(TEMPLATES, "utf-8")
    for name, (config, *settings) in MODELS.items():
        own = {} if name == "graph" else {"features": str(folder / "few.yaml")}
        save_model(train_any(load_config(config, settings, own), sentences=sentences), folder / f"{name}.model")
    if "blending" in PLUGINS:
        features = f"shared: {{features: {folder / 'few.yaml'}}}"
        components = "components: [{name: one, config: swap}, {name: two, config: arc-eager}]"
        (folder / "blend.yaml").write_text(f"weights: pos\n{features}\n{components}\n", "utf-8")
        save_model(
            train_any(crossarc.load_blend_config(folder / "blend.yaml"), sentences=sentences), folder / "blend.model"
        )
    return folder
