"""Parts that all packages of the parser use: errors, checked values, files, progress."""

from ...version import __version__ as __version__
