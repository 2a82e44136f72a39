"""Experiments, one module and YAML file per chapter; ``settings/`` has YAML files of single runs."""
