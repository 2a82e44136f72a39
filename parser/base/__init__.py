"""What every package of the parser may need: errors, checked values, files, progress. Imports nothing else of ours."""

from ...version import __version__ as __version__
