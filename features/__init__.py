"""Feature models: the YAML template language and its vectorised extraction. Imports only ``transitions``."""
