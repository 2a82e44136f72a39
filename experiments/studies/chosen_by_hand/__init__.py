"""The most accurate known parsers."""
