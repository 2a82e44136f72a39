"""Shared parts of all commands: command line, help, options, progress, output."""
