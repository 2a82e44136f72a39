"""crossarc beside other parsers."""
