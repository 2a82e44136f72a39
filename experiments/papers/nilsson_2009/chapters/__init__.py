"""The experiments of the thesis' chapters, a YAML beside each."""
