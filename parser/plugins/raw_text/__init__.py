"""Raw text: sentences and words, as a treebank divides it."""

from ...console.help import EVERYDAY, Command

READ_FIRST = "tokenizer.py"
STEPS = {"tokenizer": "step:TokenizerStep"}
STEP_TRAINERS = {"input": "training:TokenizerTrainer"}
COMMANDS = {
    "tokenize": Command(
        f"{__name__}.command",
        "Split raw text into sentences and words.",
        EVERYDAY,
        "my.model novel.txt -o novel.conllu",
    )
}
