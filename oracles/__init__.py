"""Static and dynamic oracles: guides that have seen the gold tree. Imports only :mod:`crossarc.transitions`."""
