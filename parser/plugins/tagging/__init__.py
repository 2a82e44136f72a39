"""Tagging: columns that are predicted before parsing, from words."""

from ...console.help import EVERYDAY, Command

READ_FIRST = "taggers.py"
STEPS = {"tagger": "taggers:Tagger", "lexicon": "lexicon:Lexicon"}
STEP_TRAINERS = {"tags": "training:TaggerTrainer", "lexicon": "lexicon_training:LexiconTrainer"}
SUPPLIED = {"lexicon": "lexicon_training:with_lexicon"}
COMMANDS = {
    "tag": Command(
        f"{__name__}.command",
        "Predict tags and lemmas, without trees.",
        EVERYDAY,
        "my.model words.conllu -o tagged.conllu",
    )
}
