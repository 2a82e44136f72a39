"""Static oracles: guides that have seen the gold tree. Imports only :mod:`crossarc.transitions`."""
