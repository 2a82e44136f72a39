"""Feature models: the YAML template language and vectorised feature extraction. Imports only ``transitions``."""
