"""Tagging: columns that are predicted before parsing, from words."""

from ...console.help import EVERYDAY, Command

STEPS = {"tagger": "taggers:Tagger"}
STEP_TRAINERS = {"tags": "training:TaggerTrainer"}
COMMANDS = {
    "tag": Command(
        f"{__name__}.command",
        "Predict tags and lemmas, without trees.",
        EVERYDAY,
        "my.model words.conllu -o tagged.conllu",
    )
}
