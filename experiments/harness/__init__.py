"""What experiments share: cells, settings, tables, and the registry."""
