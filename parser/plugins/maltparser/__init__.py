"""MaltParser's feature models, translated into ours."""

from __future__ import annotations

from ...console.help import RESEARCH, Command

READ_FIRST = "features.py"
COMMANDS = {
    "import-malt": Command(
        f"{__name__}.command", "Translate a feature model of MaltParser.", RESEARCH, "NivreEager.xml -o own.yaml"
    )
}
