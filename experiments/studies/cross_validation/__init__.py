"""Cross-validation of parsers."""
