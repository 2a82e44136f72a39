"""crossarc: transition-based dependency parsing, with every published way of getting at crossing arcs."""

from .version import __version__

__all__ = ["__version__"]
