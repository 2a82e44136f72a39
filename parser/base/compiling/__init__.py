"""Compiled code: whether it is used, where it is stored, and reports before compiling."""

from .choice import chosen, compiled, enabled, is_kept, kept_in, require

__all__ = ["chosen", "compiled", "enabled", "is_kept", "kept_in", "require"]
