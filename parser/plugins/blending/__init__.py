"""Blends: one tree from the trees of several parsers."""

from ...console.help import RESEARCH, Command

READ_FIRST = "blend.py"
LOADERS = {"components": "config:load_blend_config"}
MODELS = {"blend": "model:BlendModel"}
COMPOSITES = {"blend": "training:train_blend"}
COMMANDS = {
    "blend": Command(
        f"{__name__}.command",
        "Blend several parses into one file.",
        RESEARCH,
        "one.conllu two.conllu three.conllu -o best.conllu",
    )
}
