"""Greedy parsing with linear learners, compiled by numba; see README.md."""

from .loop import CompiledLoop, LoadedLoop, compiled_loop, compiled_ready

__all__ = ["CompiledLoop", "LoadedLoop", "compiled_loop", "compiled_ready"]
