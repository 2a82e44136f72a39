"""The report of ``evaluate --scores calibration``."""

from __future__ import annotations

import argparse

from ...base.errors import CrossarcError
from ...console.options import print_json
from ...console.reading import read_input
from ...drawing.report_page import Table
from ...evaluate.reliability import score_reliability
from ...evaluate.report import format_table


def print_calibration(options: argparse.Namespace) -> int:
    """``crossarc evaluate --scores calibration``."""
    if len(options.parsed) > 1:
        raise CrossarcError(f"--scores calibration: found {len(options.parsed)} parsed files; allowed: one")
    found = score_reliability(read_input(options, options.gold), read_input(options, options.parsed[0]))
    if options.json:
        bins = {key: {**own._asdict(), "bins": [part._asdict() for part in own.bins]} for key, own in found.items()}
        print_json(bins)
        return 0
    titles = {"Conf": "head and label", "ConfHead": "head"}
    for key, own in found.items():
        rows = [
            [f"{part.low:.1f} to {part.high:.1f}", str(part.words), f"{part.mean:.1f}", f"{part.right:.1f}"]
            for part in own.bins
        ]
        print(format_table(Table([f"{key}: {titles[key]}", "words", "mean %", "right %"], rows)))
        print(f"expected calibration error: {own.error:.2f} %")
        shares = ", ".join(f"{value:.1f} % in {share} %" for share, value in own.found.items())
        print(f"errors among the least certain words: {shares}\n")
    return 0
