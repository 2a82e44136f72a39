"""The experiments of the thesis' chapters, a YAML beside each, and the settings of single runs."""
