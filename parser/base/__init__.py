"""Parts that every package of the parser needs: errors, checked values, files, progress."""

from ...version import __version__ as __version__
