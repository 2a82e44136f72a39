"""What is known of a command before it is called."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Command"]


class Command(NamedTuple):
    """home: the module that has ``describe_NAME`` and ``run_NAME``, imported when the command is called. summary: the
    first line of its description. task: what ``crossarc --help`` lists it under. example: its arguments in one."""

    home: str
    summary: str
    task: str
    example: str
