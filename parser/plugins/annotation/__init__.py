"""Annotation: calibrated scores, values that a person has decided, valid labels, and suspects."""

from ...console.help import RESEARCH, Command

READ_FIRST = "calibration.py"
STEPS = {"calibration": "calibration:Calibration", "constraints": "constraints:Constraints"}
STEP_TRAINERS = {"constraints": "training:ConstraintsTrainer"}
KEEPERS = {"given": "keep:given_values", "marked": "keep:marked_values"}
COMMANDS = {
    "calibrate": Command(
        f"{__name__}.calibrate_command", "Calibrate the scores of a model's arcs.", RESEARCH, "my.model dev.conllu"
    ),
    "agreement": Command(
        f"{__name__}.agreement_command", "Measure how far two annotators agree.", RESEARCH, "first.conllu second.conllu"
    ),
    "choose": Command(
        f"{__name__}.choose_command",
        "Choose the next sentences to annotate.",
        RESEARCH,
        "parsed.conllu --batch 1000 --without done.conllu -o batch.conllu",
    ),
    "collect": Command(
        f"{__name__}.collect_command",
        "Collect the annotated sentences of all rounds, without marks.",
        RESEARCH,
        "done.conllu fixed.conllu -o all.conllu",
    ),
    "rounds": Command(
        f"{__name__}.rounds_command",
        "Show what rounds of annotation have brought.",
        RESEARCH,
        "scored1.conllu fixed1.conllu scored2.conllu fixed2.conllu",
    ),
    "sheet": Command(
        f"{__name__}.sheet_command",
        "Make a spreadsheet of sentences, and sentences of it.",
        RESEARCH,
        "batch.conllu -o batch.tsv",
    ),
    "suspects": Command(
        f"{__name__}.suspects_command",
        "Rank words whose annotation may be wrong.",
        RESEARCH,
        "train.conllu -o page.html",
    ),
}
