"""The command line: the verbs of `stead.Subject`, data on stdout, all else on stderr."""

from stead.surfaces.cli.entry import main

__all__ = ["main"]
