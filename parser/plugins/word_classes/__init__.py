"""Word classes, learned from raw text or made from word vectors, as features of taggers and parsers."""

from ...console.help import EVERYDAY, Command

READ_FIRST = "step.py, learning.py"
STEPS = {"word classes": "step:WordClasses"}
STEP_TRAINERS = {"raw": "training:RawTrainer", "classes": "training:ClassesTrainer"}
SUPPLIED = {"wordclass": "templates:with_classes"}
COMMANDS = {
    "classes": Command(
        f"{__name__}.command",
        "Learn word classes from raw text, or make them from word vectors.",
        EVERYDAY,
        "novels/*.txt -o novels.classes",
    )
}
