"""Trees, configurations and transition systems. This package imports nothing else of crossarc."""
