"""Compiled code: choosing it, storing it, and reporting before it is compiled."""

from .choice import KERNEL_VARIABLE, chosen, compiled, enabled, loaded, warn_if_slow
from .folders import is_kept, kept_in

__all__ = ["KERNEL_VARIABLE", "chosen", "compiled", "enabled", "is_kept", "kept_in", "loaded", "warn_if_slow"]
