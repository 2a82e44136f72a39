"""Compiled code: whether it is used, where it is stored, and reports before compiling."""

from .choice import chosen, compiled, enabled, require
from .folders import is_kept, kept_in

__all__ = ["chosen", "compiled", "enabled", "is_kept", "kept_in", "require"]
