"""Levels of effort: the choice of a parser by facts about a treebank, and the command that writes its config."""

from ...console.help import EVERYDAY, Command

READ_FIRST = "choice.py"
LEVELS = {"fast": "choice:FAST", "accurate": "choice:ACCURATE", "most-accurate": "choice:MOST_ACCURATE"}
COMMANDS = {
    "init": Command(
        f"{__name__}.init_command",
        "Inspect a treebank and write a config for it.",
        EVERYDAY,
        "train.conllu dev.conllu -o my.yaml",
    )
}
