"""Plugins: each folder is one thing that stands on the core, with its commands and pages.

The core never imports a plugin by name. It finds the folders here, and what they declare.
"""
