"""The most accurate parsers that were found, and how."""
