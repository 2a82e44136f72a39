"""Count the modules of crossarc that ``open_parser`` imports, and those whose functions ``crossarc parse`` calls.

Run as: python tests/support/loaded_modules.py MODEL FILE [OPTION...]
"""

from __future__ import annotations

import os
import sys
from types import FrameType

OPTIMIZED = 1
"""Flag of code objects of functions; bodies of modules and classes do not have it."""


def main(model: str, *arguments: str) -> None:
    called = set()

    def trace(frame: FrameType, _event: str, _value: object) -> None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("crossarc.") and frame.f_code.co_flags & OPTIMIZED:
            called.add(name)

    import crossarc

    crossarc.open_parser(model)
    imported = [name for name in sys.modules if name.split(".")[0] == "crossarc"]
    from crossarc.__main__ import main as run

    sys.setprofile(trace)
    status = run(["parse", model, *arguments, "-q", "-o", os.devnull])
    sys.setprofile(None)
    print(
        f"open_parser imports {len(imported)} modules; parse runs through {len(called)} files",
        *sorted(called),
        sep="\n",
    )
    sys.exit(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
